"""What a set for authoring can be asked to hold: nothing is drawn, because the clips are others'."""

from __future__ import annotations

from veridical.base.options import Options, Recipe


class AnnotateOptions(Options):
    """The options of every suite; `veridical import magic-clips` makes the sets of this one."""


RECIPES = {"balanced": Recipe(note="Nothing is drawn: `veridical import magic-clips FOLDER` takes real clips.")}
