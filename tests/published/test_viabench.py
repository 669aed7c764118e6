"""VIA-Bench's checks against other ways to compute the same, and against changed cells."""

import numpy as np
import polars as pl
import pytest

from tests.published.altered import altered
from tests.published.conftest import forget
from veridical.published.printed import sheet, table
from veridical.published.viabench import claims, claims_of_tables, counts, layout, sampling, shades


def of(check):
    """The findings of one check, by subject; the part that declares it is run alone."""
    part = next(part for part in (claims_of_tables, counts, shades, sampling, claims) if check in vars(part).values())
    return {finding.subject: finding for finding in part.findings() if finding.check is check}


def numbers(row):
    """The twelve cells of a row of the main table, by another reading than the checks use."""
    cells = table("viabench", "main").filter(pl.col("row") == row, pl.col("column").is_in(layout.COLUMNS))
    return cells["value"].cast(pl.Float64).to_numpy()


@pytest.mark.parametrize("row", sheet("viabench", "main").rows())
def test_averages_are_those_of_numpy(row):
    cells = numbers(row)
    readings = layout.averages(sheet("viabench", "main"), row)
    weights = np.repeat(list(layout.questions().values()), 2)
    expected = [cells.mean(), np.average(cells, weights=weights), cells[::2].mean(), cells[1::2].mean()]
    for reading, value in zip(readings.values(), expected, strict=True):
        assert float(reading.low) <= value <= float(reading.high)
        assert float(reading.high - reading.low) == pytest.approx(0.01)


def test_every_single_run_but_the_mistyped_is_a_whole_count_by_another_search():
    frame = table("viabench", "runs").with_columns(pl.col("value").str.replace(",", ".").cast(pl.Float64))
    failed = set()
    for group, run, column, value in frame.select("group", "row", "column", "value").iter_rows():
        n = layout.questions()[column.split(" / ")[0]]
        if not np.isclose(np.arange(n + 1) * 100 / n, value, rtol=0, atol=0.005 + 1e-9).any():
            failed.add(f"{group}, run {run}, {column}")
    assert failed == {subject for subject, each in of(counts.RUN).items() if each.verdict == "impossible"}


def test_places_are_those_of_numpy():
    main = table("viabench", "main")
    for finding in of(claims_of_tables.RANK).values():
        group = main.filter(pl.col("row") == finding.subject)["group"][0]
        average = main.filter(pl.col("group") == group, pl.col("column") == "Avg.")
        values = average["value"].cast(pl.Float64).to_numpy()
        own = values[average["row"].to_list().index(finding.subject)]
        assert finding.recomputed.startswith(f"by Avg.: {1 + (values > own).sum()};")


def test_the_interval_of_a_difference_is_near_that_of_the_normal_approximation():
    main = sheet("viabench", "main")
    one, other = ((main, row, layout.SECTIONS[0]) for row in ("OpenAI o4-mini", "GPT-5-mini"))
    value, (low, high) = sampling.difference(one, other)
    variance = 0.0
    for row in ("OpenAI o4-mini", "GPT-5-mini"):
        rates = numbers(row)[::2] / 100
        variance += sum(rates * (1 - rates) / np.array(list(layout.questions().values()))) / 36
    half = 196 * np.sqrt(variance)
    assert value == pytest.approx((numbers("OpenAI o4-mini") - numbers("GPT-5-mini"))[::2].mean())
    assert (low, high) == pytest.approx((value - half, value + half), abs=0.6)


SHADED = "Proprietary Systems, Gemini-3-pro, CI / Match"
CHANGES = [
    ("main", "Gemini-3-pro", "Avg.", "69.30", None, claims_of_tables.AVERAGE, "Gemini-3-pro", "disagrees"),
    ("main", "GPT-5-mini", "Rank", "5", None, claims_of_tables.RANK, "GPT-5-mini", "disagrees"),
    ("main", "OpenAI o3", "GI / Match", "36.95", None, claims_of_tables.RUN_MEAN, "OpenAI o3, GI / Match", "disagrees"),
    ("main", "Human", "GI / Match", "99.98", None, counts.PERSON, "GI / Match", "impossible"),
    ("runs", "3", "GI / Match", "40.30", "Openai o3", counts.RUN, "Openai o3, run 3, GI / Match", "impossible"),
    ("main", "GPT-4-Turbo", "CI / Match", "60.00", None, sampling.PRIORS, "CI", "disagrees"),
    ("main", "GPT-5-mini", "GI / Judge", "99.00", None, claims.LED, "Gemini-3-pro", "disagrees"),
    ("main", "Gemini-3-pro", "CI / Match", "20.00", None, shades.MAIN, SHADED, "disagrees"),
]


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(("name", "row", "column", "value", "group", "check", "subject", "verdict"), CHANGES)
def test_a_changed_cell_is_noticed(monkeypatch, name, row, column, value, group, check, subject, verdict):
    assert of(check)[subject].verdict == "agrees"
    altered(monkeypatch, "viabench", name, row, column, value, group)
    forget()
    assert of(check)[subject].verdict == verdict


@pytest.mark.usefixtures("unread")
def test_the_neighbours_digits_make_a_mistyped_run_whole_and_give_the_mean(monkeypatch):
    run, cell = "Openai o3, run 2, VA / Match", "OpenAI o3, VA / Match"
    assert of(counts.RUN)[run].verdict == "impossible"
    assert of(claims_of_tables.RUN_MEAN)[cell].verdict == "disagrees"
    neighbour = sheet("viabench", "runs").text("2", "VA / Judge", "Openai o3")
    altered(monkeypatch, "viabench", "runs", "2", "VA / Match", neighbour, "Openai o3")
    forget()
    assert of(counts.RUN)[run].verdict == of(claims_of_tables.RUN_MEAN)[cell].verdict == "agrees"
