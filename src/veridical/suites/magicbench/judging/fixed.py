"""What one explanation could say of all tricks: for the blind floor of the rule judge."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from veridical.judges.rubric import Fixed, Shown
from veridical.records import canonical
from veridical.suites.magicbench.judging.shown import FACTS

SLEIGHT = "By sleight of hand, a thing is secretly kept in a hand."
_DOUBT = "What is said is false, and nothing is as it seems."
_NUMBER = re.compile(r"^\d+\. ")


def fixed(shown: Sequence[Shown]) -> Fixed:
    """The words "sleight of hand", a doubt of everything, and the secret of each item in its own words."""
    secrets = []
    for each in shown:
        atoms = json.loads(each[FACTS])["atoms"]
        secrets += [str(atom["text"]) for atom in atoms if atom["kind"] == "secret" and atom.get("text")]
        lines = (_NUMBER.sub("", line) for line in each["atoms"].splitlines() if " [at x " in line)
        secrets += [line.partition(" [at x ")[0] for line in lines]
    return Fixed(tuple(dict.fromkeys([SLEIGHT, _DOUBT, *secrets])), explained)


def explained(statements: Sequence[str]) -> str:
    """An explanation that makes these statements."""
    return canonical(
        {
            "effect": "Something impossible seems to happen.",
            "anomalies": [],
            "misdirection": "",
            "steps": list(statements),
            "principle": " ".join(statements),
            "trick": "yes",
            "confidence": 50,
        }
    )
