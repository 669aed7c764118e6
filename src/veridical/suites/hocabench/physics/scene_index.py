"""Which scenes, drawn and in three dimensions, host which sub-types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.errors import InputError, unknown
from veridical.suites.hocabench.physics.rendering.scenes import RENDERED_SCENES
from veridical.suites.hocabench.physics.rendering.view import RENDERED
from veridical.suites.hocabench.physics.scene import EventScene
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

EVERY_SCENE: Mapping[str, EventScene] = {**SCENES, **RENDERED_SCENES}
"""All scenes by name."""


def scenes_in(style: str) -> Mapping[str, EventScene]:
    """The scenes that are seen in a style: those in three dimensions are rendered, all others drawn."""
    return RENDERED_SCENES if style == RENDERED else SCENES


def hosts(sub_type: str, names: Sequence[str] | None = None, style: str = "flat") -> list[str]:
    """The names of the scenes in a style that host an event of this sub-type, all or those among `names`."""
    return [
        scene.name
        for scene in scenes_in(style).values()
        if (not names or scene.name in names) and any(event.sub_type == sub_type for event in scene.events)
    ]


def hosted_sub_types(
    sub_types: Sequence[str] | None, scenes: Sequence[str] | None, styles: Sequence[str] = ("flat",)
) -> list[str]:
    """The sub-types with these names or of these domains that scenes in each style host, in the taxonomy's order.

    Raises `InputError` for an unknown name, for a sub-type without rendered scenes, and where no scene is left.
    """
    known = {name for style in styles for name in scenes_in(style)}
    for name in scenes or ():
        if name not in known:
            raise unknown("scene", name, sorted(known))
    for name in sub_types or ():
        if name not in SUB_TYPES and name not in DOMAINS:
            raise unknown("sub-type", name, [*DOMAINS, *SUB_TYPES])
        if RENDERED in styles and name in SUB_TYPES and not hosts(name, style=RENDERED):
            rendered = ", ".join(each for each in SUB_TYPES if hosts(each, style=RENDERED))
            raise InputError(f"no rendered scene hosts {name}: {rendered} have some")
    kept = [
        each.name
        for each in SUB_TYPES.values()
        if (not sub_types or each.name in sub_types or each.domain in sub_types)
        and all(hosts(each.name, scenes, style) for style in styles)
    ]
    if not kept:
        raise InputError("none of these scenes hosts these sub-types")
    return kept
