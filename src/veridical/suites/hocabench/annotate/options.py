"""What a set for annotation can be asked to hold: nothing is drawn, because the clips are the user's."""

from __future__ import annotations

from veridical.base.options import Options, Recipe


class AnnotateOptions(Options):
    """The options of every suite; `veridical import videos` makes the sets of this one."""


RECIPES = {"balanced": Recipe(note="Nothing is drawn: `veridical import videos FOLDER` takes your clips.")}
