"""Parts of an export: the examples of one unit, drawn in any process, stored whole, and never made twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from veridical.base.files import Shape, os_errors, write_whole
from veridical.base.options import TRAINING_SEEDS, Options, chosen_options
from veridical.base.shards import Shard
from veridical.base.shared_folder import require_shared
from veridical.media.pictures import suffix_of
from veridical.records import Chunk, Json, Stimulus, canonical
from veridical.rewards.examples import ExampleMaker, TrainingExample, UnitMedia, example_id
from veridical.rewards.forms import ExampleRow, TrainerForm, form_of
from veridical.suite import registry
from veridical.verbs.standard import unit_hashes

PARTS, IMAGES, APART = ".parts", "images", "apart.json"
TRAIN, TEST = "train", "test"
_GONE_ON = "; what is drawn is kept, the same command goes on"


@dataclass(frozen=True, repr=False)
class RecipeSource:
    """A recipe of a suite from which examples are drawn, with the seed as it was stated."""

    suite: str
    recipe: str
    seed: int

    @property
    def maker(self) -> ExampleMaker:
        """What makes its examples."""
        suite = registry.get(self.suite)
        return ExampleMaker(suite, suite.training[self.recipe])

    def options(self, units: int) -> Options:
        """The options of its design, in the seed space of training: the stated seed and `TRAINING_SEEDS`."""
        suite = registry.get(self.suite)
        values = {**suite.training[self.recipe].values, "units": units, "seed": self.seed}
        checked = chosen_options(suite.options, suite.recipes, values)
        return checked.model_copy(update={"seed": self.seed + TRAINING_SEEDS})

    def outlined(self, units: int, chunk: Chunk) -> list[TrainingExample]:
        """The examples of a unit that is not drawn."""
        return list(self.maker.examples(registry.get(self.suite).design.outlined(self.options(units), chunk)))


class PartFacts(Shape):
    """What is known of a part: its examples by split, how many were left out, and the files of its pictures."""

    counts: dict[str, int]
    left_out: int
    images: list[str]


def part_at(folder: Path, source: int, family: str, index: int) -> Path:
    """Where the facts of a part stand; its rows stand beside it, by split."""
    return folder / PARTS / f"{source:02d}-{family}-{index:06d}.json"


def rows_of_part(part: Path, split: str) -> Path:
    """Where the rows of a part stand, Parquet or JSON lines as its form says."""
    return part.with_suffix(f".{split}")


def stored_facts(part: Path) -> PartFacts | None:
    """The facts of a part that is whole; `None` where it is not."""
    if not part.exists():
        return None
    with os_errors(part, "read"):
        return PartFacts.model_validate_json(part.read_bytes())


def draw_part(job: Json, item: Json) -> Json:
    """Draws the examples of a unit and stores them; a part that is whole is left as it is. Gives the item's place.

    `job` has the export's arguments (and a token, see `map_in_folder`), and `item` the place of the source, the family
    and the index of the unit.
    """
    if "token" in job:
        require_shared(job["token"])
    folder, (place, family, index) = Path(job["folder"]), item
    part = part_at(folder, place, family, index)
    if stored_facts(part) is None:
        source = RecipeSource(**job["sources"][place])
        with os_errors(folder, "written", _GONE_ON):
            _store(folder, part, source, job, Chunk(family, index))
    return item


def _store(folder: Path, part: Path, source: RecipeSource, job: Json, chunk: Chunk) -> None:
    maker, form = source.maker, form_of(job["trainer"], job["objective"])
    media = UnitMedia.of(maker.suite.design.make(source.options(chunk.index + 1), chunk), maker.rules)
    avoid = excluded_pixels(str(folder / PARTS / APART))
    whole_unit = avoid.has_unit(source.suite, media.stimuli)
    rows: dict[str, list[dict[str, Json]]] = {TRAIN: [], TEST: []}
    files: dict[str, bytes] = {}
    left_out = 0
    for example in wanted_examples(maker.examples(media.stimuli), job["objective"]):
        if whole_unit or avoid.has_any(example.stimuli):
            left_out += 1
            continue
        pictures = _named_pictures(example, media)
        row = _row(source, example, pictures, inside=form.parquet)
        files |= {} if form.parquet else dict(pictures)
        split = split_of(example.item.trials[0].unit, job["test_fraction"])
        rows[split].append(form.rows[job["objective"]](row))
    for path, content in files.items():
        write_whole(folder / path, content)
    for split, own in rows.items():
        write_whole(rows_of_part(part, split), _encoded(form, own))
    counts = {split: len(own) for split, own in rows.items()}
    write_whole(part, canonical({"counts": counts, "left_out": left_out, "images": sorted(files)}).encode())


def wanted_examples(examples: Iterable[TrainingExample], objective: str) -> Iterator[TrainingExample]:
    """The examples that an objective can use: for preferences, those in which who recalls answers otherwise."""
    return (example for example in examples if objective != "preferences" or example.rejected is not None)


def _named_pictures(example: TrainingExample, media: UnitMedia) -> list[tuple[str, bytes]]:
    """The pictures of an example, each with a path that tells nothing but that two are the same."""
    contents = [media.read(each) for each in example.media]
    return [(f"{IMAGES}/{sha256(each).hexdigest()[:20]}{suffix_of(each, 'picture')}", each) for each in contents]


def _row(
    source: RecipeSource, example: TrainingExample, pictures: Sequence[tuple[str, bytes]], *, inside: bool
) -> ExampleRow:
    return ExampleRow(
        id=example_id(source.suite, source.recipe, source.seed, example.item),
        suite=source.suite,
        recipe=source.recipe,
        family=example.item.trials[0].family,
        messages=example.messages,
        images=[{"bytes": each, "path": Path(path).name} if inside else path for path, each in pictures],
        solution=example.solution,
        chosen=example.chosen,
        rejected=example.rejected or "",
    )


def _encoded(form: TrainerForm, rows: Sequence[Mapping[str, Json]]) -> bytes:
    if not form.parquet:
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    content = BytesIO()
    form.frame(rows).write_ipc(content)
    return content.getvalue()


def split_of(unit: str, test_fraction: float) -> str:
    """The split of a unit, all of whose examples stay together: by the hash of its name.

    >>> split_of("zollner/0001", 0.0), split_of("zollner/0001", 1.0)
    ('train', 'test')
    """
    share = int.from_bytes(sha256(f"split/{unit}".encode()).digest()[:8]) / 2**64
    return TEST if share < test_fraction else TRAIN


@dataclass(frozen=True, repr=False)
class ExcludedPixels:
    """The hashes of pixels that no example may show, and those of units of standard sets, by suite."""

    media: frozenset[str]
    units: Mapping[str, frozenset[str]]

    def has_any(self, stimuli: Sequence[Stimulus]) -> bool:
        """Whether one of the media of these stimuli is excluded."""
        return any(medium.sha256 in self.media for stimulus in stimuli for medium in stimulus.media)

    def has_unit(self, suite: str, stimuli: Sequence[Stimulus]) -> bool:
        """Whether the pixels of a unit are those of a unit of the suite's standard set."""
        known = self.units.get(suite)
        if not known:
            return False
        factors = registry.get(suite).design.factors
        return any(each.pixels in known for each in unit_hashes(stimuli, factors).values())


@lru_cache(maxsize=1)
def excluded_pixels(path: str) -> ExcludedPixels:
    """The pixels that the file of an export excludes."""
    stated = json.loads(Path(path).read_bytes())
    units = {suite: frozenset(hashes) for suite, hashes in stated["units"].items()}
    return ExcludedPixels(frozenset(stated["media"]), units)


def units_in_turn(
    source: RecipeSource, units: int, held_out: Sequence[str], shard: str | None
) -> Iterator[tuple[str, int]]:
    """The units of a source that may be drawn, as family and index: the first of each family, then the second ones."""
    chosen = None if shard is None else Shard.parse(shard)
    chunks = registry.get(source.suite).design.chunks(source.options(units))
    families = {family: place for place, family in enumerate(dict.fromkeys(chunk.family for chunk in chunks))}
    for chunk in sorted(chunks, key=lambda chunk: (chunk.index, families[chunk.family])):
        unit = f"{chunk.family}/{chunk.index:04d}"
        if chunk.family not in held_out and (chosen is None or chosen.holds(unit)):
            yield chunk.family, chunk.index
