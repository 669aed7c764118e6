"""What a text states of one of our scenes, in a form that a rule can check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.answers.region_mentions import MOST, mentions
from veridical.answers.thinking import spoken_text
from veridical.records import Json
from veridical.suites.magic.language.clause import ClauseStatement, NamedThing
from veridical.suites.magic.language.dismissals import dismissed_boxes
from veridical.suites.magic.language.scene import NumberedScene, scene_of
from veridical.suites.magic.language.statements import segments, statements
from veridical.suites.magic.stimuli import StepClaim

LONGEST = 20_000
"""Characters of a text that are looked at, from its beginning."""
_LONGEST_STEP = 2_000
DISMISSED, MATTERS = "dismissed", "matters"


def claims_of_steps(
    steps: Sequence[str], graph: Mapping[str, Json] | None, relevant: Sequence[int] | None = None
) -> list[list[StepClaim]]:
    """The claims of each of these steps of one text, in order; a claim is right if its `value` is its `true`.

    Read are plain statements in English of how a thing looks, which box shows it, and how two things stand to each
    other. Hedges, questions, reported statements, and everything whose meaning or truth is not certain are no claims. A
    denied look is the value "not red", a denied place "not R2". With `relevant`, the numbers of the boxes that matter,
    boxes that are set aside are claims too. Without a graph there is none. In a step, "it" may be what the step before
    is about.

    >>> mug = {"name": "mug", "color": "red", "material": "metal", "size": "small", "box": [0, 0, 9, 9], "number": 1}
    >>> [(claim["kind"], claim["value"], claim["true"]) for claim in
    ...  claims_of_steps(["R1 shows a green mug."], {"things": [mug], "relations": []})[0]]
    [('place', 'R1', 'R1'), ('color', 'green', 'red')]
    """
    if graph is None:
        return [[] for _ in steps]
    scene = scene_of(graph)
    before: list[NamedThing] = []
    made = []
    for step in steps:
        stated, before = statements(step[:_LONGEST_STEP], scene.words, before)
        made.append([*_claims(stated, scene), *_dismissed(step[:_LONGEST_STEP], scene, relevant)])
    return made


def sentences(text: str) -> list[str]:
    """The sentences of what a text says outside its thinking, by line and by the rules of English."""
    return [each for line in spoken_text(text[:LONGEST]).splitlines() for each in segments(line)]


def _dismissed(sentence: str, scene: NumberedScene, relevant: Sequence[int] | None) -> Iterator[StepClaim]:
    """The boxes that a sentence sets aside, of a question whose relevant boxes are known."""
    if relevant is None:
        return
    named = {number for mention in mentions(sentence, False) for number in mention.numbers if 1 <= number <= MOST}
    for number in dismissed_boxes(sentence, sorted(scene.numbers | set(relevant) | named)):
        place = scene.in_box(number)
        thing = str(scene.things[place]["name"]) if place is not None else ""
        yield _claim(DISMISSED, thing, number, DISMISSED, MATTERS if number in relevant else DISMISSED)


def _claims(made: Sequence[ClauseStatement], scene: NumberedScene) -> Iterator[StepClaim]:
    """The claims that statements come to; several that say the same are one."""
    seen: list[StepClaim] = []
    for statement in made:
        claim = {"look": _look, "place": _place, "relation": _relation}[statement.kind](statement, scene)
        if claim is None or claim in seen or (statement.loose and claim["value"] != claim["true"]):
            continue
        seen.append(claim)
        yield claim


def _claim(kind: str, thing: str, box: int | None, value: str, true: str, other: str | None = None) -> StepClaim:
    return {"kind": kind, "thing": thing, "box": box, "value": value, "true": true, "other": other}


def find_thing(named: NamedThing, scene: NumberedScene) -> int | None:
    """The place of the thing that is meant; `None` where noun and box disagree, and where several may be meant."""
    if named.box is not None:
        place = scene.in_box(named.box)
        return place if place is None or named.noun is None or scene.alike(named.noun, place) else None
    if named.noun is None:
        return None
    places = scene.called(named.noun)
    if len(places) > 1:
        places = [place for place in places if all(str(scene.things[place][kind]) == it for kind, it in named.looks)]
    return places[0] if len(places) == 1 else None


def _look(statement: ClauseStatement, scene: NumberedScene) -> StepClaim | None:
    place = find_thing(statement.of, scene)
    if place is None or statement.look is None:
        return None
    kind, value = statement.look
    if (
        statement.look in statement.of.looks
        and statement.of.box is None
        and len(scene.called(str(statement.of.noun))) > 1
    ):
        return None  # It says which one is meant.
    thing = scene.things[place]
    true = str(thing[kind])
    if kind == "size" and true not in ("small", "large"):
        return None
    if statement.denied:
        value, true = f"not {value}", f"not {value}" if value != true else true
    return _claim(kind, str(thing["name"]), thing["number"], value, true)


def _place(statement: ClauseStatement, scene: NumberedScene) -> StepClaim | None:
    noun, box = statement.of.noun, statement.box
    if noun is None or box is None:
        return None
    shown = scene.in_box(box)
    right = shown is not None and str(scene.things[shown]["name"]) == noun
    if not right and (shown is None and not scene.called(noun)):
        return None
    if not right and shown is not None and scene.alike(noun, shown):
        return None
    meant_box = _single_box(statement.of, scene)
    right = right and meant_box in (None, box)
    value, true = f"R{box}", f"R{box}" if right else f"R{meant_box}" if meant_box else scene.boxes_of(noun)
    if statement.denied:
        value, true = f"not R{box}", true if right else f"not R{box}"
    return _claim("place", noun, box, value, true)


def _single_box(named: NamedThing, scene: NumberedScene) -> int | None:
    """The box of the only thing with this noun and these looks, where several have the noun."""
    places = scene.called(str(named.noun))
    alike = [k for k in places if all(str(scene.things[k][kind]) == value for kind, value in named.looks)]
    return scene.things[alike[0]]["number"] if len(places) > 1 and len(alike) == 1 and named.article == "the" else None


def _relation(statement: ClauseStatement, scene: NumberedScene) -> StepClaim | None:
    if statement.other is None:
        return None
    first, second = find_thing(statement.of, scene), find_thing(statement.other, scene)
    if first is None or second is None or first == second:
        return None
    true = scene.relation(first, statement.relation, second)
    if true is None:
        return None
    one, two, value = scene.things[first], scene.things[second], statement.relation
    if statement.denied:
        value, true = f"not {value}", value if true == value else f"not {value}"
    return _claim("relation", str(one["name"]), one["number"], value, true, str(two["name"]))


def same_fact(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Whether two claims are about the same: one of them may be wrong, denied, or say it the other way round.

    >>> left = {"kind": "relation", "thing": "mug", "box": 1, "value": "left of", "true": "left of", "other": "vase"}
    >>> same_fact(left, {**left, "thing": "vase", "box": 2, "value": "not right of", "other": "mug"})
    True
    """
    if one["kind"] != other["kind"]:
        return False
    if one["kind"] == "relation":
        pairs = [sorted((str(each["thing"]), str(each["other"]))) for each in (one, other)]
        return pairs[0] == pairs[1] and _axis(one) == _axis(other)
    if one["kind"] == DISMISSED:
        return bool(one["box"] == other["box"])
    boxes = {one["box"], other["box"]} - {None}
    return bool(one["thing"] == other["thing"]) and (one["kind"] == "place" or len(boxes) <= 1)


def _axis(claim: Mapping[str, Json]) -> str:
    name = str(claim["value"]).removeprefix("not ")
    return {"left of": "across", "right of": "across", "in front of": "deep", "behind": "deep"}.get(name, "upright")
