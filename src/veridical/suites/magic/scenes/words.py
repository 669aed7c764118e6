"""The words of questions and answers: articles, lists, materials, and what else an answer may be called."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suites.magic.scenes.kinds import PALETTE

YES, NO = "yes", "no"
_POLAR = {YES: ("yes", "yeah", "correct", "true"), NO: ("no", "nope", "incorrect", "false")}
_STUFF = {"wooden": "wood", "woven": "wicker"}
_ALSO = {
    "red": ("crimson", "scarlet"),
    "orange": ("tangerine",),
    "yellow": ("golden",),
    "green": ("emerald",),
    "blue": ("navy", "azure"),
    "purple": ("violet", "lilac"),
    "pink": ("rose", "magenta"),
    "brown": ("chestnut",),
    "wood": ("wooden", "timber"),
    "metal": ("metallic", "steel", "iron"),
    "glass": ("crystal",),
    "wicker": ("woven", "rattan", "basketwork"),
    "plastic": ("acrylic",),
    "mug": ("cup",),
    "vase": ("urn",),
    "goblet": ("chalice",),
    "bucket": ("pail",),
    "teapot": ("kettle",),
    "shelf": ("bookshelf", "bookcase", "shelves"),
    "cabinet": ("cupboard",),
    "chest": ("trunk",),
    "picture": ("painting",),
    "car": ("automobile",),
    "boat": ("ship", "sailboat"),
    "tree": ("fir",),
}


def stuff(material: str) -> str:
    """What a thing of this material is made of.

    >>> stuff("wooden"), stuff("metal")
    ('wood', 'metal')
    """
    return _STUFF.get(material, material)


def predicate(slot: str, value: str) -> str:
    """What a thing is, after "is": a color, a size, or what it is made of."""
    return f"made of {stuff(value)}" if slot == "material" else value


def synonyms(answer: str) -> list[str]:
    """The answer and what else it is called.

    >>> synonyms("mug")
    ['mug', 'cup']
    """
    return list(_POLAR[answer]) if answer in _POLAR else [answer, *_ALSO.get(answer, ())]


def names_of(name: str, others: Sequence[str]) -> list[str]:
    """What a thing is called where it is to be told from `others`: of two balls, by its color alone as well.

    >>> names_of("red ball", ["blue ball"]), names_of("red ball", ["lamp"])
    (['red ball', 'red one', 'red'], ['red ball', 'red one', 'ball'])
    """
    color, _, noun = name.partition(" ")
    if color not in PALETTE or not noun:
        return synonyms(name)
    alike = any(other.split()[-1:] == [noun] for other in others)
    return [name, f"{color} one", *([color] if alike else synonyms(noun))]


def article(noun: str) -> str:
    """The noun with its article.

    >>> article("orange mug")
    'an orange mug'
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def name_list(names: Sequence[str]) -> str:
    """Names with their articles, in a list.

    >>> name_list(["mug", "red vase", "shelf"])
    'the mug, the red vase and the shelf'
    """
    *first, last = (f"the {name}" for name in names)
    return f"{', '.join(first)} and {last}" if first else last
