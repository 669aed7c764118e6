"""What a claim should say, read from the stored boxes and things alone: it shares nothing with the generator."""

from __future__ import annotations

PALETTE = {"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown"}


def truth_of(claim, truth):
    """The true value of a claim; an assertion fails where the claim's thing is not exactly one."""
    kind = claim["kind"]
    if kind == "dismissed":
        return "dismissed" if claim["box"] in truth["adversarial"] else "matters"
    if kind == "place":
        numbers = [t["number"] for t in truth["graph"]["things"] if t["name"] == claim["thing"] and t["number"]]
        right = claim["true"].removeprefix("R")
        assert int(right) in numbers
        return claim["true"] if claim["box"] not in numbers or f"R{claim['box']}" == claim["true"] else None
    thing = thing_of(claim["thing"], claim["box"], truth)
    if kind == "relation":
        return relation(thing, named(claim["other"], claim, truth), truth)
    return thing[kind]


def thing_of(noun, number, truth):
    fits = [t for t in truth["graph"]["things"] if t["name"] == noun and (number is None or t["number"] == number)]
    assert len(fits) == 1
    return fits[0]


def named(noun, claim, truth):
    """The second thing of a relation: another than the first; of two that it may be, both are in the same relation."""
    fits = [t for t in truth["graph"]["things"] if t["name"] == noun]
    if noun == claim["thing"]:
        fits = [t for t in fits if t["number"] != claim["box"]]
    if len(fits) > 1:
        fits = [t for t in fits if t["number"] in truth["relevant"]]
    assert len(fits) == 1
    return fits[0]


def relation(thing, other, truth):
    """What a thing is to another by their boxes."""
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = thing["box"], other["box"]
    if ay1 == by0 and bx0 <= ax0 and ax1 <= bx1:
        return "on"
    if ax1 < bx0:
        return "left of"
    if bx1 < ax0:
        return "right of"
    if truth["family"] == "room":
        assert ay1 < by0 or by1 < ay0
        return "above" if ay1 < by0 else "below"
    return "behind" if ay1 < by1 else "in front of"


def number_of(number, truth):
    """The noun and the color of the thing in a box; nothing for a box that shows none."""
    fits = [t for t in truth["graph"]["things"] if t["number"] == number]
    assert len(fits) <= 1
    if not fits:
        assert not any(overlap(t["box"], truth["boxes"][number - 1]) for t in truth["graph"]["things"])
        return set()
    assert fits[0]["box"] == truth["boxes"][number - 1]
    return {fits[0]["name"], fits[0]["color"]}


def things_named(text, truth):
    """The nouns and colors in a text."""
    words = set(text.casefold().replace(".", "").replace(",", "").split())
    return words & (PALETTE | {t["name"] for t in truth["graph"]["things"]})


def overlap(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
