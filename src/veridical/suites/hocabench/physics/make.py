"""What HOCA-Bench draws: clips of one event in each of its courses, of several in panels, and in sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from veridical.errors import InputError
from veridical.media.clips.write import LIKE, clips_of_equal_length, encode_clip, encode_clips, furthest
from veridical.media.decode import Clip, Decoded, clip_media, medium_of, undrawn_clip
from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.records import Chunk, Json, Medium, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.nuisances import Nuisances, shuffle_items
from veridical.suite.parts import CriticalRegion, DesignPart
from veridical.suites.hocabench.options import HOCABenchOptions
from veridical.suites.hocabench.physics.film import Film, FirstDifference, Shot, View, film_of, view_in
from veridical.suites.hocabench.physics.rendering.renderers import RENDERERS
from veridical.suites.hocabench.physics.rendering.view import DRAFT, PASSES, RENDERED, RenderedView
from veridical.suites.hocabench.physics.scene import problem
from veridical.suites.hocabench.physics.scene_index import hosted_sub_types, hosts, scenes_in
from veridical.suites.hocabench.physics.state import Course
from veridical.suites.hocabench.physics.truth import ClipTruth, SceneTurn, clip_truth, turn_of
from veridical.suites.hocabench.stimuli import FACTORS, NAME, QUESTION
from veridical.suites.hocabench.taxonomy import SUB_TYPES

PANELS: Final = "panels"
SEQUENCE: Final = "sequence"
T = TypeVar("T")
_PARTS = 3


def chunks(options: HOCABenchOptions) -> list[Chunk]:
    """The units of a set: each sub-type's in the order of the taxonomy, then panels and sequences.

    Panels need events of two sub-types at least, sequences three scenes.
    """
    kept = _kept(options)
    own = [Chunk(name, k) for name in kept for k in range(options.units)]
    places = min(
        len({scene for name in kept for scene in hosts(name, options.scenes, style)}) for style in options.styles
    )
    panels = options.panels if len(kept) > 1 and places > _PARTS else 0
    sequences = options.sequences if places >= _PARTS else 0
    return [*own, *(Chunk(PANELS, k) for k in range(panels)), *(Chunk(SEQUENCE, k) for k in range(sequences))]


def _kept(options: HOCABenchOptions) -> list[str]:
    return hosted_sub_types(options.sub_types, options.scenes, options.styles)


def make(options: HOCABenchOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of one unit with the bytes of their clips, in an order that tells nothing of the answers.

    Raises `InputError` where a state log breaks another law than the one that it is made for.
    """
    films, unit, turn = _films(options, chunk)
    clock = films[0].clock
    for part in films[0].parts:
        _require_sound(part, clock, unit)
    if turn is None:
        (film,) = films
        content = encode_clip(film.frames(), clock.rate, "ultrafast")
        yield _stimulus(film, unit, chunk.family, options.seed, medium_of(f"media/{unit}.mp4", content)), (content,)
        return
    seen = FirstDifference()
    contents = encode_clips(seen.among(films[0].beside(films[1:])), clock.rate, "ultrafast")
    files = [f"media/{unit}/{film.parts[0].course}.mp4" for film in films]
    media = clip_media(list(zip(files, contents, strict=True)))
    made = [
        (_stimulus(film, unit, film.parts[0].course, options.seed, medium, turn, seen.frame), (content,))
        for film, medium, content in zip(films, media, contents, strict=True)
    ]
    yield from clips_of_equal_length(made)


def outline(options: HOCABenchOptions, chunk: Chunk) -> Iterator[Stimulus]:
    """The stimuli of one unit, of clips that are not drawn."""
    films, unit, turn = _films(options, chunk)
    for film in films:
        name = unit if turn is None else f"{unit}/{film.parts[0].course}"
        variant = chunk.family if turn is None else film.parts[0].course
        size = film.parts[0].view.width, options.height
        medium = undrawn_clip(f"media/{name}.mp4", size, film.count, film.clock.rate)
        yield _stimulus(film, unit, variant, options.seed, medium, turn)


def _films(options: HOCABenchOptions, chunk: Chunk) -> tuple[list[Film], str, SceneTurn | None]:
    """The films of a unit, in an order that tells no answers, its name, and its turn if it has one scene."""
    nuisances = Nuisances(chunk.family, WIDTH, options.seed, chunk.index)
    unit = f"{chunk.family}/{chunk.index:04d}"
    if chunk.family in (PANELS, SEQUENCE):
        return [_of_several(options, nuisances, panels=chunk.family == PANELS)], unit, None
    part, turn = _sampled(options, nuisances, chunk)
    courses = shuffle_items(part.event.courses, options.seed, unit)
    return [Film("single", (replace(part, course=course),), _clock(options)) for course in courses], unit, turn


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """`None` if the clip shows what its state log says in its first frame, at the event and in its last frame.

    The log is played again and drawn again. Clips of others are not measurable.
    """
    made = stimulus.truth.get("made")
    if made is None:
        return NotMeasurable("the truth of a released clip is its authors'; nothing is measured in it")
    film = film_of(made)
    if isinstance(view := film.parts[0].view, RenderedView):
        try:
            RENDERERS[view.renderer].versions()
        except InputError as error:
            return NotMeasurable(str(error))
    (clip,) = (medium for medium in media if isinstance(medium, Clip))
    if clip.count != film.count:
        return f"the clip has {clip.count} frames, its state log {film.count}"
    if film.intervals() != stimulus.truth["intervals"]:
        return "the anomaly's interval is not that of the state log"
    looked = {0, film.count - 1, *(min(film.count - 1, round(a * film.clock.rate) + 6) for a, _ in film.intervals())}
    drawn = film.pictures(looked)
    for frame in clip.frames(looked):
        away = furthest(frame.pixels, drawn[frame.index])
        if away > LIKE:
            return f"frame {frame.index} does not show what the state log says: a block of it is {away:.0f} of 255 away"
    return None


def _clock(options: HOCABenchOptions) -> Clock:
    return Clock(options.rate, round(options.rate * options.seconds))


def _sampled(options: HOCABenchOptions, nuisances: Nuisances, chunk: Chunk) -> tuple[Shot, SceneTurn]:
    """A violating part of a sub-type, and the events that stand as options; styles and cameras take turns."""
    view, _ = _view(options, nuisances, options.height)
    turn = turn_of(chunk.family, options.seed, chunk.index, _kept(options), options.scenes, view.style)
    scene = scenes_in(view.style)[turn.scene]
    return Shot(scene, scene.event(chunk.family), scene.sample(nuisances), "violating", view), turn


def _parts(options: HOCABenchOptions, nuisances: Nuisances, view: View, odd: int, count: int) -> tuple[Shot, ...]:
    """Parts in random order, each in a scene of its own; `odd` of them are violating, each of another sub-type."""
    kept = _kept(options)
    (first,) = nuisances.in_turn(kept)
    pairs = [(name, place) for name in kept for place in hosts(name, options.scenes, view.style)]
    pairs = sorted(_in_random_order(pairs, nuisances), key=lambda pair: pair[0] != first)
    parts: list[Shot] = []
    for name, place in pairs:
        held = {part.event.sub_type for part in parts}
        if any(part.scene.name == place for part in parts) or (len(parts) < odd and name in held):
            continue
        scene = scenes_in(view.style)[place]
        course: Course = "violating" if len(parts) < odd else "plausible"
        parts.append(Shot(scene, scene.event(name), scene.sample(nuisances), course, view))
        if len(parts) == count:
            return tuple(_in_random_order(parts, nuisances))
    raise InputError(f"{count} scenes with events of their own are needed; allow more scenes or sub-types")


def _in_random_order(items: Sequence[T], nuisances: Nuisances) -> list[T]:
    return [items[int(k)] for k in np.argsort([nuisances.between(0, 1) for _ in items])]


def _view(
    options: HOCABenchOptions, nuisances: Nuisances, height: int, *turns: Sequence[str]
) -> tuple[View, list[str]]:
    style, camera, *rest = nuisances.in_turn(options.styles, options.cameras, *turns)
    engine = {"renderer": options.renderer, "passes": _passes(options)} if style == RENDERED else {}
    return view_in(style, camera, height, **engine), rest  # type: ignore[arg-type]


def _passes(options: HOCABenchOptions) -> int:
    return DRAFT if options.draft or options.renderer is None else PASSES[options.renderer]


def _of_several(options: HOCABenchOptions, nuisances: Nuisances, *, panels: bool) -> Film:
    """Four panels, or three scenes one after the other; in two or three, or one or two of them something is wrong."""
    height = options.height * 3 // 4 if panels else options.height
    view, (wrong,) = _view(options, nuisances, height, ("2", "3") if panels else ("1", "2"))
    odd = min(int(wrong), len(_kept(options)))
    return Film(
        PANELS if panels else SEQUENCE, _parts(options, nuisances, view, odd, 4 if panels else _PARTS), _clock(options)
    )


def _require_sound(part: Shot, clock: Clock, unit: str) -> None:
    courses = {course: part.event.play(part.base, clock, course) for course in part.event.courses}
    wrong = problem(part.scene, part.event, part.base, clock, courses)
    if wrong:
        raise InputError(f"{unit}, {part.scene.name}: {wrong}; it is not written, another seed may do")


def _stimulus(
    film: Film,
    unit: str,
    variant: str,
    seed: int,
    medium: Medium,
    turn: SceneTurn | None = None,
    seen: int | None = None,
) -> Stimulus:
    text: ClipTruth = clip_truth(film, seed, unit, turn)
    lead = film.parts[0]
    alone = film.layout == "single"
    begins = [start for start, _ in film.intervals()]
    factors: dict[str, Json] = dict.fromkeys(FACTORS) | {
        "layer": text.layer,
        "sub_type": text.sub_type,
        "scene": lead.scene.name if alone else variant,
        "drawing": lead.view.style,
        "camera": lead.view.camera,
        "anomalies": len(begins),
        "event": round(film.clock.time(lead.event.begins(lead.base, film.clock)), 4) if alone else None,
        "taken_from": "generator",
    }
    return Stimulus(
        id=f"{unit}/{variant}" if alone else unit,
        suite=NAME,
        family=unit.partition("/")[0],
        unit=unit,
        variant=variant,
        category=text.category,
        media=(medium,),
        question=QUESTION,
        label=text.label,
        seed=seed,
        factors=factors,
        truth={
            **text.truth,
            "intervals": film.intervals(),
            "boxes": {},
            **(_look(film, seen) if alone and medium.sha256 else {}),
            "made": film.made(),
        },
    )


def critical(stimulus: Stimulus) -> Sequence[CriticalRegion]:
    """Where each actor of the event is from its beginning on, or was last; none of clips of several events."""
    begins = stimulus.factors.get("event")
    actors = [rows for rows in (stimulus.truth.get("boxes") or {}).values() if rows]
    if begins is None:
        return []
    return [[row[1:] for row in rows if row[0] >= begins] or [rows[-1][1:]] for rows in actors]


def _look(film: Film, seen: int | None) -> dict[str, Json]:
    """Where the actors are seen and, of a rendered clip, from when on its pixels differ from those of other courses."""
    if film.parts[0].view.style != RENDERED:
        return film.places()
    return {**film.places(), "first_visible": None if seen is None else round(film.clock.time(seen), 4)}


def engine_versions(options: HOCABenchOptions) -> dict[str, str]:
    """What determines the pixels of rendered clips besides the options; nothing for a set that has none.

    Raises `InputError` where they cannot be rendered.
    """
    if RENDERED not in options.styles:
        return {}
    return {**RENDERERS[options.renderer or "mujoco"].versions(), "passes": str(_passes(options))}


DESIGN = DesignPart(
    families=(*SUB_TYPES, PANELS, SEQUENCE),
    factors=FACTORS,
    chunks=chunks,
    make=make,
    verify=verify,
    outline=outline,
    critical=critical,
    engine=engine_versions,
    published=PublishedCounts(
        source="the paper, section 3.3: 630 single anomalies, 630 real clips, 120 with several, 59 for grounding",
        counts={"variant": {"violating": 630, "plausible": 630, "panels": 120, "sequence": 59}},
    ),
)
