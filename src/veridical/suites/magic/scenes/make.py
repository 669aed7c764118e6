"""From a scene to stimuli: one picture, and a question of each type with its numbered boxes and chains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from veridical.errors import InputError
from veridical.media.decode import Decoded, Picture
from veridical.media.draw import encode_png, pixel_hash
from veridical.records import Box, Chunk, Json, Medium, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.options import MagicOptions
from veridical.suites.magic.regions.choose import numbering
from veridical.suites.magic.scenes.compose import Composition, compose
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.layout import PlacedThing, SceneLayout
from veridical.suites.magic.scenes.looks import shows
from veridical.suites.magic.scenes.numbered_question import NumberedQuestion
from veridical.suites.magic.scenes.paint import render, thing_map
from veridical.suites.magic.scenes.prefixes import chains
from veridical.suites.magic.stimuli import DRAWN, FACTORS, NAME, QuestionType, Thing

VISIBLE = 0.6
"""The least share of a thing's usual pixels that its picture shows."""
_BY = "generator"


def chunks(options: MagicOptions) -> list[Chunk]:
    """The scenes of a set, a unit each."""
    return [Chunk(kind, index) for kind in options.scenes for index in range(options.units)]


def make(options: MagicOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The five questions about a scene, each with the bytes of their one picture.

    Raises `InputError` for a picture that hides a thing.
    """
    unit, scene = _composed(options, chunk)
    pixels, shown = render(scene.setting)
    require_visible(scene.setting, shown, unit)
    content = encode_png(pixels)
    for stimulus in _stimuli(scene, unit, options, pixel_hash(pixels)):
        yield stimulus, (content,)


def outline(options: MagicOptions, chunk: Chunk) -> Iterator[Stimulus]:
    """The five questions about a scene that is composed and not painted."""
    unit, scene = _composed(options, chunk)
    return _stimuli(scene, unit, options, "")


def _composed(options: MagicOptions, chunk: Chunk) -> tuple[str, Composition]:
    kind = next(kind for kind in options.scenes if kind == chunk.family)
    scene = compose(kind, options.width, options.width * 3 // 4, options.seed, chunk.index)
    return f"{chunk.family}/{chunk.index:04}", scene


def _stimuli(scene: Composition, unit: str, options: MagicOptions, digest: str) -> Iterator[Stimulus]:
    width, height = scene.setting.width, scene.setting.height
    medium = Medium(file=f"media/{unit}.png", kind="image", width=width, height=height, sha256=digest)
    graph, nuisances = Graph(scene.setting), words(unit, options.seed)
    for name in scene.questions:
        yield _stimulus(scene, graph, name, medium, unit, options.seed, nuisances)


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """`None` if the picture shows the things of the scene where they are said to be, or the first that it does not.

    Colors are read back from the pixels, and materials where that is possible. Of boxes without a thing, nothing is.
    """
    if stimulus.variant != DRAWN:
        return NotMeasurable("the truth of a picture of others is its author's")
    (picture,) = [medium.pixels for medium in media if isinstance(medium, Picture)]
    for thing in stimulus.truth["graph"]["things"]:
        look = shows(picture, _placed(thing))
        if look is None:
            return f"the picture does not show the {thing['name']}"
        for what, seen in (("color", look.color), ("material", look.material)):
            if seen not in (None, thing[what]):
                return f"the picture shows a {thing['name']} of {what} {seen}, not {thing[what]}"
    return None


def _placed(thing: Thing) -> PlacedThing:
    x0, y0, x1, y1 = thing["box"]
    return PlacedThing(thing["name"], thing["color"], thing["material"], thing["size"], Box(x0, y0, x1, y1))


def words(unit: str, seed: int) -> Nuisances:
    """What the words of the chains of a scene are drawn from."""
    return Nuisances(f"magic/words/{unit}", 0, seed, 0)


def marked_question(scene: Composition, graph: Graph, name: QuestionType, seed: int, unit: str) -> NumberedQuestion:
    """A question with its numbered boxes: those of the things that matter, and those of its decoys."""
    question = scene.questions[name]
    things = graph.things
    relevant, others = ([things[place].box for place in places] for places in (question.places, question.decoys))
    numbered = numbering(relevant, others, seed, f"{unit}/{name}")
    by_box = {box: number for number, box in enumerate(numbered.boxes, 1)}
    numbers = {place: by_box[thing.box] for place, thing in enumerate(things) if thing.box in by_box}
    return NumberedQuestion(question, graph, tuple(numbered.boxes), numbers)


def truth_of(marked: NumberedQuestion, nuisances: Nuisances) -> dict[str, Json]:
    """The truth of a question, see `stimuli.Truth`; the words of its chains are random."""
    relevant = sorted(marked.numbers[place] for place in marked.question.places)
    return {
        "short": marked.question.short,
        "full": marked.question.full,
        "boxes": [list(box) for box in marked.boxes],
        "relevant": relevant,
        "adversarial": [number for number in range(1, len(marked.boxes) + 1) if number not in relevant],
        "chains": chains(marked, nuisances),
        "graph": marked.graph.facts(marked.numbers),
        "rule": marked.question.rule(),
    }


def _stimulus(
    scene: Composition, graph: Graph, name: QuestionType, medium: Medium, unit: str, seed: int, nuisances: Nuisances
) -> Stimulus:
    marked = marked_question(scene, graph, name, seed, unit)
    question, truth = marked.question, truth_of(marked, nuisances)
    factors = {
        "template": scene.forms[name],
        "offered": question.offered,
        "box_count": len(truth["boxes"]),
        "relevant_count": len(truth["relevant"]),
        "chain_by": _BY,
        "taken_from": _BY,
    }
    return Stimulus(
        id=f"{unit}/{name}",
        suite=NAME,
        family=graph.setting.kind,
        unit=unit,
        variant=DRAWN,
        category=name,
        question=question.text,
        label=question.short,
        seed=seed,
        media=(medium,),
        factors=dict.fromkeys(FACTORS) | factors,
        truth=truth,
    )


def require_visible(setting: SceneLayout, shown: np.typing.NDArray[np.int16], unit: str) -> None:
    """Raises `InputError` where less than `VISIBLE` of a thing's usual pixels are seen."""
    for place, thing in enumerate(setting.things):
        x0, y0, x1, y1 = thing.box
        seen = np.count_nonzero(shown[y0:y1, x0:x1] == place)
        if seen < VISIBLE * _usual(thing.kind, x1 - x0, y1 - y0):
            raise InputError(f"{unit}: the {thing.kind} is hidden; another seed may do")


@lru_cache(maxsize=4096)
def _usual(kind: str, width: int, height: int) -> int:
    """The number of pixels of a thing of this size that nothing hides."""
    box = Box(2, 2, width + 2, height + 2)
    alone = SceneLayout("room", width + 4, height + 4, (PlacedThing(kind, "red", "wooden", "small", box),), 0)
    return int((thing_map(alone) == 0).sum())
