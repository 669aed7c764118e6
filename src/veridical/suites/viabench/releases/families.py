"""Where released items stand among ours: the names of categories, and the family of each category."""

from __future__ import annotations

import re

from veridical.suites.viabench.options import CATEGORIES, CODES, Category

FAMILIES: dict[str, Category] = {f"release-{category}": category for category in CATEGORIES}
"""The family of the released items of each category."""
TITLES = {family: f"released items: {CATEGORIES[category]}" for family, category in FAMILIES.items()}
RELEASE = "release"
"""The level of `taken_from` for released items."""

_FILLING = {"and", "illusion", "illusions", "visual"}
_BY_CODE = {code.casefold(): category for category, code in CODES.items()}
_BY_WORDS: dict[str, Category] = {
    **{category: category for category in CATEGORIES},
    "anomaly": "anomalies",
    "geometric spatial": "geometric",
    "spatial geometric": "geometric",
    "geometrical spatial": "geometric",
    "geometrical": "geometric",
}


def family_of(category: Category) -> str:
    """The family of the released items of a category.

    >>> family_of("color")
    'release-color'
    """
    return f"release-{category}"


def category_of(text: str) -> Category | None:
    """The category that a release calls so, by its name or abbreviation in any case; `None` for another.

    >>> category_of("Geometric & Spatial Illusions (GSI)"), category_of("va"), category_of("memes")
    ('geometric', 'anomalies', None)
    """
    lowered = text.casefold().replace("colour", "color")
    code = re.search(r"\(\s*([a-z]{2,3})\s*\)", lowered)
    words = re.findall(r"[a-z]+", re.sub(r"\([^)]*\)", " ", lowered))
    name = " ".join(word for word in words if word not in _FILLING)
    if not name and set(words) in ({"visual", "illusion"}, {"visual", "illusions"}):
        name = "general"
    stated = {_BY_WORDS.get(name) or _BY_CODE.get(name), _BY_CODE.get(code[1]) if code else None} - {None}
    return stated.pop() if len(stated) == 1 else None
