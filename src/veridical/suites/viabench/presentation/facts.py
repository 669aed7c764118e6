"""What stands beside an item: its options with what kind of choice each is, and the measured answer."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json, Stimulus
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.puzzles.options import kind_of

_KINDS = {"gold": "true", "usual": "the usual answer", "opposite": "the opposite", "near": "beside the truth"}


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """The options by letter, each with its kind; the answer as intended and as measured; and the pictures' sizes."""
    options: list[str] = stimulus.truth["options"]
    usual = stimulus.factors.get("usual")
    rows: list[tuple[str, Json, Json]] = []
    for option in options:
        kind = kind_of(option, str(stimulus.label), usual)
        rows.append((f"{letter(options, option)}. {option}", _KINDS.get(kind), None))
    rows.append(("answer", stimulus.truth.get("answer", stimulus.label), stimulus.measured.get("answer")))
    if "index" in stimulus.truth:
        rows.append(("index in the release", stimulus.truth["index"], None))
    sizes = " and ".join(f"{medium.width} × {medium.height} px" for medium in stimulus.media)
    rows.append(("pictures, as sent", sizes, None))
    return rows
