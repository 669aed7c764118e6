"""What a reply earns: 1 where a suite's own reader finds every answer in it and each is right, else 0."""

from __future__ import annotations

import re

from veridical.answers.thinking import spoken_text
from veridical.records import Response, Trial
from veridical.rewards.solutions import Solution, parse_solution

_TAG = re.compile(r"(?i)<\s?(/?)\s?answer\s?([0-9]{1,3})\s?>")
_LONGEST = 300


def accuracy(reply: str, solution: str, *, truncated: bool = False) -> float:
    """1.0 where the suite's default reader finds the true answer in a reply, else 0.0.

    What cannot be read, is refused, or states two answers earns nothing, and what is only thought is no answer. Of a
    `truncated` reply, which the length limit cut, an answer counts if it was complete. Where the prompt asks two
    questions, both must be right, each in its own tag, which occurs once. Raises `InputError` for a text that is no
    solution.

    >>> solution = '{"suite":"viprobe","questions":[{"reader":"yes-no","gold":"1","expects":{}}]}'
    >>> accuracy("<answer>1</answer>", solution), accuracy("<think>1</think> It is hard to say.", solution)
    (1.0, 0.0)
    >>> accuracy("Either yes or no.", solution)
    0.0
    """
    stated = parse_solution(solution)
    parts = answer_parts(reply, stated)
    if parts is None:
        return 0.0
    return float(all(_right(part, stated, trial, truncated) for part, trial in zip(parts, stated.trials, strict=True)))


def form(reply: str, solution: str) -> float:
    """1.0 for a right reply in the form that was asked for, which every reader of the suite can read, else 0.0.

    A wrong reply earns nothing by its form, so that a policy that does not look gains no more than by its luck.
    Raises as `accuracy` does.

    >>> solution = '{"suite":"viprobe","questions":[{"reader":"yes-no","gold":"1","expects":{}}]}'
    >>> form("<answer>1</answer>", solution), form("Yes, they are.", solution), form("<answer>0</answer>", solution)
    (1.0, 0.0, 0.0)
    """
    if not accuracy(reply, solution):
        return 0.0
    stated = parse_solution(solution)
    readings = (
        reader.read(Response(trial=trial.id, text=part), trial).correct
        for part, trial in zip(answer_parts(reply, stated) or (), stated.trials, strict=True)
        for reader in (stated.readers(trial) if len(stated.trials) == 1 else ())
    )
    return float(all(readings))


def answer_parts(reply: str, solution: Solution) -> tuple[str, ...] | None:
    """The part of a reply that answers each question; `None` where a reply to two keeps their answers not apart.

    >>> from veridical.rewards.solutions import parse_solution
    >>> question = '{"reader":"yes-no","gold":"1","expects":{}}'
    >>> pair = parse_solution(f'{{"suite":"viprobe","questions":[{question},{question}]}}')
    >>> answer_parts("<answer1>1</answer1> <answer2>0</answer2>", pair)
    ('1', '0')
    >>> answer_parts("<answer1>1</answer1> <answer1>0</answer1> <answer2>0</answer2>", pair) is None
    True
    """
    if len(solution.trials) == 1:
        return (reply,)
    spoken = spoken_text(reply)
    tags = list(_TAG.finditer(spoken))
    if [(tag[1], tag[2]) for tag in tags] != [("", "1"), ("/", "1"), ("", "2"), ("/", "2")]:
        return None
    parts = tuple(spoken[tags[place].end() : tags[place + 1].start()].strip() for place in (0, 2))
    return parts if all(0 < len(part) <= _LONGEST for part in parts) else None


def _right(part: str, solution: Solution, trial: Trial, truncated: bool) -> bool:
    default = solution.readers(trial)[0]
    cut = truncated and len(solution.trials) == 1  # of two questions, both tags are closed
    response = Response(trial=trial.id, text=part, stop_reason="max_tokens" if cut else None)
    return default.read(response, trial).correct is True
