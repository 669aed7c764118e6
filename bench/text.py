"""The measurements in words: a table for each size, and each aim beside what was reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.stages import STAGES

Row = dict[str, Any]
AIMS = {"drawn_per_s": 400, "made_per_s": 200, "full_canvas": 50, "pyllusion": 300}
_AIMED_SIZE = 512
_RATES = {"drawn_per_s": "drawn and encoded", "made_per_s": "drawn, encoded, measured, hashed and written"}
OTHERS = {
    "full_canvas": "a NumPy full-canvas drawing with Pillow's PNG",
    "pyllusion": "Pyllusion",
    "pyllusion_pixels": "Pyllusion's drawing without PNG",
}
_HEAD = (
    "case",
    "pictures",
    "drawn/s",
    "made/s",
    *STAGES,
    "write",
    "full canvas",
    "times",
    "Pyllusion",
    "times",
    "pixels",
    "times",
)


def text(found: Row) -> Iterator[str]:
    """The lines to print."""
    yield ", ".join(f"{key} {value}" for key, value in found["on"].items())
    for size, result in found["sizes"].items():
        rows, overall = result["cases"], result["overall"]
        yield f"\nLonger side {size} px: pictures per second, then milliseconds per picture\n"
        yield from _table([_HEAD, *map(_cells, rows), _cells({"case": "all", **overall})])
        whole = sum(overall["ms"].values())
        shares = ", ".join(f"{name} {spent / whole:.0%}" for name, spent in overall["ms"].items())
        yield f"\nWhere the time goes: {shares}."
    yield "\nAims\n"
    if _AIMED_SIZE in found["sizes"]:
        yield from _rates(found["sizes"][_AIMED_SIZE])
    yield from _ratios(found)


def _cells(row: Row) -> tuple[str, ...]:
    raced = [row.get(other) for other in OTHERS]
    others = [cell for race in raced for cell in ((f"{race['ms']:.1f}", f"{race['times']:.0f}") if race else ("", ""))]
    rates = (f"{row['pictures']}", f"{row['drawn_per_s']:.0f}", f"{row['made_per_s']:.0f}")
    return row["case"], *rates, *(f"{row['ms'][name]:.2f}" for name in (*STAGES, "write")), *others


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in (rows[0], rule, *rows[1:]):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield f"| {' | '.join(cells)} |"


def _rates(result: Row) -> Iterator[str]:
    for key, what in _RATES.items():
        slow = [row["case"] for row in result["cases"] if row[key] < AIMS[key]]
        below = f"; below it: {', '.join(slow)}" if slow else ""
        reached = result["overall"][key]
        yield f"- {reached:.0f} pictures/s {what} at {_AIMED_SIZE} px ({_verdict(reached, AIMS[key])}{below})."


def _ratios(found: Row) -> Iterator[str]:
    """The medians over all figures and sizes, and those of each size."""
    for key, other in OTHERS.items():
        if key not in found["medians"]:
            yield f"- Not compared with {other}: it is not installed, or has none of these figures."
            continue
        times, pairs = found["medians"][key]["times"], found["medians"][key]["pairs"]
        said = f"{times:.0f} times as fast as {other} in the median of {pairs} pairs"
        each = ", ".join(f"{s['overall']['medians'][key]['times']:.0f} at {size}" for size, s in found["sizes"].items())
        aim = f"{_verdict(times, AIMS[key])}; " if key in AIMS else ""
        yield f"- {said} ({aim}{each})."


def _verdict(reached: float, aim: int) -> str:
    return f"aim {aim}: {'reached' if reached >= aim else 'missed'}"
