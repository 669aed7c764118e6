"""The rubrics for explanations: grounded in the constraints, without them, by another persona, and with noise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.judges import Rubric, readers
from veridical.judges.rubric import REPLY, FixedReply, Shown
from veridical.judges.verdict import JudgeVerdict
from veridical.records import canonical
from veridical.suite.prompts import Prompt
from veridical.suites.magicbench.judging.judge_material import ABOUT, EFFECT, FACTS, UNJITTERED
from veridical.suites.magicbench.judging.rule import rule_verdict
from veridical.suites.magicbench.judging.verdicts import NOISY_RANGES, RANGES, VETO, ExplanationGrade, scores

SLEIGHT = "By sleight of hand, a thing is secretly kept in a hand."
_DOUBT = "What is said is false, and nothing is as it seems."
_NUMBER = re.compile(r"^\d+\. ")


def fixed_pieces(shown: Sequence[Shown]) -> FixedReply:
    """The words "sleight of hand", a doubt of everything, and the secret of each item in its own words."""
    secrets = []
    for each in shown:
        atoms = json.loads(each[FACTS])["atoms"]
        secrets += [str(atom["text"]) for atom in atoms if atom["kind"] == "secret" and atom.get("text")]
        lines = (_NUMBER.sub("", line) for line in each["atoms"].splitlines() if " [at x " in line)
        secrets += [line.partition(" [at x ")[0] for line in lines]
    return FixedReply(tuple(dict.fromkeys([SLEIGHT, _DOUBT, *secrets])), explanation_of)


def explanation_of(statements: Sequence[str]) -> str:
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


FOLDER = Path(__file__).parent.parent / "rubrics"
GRADING = "grading"
"""The setting that has the rubrics."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Grading(Rubric):
    """A rubric for explanations, whose veto sets CPA to 0 in code."""

    folder: Path = FOLDER
    verdict: type[JudgeVerdict] = ExplanationGrade
    vetoes: tuple[str, ...] = (VETO,)

    @property
    def ranges(self) -> Mapping[str, tuple[float, float]]:
        """The scores of its verdicts, with what the item states."""
        return NOISY_RANGES if UNJITTERED in self.for_rule else RANGES

    def scored(self, answer: str, shown: Shown) -> dict[str, float]:
        """The scores of a verdict, with what the item states."""
        made = scores(json.loads(answer)) | {"resists_effect": float(shown[ABOUT] in EFFECT)}
        return made | ({UNJITTERED: float(shown[UNJITTERED])} if UNJITTERED in shown else {})


@dataclass(frozen=True, kw_only=True, repr=False)
class _Noisy(Grading):
    """The same prompt as `PCS`, also where the user's folder replaces it: only what fills it differs."""

    def prompt(self, replacing: Path | None = None) -> Prompt:
        return PCS.prompt(replacing)


_SEES = ("atoms", "props", "resisted", REPLY)
_UNSEEN = (ABOUT, FACTS)
PCS = Grading(
    name="pcs",
    sees=_SEES,
    for_rule=_UNSEEN,
    rule=rule_verdict,
    fixed=fixed_pieces,
    help="where and when, how, and what is resisted, each 0 to 10, held against what really happens",
)
NO_PCS = Grading(
    name="no-pcs",
    sees=(REPLY,),
    for_rule=(ABOUT,),
    help="the same marks by a judge that does not know what really happens",
)
PROFESSOR = Grading(
    name="professor", sees=_SEES, for_rule=_UNSEEN, help="as pcs, by a judge who is told to be a professor of mechanics"
)
JITTERED = _Noisy(
    name="jittered",
    sees=_SEES,
    for_rule=(*_UNSEEN, UNJITTERED),
    rule=rule_verdict,
    help="as pcs, with times and places of the constraints off by up to 10 %",
)
RUBRICS = (PCS, NO_PCS, PROFESSOR, JITTERED)
VERDICTS = readers(RUBRICS)
"""The readers of the verdicts by each rubric."""
