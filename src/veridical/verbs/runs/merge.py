"""Joining the runs of all shards into one run, which equals that of a run that asked all base items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

from veridical.ask import Run
from veridical.ask.identity_differences import differences
from veridical.ask.run_folder import ALL_TRIALS, RESPONSES, SHARD
from veridical.ask.shard_files import MergedTrials, merge_responses, merge_trials
from veridical.base.files import folder_lock, new_folder, os_errors
from veridical.base.path_checks import DERIVED, MANIFEST, holds_run, require_run
from veridical.base.shards import Shard
from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.stages import PEOPLE, Stage
from veridical.verbs.results.result import RunResult, open_run, refresh
from veridical.verbs.runs.places import require_whole
from veridical.verbs.runs.stage_states import PLANNED_ON, Stages, record_of_run

_LEFT_OUT = "left_out"
"""The key of a merge, among the starts of its run, under which stands what of later stages it left out."""
_OWN = (SHARD, ALL_TRIALS, "trials")
"""What of a shard's identity is its own, or is made anew by a merge."""


def merge(runs: Sequence[RunResult | Path | str], *, out: Path | str) -> RunResult:
    """The run that the runs of all shards come to, written to the folder `out`; the shards stay as they are.

    All responses are copied. Its outcomes and tables are those of a run that asked all base items, and it can be
    resumed, judged and reported like one. A later stage is merged where it is complete in every shard; what is left out
    can be asked after the merge. Nothing stands in `out` until all is written. Raises `InputError` for a shard that is
    missing, one that is there twice, shards of different runs, one that is being written to, and a folder that is not
    empty.
    """
    folders = [each.folder if isinstance(each, RunResult) else Path(each) for each in runs]
    for folder in folders:
        with os_errors(folder, "read"):
            require_run(folder)
        if [each.resolve() for each in folders].count(folder.resolve()) > 1:
            raise InputError(f"{folder} is named twice: once is allowed")
    with ExitStack() as held:
        for folder in folders:
            held.enter_context(folder_lock(folder))
        shards = _shards_in(folders)
        with new_folder(Path(out)) as place:
            _Merge(shards, place).write()
    result = open_run(Path(out))
    refresh(result)
    return result


def left_out(result: RunResult) -> list[str]:
    """A line for each run of a later stage that the latest merge into a run left out, and why."""
    merges = [start for start in result.run.executions if "merged" in start]
    return [str(line) for start in merges[-1:] for line in start.get(_LEFT_OUT, ())]


class ShardRun(NamedTuple):
    """A shard with its run."""

    shard: Shard
    run: Run


class MergedStage(NamedTuple):
    """The merged run of a stage, and the row of each of its trials."""

    run: Run
    rows: Mapping[str, int]


def _shards_in(folders: Sequence[Path]) -> list[ShardRun]:
    """The runs in these folders by the number of their shard; raises `InputError` unless they are all of one run."""
    found = []
    for folder in folders:
        run = Run.open(folder)
        require_whole(run)
        if run.shard is None or ALL_TRIALS not in run.identity:
            raise InputError(f"{folder} is no shard: its run was made without --shard")
        found.append(ShardRun(run.shard, run))
    if not found:
        raise InputError("no run is named: name the run folder of every shard")
    for other in found[1:]:
        _require_same_run(found[0], other)
    by_number: dict[int, ShardRun] = {}
    for each in found:
        twin = by_number.setdefault(each.shard.number, each)
        if twin is not each:
            raise InputError(f"{twin.run.folder} and {each.run.folder} are both shard {each.shard}: name one of them")
    of = found[0].shard.of
    missing = [Shard(number, of) for number in range(1, of + 1) if number not in by_number]
    if missing:
        raise InputError(_missing_line(missing, found[0]))
    return [by_number[number] for number in sorted(by_number)]


def _missing_line(missing: Sequence[Shard], present: ShardRun) -> str:
    """What is missing, and where it would stand beside a shard that is named, if that has the usual name."""
    names, several = ", ".join(map(str, missing)), len(missing) > 1
    line = f"shard{'s' * several} {names} {'are' if several else 'is'} missing"
    folder = present.run.folder
    common = folder.name.removesuffix(present.shard.ending)
    if common == folder.name:
        return f"{line}: run them, and name them all"
    usual = [shard.folder(folder.with_name(common)) for shard in missing]
    absent = [each for each in usual if not holds_run(each)]
    if not absent:
        return f"{line}, and {' and '.join(map(str, usual))} {'are' if several else 'is'} not named"
    return f"{line}: {absent[0]} is not there; run it, or copy it here if it is on a disk that is not shared"


def _require_same_run(first: ShardRun, other: ShardRun) -> None:
    """Raises `InputError` for shards of two runs."""
    folders = f"{first.run.folder} and {other.run.folder}"
    sets = [str(each.run.identity["set"]) for each in (first, other)]
    if sets[0] != sets[1]:
        raise InputError(f"{folders} are shards of different stimulus sets: {sets[0][:12]} and {sets[1][:12]}")
    if first.shard.of != other.shard.of:
        raise InputError(f"{folders} are shards {first.shard} and {other.shard}: the numbers of shards differ")
    differing = differences(_common(first), _common(other), ("in the first", "in the second"))
    if differing:
        raise InputError(f"{folders} are shards of different runs ({'; '.join(differing)})")


def _common(shard: ShardRun) -> dict[str, Json]:
    kept = {key: value for key, value in shard.run.identity.items() if key not in _OWN}
    return {**kept, "trials": shard.run.identity[ALL_TRIALS]}


@dataclass(frozen=True)
class _Merge:
    """The shards of one run by number, and the folder that their merged run is written to."""

    shards: Sequence[ShardRun]
    place: Path

    @cached_property
    def stages(self) -> list[Stages]:
        """The stages of each shard."""
        suite = record_of_run(self.shards[0].run)
        return [Stages(each.run, suite) for each in self.shards]

    def write(self) -> None:
        """Writes the merged run."""
        first, *later = self.stages[0].ordered
        root = self._merged(self.place, [each.run for each in self.shards], {}, _common(self.shards[0]))
        done = {first.name: {"": root}}
        lines: list[str] = []
        for stage in later:
            done[stage.name] = {}
            for parts in self._parts(stage):
                present = next(part for part in parts if part is not None)
                why = self._left_out(stage, parts, done)
                if why:
                    lines.append(f"stage {stage.name}, {present.identity['model']}, is left out: {why}")
                else:
                    done[stage.name][present.folder.name] = self._stage(stage, parts, done)
        root.run.stored([*root.run.executions[:-1], {**root.run.executions[-1], _LEFT_OUT: lines}])
        self._copy_derived()

    def _parts(self, stage: Stage) -> Iterator[list[Run | None]]:
        """The runs of a stage, each as it is in every shard, if it is there."""
        by_name = [{run.folder.name: run for run in stages.runs[stage.name]} for stages in self.stages]
        for name in dict.fromkeys(name for runs in by_name for name in runs):
            yield [runs.get(name) for runs in by_name]

    def _left_out(
        self, stage: Stage, parts: Sequence[Run | None], done: Mapping[str, Mapping[str, MergedStage]]
    ) -> str | None:
        """Why the run of a stage cannot be merged, if it cannot."""
        present = next(part for part in parts if part is not None)
        for each, stages, part in zip(self.shards, self.stages, parts, strict=True):
            if part is None:
                return f"shard {each.shard} was not asked"
            if differences(present.identity, part.identity):
                return f"shard {each.shard} was asked otherwise"
            if stage.role != PEOPLE and part.missing():
                return f"replies are missing in shard {each.shard}"
            if not stages.is_up_to_date(part):
                return f"shard {each.shard} was asked about replies that have changed since"
        resting = [need for need in stage.needs if present.rests_on.get(need, "") not in done[need]]
        return f"it rests on stage {resting[0]}" if resting else None

    def _stage(
        self, stage: Stage, parts: Sequence[Run | None], done: Mapping[str, Mapping[str, MergedStage]]
    ) -> MergedStage:
        whole = [part for part in parts if part is not None]
        below = {need: done[need][whole[0].rests_on.get(need, "")] for need in stage.needs}
        place = self.place / whole[0].folder.relative_to(self.shards[0].run.folder)
        return self._merged(place, whole, below, whole[0].identity)

    def _merged(
        self, place: Path, runs: Sequence[Run], below: Mapping[str, MergedStage], identity: Mapping[str, Json]
    ) -> MergedStage:
        """The merged run of a stage, written to a folder."""
        trials = merge_trials(runs, {need: stage.rows for need, stage in below.items()})
        self._require_planned(trials, place, identity)
        facts: dict[str, Json] = {}
        if below:
            facts[PLANNED_ON] = self.stages[0].planned_on({need: stage.run for need, stage in below.items()})
        with os_errors(place, "written"):
            place.mkdir(parents=True, exist_ok=True)
        merge_responses(runs, trials.planned, place / RESPONSES)
        run = Run.merged(place, identity, [*self._starts(runs), {**self._own_start(runs), **facts}], trials.content)
        return MergedStage(run, trials.rows())

    def _require_planned(self, trials: MergedTrials, place: Path, identity: Mapping[str, Json]) -> None:
        """Raises `InputError` if the trials of the first stage are not those that all shards were planned from."""
        if place == self.place and trials.digest != identity["trials"]:
            folder = self.shards[0].run.folder
            raise InputError(f"the trials of {folder} and the other shards are not those that they were planned from")

    def _starts(self, runs: Sequence[Run]) -> list[dict[str, Json]]:
        """The starts of all shards, as they began."""
        every = [
            {**start, SHARD: str(each.shard)}
            for each, run in zip(self.shards, runs, strict=True)
            for start in run.executions
        ]
        return sorted(every, key=lambda start: str(start.get("started", "")))

    def _own_start(self, runs: Sequence[Run]) -> dict[str, Json]:
        """The merge as a start: made as the latest one was, with what the shards' ends say of the model."""
        latest = self._starts(runs)[-1:]
        facts = {key: value for start in latest for key, value in start.items() if key not in ("ended", SHARD)}
        ends = [ended for run in runs for start in run.executions[-1:] if isinstance(ended := start.get("ended"), dict)]
        reasons = [ended["reason"] for ended in ends if ended.get("reason")]
        connections = [run.connections for run in runs if run.connections is not None]
        return {
            **facts,
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "merged": [{SHARD: str(each.shard), "folder": str(each.run.folder.resolve())} for each in self.shards],
            "ended": {"reason": next(iter(reasons), None), "connections": max(connections, default=None)},
        }

    def _copy_derived(self) -> None:
        """Copies the derived media that are in a shard's folder, each rule's once: every shard has those of the set."""
        for each in self.shards:
            for manifest in each.run.folder.glob(f"{DERIVED}/*/{MANIFEST}"):
                target = self.place / DERIVED / manifest.parent.name
                if not target.exists():
                    with os_errors(target, "written"):
                        copytree(manifest.parent, target)
