"""Names of models that two folders have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def model_titles(places: Sequence[tuple[Path | None, str]]) -> dict[tuple[Path | None, str], str]:
    """A name for each model in each folder of an evaluation: its own, and the folder's where two have one of that name.

    >>> list(model_titles([(Path("old"), "m"), (Path("new"), "m"), (None, "n")]).values())
    ['m (old)', 'm (new)', 'n']
    """
    folders = {place: place.name for place in dict.fromkeys(place for place, _ in places) if place is not None}
    alike = {name for name in folders.values() if [*folders.values()].count(name) > 1}
    by_model: dict[str, set[Path | None]] = {}
    for place, model in places:
        by_model.setdefault(model, set()).add(place)
    titles = {}
    for place, model in places:
        named = place is not None and len(by_model[model]) > 1
        folder = "" if place is None else str(place) if folders[place] in alike else folders[place]
        titles[place, model] = f"{model} ({folder})" if named else model
    return titles
