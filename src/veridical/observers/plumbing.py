"""What an observer sees of a conversation: text, and media as bytes."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content


class UserTurn(NamedTuple):
    """The last user turn: its text, and the bytes of its pictures and clips in order."""

    text: str
    media: tuple[bytes, ...]

    @property
    def first(self) -> bytes:
        """The bytes of the first medium; none where there is none."""
        return self.media[0] if self.media else b""


def last_user_turn(messages: Sequence[ChatMessage]) -> UserTurn:
    """What the last user turn shows and says; a medium that does not come as a data URL has no bytes."""
    last = next(message for message in reversed(messages) if message.role == "user")
    parts = [] if isinstance(last.content, str) else last.content
    return UserTurn(last.text, tuple(_bytes(part) for part in parts if part.type in ("image", "video")))


def bare_message(message: ChatMessage) -> ChatMessage:
    """A message with its role and content alone: what else inspect-ai, or a caller, put into it is left out."""
    return message.model_copy(update={"id": None, "metadata": None, "source": None})


def _bytes(part: Content) -> bytes:
    place = str(getattr(part, part.type))
    _, separator, encoded = place.partition(";base64,")
    if not separator or not place.startswith("data:"):
        return b""
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return b""
