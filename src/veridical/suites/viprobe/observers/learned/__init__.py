"""Observers that have learned: small networks, taught on our own pictures, that answer from pixels and question.

Each is the same network after the same number of steps; what differs is what it was shown. They answer on pictures of
the kind that they were taught on, and decline all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.errors import unknown
from veridical.media.draw import decode_png
from veridical.suites.viprobe.observers import LEARNED, OBSERVERS
from veridical.suites.viprobe.observers.learned.eye import range_of, retina, strangeness
from veridical.suites.viprobe.observers.learned.network import Floats, Network
from veridical.suites.viprobe.observers.learned.questions import Asked, asked
from veridical.suites.viprobe.observers.learned.weights import FOLDER, read_weights
from veridical.suites.viprobe.observers.question import phrase

NAMES = tuple(name for name in OBSERVERS if name.startswith(LEARNED))


_REMEMBERED = 256
"""Pictures that an observer has looked at and may be asked about again."""


class Learned:
    """A learned observer: its network, and the pictures that it has just looked at."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._look = lru_cache(maxsize=_REMEMBERED)(self._looked)

    def reply(self, picture: bytes, prompt: str) -> str:
        """The reply to a question about a PNG, from its pixels and the text alone; no answer where it declines.

        It declines what is no PNG, a size or shape of picture that it was not taught on, a question that it was not
        taught, a contrast or sharpness below all that it was taught on, and a picture in which it does not find the
        kind of targets that the question is about.
        """
        question = asked(prompt)
        if question is None or question.text not in self._network.questions:
            return phrase(None, "I decline: I was never taught this question.")
        seen = self._look(picture)
        if isinstance(seen, str):
            return phrase(None, f"I decline: {seen}.")
        found = judged(self._network, *seen, question)[0]
        return phrase(found.answer, found.reason)

    def _looked(self, picture: bytes) -> tuple[NDArray[np.uint8], Floats] | str:
        """The retina and what the network sees in it, or why the picture is none for it."""
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
def load(name: str) -> Learned:
    """The observer of that name; raises `InputError` for another name, and for weights that are not the code's."""
    if name not in NAMES:
        raise unknown("learned observer", name, NAMES)
    return Learned(Network(read_weights(FOLDER / f"{name}.npz")))


class Judged(NamedTuple):
    """An answer, or `None` where the observer declines, and the reason."""

    answer: str | None
    reason: str


def judged(
    network: Network, seen: NDArray[np.uint8], features: Floats, question: Asked, *, declining: bool = True
) -> list[Judged]:
    """The answers to a question about each retina, given the network's features of them.

    Not `declining`, it answers all, whatever they show. The question is one that the network was taught.
    """
    taught = network.questions[question.text]
    outputs = network.outputs(features, np.full(len(seen), int(taught["number"])))
    kinds = network.kinds(features).argmax(axis=1)
    found: list[Judged] = []
    for picture, output, kind in zip(seen, outputs, kinds, strict=True):
        why = _unlike(picture, taught, int(kind)) if declining else None
        answer = question.high if output > 0 else question.low
        found.append(Judged(None, f"I decline: {why}.") if why else Judged(answer, f"The output is {output:+.2f}."))
    return found


def _unlike(seen: NDArray[np.uint8], taught: Mapping[str, float], kind: int) -> str | None:
    """Why a picture is unlike those that the question was taught on, or `None`."""
    for what, value in range_of(seen).items():
        if value < taught[what]:
            return f"a {what} of {value:.2f}, where I was taught on {taught[what]:.2f} and above"
    return None if kind == taught["kind"] else "I do not see the figure that this question asks about"
