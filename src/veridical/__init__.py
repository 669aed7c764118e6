"""Does a vision-language model perceive what is in front of it, or recall what is usually there?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.errors import IncompleteError, InputError
    from veridical.verbs import (
        RunResult,
        adopt,
        compare,
        import_release,
        judge,
        open_run,
        read_people,
        repair_run,
        rescore,
        run,
        write_report,
        write_trials,
    )
    from veridical.verbs.people import sample_people
    from veridical.verbs.planning import plan
    from veridical.verbs.rehearsal import dry_run
    from veridical.verbs.sets import check, describe, design, make, open_set

_PLACES = {
    "InputError": "errors",
    "IncompleteError": "errors",
    "sample_people": "verbs.people",
    "plan": "verbs.planning",
    "dry_run": "verbs.rehearsal",
    **dict.fromkeys(("make", "design", "open_set", "check", "describe"), "verbs.sets"),
    **dict.fromkeys(
        ("RunResult", "run", "judge", "open_run", "compare", "rescore", "write_report", "write_trials"), "verbs"
    ),
    **dict.fromkeys(("import_release", "read_people", "adopt", "repair_run"), "verbs"),
}
__all__ = [
    "IncompleteError",
    "InputError",
    "RunResult",
    "adopt",
    "check",
    "compare",
    "describe",
    "design",
    "dry_run",
    "import_release",
    "judge",
    "make",
    "open_run",
    "open_set",
    "plan",
    "read_people",
    "repair_run",
    "rescore",
    "run",
    "sample_people",
    "write_report",
    "write_trials",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Loads a public name when it is first used, so that importing the package costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'veridical' has no attribute '{name}'")
    return getattr(import_module(f"veridical.{_PLACES[name]}"), name)
