"""Verdicts on explanations: three marks, a veto, and what code makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from veridical.judges import JudgeVerdict
from veridical.records import Json
from veridical.suites.magicbench.judging.judge_material import UNJITTERED

HIGH, MID, LOW = 9, 5, 1
"""The marks of a rule, in the middle of the three bands 7 to 10, 4 to 6 and 0 to 3, or near it."""
NEAR = 0.5
"""How far, in seconds, a time may be from the secret."""
BOTH = "the reply states both what is true and what contradicts it"
NOTHING = "the reply has no statement that the rule can hold against the constraints"


LOWEST, HIGHEST = 0, 10
VETO = "hard_failure_triggered"
NO_FAILURE = "none"
FAILURES = {"prop": "veto_prop", "state": "veto_state", "magic": "veto_magic"}
"""The kinds of failure by the word that opens the judge's reason, with the score of each."""


def _mark() -> Any:  # noqa: ANN401 (pydantic's own type of a field)
    return Field(ge=LOWEST, le=HIGHEST)


class ExplanationGrade(JudgeVerdict, title="Graded"):
    """The marks of an explanation, and whether a failure vetoes it."""

    reasoning: str
    hard_failure_triggered: bool
    failure_reason: str
    vtg: int = _mark()
    cpa: int = _mark()
    cfr: int = _mark()


_UNIT, _TEN = (0.0, 1.0), (float(LOWEST), float(HIGHEST))
MOST_ATOMS = 1_000
RANGES: Mapping[str, tuple[float, float]] = {
    "vtg": _TEN,
    "cpa": _TEN,
    "cfr": _TEN,
    "cpa_written": _TEN,
    VETO: _UNIT,
    "veto_disagrees": _UNIT,
    **dict.fromkeys(FAILURES.values(), _UNIT),
    "veto_unnamed": _UNIT,
    "resists_effect": _UNIT,
}
"""The scores of a verdict.

`cpa` is 0 after a veto, `cpa_written` what the judge wrote; `veto_disagrees` is 1 where the two differ. Of the kinds of
failure, the one that the reason names is 1; `veto_unnamed` is 1 where a veto's reason names none of them.
`resists_effect` is 1 where CFR is about the apparent effect, or about nothing, because nothing false is claimed.
"""
NOISY_RANGES: Mapping[str, tuple[float, float]] = {**RANGES, UNJITTERED: (0.0, float(MOST_ATOMS))}
"""With the number of atoms that have neither a time nor a place that noise could change."""


def scores(verdict: Mapping[str, Json]) -> dict[str, float]:
    """The scores that come from a verdict alone: a veto makes CPA 0, whatever the judge wrote.

    >>> verdict = {VETO: False, "failure_reason": "none", "vtg": 8, "cpa": 7, "cfr": 9}
    >>> scores(verdict)["cpa"]
    7.0
    >>> vetoed = scores({**verdict, VETO: True, "failure_reason": "state: the coin is put into the left hand"})
    >>> vetoed["cpa"], vetoed["cpa_written"], vetoed["veto_disagrees"], vetoed["veto_state"], vetoed["cfr"]
    (0.0, 7.0, 1.0, 1.0, 9.0)
    """
    veto, written = bool(verdict[VETO]), float(verdict["cpa"])
    kind = FAILURES.get(failure_of(verdict["failure_reason"])) if veto else None
    return {
        "vtg": float(verdict["vtg"]),
        "cpa": 0.0 if veto else written,
        "cfr": float(verdict["cfr"]),
        "cpa_written": written,
        VETO: float(veto),
        "veto_disagrees": float(veto and written > 0),
        **{name: float(name == kind) for name in FAILURES.values()},
        "veto_unnamed": float(veto and kind is None),
    }


def failure_of(reason: str) -> str:
    """The word that opens a reason, in small letters.

    >>> failure_of("Prop: a magnet pulls the coin"), failure_of("the coin dissolves")
    ('prop', '')
    """
    word, colon, _ = reason.partition(":")
    return word.strip().casefold() if colon else ""
