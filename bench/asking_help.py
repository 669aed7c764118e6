"""How soon `veridical --help` is there, beside a Python that does nothing, and what it imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter

from bench.asking_text import AIMS, Row

_TIMES = 10


def help_times(_: object = None) -> Row:
    """Seconds to `veridical --help` and to `python -c pass`, the best of some starts each.

    Where the aim is missed, also what takes longest to import.
    """
    best = _best([sys.executable, "-m", "veridical", "--help"])
    slowest = _slowest_imports() if best >= AIMS["help_s"] else {}
    return {"s": best, "nothing_s": _best([sys.executable, "-c", "pass"]), "of": _TIMES, "slowest_imports": slowest}


def _best(command: Sequence[str]) -> float:
    times = []
    for _ in range(_TIMES):
        begun = perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        times.append(perf_counter() - begun)
    return round(min(times), 3)


def _slowest_imports() -> dict[str, float]:
    """Milliseconds of the ten modules that take longest, without what they import themselves."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import veridical.cli"], check=True, capture_output=True, text=True
    ).stderr
    rows = [line.removeprefix("import time:").split("|") for line in told.splitlines()[1:] if "|" in line]
    own = {name.strip(): int(spent) / 1000 for spent, _, name in rows if spent.strip().isdigit()}
    return dict(sorted(own.items(), key=lambda item: -item[1])[:10])
