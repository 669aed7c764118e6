"""`python -m bench.large`: what `metrics`, `status`, `report` and resumed runs cost on runs of several sizes.

Each run is of VI-Probe's default design, with as many base items per case as its outcomes need, answered in sentences
with a tag, a part of them unreadable. Its set has the rows of all base items, and the pictures of one, which the others
share. It is made without asking anybody, in a process of its own; each verb then runs as a child process, as a user
would call it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from bench.large_run import MODEL, make, shorten

Spent = Mapping[str, float]
"""CPU seconds, wall seconds and peak megabytes."""

VERBS = ("metrics", "status", "again", "report", "resumed", "rest", "whole")
"""`status` is the first one, which has to count; `again`, the one after it; `resumed`, a `run` that has all replies.

`rest` is a run that lacks `MISSING` of its replies, resumed and asked, without its analysis; `whole` the same as a
command, with the analysis at its end.
"""

MISSING = 0.01
AIMS = {"metrics": 60.0, "status": 30.0, "again": 3.0, "report": 90.0, "resumed": 20.0, "rest": 20.0, "whole": 110.0}
"""CPU seconds of each on a million outcomes; that of `whole` is that of a rest and of a report together."""
_MOST_MB = 1500.0
_REST = "import sys; from veridical.verbs import run; run(*sys.argv[1:3], out=sys.argv[3], show='quiet', analyze=False)"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints lines for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.large", description="What a large run costs to analyze.")
    sizes = [10_000, 100_000, 1_000_000]
    parser.add_argument("--outcomes", type=int, nargs="+", default=sizes, help="outcomes of each run, about")
    parser.add_argument("--verbs", nargs="+", default=list(VERBS), choices=VERBS, help="what is measured")
    parser.add_argument("--folder", type=Path, help="where the runs are or are to be made, and are kept")
    parser.add_argument("--distinct", action="store_true", help="make runs in which no two replies are equal")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.make:
        make(chosen.make / "run", chosen.make / "set", chosen.outcomes[0], distinct=chosen.distinct)
        return
    with tempfile.TemporaryDirectory() as scratch:
        spent: dict[int, dict[str, Spent]] = {}
        for outcomes in sorted(chosen.outcomes):
            place = (chosen.folder or Path(scratch)) / str(outcomes)
            if not (place / "run" / "run.json").exists():
                words = ["-m", "bench.large", "--make", str(place), "--outcomes", str(outcomes)]
                words += ["--distinct"] if chosen.distinct else []
                subprocess.run([sys.executable, *words], check=True)  # noqa: S603
            spent[outcomes] = {verb: measured(verb, place) for verb in chosen.verbs}
    growth = {verb: _exponents(verb, spent) for verb in chosen.verbs}
    text = json.dumps({"spent": spent, "exponents": growth}, indent=1) if chosen.json else "\n".join(_lines(spent))
    sys.stdout.write(text + "\n")


def measured(verb: str, place: Path) -> Spent:
    """CPU seconds, wall seconds and peak megabytes of a verb as a child process."""
    run, words = place / "run", [verb]
    if verb == "status":
        (run / "status.json").unlink(missing_ok=True)
    if verb == "again":
        words = ["status"]
    if verb in ("rest", "whole"):
        (run / "status.json").unlink(missing_ok=True)
        shorten(run, MISSING)
    if verb in ("resumed", "whole"):
        words = ["run", "viprobe", "--set", str(place / "set"), "--model", MODEL, "--out"]
    command = [sys.executable, "-m", "veridical", *words, str(run)]
    if verb == "rest":
        command = [sys.executable, "-c", _REST, str(place / "set"), MODEL, str(run)]
    began = perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    scale = 1 if sys.platform == "darwin" else 1024
    return {
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "s": round(perf_counter() - began, 1),
        "mb": round(usage.ru_maxrss * scale / 1e6),
    }


def _exponents(verb: str, spent: Mapping[int, Mapping[str, Spent]]) -> list[float]:
    """The power of the number of outcomes with which CPU seconds grow, from each size to the next."""
    sizes = list(spent)
    return [
        round(math.log(spent[more][verb]["cpu_s"] / spent[fewer][verb]["cpu_s"]) / math.log(more / fewer), 2)
        for fewer, more in pairwise(sizes)
    ]


def _lines(spent: Mapping[int, Mapping[str, Spent]]) -> Iterator[str]:
    most = max(spent)
    for verb in spent[most]:
        sizes = [f"{size:,}: {of[verb]['cpu_s']} CPU s, {of[verb]['mb']:.0f} MB" for size, of in spent.items()]
        growth = ", ".join(map(str, _exponents(verb, spent)))
        line = f"{verb}: {'; '.join(sizes)}" + (f"; exponents of growth {growth}" if growth else "")
        if most >= 1_000_000:
            reached = spent[most][verb]["cpu_s"] <= AIMS[verb] and spent[most][verb]["mb"] <= _MOST_MB
            line += f" (aim {AIMS[verb]:g} s, {_MOST_MB:g} MB: {'reached' if reached else 'missed'})"
        yield line


if __name__ == "__main__":
    main()
