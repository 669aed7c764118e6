"""How alike the instructions of two stances are, as measured: by the constraints that they state, and by their text.

The paper calls two prompts symmetric by an instruction overlap F1 of 0.93 over constraints, and by BERTScore (section
4.1, note 1). Constraints stand in the front matter of each prompt.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError, unknown
from veridical.suite.prompts import Prompt, load_all
from veridical.suites.magicbench.asking.cells import STANCES
from veridical.suites.magicbench.asking.trials import FIELDS, FOLDER, OTHERS

BERT = "roberta-large"
"""The model that BERTScore takes for English."""


class Overlap(NamedTuple):
    """How far two sets of constraints are the same, each from 0 to 1, and what is in both or in one alone."""

    precision: float
    recall: float
    f1: float
    both: tuple[str, ...]
    first_alone: tuple[str, ...]
    second_alone: tuple[str, ...]


class Pair(NamedTuple):
    """Two stances and their overlap; `None` where one of them states no constraint."""

    first: str
    second: str
    overlap: Overlap | None
    bertscore: float | None = None


def overlap(first: Collection[str], second: Collection[str]) -> Overlap | None:
    """The overlap of two lists of constraints as sets, `None` where one is empty.

    Constraints are the same if they are equal but for case, spaces and punctuation at the end. The precision is the
    share of the second list that is in the first, the recall the share of the first that is in the second.

    >>> made = overlap(["No filler.", "a time for every action", "frames alone"], ["no  filler", "words are claims"])
    >>> made.precision, round(made.recall, 3), made.f1, made.both
    (0.5, 0.333, 0.4, ('no filler',))
    """
    one, other = (dict.fromkeys(filter(None, map(_normalized, each))) for each in (first, second))
    if not one or not other:
        return None
    both = tuple(text for text in one if text in other)
    return Overlap(
        precision=len(both) / len(other),
        recall=len(both) / len(one),
        f1=2 * len(both) / (len(one) + len(other)),
        both=both,
        first_alone=tuple(text for text in one if text not in other),
        second_alone=tuple(text for text in other if text not in one),
    )


def instructions(prompt: Prompt) -> str:
    """The text of a prompt without its first paragraph, which says what the model is; all of it if there is one alone.

    >>> instructions(Prompt("a", "1", (), "You are a clerk.\\n\\n1. Count.\\n2. Report.", ""))
    '1. Count.\\n2. Report.'
    """
    return prompt.text.partition("\n\n")[2].strip() or prompt.text


def pairs(stances: Sequence[str] = (), prompts: Path | None = None, bert: str | None = None) -> list[Pair]:
    """The overlap of two stances, or of each two of all (default), with the user's own `prompts` in place of ours.

    With `bert`, the name of a model, also the BERTScore F1 of their instructions. Raises `InputError` for unknown
    stances, for any number of them but two, for prompts that cannot be read, and if BERTScore cannot be computed.
    """
    for name in stances:
        if name not in STANCES:
            raise unknown("stance", name, STANCES)
    if stances and (len(stances) != 2 or stances[0] == stances[1]):
        raise InputError("two different stances are compared, or all with each other if none is named")
    loaded = load_all(FOLDER, prompts, FIELDS, OTHERS)
    compared = [tuple(stances)] if stances else list(combinations(STANCES, 2))
    made = [Pair(one, other, overlap(loaded[one].constraints, loaded[other].constraints)) for one, other in compared]
    if bert is None:
        return made
    firsts = [instructions(loaded[pair.first]) for pair in made]
    seconds = [instructions(loaded[pair.second]) for pair in made]
    return [pair._replace(bertscore=value) for pair, value in zip(made, bertscores(firsts, seconds, bert), strict=True)]


def bertscores(first: list[str], second: list[str], model: str = BERT) -> list[float]:
    """The BERTScore F1 of each text with the one at its place in the other list, without rescaling or idf weights.

    Raises `InputError` if the extra `bertscore` is not installed, and if the model cannot be loaded.
    """
    try:
        from bert_score import score
    except ImportError:
        raise InputError("BERTScore needs bert-score: install it with `pip install 'veridical[bertscore]'`") from None
    try:
        _, _, values = score(first, second, model_type=model)
    except KeyError:
        raise InputError(f"BERTScore knows no layer for the model {model!r}: {BERT} is its model for English") from None
    except OSError as error:
        raise InputError(f"the model {model!r} of BERTScore cannot be loaded: {str(error).splitlines()[0]}") from error
    return [float(value) for value in values]


def _normalized(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".;:,! ")
