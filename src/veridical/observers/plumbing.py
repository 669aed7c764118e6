"""What an observer sees of a conversation: text, and media as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veridical.records import ChatTurn


class UserTurn(NamedTuple):
    """The last user turn: its text, and the bytes of its pictures and clips in order."""

    text: str
    media: tuple[bytes, ...]

    @property
    def first(self) -> bytes:
        """The bytes of the first medium; none where there is none."""
        return self.media[0] if self.media else b""


def last_user_turn(messages: Sequence[ChatTurn]) -> UserTurn:
    """What the last user turn shows and says, its texts joined by line breaks.

    >>> last_user_turn([ChatTurn("user", (b"PNG", "Longer?", "Or not?")), ChatTurn("assistant", ("I begin",))])
    UserTurn(text='Longer?\\nOr not?', media=(b'PNG',))
    """
    last = next(message for message in reversed(messages) if message.role == "user")
    text = "\n".join(part for part in last.parts if isinstance(part, str))
    return UserTurn(text, tuple(part for part in last.parts if isinstance(part, bytes)))
