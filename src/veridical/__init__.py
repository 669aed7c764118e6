"""Does a vision-language model perceive what is in front of it, or recall what is usually there?

>>> import veridical as v
>>> s = v.make("viprobe", cases=["zollner"], units=2, levels=2)
>>> r = v.run(s, model="veridical/pixel", show="quiet")
>>> [(e.metric, e.value) for e in r.estimates() if e.metric == "PFA" and not e.slice]
[('PFA', 1.0)]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.errors import IncompleteError, InputError
    from veridical.sets import check, describe, make, open_set
    from veridical.verbs import RunResult, compare, open_run, run, write_report

_PLACES = {
    "InputError": "errors",
    "IncompleteError": "errors",
    **dict.fromkeys(("make", "open_set", "check", "describe"), "sets"),
    **dict.fromkeys(("RunResult", "run", "open_run", "compare", "write_report"), "verbs"),
}
__all__ = [
    "IncompleteError",
    "InputError",
    "RunResult",
    "check",
    "compare",
    "describe",
    "make",
    "open_run",
    "open_set",
    "run",
    "write_report",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Loads a public name when it is first used, so that importing the package costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'veridical' has no attribute '{name}'")
    return getattr(import_module(f"veridical.{_PLACES[name]}"), name)
