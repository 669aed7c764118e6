"""An observer that perceives: it measures the pictures with the code that verifies them, and declines the rest."""

from __future__ import annotations

import re
from functools import cache

from veridical.media.draw import decode_png
from veridical.observers.plumbing import UserTurn
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.captions import above_caption
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Puzzle, is_not_sure, opposite

_OPTION = re.compile(r"^([A-Z])\. (.+)$", re.MULTILINE)
_DECLINED = "I cannot read that from the picture."


def reply(shown: UserTurn) -> str:
    """The reply to what is shown: the letter of the measured answer, or its text where no options are offered.

    Without a picture, without a puzzle of this question, or where pixels do not carry the answer, it declines.
    """
    puzzle, turned = asked_puzzle(shown.text)
    options = [text for _, text in _OPTION.findall(shown.text)]
    if puzzle is None or puzzle.read is None or not shown.media:
        return _DECLINED
    possible = [option for option in options if not is_not_sure(option)] or (
        [YES, NO] if puzzle.question_reversed else []
    )
    try:
        pictures = [decode_png(content) for content in shown.media]
    except ValueError:
        return _DECLINED
    if puzzle.subject is not None:
        pictures = [above_caption(picture) for picture in pictures]
    answer = puzzle.read(pictures, possible) if possible else None
    if answer is None:
        return _DECLINED
    answer = opposite(answer) if turned else answer
    return f"Answer: [{letter(options, answer)}]" if answer in options else answer


def asked_puzzle(text: str) -> tuple[Puzzle | None, bool]:
    """The puzzle that a text asks about (`None`: none of ours), and whether its question is turned round."""
    for puzzle in PUZZLES.values():
        for turned, template in enumerate((puzzle.question, puzzle.question_reversed)):
            if template and _pattern(template).search(text):
                return puzzle, bool(turned)
    return None, False


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern, with any words in the place of its fields."""
    return re.compile(r".{1,80}".join(re.escape(part) for part in re.split(r"\{[^}]*\}", template)))
