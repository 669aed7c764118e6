"""The gallery: one page that shows every puzzle with its questions and its truth, beside a folder of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import check_stems
from veridical.base.options import parse_options
from veridical.errors import InputError
from veridical.media.draw import Item, Scene, area_resize, rasterise
from veridical.records import Chunk, Stimulus
from veridical.report.gallery.page import (
    INK,
    SOFT,
    WHITE,
    PlateGroup,
    PlatePicture,
    framed_picture,
    line_of_text,
    write_plates,
)
from veridical.suites.viabench.options import CATEGORIES, CODES, Category, VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import make, sample_unit
from veridical.suites.viabench.puzzles.puzzle import GRADES, VARIANTS, Pixels, Puzzle

_TITLES = dict(zip(GRADES, ("Easy", "Medium", "Hard"), strict=True))
_ROW = 3


@dataclass(frozen=True, slots=True)
class GalleryStimulus:
    """A stimulus: the answer that it shows, what its variant is called, and its one or two pictures."""

    answer: str
    variant: str
    pictures: tuple[PlatePicture, ...]


@dataclass(frozen=True, slots=True)
class GradedUnit:
    """A unit of a grade: its questions, its options in their order, what is suggested, and its stimuli."""

    title: str
    questions: tuple[str, ...]
    options: tuple[str, ...]
    suggested: tuple[str, ...]
    shown: tuple[GalleryStimulus, ...]


@dataclass(frozen=True, slots=True)
class PuzzlePlate:
    """A puzzle, its number in the registry, and a unit of each grade.

    `columns` is the number of stimuli in a row: one per variant where each answer has all variants.
    """

    puzzle: Puzzle
    number: int
    columns: int
    grades: tuple[GradedUnit, ...]

    @property
    def name(self) -> str:
        return self.puzzle.name

    @property
    def title(self) -> str:
        return self.puzzle.title

    @property
    def thumbnail(self) -> PlatePicture:
        """The first picture of the easiest unit."""
        return self.grades[0].shown[0].pictures[0]

    @property
    def pictures(self) -> Iterator[PlatePicture]:
        for graded in self.grades:
            for each in graded.shown:
                yield from each.pictures

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, where those of all units are the same; none where they differ."""
        return _alike([graded.questions for graded in self.grades])

    @property
    def options(self) -> tuple[str, ...]:
        """The options as the first unit has them, where all units have the same ones; none where they differ."""
        return self.grades[0].options if _alike([tuple(sorted(graded.options)) for graded in self.grades]) else ()

    @property
    def suggested(self) -> tuple[str, ...]:
        """What is suggested in the units of all grades; none where it differs."""
        return _alike([graded.suggested for graded in self.grades])


def _alike(texts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return texts[0] if len(set(texts)) == 1 else ()


def plate(puzzle: Puzzle, number: int, *, size: int, seed: int) -> PuzzlePlate:
    """A puzzle with its first unit of each grade; pictures are `size` px on the longer side.

    Raises `InputError` for a picture that does not show the answer that it was drawn for.
    """
    options = parse_options(
        VIABenchOptions, {"puzzles": (puzzle.name,), "units": len(GRADES), "size": size, "seed": seed}
    )
    grades = dict(_graded(puzzle, options, index) for index in range(len(GRADES)))
    units = [[each.variant for each in graded.shown] for graded in grades.values()]
    matched = all(len(set(unit)) > 1 and unit.count(unit[0]) * 2 == len(unit) for unit in units)
    return PuzzlePlate(puzzle, number, len(VARIANTS) if matched else _ROW, tuple(grades[grade] for grade in GRADES))


def _graded(puzzle: Puzzle, options: VIABenchOptions, index: int) -> tuple[int, GradedUnit]:
    base, grade, _ = sample_unit(puzzle, options, index)
    made = sorted(make(options, Chunk(puzzle.name, index)), key=lambda each: _order(each[0]))
    unusual = [stimulus.truth["answer"] for stimulus, _ in made if stimulus.variant == VARIANTS[0]]
    usual = (puzzle.usual(base, answer, VARIANTS[0]) for answer in unusual)
    templates = (puzzle.question, puzzle.question_reversed)
    return grade, GradedUnit(
        title=_TITLES[grade],
        questions=tuple(text.format_map(vars(base)) for text in templates if text),
        options=tuple(made[0][0].truth["options"]),
        suggested=tuple(dict.fromkeys(answer for answer in usual if answer is not None)),
        shown=tuple(_shown(puzzle, grade, stimulus, files) for stimulus, files in made),
    )


def _order(stimulus: Stimulus) -> tuple[int, int]:
    """The answers in their order, of each the illusion or anomaly first."""
    return stimulus.truth["answers"].index(stimulus.truth["answer"]), -(stimulus.variant == VARIANTS[0])


def _shown(puzzle: Puzzle, grade: int, stimulus: Stimulus, files: tuple[bytes, ...]) -> GalleryStimulus:
    answer = stimulus.truth["answer"]
    variant = stimulus.variant if stimulus.variant != VARIANTS[0] else _unusual(puzzle)
    what = f"{puzzle.title}, {_TITLES[grade].lower()}: {answer}, {variant}"
    frames = tuple(
        PlatePicture(
            file=f"png/{puzzle.name}/{grade}-{PurePosixPath(medium.file).name}",
            alt=what if len(files) == 1 else f"{what}, {('first', 'second')[index]} picture",
            width=int(medium.width or 0),
            height=int(medium.height or 0),
            data=data,
        )
        for index, (medium, data) in enumerate(zip(stimulus.media, files, strict=True))
    )
    return GalleryStimulus(answer, variant, frames)


def _unusual(puzzle: Puzzle) -> str:
    return "anomaly" if puzzle.category == "anomalies" else "illusion"


def write_gallery(folder: Path, *, size: int = 320, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each picture were written there.

    Shown is the first unit of every puzzle and grade of difficulty, with each answer and variant, `size` px on the
    longer side, in the same bytes as in a set. Raises `InputError` for a number out of range, or a folder that is
    neither new, empty nor a former gallery.
    """
    parse_options(VIABenchOptions, {"size": size, "seed": seed})
    check_stems("puzzle", PUZZLES)

    def groups() -> list[PlateGroup]:
        plates = [plate(puzzle, number, size=size, seed=seed) for number, puzzle in enumerate(PUZZLES.values(), 1)]
        return [
            PlateGroup(name, _heading(name), [each for each in plates if each.puzzle.category == name])
            for name in CATEGORIES
        ]

    return write_plates(folder, __package__, "png", groups, size=size, seed=seed)


def _heading(category: Category) -> str:
    title = CATEGORIES[category]
    return f"{title[0].upper()}{title[1:]} ({CODES[category]})"


_TITLE, _CAPTION, _HEAD, _LINE, _GAP = 0.11, 0.09, 0.22, 0.16, 0.1


def contact_sheet(puzzles: Sequence[Puzzle], *, columns: int = 8, tile: int = 190, seed: int = 0) -> NDArray[np.uint8]:
    """One picture of the puzzles in rows by category, shape (height, width, 3), uint8, each with its title below it.

    A category begins a row unless all of it fits into the rest of one. Each picture stands in a square of `tile` px,
    reduced by area from 512 px, or from `tile` where that is more. Raises `InputError` without a puzzle, or for a
    number out of range.
    """
    if not puzzles or columns < 1 or not 64 <= tile <= 1024 or seed < 0:
        raise InputError(
            f"contact sheet of {len(puzzles)} puzzles in {columns} columns, tile {tile}, seed {seed}: "
            "allowed are 1 puzzle or more, 1 column or more, tiles of 64 to 1024 px, seeds from 0"
        )
    gap, head, line = (round(tile * share) for share in (_GAP, _HEAD, _LINE))
    items: list[Item] = []
    last = 0
    for row, column, category, puzzle in _places(puzzles, columns):
        x, y = gap + column * (tile + gap), row * (head + tile + line) + head
        if category:
            items.append(line_of_text(category, x, y - 0.36 * head, _TITLE * tile, 2 * tile, INK))
        items += framed_picture(area_resize(_picture(puzzle, max(512, tile), seed), tile), x, y, tile)
        items.append(line_of_text(puzzle.title, x, y + tile + 0.72 * line, _CAPTION * tile, tile, SOFT))
        last = row
    across = gap + min(columns, len(puzzles)) * (tile + gap)
    return rasterise(Scene(across, (last + 1) * (head + tile + line) + gap, WHITE, tuple(items)))


def _places(puzzles: Sequence[Puzzle], columns: int) -> Iterator[tuple[int, int, str, Puzzle]]:
    """Row and column of each puzzle, and the heading of its category where that begins."""
    place = 0
    for category in CATEGORIES:
        members = [puzzle for puzzle in puzzles if puzzle.category == category]
        if place % columns + len(members) > columns:
            place += -place % columns
        for index, puzzle in enumerate(members):
            yield *divmod(place, columns), "" if index else _heading(category), puzzle
            place += 1


def _picture(puzzle: Puzzle, size: int, seed: int) -> Pixels:
    """The first picture of the easiest unit that shows another answer than it suggests, the last such answer."""
    options = parse_options(VIABenchOptions, {"size": size, "seed": seed})
    base = next(base for base, grade, _ in (sample_unit(puzzle, options, k) for k in range(len(GRADES))) if grade == 1)
    unusual = [answer for answer in puzzle.answers(base) if VARIANTS[0] in puzzle.variants(base, answer)]
    other = [answer for answer in unusual if puzzle.usual(base, answer, VARIANTS[0]) not in (None, answer)]
    drawn = puzzle.draw(base, (other or unusual)[-1], VARIANTS[0])[0]
    return rasterise(drawn) if isinstance(drawn, Scene) else drawn
