"""Words for what our scenes show: nouns, colors, materials, sizes and relations, each with its canonical name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

_COLORS = {"red": "crimson scarlet", "blue": "navy", "purple": "violet", "gray": "grey"} | dict.fromkeys(
    ("orange", "yellow", "green", "pink", "brown", "black", "white"), ""
)
_MATERIALS = {
    "wooden": "wood timber",
    "metal": "metallic steel iron",
    "woven": "wicker rattan",
    "ceramic": "porcelain",
    "fabric": "cloth textile",
    "paper": "cardboard",
} | dict.fromkeys(("glass", "plastic", "leather", "stone", "rubber"), "")
_SIZES = {"small": "little tiny", "large": "big huge"}
_OF_ONE_NAME = (
    "vase,book,table,bench,bowl,bottle,ball,candle,cap,hat,mirror,chair,stool,basket,plate,cat,dog,phone,glove,shoe"
    ",umbrella,guitar,laptop,globe,robot,duck,apple,banana,drum,chest,crate,dresser,desk,armchair,trunk,kettle"
    ",watering can"
)
"""Nouns without another word for them."""
_NOUNS = {
    "mug": "cup,coffee mug,coffee cup",
    "lamp": "table lamp,desk lamp,floor lamp",
    "shelf": "bookshelf",
    "cabinet": "cupboard",
    "goblet": "chalice,wine glass",
    "clock": "wall clock",
    "plant pot": "pot,flower pot,flowerpot,potted plant,plant",
    "teapot": "tea pot",
    "teddy": "teddy bear",
    "picture": "painting,framed picture",
    "bucket": "pail",
    "pillow": "cushion",
    "sofa": "couch",
    "jug": "pitcher",
} | dict.fromkeys(_OF_ONE_NAME.split(","), "")
OPPOSITE = {
    "left of": "right of",
    "right of": "left of",
    "above": "below",
    "below": "above",
    "in front of": "behind",
    "behind": "in front of",
}
_SIDE = r"(?:(?:to|on|at) (?:the |its )?)?(?:(?:immediate|far|direct) )?"
_THAN = r"(?:further|farther|more) (?:to the )?"
_RELATION = {
    "left of": rf"{_SIDE}left(?:-hand)?(?: side)? of|{_THAN}left than",
    "right of": rf"{_SIDE}right(?:-hand)?(?: side)? of|{_THAN}right than",
    "on": r"on top of|resting on|standing on|placed on|sitting on|lying on|upon|on",
    "in front of": r"in front of|closer (?:to (?:us|me|the viewer|the camera) )?than",
    "behind": r"behind|(?:further|farther) (?:back|away) than",
    "below": r"below|under(?:neath)?|beneath|(?:lower|further down) than",
    "above": r"above|over(?! there)|higher(?: up)? than",
}
RELATION = re.compile(
    "|".join(rf"(?P<r{place}>\b(?:{_RELATION[name]})\b)" for place, name in enumerate(_RELATION)), re.IGNORECASE
)
"""A relation in words; `relation_of` gives its name."""

Lexicon = Mapping[str, tuple[str, str]]
"""The kind (color, material, size, noun) and the canonical name of each word or phrase in lower case."""


def relation_of(match: re.Match[str]) -> str:
    """The canonical name of a relation that `RELATION` matched.

    >>> relation_of(RELATION.search("it stands to the left of the lamp"))
    'left of'
    """
    return list(_RELATION)[int(str(match.lastgroup)[1:])]


def _canonical(table: Mapping[str, str], kind: str, separator: str | None) -> dict[str, tuple[str, str]]:
    return {
        word.strip(): (kind, name)
        for name, others in table.items()
        for word in (name, *others.split(separator))
        if word
    }


@lru_cache(maxsize=256)
def lexicon(nouns: frozenset[str], looks: frozenset[tuple[str, str]]) -> Lexicon:
    """The words known for a scene with these nouns and looks (kind, value), which have precedence over synonyms.

    A synonym that is the noun of another thing in the scene is that thing. The looks of a scene keep the names that the
    scene has for them.

    >>> lexicon(frozenset({"mug"}), frozenset({("material", "wood")}))["wooden"]
    ('material', 'wood')
    """
    known = {
        **_canonical(_NOUNS, "noun", ","),
        **_canonical(_COLORS, "color", None),
        **_canonical(_MATERIALS, "material", None),
        **_canonical(_SIZES, "size", None),
    }
    for kind, value in looks:
        same = known.get(value, (kind, value))
        known |= {word: (kind, value) for word, each in known.items() if each == same}
        known[value] = (kind, value)
    for noun in nouns:
        same = known.get(noun, ("noun", noun))
        if same[1] not in nouns:
            known |= {word: ("noun", noun) for word, each in known.items() if each == same and word not in nouns}
        known[noun] = ("noun", noun)
    return known


@lru_cache(maxsize=256)
def phrase_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these words or phrases, the longest first; a space may be a hyphen."""
    longest = [re.escape(word).replace(r"\ ", "[ -]") for word in sorted(words, key=len, reverse=True)]
    return re.compile(rf"\b(?:{'|'.join(longest)})\b", re.IGNORECASE)
