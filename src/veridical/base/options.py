"""Options of a stimulus set, as a pydantic model, and recipes, which are named sets of option values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from veridical.errors import InputError, unknown

MOST_UNITS = 10_000
TRAINING_SEEDS = 2**63
"""The least seed of the space of training, which no set takes: evaluations and training share no unit."""


class Options(BaseModel):
    """The options of every suite's sets; a suite's own model adds to them.

    The options and the library version determine every pixel. `units` of a recipe may differ between families.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    recipe: str = Field("balanced", description="Named design.")
    units: int = Field(10, ge=1, le=MOST_UNITS, description="Base items per family.")
    seed: int = Field(0, ge=0, lt=TRAINING_SEEDS, description="The same seed gives the same pixels.")


T = TypeVar("T", bound=Options)


def seed_space(seed: int) -> Literal["evaluation", "training"]:
    """The space that a seed is of, as the manifests of sets and of training exports state it.

    >>> seed_space(0), seed_space(TRAINING_SEEDS)
    ('evaluation', 'training')
    """
    return "training" if seed >= TRAINING_SEEDS else "evaluation"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A named design: its purpose and its option values. The `fixed` options cannot be overridden."""

    note: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    fixed: tuple[str, ...] = ()


def chosen_options(kind: type[T], recipes: Mapping[str, Recipe], options: Mapping[str, Any]) -> T:
    """The options of a recipe (default: the first), overridden by the options that are not `None`.

    Raises a one-line `InputError` for an unknown option, a value that is not allowed, or an option that the recipe
    fixes.
    """
    wanted = {name: value for name, value in options.items() if value is not None}
    recipe = str(wanted.setdefault("recipe", next(iter(recipes))))
    if recipe not in recipes:
        raise unknown("recipe", recipe, recipes)
    for name in wanted:
        if name not in kind.model_fields:
            raise unknown("option", name, kind.model_fields)
    own = recipes[recipe]
    refused = [name for name in own.fixed if name in wanted]
    if refused:
        raise InputError(f"the recipe '{recipe}' sets {', '.join(refused)} itself: leave it out, or choose another")
    return parse_options(kind, {**own.values, **wanted})


def parse_options(kind: type[T], values: Mapping[str, Any]) -> T:
    """Options from plain values; raises `InputError` with the first problem in one line.

    >>> parse_options(Options, {"units": 0})
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: units 0: input should be greater than or equal to 1
    """
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if isinstance(cause := first.get("ctx", {}).get("error"), InputError | ValueError):
            raise InputError(str(cause)) from None
        where = ".".join(str(part) for part in first["loc"])
        message = first["msg"][:1].lower() + first["msg"][1:]
        raise InputError(f"{where} {str(first['input'])[:40]}: {message}") from None
