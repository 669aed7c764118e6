"""Names that a suite's factors and settings cannot have: the general columns of every table."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.ask import trial_table as trials
from veridical.errors import InputError
from veridical.records import OUTCOMES
from veridical.stimulus_set import stimulus_table as stimuli

RESERVED = frozenset((*stimuli.RESERVED, *trials.RESERVED, *OUTCOMES))


def require_free_names(suite: str, factors: Iterable[str], settings: Iterable[str]) -> None:
    """Raises `InputError` for a factor or setting named like a general column, or for a name that is both."""
    declared = list(factors)
    for kind, names in (("factor", declared), ("setting", settings)):
        for name in names:
            if name in RESERVED or name.startswith("score_"):
                raise InputError(f"the suite {suite} declares the {kind} '{name}', which is a general column's name")
            if kind == "setting" and name in declared:
                raise InputError(f"the suite {suite} declares '{name}' as a factor and as a setting")
