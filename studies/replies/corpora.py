"""The corpora of replies: where they lie, and the texts in which an answer is stated or left open.

`hand_read` and `held_out` have one file for each reader; `blind` has corpora that were written before any reader was
run on them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from veridical.records import Json

FOLDER = Path(__file__).parent
BLIND = FOLDER / "blind"
_STATED = ("yes_no", "letter", "integer", "plausibility", "corpus_a", "corpus_b", "corpus_c", "corpus_d")
"""The files whose replies state short answers."""


def lines(path: Path) -> list[Mapping[str, Json]]:
    """The replies of a file, each with its text and label."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answer_texts() -> list[str]:
    """The distinct replies of all corpora to questions with short answers, hedges among them, in an order by file."""
    paths = (path for path in sorted(FOLDER.rglob("*.jsonl")) if path.stem in _STATED)
    return list(dict.fromkeys(str(line["text"]) for path in paths for line in lines(path)))
