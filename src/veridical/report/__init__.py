"""Results for people: numbers as text, tables as CSV, figures as SVG, and one HTML page with the items behind them."""

from veridical.base.format import format_interval, format_number, format_value, visible
from veridical.report.page import write_report
from veridical.report.runs import ReportRun
from veridical.report.table_files import Exhibits, write_figures, write_tables

__all__ = [
    "Exhibits",
    "ReportRun",
    "format_interval",
    "format_number",
    "format_value",
    "visible",
    "write_figures",
    "write_report",
    "write_tables",
]
