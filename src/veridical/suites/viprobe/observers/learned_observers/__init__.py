"""Learned observers: small networks, trained on our own pictures, that answer from pixels and question.

All have the same architecture and number of training steps; they differ in the pictures that they were shown. They
answer on pictures like their training pictures, and decline all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.base.threads import one_thread
from veridical.errors import unknown
from veridical.media.draw import decode_png
from veridical.suites.viprobe.observers import LEARNED, OBSERVERS
from veridical.suites.viprobe.observers.learned_observers.network import Floats, Network, range_of, retina, strangeness
from veridical.suites.viprobe.observers.learned_observers.questions import CaseQuestion, question_in
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights
from veridical.suites.viprobe.observers.question import phrase

NAMES = tuple(name for name in OBSERVERS if name.startswith(LEARNED))


_REMEMBERED = 64
"""Number of pictures whose features are cached for further questions."""


class LearnedObserver:
    """A learned observer: its network, with a cache of recent pictures."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._look = lru_cache(maxsize=_REMEMBERED)(self._looked)

    def reply(self, picture: bytes, prompt: str) -> str:
        """The reply to a question about a PNG, from its pixels and the text alone; without an answer if it declines.

        It declines questions that it was not trained on, files that are no PNG, pictures of another size or shape than
        in training or with lower contrast or sharpness, and pictures in which it does not find the kind of targets that
        the question is about.
        """
        question = question_in(prompt)
        if question is None or question.text not in self._network.questions:
            return phrase(None, "I decline: I was not trained on this question.")
        with one_thread():
            seen = self._look(picture)
            if isinstance(seen, str):
                return phrase(None, f"I decline: {seen}.")
            judgment = judge_retinas(self._network, *seen, question)[0]
        return phrase(judgment.answer, judgment.reason)

    def _looked(self, picture: bytes) -> tuple[NDArray[np.uint8], Floats] | str:
        """The retina and the network's features of it, or the reason to decline the picture."""
        try:
            pixels = decode_png(picture)
        except ValueError as error:
            return f"I cannot see the picture ({error})"
        strange = strangeness(pixels)
        if strange:
            return strange
        seen = retina(pixels)[None]
        return seen, self._network.looked(seen)


@lru_cache(maxsize=len(NAMES))
def load(name: str) -> LearnedObserver:
    """The observer of that name; raises `InputError` for an unknown name or incompatible weights."""
    if name not in NAMES:
        raise unknown("learned observer", name, NAMES)
    return LearnedObserver(Network(read_weights(FOLDER / f"{name}.npz")))


class JudgedAnswer(NamedTuple):
    """An answer, or `None` if the observer declines, and the reason."""

    answer: str | None
    reason: str


def judge_retinas(
    network: Network, seen: NDArray[np.uint8], features: Floats, question: CaseQuestion, *, declining: bool = True
) -> list[JudgedAnswer]:
    """The answers to a question about each retina, from the network's features of it.

    Without `declining`, every retina gets an answer. The network must have been trained on the question.
    """
    taught = network.questions[question.text]
    outputs = network.outputs(features, np.full(len(seen), int(taught["number"])))
    kinds = network.kinds(features).argmax(axis=1)
    judgments: list[JudgedAnswer] = []
    for picture, output, kind in zip(seen, outputs, kinds, strict=True):
        why = _unlike(picture, taught, int(kind)) if declining else None
        answer = question.high if output > 0 else question.low
        judgments.append(
            JudgedAnswer(None, f"I decline: {why}.") if why else JudgedAnswer(answer, f"The output is {output:+.2f}.")
        )
    return judgments


def _unlike(seen: NDArray[np.uint8], taught: Mapping[str, float], kind: int) -> str | None:
    """How a picture differs from the training pictures of the question, or `None`."""
    for what, value in range_of(seen).items():
        if value < taught[what]:
            return f"a {what} of {value:.2f}; I was trained on {taught[what]:.2f} and above"
    return None if kind == taught["kind"] else "I do not see the figure that this question asks about"
