"""Training prompts of suites in the files of a trainer: drawn on all cores, resumable, whole with its manifest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import folder_lock, os_errors, read_json, write_whole
from veridical.base.options import MOST_UNITS, seed_space
from veridical.base.processes import cores
from veridical.base.shards import Shard
from veridical.base.shared_folder import map_in_folder
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk, Json, canonical
from veridical.rewards.export_files import DrawnPart, join_parts
from veridical.rewards.forms import TrainerForm, form_of
from veridical.rewards.parts import (
    APART,
    PARTS,
    draw_part,
    part_at,
    stored_facts,
    units_in_turn,
    wanted_examples,
)
from veridical.rewards.requests import TrainingRequest, families_held_out, recipe_sources, require_numbers
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.write import versions
from veridical.suite import registry
from veridical.suite.training_exports import FORMAT, MANIFEST
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.sets import open_set
from veridical.verbs.standard import standard_file

PLAN = "plan.json"
_WORTH_PROCESSES = 8

Progress = Callable[[int, int], None]


class DrawnSource(NamedTuple):
    """The parts of a source in order, and how many examples are taken of them together."""

    parts: tuple[DrawnPart, ...]
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
    cluster: str | None = None,
    progress: Progress | None = None,
) -> LineFiles:
    """Training prompts of suites, as a `trainer` reads them, in the folder `out`, new, empty or half-made by this call.

    `recipe` names a recipe of the suite, or SUITE/NAME for each of several (default: each suite's first). They are
    drawn with the seed in a space of training, which no evaluation or standard set is drawn from. What shows pixels of
    one of the sets `apart_from`, or of the standard set, is left out, and other units are drawn for it; families in
    `hold_out`, as SUITE/FAMILY, are not drawn. With `shard`, K/N, only that share is made, in a folder of its own.
    `test_fraction` of the units, from 0 to below 1, stand in a split of their own. The manifest states all of it.
    Units are drawn on all cores, by so many `workers`, or on a Ray `cluster`.
    Raises `InputError` for what is unknown or not allowed, for more examples than the suites can draw, with their
    number, and for a folder with anything else.
    """
    chosen = [suites] if isinstance(suites, str) else list(suites)
    form, sources = form_of(trainer, objective), recipe_sources(chosen, recipe, seed)
    require_numbers(examples, seed, test_fraction)
    crew = Workers.stated(workers, cluster) or Workers(cores())
    stated = None if shard is None else Shard.parse(shard)
    apart = {str(each): each for each in map(open_set, apart_from)} if apart_from else {}
    request = TrainingRequest(
        sources=sources,
        examples=examples,
        trainer=trainer,
        objective=objective,
        held_out=families_held_out(hold_out, sources),
        shard=None if stated is None else str(stated),
        test_fraction=test_fraction,
        apart_from={each.digest: each.folder.name for each in apart.values()},
    )
    folder = Path(out) if stated is None else stated.folder(Path(out))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another folder")
    if (whole := _whole(folder, request)) is not None:
        return _written(folder, whole, form, objective)
    with folder_lock(folder):
        _begin(folder, request, list(apart.values()))
        drawn = [_drawn(folder, request, place, crew, progress) for place in range(len(sources))]
        manifest = join_parts(folder, form, request.objective, [(each.parts, each.examples) for each in drawn])
        _finish(folder, request, manifest)
    return _written(folder, manifest, form, objective)


def _whole(folder: Path, request: TrainingRequest) -> dict[str, Json] | None:
    """The manifest of the export in a folder; raises `InputError` where it is another one, or holds something else."""
    if not (folder / MANIFEST).exists():
        return None
    try:
        manifest: dict[str, Json] = read_json(folder / MANIFEST)
        same = (manifest["format"], manifest["arguments"]) == (FORMAT, request.arguments())
    except (ValueError, KeyError, TypeError):
        same = False
    if not same:
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


def _drawn(folder: Path, request: TrainingRequest, place: int, crew: Workers, progress: Progress | None) -> DrawnSource:
    """The parts of a source, drawn: as many as its examples need, and more where some had to be left out."""
    source, wanted = request.sources[place], request.share(place)
    job: Json = {"folder": str(folder.resolve()), **request.arguments()}
    parts: list[DrawnPart] = []
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
        new = [
            DrawnPart(part_at(folder, place, family, index), f"{source.suite}/{family}") for _, family, index in todo
        ]
        have += sum(sum(facts.counts.values()) for each in new if (facts := stored_facts(each.path)) is not None)
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
    parts = Path(job["folder"]) / PARTS
    results = map_in_folder(crew, draw_part, job, todo, parts) if several else _here(job, todo)
    for count, _ in enumerate(results, start=1):
        if progress:
            progress(count, len(todo))
    if several:
        crew.require_visible([part_at(parts.parent, place, family, index) for place, family, index in todo])


def _here(job: Json, todo: Sequence[Json]) -> Iterator[Json]:
    for item in todo:
        yield draw_part(job, item)


def _finish(folder: Path, request: TrainingRequest, facts: dict[str, Json]) -> None:
    """Writes the card and, last, the manifest; the parts are no longer needed."""
    from veridical.rewards.card import training_card

    facts |= {
        "format": FORMAT,
        "generator": "veridical",
        "space": seed_space(request.sources[0].options(1).seed),
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
