"""An observer that looks at nothing: a classifier of the words of a trial, trained on the other units of its run.

Whatever it gets right above chance, the wording gives away: the question, the texts of the options, their order, their
lengths. It is a conditional logit over the possible answers of each trial (McFadden 1974), with hashed features and a
ridge penalty. Each fold of the units is answered by a model of the other folds, so no unit is answered from itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from veridical.ask import Run
from veridical.errors import InputError
from veridical.observers import TrialContext
from veridical.records import ChatTurn, Text, Trial

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NAME = "veridical/text"
FOLDS = 5
_HASHED, _RIDGE, _STEPS = 1 << 16, 1.0, 60
_WORD = re.compile(r"\w+")
Floats = NDArray[np.float64]


class TextQuestion(NamedTuple):
    """What a text-only observer knows of a trial: its unit, its words, its possible answers, and which one is true."""

    unit: str
    words: tuple[str, ...]
    answers: tuple[str, ...]
    texts: tuple[str, ...]
    gold: int


class TextClassifier:
    """The replies of the classifier to the trials of a run, by the trial's id.

    Raises `InputError` at the first reply for a run that cannot be read.
    """

    def __init__(self, run: Path | None) -> None:
        self._run = run

    def reply(self, messages: Sequence[ChatTurn], request: TrialContext | None) -> str:  # noqa: ARG002 (it reads the run)
        """The reply to a trial: the likeliest answer in an answer tag, or that it has none."""
        answer = self._replies.get(request.trial) if request else None
        return answer or "I know no possible answer to this."

    @cached_property
    def _replies(self) -> dict[str, str]:
        if self._run is None:
            raise InputError(f"{NAME} reads the trials of a run's folder: use it with `veridical run` only")
        by_place = questions(Run.open(self._run).trials())
        answers = predict_answers(list(by_place.values()))
        return {
            # A letter stands on a line of its own, anything else in a tag.
            trial: f"Answer: [{answer}]" if question.texts != question.answers else f"<answer>{answer}</answer>"
            for (trial, question), answer in zip(by_place.items(), answers, strict=True)
        }


def questions(trials: Sequence[Trial]) -> dict[str, TextQuestion]:
    """The trials with a true answer, by id; the possible answers are the options, or the answers that occur."""
    occurring: dict[str, set[str]] = {}
    for trial in trials:
        if trial.gold is not None:
            occurring.setdefault(trial.reader, set()).add(trial.gold)
    return {trial.id: _question(trial, sorted(occurring[trial.reader])) for trial in trials if trial.gold is not None}


def predict_answers(questions: Sequence[TextQuestion]) -> list[str]:
    """The likeliest answer to each question by a model that was trained on other units.

    >>> told = [TextQuestion(f"u{k}", ("which",), ("A", "B"), ("a cat", "a dog"), 1) for k in range(10)]
    >>> predict_answers(told)[:3]
    ['B', 'B', 'B']
    """
    rows, of_question, gold = _features(questions)
    fold = np.array([crc32(question.unit.encode()) % FOLDS for question in questions])
    first = np.searchsorted(of_question, np.arange(len(questions) + 1))
    chosen = [""] * len(questions)
    for held in range(FOLDS):
        train, test = fold != held, np.flatnonzero(fold == held)
        weights = _trained(rows, of_question, gold, train) if train.any() else np.zeros(rows.shape[1])
        scores = rows @ weights
        for k in test:
            chosen[int(k)] = questions[int(k)].answers[int(np.argmax(scores[first[k] : first[k + 1]]))]
    return chosen


def _question(trial: Trial, occurring: Sequence[str]) -> TextQuestion:
    text = " ".join(part.text for message in trial.messages for part in message.parts if isinstance(part, Text))
    options: Sequence[str] | None = trial.expects.get("options")
    letters = tuple(chr(ord("A") + k) for k in range(len(options or ())))
    if options and trial.gold in letters:
        answers, texts = letters, tuple(options)
    else:
        answers = texts = tuple(options) if options and trial.gold in options else tuple(occurring)
    return TextQuestion(
        trial.unit, tuple(_WORD.findall(text.casefold())), answers, texts, answers.index(str(trial.gold))
    )


def _features(questions: Sequence[TextQuestion]) -> tuple[csr_array, NDArray[np.int64], NDArray[np.bool_]]:
    """One sparse row per question and possible answer, the question of each row, and whether it is the true answer."""
    from scipy.sparse import csr_array

    columns: list[int] = []
    prefixes = lru_cache(maxsize=256)(_prefixes)
    ends, of_question, gold = [0], [], []
    for k, question in enumerate(questions):
        before = prefixes(question.words)
        for place in range(len(question.answers)):
            names = [name.encode() for name in _names(question, place)]
            crcs = [*map(crc32, names), *(crc32(own, prefix) for own in names[:2] for prefix in before)]
            columns += sorted({crc % _HASHED for crc in crcs})
            ends.append(len(columns))
            of_question.append(k)
            gold.append(place == question.gold)
    rows = csr_array((np.ones(len(columns)), columns, ends), shape=(len(of_question), _HASHED))
    return rows, np.array(of_question, np.int64), np.array(gold, bool)


def _names(question: TextQuestion, place: int) -> list[str]:
    """The features of one possible answer: text and place, which also occur with the question's words, then others."""
    text, count = question.texts[place].casefold(), len(question.answers)
    lengths = [len(each) for each in question.texts]
    rank = sum(length < lengths[place] for length in lengths)
    own = [f"text {text}", f"place {place} of {count}", f"length {lengths[place]}", f"rank {rank} of {count}"]
    own += [f"word {word}" for word in _WORD.findall(text)]
    own += [f"beside {text} {other.casefold()} {k - place}" for k, other in enumerate(question.texts) if k != place]
    return own


def _prefixes(words: Sequence[str]) -> list[int]:
    """The checksums of each word and pair of words, to go on from to that of an answer's own feature with them."""
    pairs = pairwise(words)
    return [crc32(f"{each} | ".encode()) for each in {*words, *(" ".join(pair) for pair in pairs)}]


def _trained(
    rows: csr_array, of_question: NDArray[np.int64], gold: NDArray[np.bool_], train: NDArray[np.bool_]
) -> Floats:
    """Weights that maximize the ridged likelihood of the true answers among the possible ones."""
    from scipy.optimize import minimize

    mine = train[of_question]
    used, owner, true = rows[mine], np.unique(of_question[mine], return_inverse=True)[1], gold[mine]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    columns = np.unique(used.indices)
    dense = used[:, columns]

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = dense @ weights
        highest = np.maximum.reduceat(scores, first)
        share = np.exp(scores - highest[owner])
        total = np.bincount(owner, share)
        share /= total[owner]
        value = np.sum(np.log(total) + highest) - scores[true].sum() + _RIDGE / 2 * weights @ weights
        return float(value), dense.T @ (share - true) + _RIDGE * weights

    weights = np.zeros(rows.shape[1])
    weights[columns] = minimize(
        loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}
    ).x
    return weights
