"""The study: two sets with the same numbers, the same observers on both, and learners that look coarsely."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl

import veridical
from studies.hocabench.looks import ClipLook, LearnerResult, learner_results, look_at, motion_area
from studies.hocabench.observers import OBSERVERS, AskedObserver
from veridical.stats import Interval
from veridical.suite.conclusions import RunVerdict
from veridical.suite.evidence import Evidence
from veridical.suite.results import BySlice, index_by_slice
from veridical.suites.hocabench.analysis.plausibility import plausibility
from veridical.suites.hocabench.analysis.rows import EXPLAINED_CONTROL, replies
from veridical.suites.hocabench.analysis.scores import choices
from veridical.suites.hocabench.analysis.verdict import verdict
from veridical.suites.hocabench.asking.readers import DESCRIPTION, PLAUSIBILITY
from veridical.suites.hocabench.physics.rendering.view import RENDERED
from veridical.suites.hocabench.physics.scene_index import hosts
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING
from veridical.suites.hocabench.taxonomy import SUB_TYPES

HEIGHT, RATE = 180, 10
DRAWN = "drawn"
KINDS = (DRAWN, RENDERED)
Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class KindResult:
    """What was found of one kind of clips: verdicts and figures by observer, and what looks at the pixels tell.

    `alike` counts pairs, and those of them whose first frames and whose files' sizes are the same.
    """

    verdicts: Mapping[str, RunVerdict]
    figures: Mapping[str, BySlice]
    learners: Mapping[tuple[str, str], LearnerResult]
    learner_verdicts: Mapping[tuple[str, str], RunVerdict]
    area: tuple[float, Interval]
    units: int
    alike: tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class StudyResults:
    """The results by kind of clips; `variants` are those that both sets have, by sub-type."""

    kinds: Mapping[str, KindResult]
    variants: frozenset[tuple[str, str]]

    @property
    def sub_types(self) -> list[str]:
        """The sub-types that both sets have, in the order of the taxonomy."""
        held = {family for family, _ in self.variants}
        return [name for name in SUB_TYPES if name in held]

    @property
    def explained(self) -> bool:
        """Whether both sets have explained controls of some sub-type."""
        return any(variant == EXPLAINED_CONTROL for _, variant in self.variants)


def rendered_sub_types() -> tuple[str, ...]:
    """The sub-types of which there are rendered clips."""
    return tuple(name for name in SUB_TYPES if hosts(name, style=RENDERED))


def clip_set(folder: Path, kind: str, units: int, seed: int) -> veridical.StimulusSet:
    """The set of one kind of clips, made where the folder does not have it."""
    rendered: dict[str, Any] = {"styles": (RENDERED,), "draft": True}
    own = rendered if kind == RENDERED else {"sub_types": rendered_sub_types()}
    return veridical.make(
        "hocabench",
        out=folder / kind,
        units=units,
        seed=seed,
        height=HEIGHT,
        rate=RATE,
        panels=0,
        sequences=0,
        workers=1,
        **own,
    )


def study(folder: Path, units: int, seed: int, progress: Progress = lambda _, __: None) -> StudyResults:
    """Both sets, made or taken from a folder, and what observers and learners come to on each.

    Raises `InputError` where the folder has another set.
    """
    return compare(folder, {kind: clip_set(folder, kind, units, seed) for kind in KINDS}, progress)


def compare(
    folder: Path, sets: Mapping[str, veridical.StimulusSet], progress: Progress = lambda _, __: None
) -> StudyResults:
    """What observers and learners come to on a set of each kind, on the variants that both have; runs are kept."""
    held = [frozenset((each.family, each.variant) for each in clips.stimuli) for clips in sets.values()]
    shared = frozenset.intersection(*held)
    total, done = sum(len(clips) for clips in sets.values()), count(1)
    kinds = {
        kind: _measured(folder, kind, clips, shared, lambda: progress(next(done), total))
        for kind, clips in sets.items()
    }
    return StudyResults(kinds=kinds, variants=shared)


def _measured(
    folder: Path,
    kind: str,
    clips: veridical.StimulusSet,
    shared: frozenset[tuple[str, str]],
    seen: Callable[[], None],
) -> KindResult:
    looks = []
    for stimulus in clips.stimuli:
        if stimulus.variant in (VIOLATING, PLAUSIBLE) and (stimulus.family, stimulus.variant) in shared:
            looks.append(look_at(stimulus, clips.read(stimulus.media[0].file)))
        seen()
    outcomes = {each.name: asked(folder, kind, clips, each, shared) for each in OBSERVERS}
    learners = learner_results(looks)
    template = next(iter(outcomes.values()))
    return KindResult(
        verdicts={name: verdict(Evidence.of({"ask": table})) for name, table in outcomes.items()},
        figures={name: _figures(table) for name, table in outcomes.items()},
        learners=learners,
        learner_verdicts={
            name: verdict(Evidence.of({"ask": answered_by(template, found.says)})) for name, found in learners.items()
        },
        area=motion_area(looks),
        units=len({look.unit for look in looks}),
        alike=pairs_alike(looks),
    )


def asked(
    folder: Path,
    kind: str,
    clips: veridical.StimulusSet,
    observer: AskedObserver,
    shared: frozenset[tuple[str, str]],
) -> pl.DataFrame:
    """The outcomes of an observer on a set, of the variants that both sets have.

    Simulated observers draw other numbers for each kind of clips, whose ids are the same.
    """
    simulated: dict[str, Any] = {"seed": KINDS.index(kind)} if observer.model == "veridical/simulated" else {}
    run = veridical.run(
        clips,
        observer.model,
        out=folder / f"{kind}-{observer.name.replace(' ', '-').replace(':', '')}",
        settings={"task": [PLAUSIBILITY, DESCRIPTION]},
        model_args={**observer.arguments, **simulated},
        show="quiet",
        analyze=False,
    )
    kept = pl.DataFrame(sorted(shared), schema=["family", "variant"], orient="row")
    return run.outcomes().join(kept, on=["family", "variant"], how="semi", maintain_order="left")


def _figures(outcomes: pl.DataFrame) -> BySlice:
    rows = replies(outcomes)
    return index_by_slice([*plausibility(rows), *choices(rows)])


def answered_by(outcomes: pl.DataFrame, says: Mapping[str, str]) -> pl.DataFrame:
    """The outcomes of Task I on violating and plausible clips, as if a learner that guesses variants had replied."""
    own = outcomes.filter(
        pl.col("variant").is_in([VIOLATING, PLAUSIBLE]) & pl.col("settings").str.contains(f'"{PLAUSIBILITY}"')
    )
    guesses = [says[f"{unit}/{variant}"] for unit, variant in own.select("unit", "variant").iter_rows()]
    return own.with_columns(
        pl.Series("answer", ["No" if guess == VIOLATING else "Yes" for guess in guesses], dtype=pl.String),
        pl.lit("answered").alias("status"),
        pl.Series("correct", [guess == variant for guess, variant in zip(guesses, own["variant"], strict=True)]),
    )


def pairs_alike(looks: list[ClipLook]) -> tuple[int, int, int]:
    """The number of pairs, of those with one first frame, and of those with files of one size."""
    by_unit: dict[str, list[ClipLook]] = {}
    for look in looks:
        by_unit.setdefault(look.unit, []).append(look)
    firsts = sum(len({look.first for look in pair}) == 1 for pair in by_unit.values())
    return len(by_unit), firsts, sum(len({look.size for look in pair}) == 1 for pair in by_unit.values())
