"""An oracle for our questions: it reads the words of a question, and finds the answer from the things of the scene.

It shares nothing with the generator: relations are taken from the boxes here, references from the nouns, and what fits
no thing, or more than one, is an error.
"""

from __future__ import annotations

import re

STUFF = {"wood": "wooden", "wicker": "woven"}


def answer_of(text, setting):
    """The answer to a question about a scene."""
    for pattern, rule in RULES:
        found = re.fullmatch(pattern, text)
        if found:
            return rule(setting, *found.groups())
    raise AssertionError(f"no rule reads: {text}")


def one(setting, words):
    """The one thing that "red mug", "mug" or "a mug" fits."""
    *color, noun = words.removeprefix("an ").removeprefix("a ").removeprefix("the ").split()
    fits = [t for t in setting.things if t.kind == noun and (not color or t.color == color[0])]
    assert len(fits) == 1, (words, [t.kind for t in setting.things])
    return fits[0]


def upon(setting, words):
    holder = one(setting, words)
    place = setting.things.index(holder)
    return [t for t in setting.things if t.on == place]


def only(things):
    assert len(things) == 1
    return things[0]


def yes(holds):
    return "yes" if holds else "no"


def left(a, b):
    assert a.box.x1 < b.box.x0 or b.box.x1 < a.box.x0
    return a.box.x1 < b.box.x0


def front(a, b):
    assert abs(a.box.y1 - b.box.y1) > 20
    return a.box.y1 > b.box.y1


def is_so(thing, what):
    """Whether a thing is "red", or "made of wood"."""
    stuff = what.removeprefix("made of ")
    return thing.material == STUFF.get(stuff, stuff) if stuff != what else thing.color == what


def stuff(thing):
    return {value: key for key, value in STUFF.items()}.get(thing.material, thing.material)


def full_name(setting, thing):
    twins = [t for t in setting.things if t.kind == thing.kind]
    return f"{thing.color} {thing.kind}" if len(twins) > 1 else thing.kind


def farthest(setting, where):
    key = {
        "farthest to the left": lambda t: -t.box.x0,
        "farthest to the right": lambda t: t.box.x1,
        "closest to the front edge of the table": lambda t: t.box.y1,
        "farthest from the front edge of the table": lambda t: -t.box.y1,
    }[where]
    ranked = sorted(setting.things, key=key)
    assert key(ranked[-1]) - key(ranked[-2]) > 10
    return ranked[-1]


def beside(setting, side, mark, holder):
    marked = one(setting, mark)
    others = [t for t in upon(setting, holder) if t is not marked]
    return only([t for t in others if left(t, marked) == (side == "left")]).kind


def aside(s, a, side, b):
    return yes(left(one(s, a), one(s, b)) == (side == "left"))


def in_front(s, a, where, b):
    return yes(front(one(s, a), one(s, b)) == (where == "in front of"))


def depth(s, a, b):
    return "in front" if front(one(s, a), one(s, b)) else "behind"


def side_of(s, a, b):
    return "left" if left(one(s, a), one(s, b)) else "right"


def which(s, word, a, b):
    """Which of two is farther to a side, closer to the front, or larger."""
    first, second = one(s, a), one(s, b)
    if word.startswith("farther to the"):
        right = left(first, second) == word.endswith("left")
    elif word.endswith("table"):
        right = front(first, second) == word.startswith("closer")
    else:
        heights = [t.box.y1 - t.box.y0 for t in (first, second)]
        assert first.kind == second.kind
        assert max(heights) > 1.5 * min(heights)
        right = (heights[0] > heights[1]) == (word == "larger")
    return a if right else b


def both(s, a, b, what):
    return yes(is_so(one(s, a), what) and is_so(one(s, b), what))


def either(s, a, b, what):
    holds = [is_so(one(s, each), what) for each in (a, b)]
    assert not all(holds)
    return yes(any(holds))


def neither(s, a, b, what):
    return yes(not is_so(one(s, a), what) and not is_so(one(s, b), what))


def both_of_one(s, a, color, material):
    return yes(is_so(one(s, a), color) and is_so(one(s, a), f"made of {material}"))


def same(s, a, b, what):
    first, second = one(s, a), one(s, b)
    return yes(first.material == second.material if "material" in what else first.color == second.color)


def chosen(s, a, first, second):
    thing = one(s, a)
    return only([each for each in (first, second) if is_so(thing, each) or is_so(thing, f"made of {each}")])


def on_which(s, a, first, second):
    thing = one(s, a)
    return only([each for each in (first, second) if thing in upon(s, each)])


def noun_on(s, holder, first, second):
    assert only(upon(s, holder)).kind in (first, second)
    return only(upon(s, holder)).kind


N = r"(\w+(?: \w+)??)"
NAMED = r": (?:(?:wood|metal|glass|wicker)(?:, | or )?\b){4}"
EXTREME = r"(farthest to the \w+|\w+ (?:to|from) the front edge of the table)"
FARTHER = r"(farther to the \w+|\w+ (?:to|from) the front edge of the table|larger|smaller)"
RULES = [
    (rf"Is it true that neither the {N} nor the {N} is (\w+|made of \w+)\?", neither),
    (rf"Is it the case that neither the {N} nor the {N} is (\w+|made of \w+)\?", neither),
    (rf"Is it true that the {N} is (\w+) and made of (\w+)\?", both_of_one),
    (rf"Is the {N} both (\w+) and made of (\w+)\?", both_of_one),
    (rf"Are both the {N} and the {N} (\w+|made of \w+)\?", both),
    (rf"Are the {N} and the {N} both (\w+|made of \w+)\?", both),
    (rf"Is either the {N} or the {N} (\w+|made of \w+)\?", either),
    (rf"Is at least one of the {N} and the {N} (\w+|made of \w+)\?", either),
    (rf"Are the {N} and the {N} (the same color|made of the same material)\?", same),
    (rf"Does the {N} have the same color as the {N}()\?", same),
    (rf"Is the {N} made of the same material as the {N}()\?", lambda s, a, b, _: same(s, a, b, "material")),
    (rf"Is the {N} to the (left|right) of the {N}\?", aside),
    (rf"Is the {N} farther to the (left|right) than the {N}\?", aside),
    (rf"Is the {N} (in front of|behind) the {N}\?", in_front),
    (rf"Is the {N} (?:in front of|behind) the {N} or (?:in front of|behind) it\?", depth),
    (rf"Is the {N} to the (?:left|right) or to the (?:left|right) of the {N}\?", side_of),
    (rf"Which is {FARTHER}, the {N} or the {N}\?", which),
    (rf"Which of the two is the {FARTHER} one, the {N} or the {N}\?", which),
    (rf"Is the thing on the {N} an? (\w+) or an? (\w+)\?", noun_on),
    (rf"Which of the two is on the {N}, an? (\w+) or an? (\w+)\?", noun_on),
    (rf"Is the {N} on the {N} or on the {N}\?", on_which),
    (rf"Which does the {N} stand on, the {N} or the {N}\?", on_which),
    (rf"Is the {N} on the {N}\?", lambda s, a, b: yes(one(s, a) in upon(s, b))),
    (rf"Does the {N} stand on the {N}\?", lambda s, a, b: yes(one(s, a) in upon(s, b))),
    (rf"Is the {N} made of (\w+) or of (\w+)\?", chosen),
    (rf"Which of the two is the {N} made of, (\w+) or (\w+)\?", chosen),
    (r"Is the (\w+(?: \w+)?) (\w+) or (\w+)\?", chosen),
    (rf"Which color is the {N}, (\w+) or (\w+)\?", chosen),
    (rf"Is the {N} (made of \w+)\?", lambda s, a, what: yes(is_so(one(s, a), what))),
    (rf"Is (\w+) what the {N} is made of\?", lambda s, what, a: yes(is_so(one(s, a), f"made of {what}"))),
    (rf"Is the color of the {N} (\w+)\?", lambda s, a, what: yes(is_so(one(s, a), what))),
    (rf"Does the {N} have an? (\w+) color\?", lambda s, a, what: yes(is_so(one(s, a), what))),
    (rf"What color is the thing that is {EXTREME}\?", lambda s, where: farthest(s, where).color),
    (rf"(?:Which thing|Of all things, which) is {EXTREME}\?", lambda s, where: farthest(s, where).kind),
    (rf"What color is the thing on the {N}\?", lambda s, holder: only(upon(s, holder)).color),
    (rf"What is the thing on the {N} made of{NAMED}\?", lambda s, holder: stuff(only(upon(s, holder)))),
    (rf"What is to the (left|right) of the {N} on the {N}\?", beside),
    (rf"On the {N}, what stands to the (left|right) of the {N}\?", lambda s, h, side, m: beside(s, side, m, h)),
    (rf"What is on the {N}\?", lambda s, holder: full_name(s, only(upon(s, holder)))),
    (rf"Which thing stands on the {N}\?", lambda s, holder: full_name(s, only(upon(s, holder)))),
    (rf"What color is the {N}\?", lambda s, a: one(s, a).color),
    (rf"Which color does the {N} have\?", lambda s, a: one(s, a).color),
    (rf"What (?:is|material is) the {N} made of{NAMED}\?", lambda s, a: stuff(one(s, a))),
    (r"Is the (\w+(?: \w+)?) (\w+)\?", lambda s, a, what: yes(is_so(one(s, a), what))),
]
