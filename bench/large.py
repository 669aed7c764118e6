"""`python -m bench.large`: CPU seconds and peak memory of `metrics`, `report` and `status` on 100,000 outcomes.

The run folder is that of a simulated observer on VI-Probe's default design, answered in sentences with a tag, a part of
them unreadable. It is made without pictures and without asking anybody, in a process of its own; each verb then runs as
a child process, as a user would call it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from studies.viprobe.validation.design import planned_stimuli
from veridical.ask import Run
from veridical.ask.outcomes import outcome_table
from veridical.base.options import parse_options
from veridical.records import Response, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.registry import get
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.observers.simulation import ViprobeMechanism, simulate
from veridical.suites.viprobe.options import VIProbeOptions

AIMS = {"metrics": (20.0, 600.0), "report": (20.0, 600.0), "status": (2.0, 600.0)}
"""CPU seconds and megabytes of each verb."""

OBSERVER = ViprobeMechanism(memory=0.6, recognition=0.8, jnd=0.08, spread=0.05, lapse=0.05, insensitivity=0.05)
UNREADABLE = 0.02
_WORDS = "The two targets were compared edge by edge; what the picture shows decides, not what it is known for. "


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints lines for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.large", description="What a large run costs to analyze.")
    parser.add_argument("--outcomes", type=int, default=100_000, help="outcomes of the run, about (%(default)s)")
    parser.add_argument("--verbs", nargs="+", default=list(AIMS), choices=list(AIMS), help="verbs to measure")
    parser.add_argument("--folder", type=Path, help="where the run stands or is to be made, and is kept")
    parser.add_argument("--distinct", action="store_true", help="make a run in which no two replies are equal")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.make:
        make(chosen.make, chosen.outcomes, distinct=chosen.distinct)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.folder or Path(scratch) / "run"
        if not (folder / "run.json").exists():
            words = ["-m", "bench.large", "--make", str(folder), "--outcomes", str(chosen.outcomes)]
            words += ["--distinct"] if chosen.distinct else []
            subprocess.run([sys.executable, *words], check=True)  # noqa: S603
        found = {verb: measured(verb, folder) for verb in chosen.verbs}
    text = json.dumps(found, indent=1) if chosen.json else "\n".join(_lines(found))
    sys.stdout.write(text + "\n")


def make(folder: Path, outcomes: int, *, distinct: bool = False) -> None:
    """A run folder of about so many outcomes, in whole base items of every case; `distinct`: all replies differ."""
    suite = get("viprobe")
    trials = _trials(-(-outcomes // len(_trials(1))))
    identity = {"suite": "viprobe", "set": "made by bench.large", "model": "simulated", "repeats": 1, "sees": "run"}
    factors = suite.design.factors
    run = Run.start(folder, identity, {"started": "2026-01-01T00:00:00"}, trials, factors=factors, repeats=1)
    table = outcome_table("simulated", trials, {}, suite.asking.readers, factors=factors)
    answers = simulate(table, OBSERVER, np.random.default_rng(0))["answer"]
    gone = np.random.default_rng(1).random(len(trials)) < UNREADABLE
    replies = (None if without else str(answer) for answer, without in zip(answers, gone, strict=True))
    with run.writer() as writer:
        for trial, answer in zip(trials, replies, strict=True):
            writer.append(_reply(trial, answer, f"{_WORDS}The trial is {trial.id}. " if distinct else _WORDS))


def _trials(units: int) -> list[Trial]:
    """The trials of the default design with so many base items per case; its pictures are not drawn."""
    suite = get("viprobe")
    stimuli = list(
        planned_stimuli(parse_options(VIProbeOptions, {"variants": TYPES, "units": units, "levels": 10}), as_made=True)
    )
    return list(suite.asking.stages[0].trials(stimuli, suite.asked(), Evidence({})))


def _reply(trial: Trial, answer: str | None, words: str) -> Response:
    text = words if answer is None else f"<reasons>{words}</reasons><answer>{answer}</answer>"
    own: dict[str, Any] = {"input_tokens": 400, "output_tokens": 40, "latency": 0.5, "served_model": "simulated"}
    return Response(trial=trial.id, text=text, stop_reason="stop", ended="2026-01-01T00:00:00Z", **own)


def measured(verb: str, folder: Path) -> dict[str, float]:
    """CPU seconds, wall seconds and peak megabytes of a verb as a child process."""
    command = [sys.executable, "-m", "veridical", verb, str(folder)]
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


def _lines(found: dict[str, dict[str, float]]) -> Iterator[str]:
    for verb, spent in found.items():
        seconds, most = AIMS[verb]
        reached = spent["cpu_s"] <= seconds and spent["mb"] <= most
        yield (
            f"{verb}: {spent['cpu_s']:.1f} CPU s ({spent['s']:.1f} s), {spent['mb']:.0f} MB "
            f"(aim {seconds:g} s, {most:g} MB: {'reached' if reached else 'missed'})"
        )


if __name__ == "__main__":
    main()
