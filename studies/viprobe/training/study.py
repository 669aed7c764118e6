"""The study: every network on new pictures, analyzed with the same instruments as any model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import polars as pl

from studies.viprobe.training.arms import ARMS, SHIPPED, dosed_arms
from studies.viprobe.training.distort import CHANGES
from studies.viprobe.training.examine import Exam, exam, verdicts_by_case
from studies.viprobe.training.kept import Kept
from studies.viprobe.training.probe import probe_pool, read_out, untaught
from studies.viprobe.training.results import CLASSIC, DECLINED
from veridical.base.processes import map_processes
from veridical.records import Estimate, Json
from veridical.stimulus_set import StimulusSet
from veridical.suite.results import Result
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import LEARNED
from veridical.suites.viprobe.observers.learned_observers.network import Network
from veridical.suites.viprobe.observers.learned_observers.weights import read_weights
from veridical.suites.viprobe.presentation.dose_figures import dose_response
from veridical.verbs import sets

SEED, FRESH_SEED = 0, 2026
"""Seeds of the study's sets: the first was used for a few choices, the second for none."""
EXAMINED = ("all",)
"""The cases of the exam."""
UNITS, LEVELS = 10, 10
FEW_UNITS, FEW_LEVELS = 5, 4
"""Base items per case and strengths of the exam, and of the exam on degraded pictures."""
PROBED = ("textbook", "controls", "counterfactual")
SPOILT = ("textbook", "counterfactual")
UNTAUGHT = "never taught"
NOVEL = [case.name for case in CASES.values() if case.novel]
Progress = Callable[[int, int], None]


def missing(folder: Path, seeds: Sequence[int]) -> list[Path]:
    """The weights that a study of these seeds needs and the folder lacks."""
    paths = [_weights(folder, seed, name) for seed in seeds for name in (*ARMS, *dosed_arms())]
    return [path for path in paths if not path.exists()]


def study(folder: Path, seeds: Sequence[int], *, workers: int = 2, progress: Progress | None = None) -> list[Json]:
    """The results of each network of the seeds: one record per network and way of testing, in no order.

    The folder holds the output of `teach`; an arm that it lacks has no records. Records that this code has made before
    are reused from the folder.
    """
    _full(folder, SEED), _full(folder, FRESH_SEED), _few(folder)
    probe_pool(folder / "probe", workers)
    kept, todo = Kept(folder / "records"), items(folder, seeds)
    before = [(item, kept.get(item, _weights_of(folder, item))) for item in todo]
    records = [record for _, record in before if record is not None]
    for record in map_processes(examined, str(folder), [item for item, record in before if record is None], workers):
        item = [record[name] for name in ("way", "seed", "arm", "change") if name in record]
        kept.put(item, _weights_of(folder, item), record)
        records.append(record)
        if progress is not None:
            progress(len(records), len(todo))
    return records


def items(folder: Path, seeds: Sequence[int]) -> list[Json]:
    """The tests of the study: way of testing, seed, arm and, if any, degradation of the pictures."""
    networks = [(seed, name) for seed in seeds for name in (*ARMS, *dosed_arms())]
    todo: list[Json] = [["asked", seed, name] for seed, name in networks]
    todo += [["forced", seed, "controls"] for seed in seeds]
    todo += [["fresh", seed, name] for seed in seeds[:1] for name in SHIPPED]
    todo += [["spoilt", seed, name, change] for change in CHANGES for seed in seeds for name in SPOILT]
    todo += [["probed", seed, name] for seed in seeds for name in (*PROBED, UNTAUGHT)]
    absent = set(missing(folder, seeds))
    return [item for item in todo if _weights_of(folder, item) not in absent]


def pair(folder: Path, seed: int) -> str:
    """The dose–response figures of textbook and counterfactual side by side, as an SVG document."""
    results = []
    for name in SPOILT:
        network = Network(read_weights(_weights(folder, seed, name)))
        outcomes = _exam(folder, SEED).answered(network).filter(pl.col("family").is_in(CLASSIC))
        estimated = estimates(outcomes)
        results.append(Result(f"veridical/{LEARNED}{name}", outcomes, estimated))
    return dose_response(results)[0].svg


def examined(job: Json, item: Json) -> Json:
    """One network, tested in one way: `job` is the folder, `item` the way, seed, arm and, if any, degradation."""
    folder, (way, seed, name, *more) = Path(job), item
    record: dict[str, Json] = {"way": way, "seed": seed, "arm": name}
    if way == "probed":
        weights = read_weights(_weights(folder, seed, _arm(name)))
        network = Network(untaught(weights, seed) if name == UNTAUGHT else weights)
        return record | {"read": [list(each) for each in read_out(network, probe_pool(folder / "probe"))]}
    network = Network(read_weights(_weights(folder, seed, name)))
    if way == "spoilt":
        outcomes = _spoilt(folder, more[0]).answered(network)
        return record | {"change": more[0], **_figures(outcomes)}
    test = _exam(folder, FRESH_SEED if way == "fresh" else SEED)
    outcomes = test.answered(network, declining=way != "forced")
    classic, novel = (outcomes.filter(pl.col("family").is_in(names)) for names in (CLASSIC, NOVEL))
    return record | _figures(classic) | {"novel": _figures(novel)}


def _figures(outcomes: pl.DataFrame) -> dict[str, Json]:
    """The figures of one run: rates by picture type, overall and by case, sizes, verdicts, I, rise, declined pairs."""
    estimated = estimates(outcomes)
    types = [each for each in estimated if each.metric == "PFA" and set(each.slice) == {"variant"}]
    by_case = [each for each in estimated if each.metric == "PFA" and set(each.slice) == {"case", "variant"}]
    sizes = [each for each in estimated if each.metric == "illusion_size"]
    return {
        "rates": {each.slice["variant"]: _values(each) for each in types},
        "cases": [[each.slice["case"], each.slice["variant"], *_values(each)] for each in by_case],
        "sizes": {each.slice["case"]: _values(each) for each in sizes},
        "verdicts": verdicts_by_case(outcomes),
        **{name: _values(each) for name in ("I", "rise", DECLINED) for each in _overall(estimated, name)},
    }


def _overall(estimated: Sequence[Estimate], metric: str) -> Iterator[Estimate]:
    yield from (each for each in estimated if each.metric == metric and not each.slice)


def _values(each: Estimate) -> list[Json]:
    """The value, its bounds, and n: planned replies."""
    return [each.value, each.low, each.high, each.counts.planned]


def _arm(name: str) -> str:
    """The arm whose weights are read; the untrained network takes their shapes from one."""
    return "textbook" if name == UNTAUGHT else name


def _weights_of(folder: Path, item: Json) -> Path:
    return _weights(folder, item[1], _arm(item[2]))


def _weights(folder: Path, seed: int, name: str) -> Path:
    return folder / f"seed-{seed}" / f"{name}.npz"


def _full(folder: Path, seed: int) -> StimulusSet:
    out = folder / f"exam-{seed}"
    return sets.make("viprobe", out=out, cases=EXAMINED, variants=TYPES, units=UNITS, levels=LEVELS, seed=seed)


def _few(folder: Path) -> StimulusSet:
    return sets.make("viprobe", out=folder / "few", variants=TYPES, units=FEW_UNITS, levels=FEW_LEVELS, seed=SEED)


@lru_cache(maxsize=1)
def _exam(folder: Path, seed: int) -> Exam:
    return exam(_full(folder, seed), compare=True)


@lru_cache(maxsize=1)
def _spoilt(folder: Path, change: str) -> Exam:
    return exam(_few(folder), change=CHANGES[change])
