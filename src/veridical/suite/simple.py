"""A small diagnostic in one call: items, a question, the answers allowed, and the truth."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from veridical.base.options import MOST_UNITS, Options, Recipe
from veridical.errors import InputError
from veridical.suite.observers import looking_observer, simulated_observer
from veridical.suite.parts import AskingPart, DesignPart
from veridical.suite.record import Suite
from veridical.suite.simple_answers import AnswerForm
from veridical.suite.simple_items import FAMILY, Items, ItemSource, Truth
from veridical.suite.simple_results import SimpleResults
from veridical.suite.stages import Stage

if TYPE_CHECKING:
    from veridical.observers import Observer
    from veridical.observers.plumbing import UserTurn

_NAME = re.compile(r"[a-z][a-z0-9-]{0,60}")
_ALL = "all"


class SimpleOptions(Options):
    """The options of every simple suite."""

    recipe: str = Field(_ALL, description="Named design.")
    units: int = Field(MOST_UNITS, ge=1, le=MOST_UNITS, description="Maximum number of units.")
    seed: int = Field(0, ge=0, lt=2**63, description="Draws the items of a function and the order of options.")


def simple_suite(
    *,
    name: str,
    items: Items,
    question: str = "",
    options: Sequence[object] | Literal["number"] = ("yes", "no"),
    truth: Truth = "truth",
    tolerance: float = 0.0,
    title: str | None = None,
    citation: str = "own items",
) -> Suite:
    """A whole suite made from items: one question about each picture, accuracy by group, differences paired by unit.

    `items` is a list of mappings, or a function that makes one from a seed. Keys of an item:

    - `picture`: a path (relative to the file that makes the call), an array of shape (height, width, 3), uint8, or a
      function without arguments that returns such an array.
    - `truth`: the true answer.
    - `unit`: items that show the same thing in different groups share it (default: each item is a unit).
    - `group`: the condition whose accuracy is compared (default: all items are one group).
    - `question`: replaces the suite's own. `id`: made from unit and group where it is missing.

    `options` are ("yes", "no"), 2 to 26 answers, shown as a lettered list whose order the seed draws for each unit, or
    "number": a whole number, right within `tolerance`. `truth` is the key of the true answer, or a function
    that reads it from the pixels. With a function, `veridical check` measures every picture, a stated truth that
    differs is refused, and the observer `veridical/pixel` answers with it.

    Raises `InputError` for a name that is none, and for anything wrong with the items of a list; items of a function
    are checked when a set is made.

    >>> import numpy as np
    >>> squares = [{"picture": np.full((8, 8, 3), level, np.uint8), "truth": level > 99} for level in (0, 50, 200)]
    >>> simple_suite(name="bright", items=squares, question="Is the square bright?", options=("yes", "no"))
    <Suite bright: Is the square bright?>
    """
    if not _NAME.fullmatch(str(name)):
        raise InputError(f"name {name!r}: lower-case letters, digits and dashes are allowed, a letter first")
    if not isinstance(truth, str) and not callable(truth):
        raise InputError(f"{name}: truth {truth!r}: the key of an item, or a function of its pixels, is allowed")
    file = _calling_file()
    source = ItemSource(
        suite=name,
        items=_listed(name, items),
        question=str(question),
        form=_in_suite(name, AnswerForm.of, options, tolerance),
        truth=truth,
        folder=Path.cwd() if file is None else file.parent,
    )
    if not callable(source.items):
        source.units(0)
    title = title or question or name
    results = SimpleResults(name, source.form)
    return Suite(
        name=name,
        title=title,
        citation=citation,
        files=() if file is None else (file, *source.pictures()),
        parts={
            "options": SimpleOptions,
            "recipes": {_ALL: Recipe(note="All items.")},
            "design": DesignPart(
                families=(FAMILY,), factors={}, chunks=source.chunks, make=source.make, verify=source.verify
            ),
            "asking": _asking(source),
            "analysis": results.analysis(),
            "presentation": results.presentation(),
            "observers": _observers(source),
        },
    )


def _asking(source: ItemSource) -> AskingPart:
    groups = source.groups()
    return AskingPart(
        stages=(Stage(name="ask", settings=(), trials=source.form.trials),),
        readers=source.form.readers,
        contrast=(groups[0], groups[1]) if groups else None,
        reply_tokens=20,
        answer_form=source.form.answer_form,
    )


def _observers(source: ItemSource) -> Mapping[str, Observer]:
    right = simulated_observer(
        "sees nothing: reads the truth of the trial, and is right with the probability -M accuracy=X",
        "the truth of each trial, and no picture",
        "veridical.suite.simple_observers:SIMULATION",
    )
    if isinstance(source.truth, str):
        return {"simulated": right}
    pixel = looking_observer("pixel", "measures the picture with the suite's own function", lambda: _measuring(source))
    return {"simulated": right, "pixel": pixel}


def _measuring(source: ItemSource) -> Callable[[UserTurn], str]:
    from veridical.media.decode import decode_picture

    def reply(shown: UserTurn) -> str:
        answer = source.read_pixels(decode_picture(shown.first, "picture"))
        return f"Answer: {answer}." if source.form.kind == "choice" else f"<answer>{answer}</answer>"

    return reply


def _listed(name: str, items: Items) -> Any:  # noqa: ANN401 (a list, or the function itself)
    if callable(items):
        return items
    if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
        raise InputError(f"{name}: items are a list of mappings, or a function of the seed, no {type(items).__name__}")
    return list(items)


def _in_suite(name: str, function: Callable[..., AnswerForm], *arguments: object) -> AnswerForm:
    try:
        return function(*arguments)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _calling_file() -> Path | None:
    """The file that calls `simple_suite`; `None` in a notebook, at a prompt, and where Python reads standard input."""
    path = Path(str(sys._getframe(2).f_globals.get("__file__", ""))).resolve()
    return path if path.is_file() else None
