"""`python -m bench.statistics`: all estimates of a run of a million outcomes on one core, and the bootstrap's pace.

The outcomes are those of a simulated observer on VI-Probe's default design with 850 base items a case. They are made in
a process of their own and read by a fresh one, whose time and memory count. Beside it `scipy.stats.bootstrap` draws the
same cluster resamples of one figure, the PFA of perturbed figures of a case.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from studies.viprobe.validation import design_frame
from veridical.stats import Cells
from veridical.suite.evidence import Evidence
from veridical.suite.rates import unit_sums
from veridical.suite.registry import get
from veridical.suites.viprobe.analysis.pairs import pairs
from veridical.suites.viprobe.asking.settings import with_settings
from veridical.suites.viprobe.observers.simulation import ViprobeMechanism, simulate

Row = dict[str, Any]
AIMS = {"s": 60.0, "gb": 2.0}
_UNITS = 10
_DRAWS = 1000
_CASE = "muller_lyer"
_OBSERVER = ViprobeMechanism(memory=0.6, recognition=0.8, jnd=0.08, spread=0.05, lapse=0.05, insensitivity=0.05)
_REFUSED = 0.02


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints lines for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.statistics", description="How fast a run is analyzed.")
    parser.add_argument("--units", type=int, default=850, help="base items per case, tens (%(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of the race of bootstraps (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    parser.add_argument("--part", choices=("make", "estimate", "race"), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.part:
        parts = {"make": _make, "estimate": _estimate, "race": _race}
        sys.stdout.write(json.dumps(parts[asked.part](asked)))
        return
    with tempfile.TemporaryDirectory() as folder:
        words = ["--units", str(asked.units), "--rounds", str(asked.rounds), "--file", str(Path(folder) / "outcomes")]
        found = {"on": _on(), "aims": AIMS, **{part: _launched(part, words) for part in ("make", "estimate", "race")}}
    sys.stdout.write((json.dumps(found, indent=1) if asked.json else "\n".join(_text(found))) + "\n")


def _launched(part: str, words: Sequence[str]) -> Row:
    """What a part measures in a process of its own, on one core where the system can keep it there."""
    command = [sys.executable, "-m", "bench.statistics", "--part", part, *words]
    told: Row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603
    return told


def _make(asked: argparse.Namespace) -> Row:
    """Outcomes on a file: copies of a planned design under other names of units, answered, a few of them refused."""
    design = design_frame(units=_UNITS)
    copies = pl.concat([_copy(design, k) for k in range(asked.units // _UNITS)])
    rng = np.random.default_rng(0)
    answered = simulate(copies, _OBSERVER, rng)
    refused = pl.lit(pl.Series(rng.random(len(copies)) < _REFUSED))
    answered.with_columns(
        pl.when(refused).then(pl.lit("refused")).otherwise("status").alias("status"),
        pl.when(~refused).then("answer").alias("answer"),
    ).write_parquet(asked.file)
    return {"outcomes": len(copies), "units": copies["unit"].n_unique()}


def _copy(design: pl.DataFrame, number: int) -> pl.DataFrame:
    unit = pl.col("unit")
    other = unit + f".{number}"
    named = {name: other + pl.col(name).str.slice(unit.str.len_chars()) for name in ("stimulus", "trial")}
    factors = pl.col("factors").str.replace("{", f'{{"copy":{number},', literal=True)
    return design.with_columns(**named, factors=factors).with_columns(unit=other)


def _estimate(asked: argparse.Namespace) -> Row:
    """Seconds for all estimates of the outcomes, and the peak memory of the process, the outcomes included."""
    _one_core()
    outcomes = pl.read_parquet(asked.file)
    began, worked = perf_counter(), process_time()
    estimates = get("viprobe").analysis.estimates(Evidence.of({"ask": outcomes}))
    spent = {"s": round(perf_counter() - began, 1), "cpu_s": round(process_time() - worked, 1)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"estimates": len(estimates), "draws": _DRAWS, **spent, "gb": round(peak / 1e9, 2)}


def _race(asked: argparse.Namespace) -> Row:
    """Seconds of work for the interval of one figure from the same sums by unit; rounds in turn, medians of ratios."""
    _one_core()
    rows = pl.read_parquet(asked.file).filter((pl.col("family") == _CASE) & (pl.col("variant") == "P"))
    paired = pairs(with_settings(rows))
    sums, counts, strata = unit_sums(paired, ("PFA",), np.zeros(len(paired), np.int64), 1)

    def ours(seed: int) -> tuple[float, float]:
        low, high = np.quantile(Cells(sums, counts, strata, draws=_DRAWS, seed=seed).replicates, [0.025, 0.975])
        return float(low), float(high)

    def theirs(seed: int) -> tuple[float, float]:
        drawn = stats.bootstrap(
            (sums[:, 0, 0], counts[:, 0]),
            lambda hits, asked, axis: hits.sum(axis) / asked.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=_DRAWS,
            method="percentile",
            rng=seed,
        )
        return float(drawn.confidence_interval.low), float(drawn.confidence_interval.high)

    spent: dict[str, list[float]] = {"ours": [], "again": [], "scipy": []}
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in spent}
    for seed in range(asked.rounds):
        for name, way in (("ours", ours), ("again", ours), ("scipy", theirs)):
            began = process_time()
            ends[name].append(way(seed))
            spent[name].append(process_time() - began)
    ratios = {
        name: median(other / own for other, own in zip(spent["scipy"], spent[name], strict=True))
        for name in ("ours", "again")
    }
    return {
        "units": len(sums),
        "ms": {name: round(1000 * median(times), 2) for name, times in spent.items()},
        "times": {name: round(ratio, 1) for name, ratio in ratios.items()},
        "interval": {name: [round(float(end), 4) for end in np.mean(found, 0)] for name, found in ends.items()},
        "rounds": asked.rounds,
    }


def _text(found: Row) -> Iterator[str]:
    yield ", ".join(f"{key} {value}" for key, value in found["on"].items())
    made, all_, race = found["make"], found["estimate"], found["race"]
    yield (
        f"\n{all_['estimates']:,} estimates of {made['outcomes']:,} outcomes ({made['units']:,} units), "
        f"{all_['draws']:,} cluster resamples where an interval is a bootstrap's\n"
    )
    for key, what in (("s", f"s, {all_['cpu_s']} s of them at work"), ("gb", "GB at the peak, outcomes included")):
        yield f"- {all_[key]} {what} (aim {AIMS[key]:g}: {'reached' if all_[key] < AIMS[key] else 'missed'})."
    names = {"ours": "with draws of its own", "again": "with draws that another figure of like units has had"}
    rounds = f"medians of {race['rounds']} rounds"
    yield f"\nThe bootstrap interval of one rate over {race['units']} units, ms of work ({rounds})\n"
    low, high = race["interval"]["scipy"]
    yield f"- scipy.stats.bootstrap: {race['ms']['scipy']}, from {low} to {high}."
    for name, how in names.items():
        low, high = race["interval"][name]
        yield f"- veridical, {how}: {race['ms'][name]}, {race['times'][name]} times as fast, from {low} to {high}."


def _one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _on() -> dict[str, str]:
    """What this is measured on; a load above 0 before the start tells that others use the machine."""
    load = f"{os.getloadavg()[0]:.1f} before the start"
    packages = {name: version(name) for name in ("numpy", "scipy", "polars")}
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return {"system": system, "load": load, "python": platform.python_version(), **packages}


if __name__ == "__main__":
    main()
