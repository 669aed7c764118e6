"""Training prompts of suites in the files of a trainer: drawn on all cores, resumable, whole with its manifest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import folder_lock, os_errors, write_whole
from veridical.base.options import MOST_UNITS
from veridical.base.processes import cores
from veridical.base.shards import Shard
from veridical.base.workers import Workers
from veridical.errors import InputError, unknown
from veridical.records import Chunk, Json, canonical
from veridical.rewards.export_files import join_parts
from veridical.rewards.forms import TrainerForm, form_of
from veridical.rewards.parts import (
    APART,
    PARTS,
    RecipeSource,
    draw_part,
    part_at,
    stored_facts,
    units_in_turn,
    wanted_examples,
)
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.write import versions
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.sets import open_set
from veridical.verbs.standard import standard_file

MANIFEST, PLAN = "export.json", "plan.json"
FORMAT = 1
_WORTH_PROCESSES = 8

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What is exported: recipes by suite, how many examples of all together, for whom, and what is left out."""

    sources: tuple[RecipeSource, ...]
    examples: int
    trainer: str
    objective: str
    held_out: tuple[str, ...]
    shard: str | None
    test_fraction: float
    apart_from: Mapping[str, str]

    def arguments(self) -> dict[str, Json]:
        """The request as JSON: two exports with the same one hold the same bytes."""
        plain = {**asdict(self), "sources": [asdict(each) for each in self.sources], "versions": versions()}
        arguments: dict[str, Json] = json.loads(canonical(plain))
        return arguments

    def held_of(self, suite: str) -> list[str]:
        """The families of a suite that are held out."""
        return [name.partition("/")[2] for name in self.held_out if name.partition("/")[0] == suite]

    def share(self, place: int) -> int:
        """How many examples of the source at this place there are to be, in this shard."""
        share = _even_share(self.examples, len(self.sources), place)
        if self.shard is None:
            return share
        shard = Shard.parse(self.shard)
        return _even_share(share, shard.of, shard.number - 1)


class DrawnSource(NamedTuple):
    """The parts of a source in order, and how many examples are taken of them together."""

    parts: tuple[Path, ...]
    examples: int


def export_training(
    suites: Sequence[str] | str,
    out: Path | str,
    *,
    examples: int,
    trainer: str,
    recipe: str | Sequence[str] | None = None,
    objective: str = "rewards",
    seed: int = 0,
    hold_out: Sequence[str] = (),
    apart_from: Sequence[StimulusSet | Path | str] = (),
    test_fraction: float = 0.0,
    shard: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> LineFiles:
    """Training prompts of suites, as a `trainer` reads them, in the folder `out`, new, empty or half-made by this call.

    `recipe` names a recipe of the suite, or SUITE/NAME for each of several (default: each suite's first). They are
    drawn with the seed in a space of training, which no evaluation or standard set is drawn from. What shows pixels of
    one of the sets `apart_from`, or of the standard set, is left out, and other units are drawn for it; families in
    `hold_out`, as SUITE/FAMILY, are not drawn. With `shard`, K/N, only that share is made, in a folder of its own.
    `test_fraction` of the units, from 0 to below 1, stand in a split of their own. The manifest states all of it.
    Raises `InputError` for what is unknown or not allowed, for more examples than the suites can draw, with their
    number, and for a folder with anything else.
    """
    chosen = [suites] if isinstance(suites, str) else list(suites)
    form, sources = form_of(trainer, objective), recipe_sources(chosen, recipe, seed)
    _require_numbers(examples, seed, test_fraction)
    stated = None if shard is None else Shard.parse(shard)
    apart = {str(each): each for each in map(open_set, apart_from)} if apart_from else {}
    request = TrainingRequest(
        sources=sources,
        examples=examples,
        trainer=trainer,
        objective=objective,
        held_out=_held_out(hold_out, sources),
        shard=None if stated is None else str(stated),
        test_fraction=test_fraction,
        apart_from={each.folder.name: each.digest for each in apart.values()},
    )
    folder = Path(out) if stated is None else stated.folder(Path(out))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another folder")
    if (whole := _whole(folder, request)) is not None:
        return _written(folder, whole, form, objective)
    with folder_lock(folder):
        _begin(folder, request, list(apart.values()))
        drawn = [_drawn(folder, request, place, workers, progress) for place in range(len(sources))]
        manifest = join_parts(folder, form, request.objective, [(each.parts, each.examples) for each in drawn])
        _finish(folder, request, manifest)
    return _written(folder, manifest, form, objective)


def recipe_sources(suites: Sequence[str], recipe: str | Sequence[str] | None, seed: int) -> tuple[RecipeSource, ...]:
    """The recipe of each suite: the one that is named for it or for all, or its first.

    Raises `InputError` for a suite without recipes, a suite that stands twice, and a recipe that it does not have.
    """
    named = [] if recipe is None else [recipe] if isinstance(recipe, str) else list(recipe)
    for_all = [name for name in named if "/" not in name]
    by_suite = dict(name.split("/", 1) for name in named if "/" in name)
    if len(for_all) > 1 or len(by_suite) + len(for_all) < len(named):
        raise InputError(f"recipe {', '.join(named)}: one name, or one SUITE/NAME for each suite, is allowed")
    records = [registry.get(suite) for suite in suites]
    names = [record.name for record in records]
    if len(set(names)) < len(names) or not names:
        raise InputError(f"suites {', '.join(names) or 'none'}: at least one, each once, is needed")
    for suite in by_suite:
        if suite not in names:
            raise unknown("suite of a recipe", suite, names)
    return tuple(
        RecipeSource(record.name, _recipe_of(record, by_suite.get(record.name, *for_all[:1])), seed)
        for record in records
    )


def _recipe_of(suite: Suite, name: str | None = None) -> str:
    if not suite.training:
        offering = [each.name for each in registry.all_suites() if "training" in each.parts]
        raise InputError(f"the suite {suite.name} has no training recipes: {', '.join(offering)} have")
    if name is None:
        return next(iter(suite.training))
    if name not in suite.training:
        raise unknown(f"training recipe of {suite.name}", name, suite.training)
    return name


def _require_numbers(examples: int, seed: int, test_fraction: float) -> None:
    if examples < 1:
        raise InputError(f"{examples} examples: at least 1 is needed")
    if not 0 <= test_fraction < 1:
        raise InputError(f"test fraction {test_fraction}: 0 to below 1 is allowed")
    if not 0 <= seed < 2**63:
        raise InputError(f"seed {seed}: 0 to 2^63 - 1 is allowed")


def _held_out(names: Sequence[str], sources: Sequence[RecipeSource]) -> tuple[str, ...]:
    """The families that are held out, sorted; raises `InputError`, with the nearest, for one that there is not."""
    families = [
        f"{source.suite}/{family}"
        for source in sources
        for family in dict.fromkeys(family for family, _ in units_in_turn(source, 1, (), None))
    ]
    for name in names:
        if name not in families:
            raise unknown("family to hold out", name, families)
    return tuple(sorted(set(names)))


def _even_share(count: int, of: int, place: int) -> int:
    return count // of + (place < count % of)


def _whole(folder: Path, request: TrainingRequest) -> dict[str, Json] | None:
    """The manifest of the export in a folder; raises `InputError` where it is another one, or holds something else."""
    if not (folder / MANIFEST).exists():
        return None
    with os_errors(folder / MANIFEST, "read"):
        manifest: dict[str, Json] = json.loads((folder / MANIFEST).read_bytes())
    if manifest.get("arguments") != request.arguments():
        raise InputError(f"{folder} holds another export: choose another folder")
    return manifest


def _begin(folder: Path, request: TrainingRequest, apart: Sequence[StimulusSet]) -> None:
    """States what is made in a folder; raises `InputError` where it holds anything else."""
    plan, place = canonical(request.arguments()).encode(), folder / PARTS / PLAN
    with os_errors(folder, "written"):
        if place.exists():
            if place.read_bytes() != plan:
                raise InputError(f"{folder} holds another, half-made export: choose another folder")
            return
        if any(path.name != PARTS for path in folder.iterdir()):
            raise InputError(f"{folder} holds something else: choose a new or empty folder")
        media = sorted({medium.sha256 for each in apart for stimulus in each.stimuli for medium in stimulus.media})
        units = {source.suite: _standard_units(source.suite) for source in request.sources}
        write_whole(folder / PARTS / APART, canonical({"media": media, "units": units}).encode())
        write_whole(place, plan)


def _standard_units(suite: str) -> list[str]:
    """The hashes of the pixels of each unit in a suite's standard set, where they are stored."""
    part = registry.get(suite).evaluation
    standard = None if part is None else standard_file(part)
    return [] if standard is None else sorted({each.pixels for each in standard.hashes().values()})


def _drawn(
    folder: Path, request: TrainingRequest, place: int, workers: int | None, progress: Progress | None
) -> DrawnSource:
    """The parts of a source, drawn: as many as its examples need, and more where some had to be left out."""
    source, wanted = request.sources[place], request.share(place)
    job: Json = {"folder": str(folder.resolve()), **request.arguments()}
    crew = Workers.stated(workers, None) or Workers(cores())
    parts: list[Path] = []
    have, per_unit = 0, _examples_by_family(request, place)
    units = _units_that_are_enough(request, place, per_unit)
    while have < wanted:
        missing = wanted - have
        todo: list[Json] = []
        for family, index in units:
            todo.append([place, family, index])
            missing -= per_unit[family]
            if missing <= 0:
                break
        if not todo:
            raise InputError(f"{source.suite}: {have:,} examples are left of {wanted:,}, apart from what is excluded")
        _draw(todo, job, crew, progress)
        new = [part_at(folder, place, family, index) for _, family, index in todo]
        have += sum(sum(facts.counts.values()) for facts in map(stored_facts, new) if facts is not None)
        parts += new
    return DrawnSource(tuple(parts), wanted)


def _examples_by_family(request: TrainingRequest, place: int) -> dict[str, int]:
    """How many examples a unit of each family makes, by its first one, as far as it is not held out."""
    source = request.sources[place]
    units = units_in_turn(source, 1, request.held_of(source.suite), None)
    outlined = {family: source.outlined(1, Chunk(family, index)) for family, index in units}
    return {family: len(list(wanted_examples(each, request.objective))) for family, each in outlined.items()}


def _units_that_are_enough(
    request: TrainingRequest, place: int, per_unit: Mapping[str, int]
) -> Iterator[tuple[str, int]]:
    """All units of a source in turn; raises `InputError` where these cannot be enough, with the number that can be."""
    source, held_out = request.sources[place], request.held_of(request.sources[place].suite)
    wanted, per_round = request.share(place), sum(per_unit.values())
    if not per_round:
        raise InputError(
            f"{source.suite}: the recipe '{source.recipe}' has nothing left to draw {request.objective} of"
        )
    shards = 1 if request.shard is None else Shard.parse(request.shard).of
    needed = min(MOST_UNITS, 2 + 2 * shards * (wanted // per_round + 1))
    units, most = [], 0
    for rounds in dict.fromkeys((needed, MOST_UNITS)):
        if most < wanted:
            turns = units_in_turn(source, rounds, held_out, request.shard)
            units = [(family, index) for family, index in turns if per_unit[family]]
            most = sum(per_unit[family] for family, _ in units)
    if most < wanted:
        raise InputError(f"{wanted:,} examples of {source.suite}: its families can make {most:,} by this recipe")
    return iter(units)


def _draw(todo: Sequence[Json], job: Json, crew: Workers, progress: Progress | None) -> None:
    elsewhere = all(registry.found_as(registry.get(each["suite"])) == each["suite"] for each in job["sources"])
    several = elsewhere and crew.worth(len(todo), _WORTH_PROCESSES)
    results = crew.map(draw_part, job, todo) if several else _here(job, todo)
    for count, _ in enumerate(results, start=1):
        if progress:
            progress(count, len(todo))


def _here(job: Json, todo: Sequence[Json]) -> Iterator[Json]:
    for item in todo:
        yield draw_part(job, item)


def _finish(folder: Path, request: TrainingRequest, facts: dict[str, Json]) -> None:
    """Writes the card and, last, the manifest; the parts are no longer needed."""
    from veridical.rewards.card import training_card

    facts |= {
        "format": FORMAT,
        "generator": "veridical",
        "space": "training",
        "versions": versions(),
        "arguments": request.arguments(),
        "recipes": {
            f"{each.suite}/{each.recipe}": {
                "note": registry.get(each.suite).training[each.recipe].note,
                "chance": registry.get(each.suite).training[each.recipe].chance,
                "seed": each.seed,
                "options": each.options(1).model_dump(mode="json", exclude={"units", "seed"}),
            }
            for each in request.sources
        },
    }
    with os_errors(folder, "written", "; the same command goes on"):
        write_whole(folder / "README.md", training_card(facts).encode())
        write_whole(folder / MANIFEST, (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode())
    with suppress(OSError):
        shutil.rmtree(folder / PARTS)


def _written(folder: Path, manifest: Mapping[str, Json], form: TrainerForm, objective: str) -> LineFiles:
    files = tuple(folder / name for name in manifest["files"])
    left_out = manifest["left_out"]
    notes = [f"{left_out:,} showed pixels of an excluded set: others were drawn"] if left_out else []
    return LineFiles(sum(manifest["examples"].values()), files, (*notes, *form.notes.get(objective, ())))
