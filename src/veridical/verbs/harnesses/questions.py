"""Questions on their way into the files of another harness, under names that tell nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from veridical.errors import InputError
from veridical.records import Media, Text, Trial


@dataclass(frozen=True)
class LeavingQuestions:
    """The trials of a suite's first stage in the order in which they leave, and what their media and names are.

    `read` gives the bytes of a medium by its path, `opaque` what a trial or a medium is called outside of the set.
    """

    suite: str
    trials: Sequence[Trial]
    read: Callable[[str], bytes]
    opaque: Callable[[str], str]

    @property
    def task(self) -> str:
        """What the questions together are called in another harness, where the suite's own name may be taken.

        >>> LeavingQuestions("judge-audit", (), lambda file: b"", lambda name: name).task
        'veridical_judge_audit'
        """
        return re.sub(r"\W", "_", f"veridical_{self.suite}", flags=re.ASCII)

    def media(self) -> set[Media]:
        """Every medium that the questions show, once."""
        return {part for trial in self.trials for part in media_of(trial)}


@dataclass(frozen=True)
class FlatQuestion:
    """A trial for a harness that sends its media first and one text after them: without turns, and without an order.

    `joined` says whether it lost its system turn that way, `moved` whether a text stood before one of its media.
    """

    media: tuple[Media, ...]
    text: str
    joined: bool
    moved: bool

    @classmethod
    def of(cls, trial: Trial) -> FlatQuestion:
        """The trial without turns; raises `InputError` where one of them begins the model's reply."""
        if any(message.role == "assistant" for message in trial.messages):
            raise InputError(f"trial '{trial.id}' begins the model's reply, which a single question cannot hold")
        users = [message for message in trial.messages if message.role == "user"]
        parts = [part for message in users for part in message.parts]
        texts = ["\n".join(_texts(message.parts)) for message in trial.messages]
        moved = any(isinstance(one, Text) and isinstance(next_one, Media) for one, next_one in pairwise(parts))
        return cls(media_of(trial), "\n\n".join(filter(None, texts)), len(users) < len(trial.messages), moved)


def media_of(trial: Trial) -> tuple[Media, ...]:
    """The media that a trial shows, in order."""
    return tuple(part for message in trial.messages for part in message.parts if isinstance(part, Media))


def _texts(parts: Sequence[Text | Media]) -> Iterator[str]:
    return (part.text for part in parts if isinstance(part, Text))
