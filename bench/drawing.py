"""`make bench`: how fast pictures are drawn, encoded, measured and written on one core, beside two other ways to draw.

The pictures of a case are all its variants at four strengths, as `veridical make` draws them. Beside them stand, in the
same run, a NumPy full-canvas drawing of the same scene with Pillow's PNG (`bench/full_canvas.py`), and Pyllusion for
the figures that it has too. Every number is the best of some repeats, as many for one way as for another.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from statistics import median

from bench.peers import Race, against_full_canvas, against_pyllusion
from bench.stages import Timing, timing
from bench.text import AIMS, OTHERS, Row, text
from veridical.suites.viprobe.illusions import CASES


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.drawing", description="How fast pictures are drawn.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[512, 1024], metavar="PX")
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES), metavar="CASE")
    parser.add_argument("--units", type=int, default=3, help="base items per case (%(default)s)")
    parser.add_argument("--passes", type=int, default=3, help="the best pass counts (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of tables")
    asked = parser.parse_args(arguments)
    on = one_core()
    sizes = {size: _size(size, asked) for size in asked.sizes}
    found = {
        "on": on,
        "aims": AIMS,
        "sizes": sizes,
        "medians": _medians([row for s in sizes.values() for row in s["cases"]]),
    }
    sys.stdout.write((json.dumps(found, indent=1) if asked.json else "\n".join(text(found))) + "\n")


def _size(size: int, asked: argparse.Namespace) -> Row:
    rows = []
    for name in asked.cases:
        _progress(f"{size} px: {name}")
        rows.append(_row(name, size, asked.units, asked.passes))
    _progress("")
    return {"cases": rows, "overall": _overall(rows)}


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text:<40}" if text else f"\r{'':<40}\r")


def one_core() -> dict[str, str]:
    """Keeps this process on one core, where the system can, and says what it is."""
    pinned = hasattr(os, "sched_setaffinity")
    if pinned:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    packages = ("numpy", "matplotlib", "pillow", "isal", "pyllusion")
    return {
        "core": "one" if pinned else "not pinned",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in packages},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _row(name: str, size: int, units: int, passes: int) -> Row:
    case = CASES[name]
    found = timing(case, size, units, passes)
    plain, difference = against_full_canvas(case, size)
    pyllusion = against_pyllusion(case, size)
    return {
        "case": name,
        **_rates(found),
        "full_canvas": _race(plain) | {"mean_difference": round(difference, 3)},
        "pyllusion": _race(pyllusion[0]) if pyllusion else None,
        "pyllusion_pixels": _race(pyllusion[1]) if pyllusion else None,
    }


def _rates(found: Timing) -> Row:
    each = {name: 1000 * spent / found.pictures for name, spent in (found.steps | {"write": found.written}).items()}
    return {
        "pictures": found.pictures,
        "drawn_per_s": round(found.pictures / found.drawn, 1),
        "made_per_s": round(found.pictures / found.made, 1),
        "ms": {name: round(spent, 4) for name, spent in each.items()},
    }


def _race(race: Race) -> Row:
    return {"ours_ms": round(race.ours * 1000, 4), "ms": round(race.other * 1000, 3), "times": round(race.ratio, 1)}


def _overall(rows: list[Row]) -> Row:
    """Pictures of all cases over the time of all cases; medians of the ratios."""
    pictures = sum(row["pictures"] for row in rows)
    steps = {name: sum(row["ms"][name] * row["pictures"] for row in rows) / pictures for name in rows[0]["ms"]}
    return {
        "pictures": pictures,
        "drawn_per_s": round(pictures / sum(row["pictures"] / row["drawn_per_s"] for row in rows), 1),
        "made_per_s": round(pictures / sum(row["pictures"] / row["made_per_s"] for row in rows), 1),
        "ms": {name: round(spent, 4) for name, spent in steps.items()},
        "medians": _medians(rows),
    }


def _medians(rows: list[Row]) -> Row:
    raced = {other: [row[other]["times"] for row in rows if row[other]] for other in OTHERS}
    return {other: {"times": median(times), "pairs": len(times)} for other, times in raced.items() if times}


if __name__ == "__main__":
    main()
