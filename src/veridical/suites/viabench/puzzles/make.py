"""From a puzzle to stimuli: one picture per possible answer and variant, drawn, read back, and asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.errors import InputError
from veridical.media.decode import Decoded, Picture
from veridical.media.draw import Scene, encode_png, pixel_hash, rasterise, same_length
from veridical.records import Chunk, Json, Medium, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.nuisances import Nuisances, shuffle_items
from veridical.suites.viabench import puzzles
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles.captions import with_caption, without_caption
from veridical.suites.viabench.puzzles.puzzle import (
    GRADES,
    NO,
    YES,
    Base,
    Pixels,
    Puzzle,
    Variant,
    opposite,
    options_of,
)

NAME = "viabench"
_SUFFIXES = {None: "", False: "-unnamed", True: "-named"}
FORWARD, REVERSED, UNTURNED = "forward", "reversed", "none"
"""Whether a yes-no question is asked as it stands or turned round; "none" where it cannot be."""


def chunks(options: VIABenchOptions) -> list[Chunk]:
    """The units of a set, in the order of the registry."""
    return [Chunk(puzzle.name, k) for puzzle in puzzles.selection(options.puzzles) for k in range(options.units)]


def make(options: VIABenchOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of one unit with the bytes of their pictures, in an order that tells nothing of the answers.

    Raises `InputError` for a picture that does not show the answer that it was drawn for.
    """
    item = _unit(options, chunk)
    puzzle, base, unit = item.puzzle, item.base, item.unit
    made: list[tuple[Stimulus, tuple[bytes, ...]]] = []
    for answer in puzzle.answers(base):
        for variant in puzzle.variants(base, answer):
            drawn = puzzle.draw(base, answer, variant)
            pictures = [rasterise(each) if isinstance(each, Scene) else each for each in drawn]
            _require_sound(puzzle, base, answer, variant, pictures, unit)
            for written in _name_levels(puzzle, options):
                shown = [_captioned(each, item.subject, written) for each in pictures]
                stimulus = item.stimulus(answer, variant, [(each.shape, pixel_hash(each)) for each in shown], written)
                made.append((stimulus, tuple(map(encode_png, shown))))
    yield from _of_one_length(shuffle_items(made, options.seed, unit))


def outline(options: VIABenchOptions, chunk: Chunk) -> Iterator[Stimulus]:
    """The stimuli of one unit, of pictures that are not drawn."""
    item = _unit(options, chunk)
    puzzle, base = item.puzzle, item.base
    pictures = [((options.size, options.size), "")] * puzzle.pictures
    for answer in puzzle.answers(base):
        for variant in puzzle.variants(base, answer):
            for written in _name_levels(puzzle, options):
                yield item.stimulus(answer, variant, pictures, written)


def _unit(options: VIABenchOptions, chunk: Chunk) -> _Unit:
    puzzle = puzzles.get(chunk.family)
    base, grade, polarity = sample_unit(puzzle, options, chunk.index)
    return _Unit(puzzle, base, f"{chunk.family}/{chunk.index:04d}", options.seed, grade, polarity)


def _name_levels(puzzle: Puzzle, options: VIABenchOptions) -> tuple[bool | None, ...]:
    """Whether the name is written below a picture: both, where names are wanted and there is one; `None`: no strip."""
    return (False, True) if options.written_names and puzzle.subject is not None else (None,)


def _captioned(picture: Pixels, subject: str | None, written: bool | None) -> Pixels:
    return picture if written is None else with_caption(picture, subject if written else None)


def sample_unit(puzzle: Puzzle, options: VIABenchOptions, index: int) -> tuple[Base, int, str]:
    """The nuisances of a unit, its grade of difficulty, and how its question is turned.

    Units that follow each other take the grades in turn.
    """
    nuisances = Nuisances(puzzle.name, options.size, options.seed, index)
    grade, polarity = nuisances.in_turn([str(grade) for grade in GRADES], [FORWARD, REVERSED])
    return puzzle.sample(nuisances, int(grade)), int(grade), polarity if puzzle.question_reversed else UNTURNED


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """`None` if the pictures show the stimulus's answer, a problem in one line, or why it cannot be read from them."""
    if stimulus.family not in puzzles.PUZZLES:
        return NotMeasurable("the truth of a released item is its author's; nothing is measured in its picture")
    puzzle = puzzles.get(stimulus.family)
    if puzzle.read is None:
        return NotMeasurable(puzzle.unreadable)
    pictures = [medium.pixels for medium in media if isinstance(medium, Picture)]
    written = stimulus.factors.get("name_written")
    if written is not None:
        name = stimulus.truth["subject"] if written else None
        above = [picture for each in pictures if (picture := without_caption(each, name)) is not None]
        if len(above) < len(pictures):
            return f"the strip below the picture is not {'blank' if name is None else f'the name {name}'}"
        pictures = above
    shown = puzzle.read(pictures, stimulus.truth["answers"])
    return None if shown == stimulus.truth["answer"] else f"the picture shows {shown}, not {stimulus.truth['answer']}"


def _require_sound(
    puzzle: Puzzle, base: Base, answer: str, variant: Variant, pictures: list[Pixels], unit: str
) -> None:
    readings = []
    if puzzle.read is not None:
        readings.append(puzzle.read(pictures, puzzle.answers(base)))
    if puzzle.counted is not None:
        readings.append(puzzle.counted(base, answer, variant))
    for shown in readings:
        if shown != answer:
            raise InputError(
                f"{unit}, {variant}: drawn for '{answer}', it shows '{shown}', and is not written; "
                "another size or seed may do"
            )


def _of_one_length(made: list[tuple[Stimulus, tuple[bytes, ...]]]) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The same files, those of one variant at one length, so that the number of bytes gives no answer away."""
    for variant in {stimulus.variant for stimulus, _ in made}:
        group = [(index, files) for index, (stimulus, files) in enumerate(made) if stimulus.variant == variant]
        padded = iter(same_length([file for _, files in group for file in files]))
        for index, files in group:
            made[index] = made[index][0], tuple(next(padded) for _ in files)
    yield from made


def _expected(thing: str, title: str) -> str:
    """What stands in place of a picture where a model is asked for what it expects."""
    if thing:
        return f"Suppose that it shows {thing}."
    return f"Suppose that it shows the figure that is known as “{title}”: choose what most people say at a first look."


class _Unit:
    """A unit, and how its pictures are described and asked about."""

    def __init__(self, puzzle: Puzzle, base: Base, unit: str, seed: int, grade: int, polarity: str) -> None:
        self.puzzle, self.base, self.unit, self.seed, self.grade = puzzle, base, unit, seed, grade
        self.polarity = polarity
        self.subject = puzzle.subject(base) if puzzle.subject is not None else None
        fields = vars(base)
        self.question = (puzzle.question_reversed if polarity == REVERSED else puzzle.question).format_map(fields)
        self.prior = None if puzzle.prior is None else _expected(puzzle.prior.format_map(fields), puzzle.title)
        self.answers = puzzle.answers(base)
        self.options = options_of([self.turned(answer) for answer in self.answers], seed, unit)

    def turned(self, answer: str) -> str:
        """The answer to the question as it is asked here."""
        return opposite(answer) if self.polarity == REVERSED and answer in (YES, NO) else answer

    def stimulus(
        self, answer: str, variant: Variant, pictures: Sequence[tuple[tuple[int, ...], str]], written: bool | None
    ) -> Stimulus:
        """The stimulus of an answer, with the shape and the hash of each of its pictures."""
        puzzle = self.puzzle
        slug = re.sub(r"[^a-z0-9]+", "-", answer.casefold()).strip("-")
        name = f"{self.unit}/{variant}-{slug}{_SUFFIXES[written]}"
        usual = puzzle.usual(self.base, answer, variant)
        return Stimulus(
            id=name,
            suite=NAME,
            family=puzzle.name,
            unit=self.unit,
            variant=variant,
            category=puzzle.category,
            media=tuple(
                Medium(
                    file=f"media/{name}{'' if len(pictures) == 1 else f'-{index + 1}'}.png",
                    kind="image",
                    width=shape[1],
                    height=shape[0],
                    sha256=digest,
                )
                for index, (shape, digest) in enumerate(pictures)
            ),
            question=self.question,
            label=self.turned(answer),
            seed=self.seed,
            factors={
                "capability": puzzle.capability,
                "difficulty": self.grade,
                "polarity": self.polarity,
                "usual": None if usual is None else self.turned(usual),
                "live_options": len(self.answers),
                "provable": not puzzle.tells_by_text,
                "name_written": written,
                "taken_from": "generator",
            },
            truth={
                "answer": answer,
                "answers": list(self.answers),
                "options": list(self.options),
                "prior": None if usual is None else self.prior,
                "nuisances": self._own(),
                **({} if written is None else {"subject": self.subject}),
            },
            measured={"answer": answer} if puzzle.read is not None else {},
        )

    def _own(self) -> dict[str, Json]:
        plain = {key: value for key, value in vars(self.base).items() if isinstance(value, bool | int | float | str)}
        return {key: round(value, 6) if isinstance(value, float) else value for key, value in plain.items()}
