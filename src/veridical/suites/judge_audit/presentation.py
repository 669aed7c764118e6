"""The names that people read in tables about judges."""

from veridical.suite.parts import PresentationPart
from veridical.suites.judge_audit.design import ATTACK, CLEAN, CORRECT, PLAIN, WRONG

PRESENTATION = PresentationPart(
    variants={PLAIN: "a reply", ATTACK: "with an attempt to sway the judge", CLEAN: "the same without the attempt"},
    names={"short-answer": "short answers", "attack": "attacks"},
    answers={CORRECT: "marked correct", WRONG: "marked wrong"},
)
