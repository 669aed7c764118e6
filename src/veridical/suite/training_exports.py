"""What training exports say that a model has seen: recipes, families, the space of seeds, and sets kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.base.files import Shape, read_json, require_format, require_shape
from veridical.errors import InputError

MANIFEST = "export.json"
FORMAT = 2


class ExportArguments(Shape):
    """Of the arguments of an export: the sets that it was kept apart from, names by digests of their rows."""

    apart_from: dict[str, str]


class ExportRecipe(Shape):
    """Of a recipe of an export: the seed, as it was stated."""

    seed: int


class TrainingExport(Shape):
    """The manifest of a training export. `families` counts the examples to train on by SUITE/FAMILY."""

    space: str
    families: dict[str, int]
    left_out: int
    recipes: dict[str, ExportRecipe]
    arguments: ExportArguments

    def families_of(self, suite: str) -> set[str]:
        """The families of a suite that have examples to train on."""
        return {name.partition("/")[2] for name, count in self.families.items() if count and _is_of(name, suite)}

    def recipes_of(self, suite: str) -> list[str]:
        """The names of the recipes of a suite, each with its seed."""
        named = ((name, recipe) for name, recipe in self.recipes.items() if _is_of(name, suite))
        return [f"{name.partition('/')[2]} (seed {recipe.seed})" for name, recipe in named]


@dataclass(frozen=True, kw_only=True)
class TrainingRecord:
    """The exports that a model was trained on, beside a set that it was asked about.

    `digest` is that of the set's rows. `space` is that of its seeds, empty for one that was not drawn from seeds, and
    `None` where no set is at hand. `standard` says what it is beside the suite's standard set, where it is
    part of that.
    """

    exports: Sequence[TrainingExport]
    digest: str
    space: str | None = None
    standard: str = ""


def read_training_export(place: Path) -> TrainingExport:
    """The manifest of an export at a path, that of the file or of its folder.

    Raises `InputError`, in one line, where there is none, for one that is damaged, and for a file of another kind.
    """
    path = place / MANIFEST if place.is_dir() else place
    needed = f"the folder of `veridical export training`, or its {MANIFEST}, is needed"
    if not path.is_file():
        raise InputError(f"{place} is no training export: {needed}")
    try:
        value = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} is no training export: it is not JSON; {needed}") from error
    if not isinstance(value, dict) or "space" not in value or "recipes" not in value:
        raise InputError(f"{path} is no training export: {needed}")
    require_format(path, value, FORMAT, what="training export", again="export")
    require_shape(path, value, TrainingExport)
    return TrainingExport.model_validate(value)


def _is_of(name: str, suite: str) -> bool:
    return name.partition("/")[0] == suite
