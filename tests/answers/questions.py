"""Trials that say what their readers expect, and replies that the ready readers answer."""

from veridical.answers import (
    LENIENT_BINARY,
    LENIENT_CHOICE,
    OPTION_LETTER,
    STRICT_BINARY,
    STRICT_CHOICE,
)
from veridical.records import Trial

READY = {
    "binary": LENIENT_BINARY,
    "strict binary": STRICT_BINARY,
    "choice": LENIENT_CHOICE,
    "strict choice": STRICT_CHOICE,
    "letter": OPTION_LETTER,
}
EXPECTS = {
    "binary": {},
    "strict binary": {},
    "choice": {"options": ("left", "right")},
    "strict choice": {"options": ("left", "right")},
    "letter": {"options": ("a duck", "a rabbit", "both", "4")},
}
ANSWERS = {
    "binary": {"<answer>1</answer>": "1", "No.": "0", "<answer>yes</answer>": "1", "<answer>0": "0"},
    "strict binary": {"<answer>1</answer>": "1", "<answer>(0)</answer>": "0", "<answer>yes</answer>": "1"},
    "choice": {"<answer>the left one</answer>": "left", "Right": "right", "<answer>left</answer>": "left"},
    "strict choice": {"<answer>the left one</answer>": "left", "<answer>left</answer>": "left"},
    "letter": {"The answer is (B).": "B", "A duck.": "A", "<answer>D</answer>": "D", "Both": "C"},
}
"""Replies that each reader reads, with what it reads."""


def put(name, gold=None, **expects):
    """A trial of a ready reader's family."""
    return Trial(
        id="t",
        suite="toy",
        stage="ask",
        stimulus="s",
        unit="u",
        family="f",
        category="c",
        variant="v",
        messages=(),
        gold=gold,
        reader=name,
        prompt="",
        expects=EXPECTS[name] | expects,
    )
