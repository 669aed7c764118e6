"""What is so in the place of a mistake, as a fact that a continuation may state."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veridical.records import Json
from veridical.suites.magic.facts import AXES, Fact
from veridical.suites.magic.language.scene import NumberedScene
from veridical.suites.magic.stimuli import StepClaim

_BOX = r"(?:box |region )?R ?{}"


def instead_of(mistake: StepClaim, scene: NumberedScene) -> Fact:
    """What is so in the place of a claim that is mistaken, with its value as the fact has it."""
    thing, box, kind = mistake["thing"], mistake["box"], mistake["kind"]
    boxes = {f"R{number}": _BOX.format(number) for number in sorted({*scene.numbers, *([box] if box else [])})}
    nouns = {noun: rf"(?:{words})s?" for noun, words in _nouns(scene, thing).items()}
    if kind == "place" and mistake["true"] == "none":
        shown = scene.in_box(box) if box else None
        value = str(scene.things[shown]["name"]) if shown is not None else "none"
        return Fact("place", f"R{box}", None, value, nouns, boxes)
    if kind == "place":
        return Fact("place", thing, None, mistake["true"], boxes, nouns)
    one, other = _label(thing, box, scene), str(mistake["other"])
    names = _names(scene, nouns)
    names.setdefault(one, nouns[thing] + _boxed(box))
    if kind != "relation":
        return Fact(kind, one, None, mistake["true"], _looks(scene, kind), names)
    values = [value.removesuffix(" of") for value in (mistake["true"], mistake["value"])]
    ways = {way: words for axis in AXES if axis.keys() & set(values) for way, words in axis.items()}
    alike = [name for name in names if name.split(" R")[0] == other and name != one]
    names[other] = "|".join([names.pop(name) for name in alike] or [nouns.get(other, re.escape(other))])
    return Fact("relation", one, other, values[0], ways, names)


def _nouns(scene: NumberedScene, *more: str) -> dict[str, str]:
    """The words for each noun of the things of a scene, and for more nouns."""
    known = {str(thing["name"]) for thing in scene.things} | set(more)
    found = {noun: [re.escape(noun)] for noun in sorted(known)}
    for word, (kind, noun) in scene.words.items():
        if kind == "noun" and noun in known:
            found[noun].append(re.escape(word))
    return {noun: "|".join(sorted(set(words), key=len, reverse=True)) for noun, words in found.items()}


def _names(scene: NumberedScene, nouns: Mapping[str, str]) -> dict[str, str]:
    """A pattern for each thing of a scene, by its noun, with its box where several have this noun."""
    found = {}
    for thing in scene.things:
        noun, number = str(thing["name"]), thing["number"]
        found[_label(noun, number, scene)] = _pattern(scene, nouns, noun, number) + _boxed(number)
    return found


def _boxed(number: int | None) -> str:
    """After a noun, the box that it is said to be in; or the box alone."""
    box = _BOX.format(number)
    return rf"(?:,? (?:in )?\(?{box}\)?)?|{box}" if number else ""


def _label(noun: str, box: int | None, scene: NumberedScene) -> str:
    return f"{noun} R{box}" if len(scene.called(noun)) > 1 and box else noun


def _pattern(scene: NumberedScene, nouns: Mapping[str, str], noun: str, box: int | None) -> str:
    """The words for a thing; of several with one noun, with its look before it."""
    place = scene.in_box(box) if box else None
    if len(scene.called(noun)) < 2 or place is None or scene.things[place]["name"] != noun:
        return nouns[noun]
    thing: Mapping[str, Json] = scene.things[place]
    looks = "|".join(re.escape(str(thing[kind])) for kind in ("color", "material", "size"))
    return rf"(?:{looks}) {nouns[noun]}"


def _looks(scene: NumberedScene, kind: str) -> dict[str, str]:
    """The words for each value of a look."""
    ways: dict[str, str] = {}
    for word, (each, value) in scene.words.items():
        if each == kind:
            ways[value] = f"{ways[value]}|{re.escape(word)}" if value in ways else re.escape(word)
    return ways
