"""`python -m bench.hashing`: what it costs that every medium is held against the hash of the file that was written.

Reads all media of a set once as files and once through the set, in turn, and prints the CPU time of the difference,
also as a part of what a core has for a question where 194 are asked a second.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import veridical as v
from veridical.verbs.runs.preparation import prepare

AIM = 0.05
_QUICK = {"recipe": "quick"}
_SETS: dict[str, dict[str, Any]] = {
    "viprobe": {"units": 2, "levels": 4},
    **dict.fromkeys(("viabench", "hocabench", "magicbench"), _QUICK),
}
_COLUMNS = "{:12} {:>7} {:>9} {:>10} {:>11} {:>11} {:>10}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a line for each suite; exit code 1 where one misses the aim."""
    parser = argparse.ArgumentParser(prog="python -m bench.hashing", description="What hashing media costs.")
    parser.add_argument("--suites", nargs="+", default=list(_SETS), choices=_SETS, metavar="SUITE")
    parser.add_argument("--passes", type=int, default=9, help="medians of so many (%(default)s)")
    parser.add_argument("--question-ms", type=float, default=1000 / 194, help="CPU of a question (%(default).2f)")
    asked = parser.parse_args(arguments)
    sys.stdout.write(
        _COLUMNS.format("suite", "media", "KB each", "questions", "read, ms", "hashed, ms", "of client") + "\n"
    )
    shares = [share for suite in asked.suites for share in _measured(suite, asked.passes, asked.question_ms)]
    sys.exit(int(max(shares) > AIM))


def _measured(suite: str, passes: int, question_ms: float) -> Iterator[float]:
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder:
        made = v.make(suite, out=Path(folder) / "set", **_SETS[suite])
        files = sorted({medium.file for stimulus in made.stimuli for medium in stimulus.media})
        read = {"plain": lambda file: (made.folder / file).read_bytes(), "held": made.read}
        for each in read.values():
            _pass(each, files)
        seconds: dict[str, list[float]] = {name: [] for name in read}
        for _ in range(passes):
            for name, each in read.items():
                seconds[name].append(_pass(each, files))
        plain, held = (1000 * median(seconds[name]) / len(files) for name in read)
        size = sum((made.folder / file).stat().st_size for file in files) / len(files) / 1000
        # The questions on one stimulus share the reading of its media.
        asked = prepare(made, "openai/nobody").trials
        share = (held - plain) * len(files) / len(asked) / question_ms
        row = (suite, len(files), f"{size:.0f}", len(asked), f"{plain:.3f}", f"{held - plain:.3f}", f"{share:.1%}")
        sys.stdout.write(_COLUMNS.format(*row) + "\n")
        yield share


def _pass(read: Callable[[str], bytes], files: Sequence[str]) -> float:
    began = process_time()
    for file in files:
        read(file)
    return process_time() - began


if __name__ == "__main__":
    main()
