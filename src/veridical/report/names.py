"""What things are called where people read."""

from __future__ import annotations

from collections.abc import Mapping


def called(names: Mapping[str, str], name: str) -> str:
    """The suite's name for a factor, fact, setting or family; else its own, with spaces for underscores.

    >>> called({"alpha": "α"}, "alpha"), called({}, "length_ratio")
    ('α', 'length ratio')
    """
    return names.get(name, name.replace("_", " "))
