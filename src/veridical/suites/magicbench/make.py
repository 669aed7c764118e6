"""From tricks to stimuli: a clip of each trick and of its honest control, with what is said over both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from veridical.errors import InputError, unknown
from veridical.media.clips.write import LIKE, clips_of_equal_length, encode_clips, furthest
from veridical.media.decode import Clip, Decoded, clip_media, undrawn_clip
from veridical.media.figures.brush import WIDTH
from veridical.records import Chunk, Json, Medium, Stimulus, canonical
from veridical.stimulus_set import NotMeasurable
from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.nuisances import Nuisances, shuffle_items
from veridical.suite.parts import CriticalRegion, DesignPart
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.patter.check import problems as misspoken
from veridical.suites.magicbench.patter.make import patter_of, wording_of
from veridical.suites.magicbench.stimuli import (
    FACTORS,
    HONEST,
    NAME,
    QUESTION,
    RELEASE,
    TRICK,
    Atom,
    Patter,
    PatterType,
    Probe,
)
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.film import (
    TrickFilm,
    Visibility,
    first_difference,
    unpainted_visibility,
    visibility,
)
from veridical.suites.magicbench.tricks.hands import LEFT
from veridical.suites.magicbench.tricks.log import problems
from veridical.suites.magicbench.tricks.probes import probes
from veridical.suites.magicbench.tricks.trick import FAMILIES, Base, tricks

_MIRRORED = "mirrored"


def chunks(options: MagicBenchOptions) -> list[Chunk]:
    """The units of a set, family by family; raises `InputError` for an unknown family."""
    for name in options.tricks or ():
        if name not in FAMILIES:
            raise unknown("family of tricks", name, FAMILIES)
    kept = [name for name in FAMILIES if options.tricks is None or name in options.tricks]
    return [Chunk(name, k) for name in kept for k in range(options.units)]


class Performance:
    """A unit: one performance, as a trick and as its honest control; not `painted`, nothing is seen in its clips."""

    def __init__(self, options: MagicBenchOptions, chunk: Chunk, *, painted: bool = True) -> None:
        self.painted = painted
        self.unit = f"{chunk.family}/{chunk.index:04d}"
        self.seed = options.seed
        self.index = chunk.index
        self.trick = tricks()[chunk.family]
        self.base = _base(options, chunk)
        films = (TrickFilm(self.trick, self.base, honest, options.height, options.rate) for honest in (False, True))
        self.films = dict(zip((TRICK, HONEST), films, strict=True))

    @cached_property
    def seen(self) -> dict[str, Visibility]:
        """What can be seen of the secret in each clip."""
        look = visibility if self.painted else unpainted_visibility
        return {variant: look(film) for variant, film in self.films.items()}

    @cached_property
    def first_visible(self) -> float | None:
        """When the two clips first differ, in seconds."""
        return first_difference(*self.films.values()) if self.painted else None

    @property
    def outcome(self) -> float | None:
        """When the outcome begins to tell the two clips apart, in seconds; `None` where they are from the secret on."""
        begins = [film.log.outcome for film in self.films.values()]
        return min((each for each in begins if each is not None), default=None)

    @cached_property
    def atoms(self) -> dict[str, list[Atom]]:
        """The constraints of each clip."""
        return {variant: atoms(self.trick, self.base, film.log) for variant, film in self.films.items()}

    @cached_property
    def patter(self) -> dict[str, dict[PatterType, Patter]]:
        """What is said over each clip, by type: the same words, each claim with its truth there."""
        try:
            return patter_of(self.trick, self.base, unit=self.unit, seed=self.seed, wording=self.wording)
        except ValueError as error:
            raise InputError(f"{self.unit}: {error}; it is not written, another seed may do") from error

    @cached_property
    def probes(self) -> dict[str, list[Probe]]:
        """The questions about each clip: the same, each with its answer there."""
        trick, honest = (self.films[variant].log for variant in (TRICK, HONEST))
        pairs = ((TRICK, trick, honest), (HONEST, honest, trick))
        return {variant: probes(log, twin, self.seed, self.unit) for variant, log, twin in pairs}

    @property
    def wording(self) -> int:
        """The wording of the words, by number."""
        return wording_of(self.index, self.seed)

    @property
    def problem(self) -> str | None:
        """What forbids to write the unit: a broken law, or a tell that is not where it should be."""
        wrong = next((line for film in self.films.values() for line in problems(film.log)), None)
        if wrong is not None:
            return wrong
        if self.seen[TRICK].tell is None:
            return "nothing of the secret can be seen in the trick"
        if self.seen[HONEST].tell is not None:
            return "the honest control shows a secret that it does not have"
        return next(misspoken(_truth(self, TRICK), _truth(self, HONEST)), None)


def make(options: MagicBenchOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The trick and its honest control with the bytes of their clips, in an order that tells nothing.

    Raises `InputError` where the log breaks a law, or the pixels show more or less of the secret than they should.
    """
    own = Performance(options, chunk)
    wrong = own.problem
    if wrong is not None:
        raise InputError(f"{own.unit}: {wrong}; it is not written, another seed may do")
    variants = shuffle_items((TRICK, HONEST), options.seed, own.unit)
    first, second = (own.films[variant] for variant in variants)
    contents = encode_clips(first.beside(second), first.rate, "ultrafast")
    media = clip_media([(f"media/{own.unit}/{each}.mp4", made) for each, made in zip(variants, contents, strict=True)])
    made = [
        (_stimulus(own, variant, medium), (content,))
        for variant, medium, content in zip(variants, media, contents, strict=True)
    ]
    yield from clips_of_equal_length(made)


def outline(options: MagicBenchOptions, chunk: Chunk) -> Iterator[Stimulus]:
    """The trick and its honest control, of clips that are not drawn."""
    own = Performance(options, chunk, painted=False)
    for variant, film in own.films.items():
        size = film.view.width, film.view.height
        yield _stimulus(
            own, variant, undrawn_clip(f"media/{own.unit}/{variant}.mp4", size, film.clock.frames, film.rate)
        )


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """`None` if the clip shows what its state log says: at the beginning, in the secret, under cover, and at the end.

    The performance is made and drawn again. Clips of others are not measurable.
    """
    made = stimulus.truth.get("made")
    if made is None:
        return NotMeasurable("the truth of a released clip is its authors'; nothing is measured in it")
    options = MagicBenchOptions(seed=stimulus.seed, **made["options"])
    own = Performance(options, Chunk(stimulus.family, made["index"]))
    film = own.films[stimulus.variant]
    if film.log.stored() != stimulus.truth["log"]:
        return "the state log is not the one that this version makes"
    for name, texts in (("patter", own.patter), ("probes", own.probes), ("pcs", own.atoms)):
        if canonical(texts[stimulus.variant]) != canonical(stimulus.truth[name]):
            return f"{name!r} is not what this version makes of the state log"
    (clip,) = (medium for medium in media if isinstance(medium, Clip))
    if clip.count != film.clock.frames:
        return f"the clip has {clip.count} frames, its state log {film.clock.frames}"
    middles = ((start + end) / 2 for start, end in (film.log.secret, film.log.cover))
    looked = {0, film.clock.frames - 1, *map(film.clock.frame, middles)}
    for frame in clip.frames(looked):
        away = furthest(frame.pixels, film.picture(frame.index))
        if away > LIKE:
            return f"frame {frame.index} does not show what the state log says: a block of it is {away:.0f} of 255 away"
    return None


def _base(options: MagicBenchOptions, chunk: Chunk) -> Base:
    """The nuisances of a unit: those of its family, with this set's levels of what takes turns."""
    base = tricks()[chunk.family].sample(Nuisances(chunk.family, WIDTH, options.seed, chunk.index))
    sides = tuple(_MIRRORED if hand == LEFT else "as is" for hand in options.hands)
    turns = Nuisances(chunk.family, WIDTH, options.seed, chunk.index)
    peek, side, occluder = turns.in_turn(tuple(map(str, options.peeks)), sides, options.occluders)
    own = {"peek": float(peek), "mirrored": side == _MIRRORED, "occluder": occluder}
    return replace(base, staging=replace(base.staging, **own))


def _stimulus(own: Performance, variant: str, medium: Medium) -> Stimulus:
    film, staging = own.films[variant], own.base.staging
    start, end = own.seen[variant].window
    factors: dict[str, Json] = {
        "peek": staging.peek,
        "window_length": round(end - start, 3),
        "decoy": round(staging.decoy, 1),
        "occluder": staging.occluder,
        "phrasing": own.wording,
        "taken_from": "generator",
    }
    return Stimulus(
        id=f"{own.unit}/{variant}",
        suite=NAME,
        family=own.trick.name,
        unit=own.unit,
        variant=variant,
        category=own.trick.category,
        media=(medium,),
        question=QUESTION,
        label=None,
        seed=own.seed,
        factors={**dict.fromkeys(FACTORS), **factors},
        truth={**_truth(own, variant), "made": _made(own, film)},
    )


def _truth(own: Performance, variant: str) -> dict[str, Json]:
    """The truth of one clip, see `stimuli.Truth`."""
    trick, base, log, visible = own.trick, own.base, own.films[variant].log, own.seen[variant]
    return {
        "principle": trick.text(trick.control if log.honest else trick.principle, base),
        "pcs": own.atoms[variant],
        "method": trick.form(base),
        "props": {"present": list(trick.present(base)), "absent": list(trick.absent)},
        "log": log.stored(),
        "secret": list(log.secret),
        "window": list(visible.window),
        "first_visible": own.first_visible,
        "outcome": own.outcome,
        "critical": [list(row) for row in visible.critical],
        "placebo": [list(row) for row in visible.placebo],
        "probes": own.probes[variant],
        "effect": trick.text(trick.effect, base),
        "nouns": list(trick.nouns),
        "decoy": log.decoy,
        "patter": own.patter[variant],
    }


def _made(own: Performance, film: TrickFilm) -> dict[str, Json]:
    """What the performance is made of, beside its family and its seed, for `verify`."""
    staging = own.base.staging
    levels = {"peeks": [staging.peek], "hands": [staging.acting], "occluders": [staging.occluder]}
    return {"index": own.index, "options": {**levels, "height": film.height, "rate": film.rate}}


def critical(stimulus: Stimulus) -> Sequence[CriticalRegion]:
    """Where the secret move shows, at several times; none of a clip without a window."""
    rows = stimulus.truth.get("critical") or ()
    return [[row[1:] for row in rows]] if rows else []


DESIGN = DesignPart(
    families=(*FAMILIES, RELEASE),
    factors=FACTORS,
    chunks=chunks,
    make=make,
    verify=verify,
    outline=outline,
    critical=critical,
    published=PublishedCounts(
        source="the paper, section 3.2: clips by the type of what is said over them",
        counts={"linguistic_type": {"A": 146, "B": 91, "C": 83, "D": 82}},
    ),
)
"""What a set of MagicBench can be asked to hold."""
