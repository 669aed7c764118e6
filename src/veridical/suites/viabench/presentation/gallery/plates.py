"""One puzzle as the gallery shows it: a unit per grade of difficulty, with every answer and variant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from veridical.base.options import parsed
from veridical.records import Chunk, Stimulus
from veridical.report.gallery.page import Frame
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles.make import make, sampled
from veridical.suites.viabench.puzzles.puzzle import GRADES, VARIANTS, Puzzle, values

_TITLES = dict(zip(GRADES, ("Easy", "Medium", "Hard"), strict=True))
_ROW = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """A stimulus: the answer that it shows, what its variant is called, and its one or two pictures."""

    answer: str
    variant: str
    pictures: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """A unit of a grade: its questions, its options in their order, what is suggested, and its stimuli."""

    title: str
    questions: tuple[str, ...]
    options: tuple[str, ...]
    suggested: tuple[str, ...]
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A puzzle, its number in the registry, and a unit of each grade.

    `columns` is the number of stimuli in a row: one per variant where each answer has all variants.
    """

    puzzle: Puzzle
    number: int
    columns: int
    grades: tuple[Graded, ...]

    @property
    def name(self) -> str:
        return self.puzzle.name

    @property
    def title(self) -> str:
        return self.puzzle.title

    @property
    def thumbnail(self) -> Frame:
        """The first picture of the easiest unit."""
        return self.grades[0].shown[0].pictures[0]

    @property
    def pictures(self) -> Iterator[Frame]:
        for graded in self.grades:
            for each in graded.shown:
                yield from each.pictures

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, where those of all units are the same; none where they differ."""
        return self.grades[0].questions if len({graded.questions for graded in self.grades}) == 1 else ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options as the first unit has them, where all units have the same ones; none where they differ."""
        alike = {tuple(sorted(graded.options)) for graded in self.grades}
        return self.grades[0].options if len(alike) == 1 else ()

    @property
    def suggested(self) -> tuple[str, ...]:
        """What is suggested in the units of all grades; none where it differs."""
        return self.grades[0].suggested if len({graded.suggested for graded in self.grades}) == 1 else ()


def plate(puzzle: Puzzle, number: int, *, size: int, seed: int) -> Plate:
    """A puzzle with its first unit of each grade; pictures are `size` px on the longer side.

    Raises `InputError` for a picture that does not show the answer that it was drawn for.
    """
    options = parsed(VIABenchOptions, {"puzzles": (puzzle.name,), "units": len(GRADES), "size": size, "seed": seed})
    grades = dict(_graded(puzzle, options, index) for index in range(len(GRADES)))
    units = [[each.variant for each in graded.shown] for graded in grades.values()]
    matched = all(len(set(unit)) > 1 and unit.count(unit[0]) * 2 == len(unit) for unit in units)
    return Plate(puzzle, number, len(VARIANTS) if matched else _ROW, tuple(grades[grade] for grade in GRADES))


def _graded(puzzle: Puzzle, options: VIABenchOptions, index: int) -> tuple[int, Graded]:
    base, grade, _ = sampled(puzzle, options, index)
    made = sorted(make(options, Chunk(puzzle.name, index)), key=lambda each: _order(each[0]))
    unusual = [stimulus.truth["answer"] for stimulus, _ in made if stimulus.variant == VARIANTS[0]]
    usual = (puzzle.usual(base, answer, VARIANTS[0]) for answer in unusual)
    templates = (puzzle.question, puzzle.question_reversed)
    return grade, Graded(
        title=_TITLES[grade],
        questions=tuple(text.format_map(values(base)) for text in templates if text),
        options=tuple(made[0][0].truth["options"]),
        suggested=tuple(dict.fromkeys(answer for answer in usual if answer is not None)),
        shown=tuple(_shown(puzzle, grade, stimulus, files) for stimulus, files in made),
    )


def _order(stimulus: Stimulus) -> tuple[int, int]:
    """The answers in their order, of each the illusion or anomaly first."""
    return stimulus.truth["answers"].index(stimulus.truth["answer"]), -(stimulus.variant == VARIANTS[0])


def _shown(puzzle: Puzzle, grade: int, stimulus: Stimulus, files: tuple[bytes, ...]) -> Shown:
    answer = stimulus.truth["answer"]
    variant = stimulus.variant if stimulus.variant != VARIANTS[0] else _unusual(puzzle)
    what = f"{puzzle.title}, {_TITLES[grade].lower()}: {answer}, {variant}"
    frames = tuple(
        Frame(
            file=f"png/{puzzle.name}/{grade}-{PurePosixPath(medium.file).name}",
            alt=what if len(files) == 1 else f"{what}, {('first', 'second')[index]} picture",
            width=int(medium.width or 0),
            height=int(medium.height or 0),
            data=data,
        )
        for index, (medium, data) in enumerate(zip(stimulus.media, files, strict=True))
    )
    return Shown(answer, variant, frames)


def _unusual(puzzle: Puzzle) -> str:
    return "anomaly" if puzzle.category == "anomalies" else "illusion"
