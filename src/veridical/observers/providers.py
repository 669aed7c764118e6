"""The observers as inspect-ai model providers: `veridical/pixel` and the others are asked like any model."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ContentImage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from veridical.errors import unknown
from veridical.observers import LEARNED, OBSERVERS
from veridical.observers.replay import Replay
from veridical.suites.viprobe.observers import known, learned, pixel, prior

_PREFIX = "data:image/png;base64,"


@modelapi(name="veridical")
class Observer(ModelAPI):
    """An embedded observer, by name. It is handed the last user turn's picture bytes and text, and nothing else.

    `replay` and `simulated` look at nothing: the turn's metadata tells them, and no other, which trial is asked. The
    one repeats a reply, the other reads the trial's truth.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the base class's own default)
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        if model_name not in OBSERVERS:
            raise unknown("embedded model", f"veridical/{model_name}", [f"veridical/{name}" for name in OBSERVERS])
        self._replay = Replay(model_args) if model_name == "replay" else None
        self._simulated = known.Simulated(model_args) if model_name == "simulated" else None
        self._learned = learned.load(model_name) if model_name.startswith(LEARNED) else None
        if model_args and self._replay is None and self._simulated is None:
            raise unknown("model argument", next(iter(model_args)), ())
        super().__init__(model_name, base_url, api_key, [], config)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the base class's own name)
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        if self._replay is not None:
            return self._replay.output(input)
        if self._simulated is not None:
            return ModelOutput.from_content(known.NAME, self._simulated.reply(input))
        picture, prompt = seen(input)
        return ModelOutput.from_content(f"veridical/{self.model_name}", self._said(picture, prompt))

    def _said(self, picture: bytes, prompt: str) -> str:
        if self._learned is not None:
            return self._learned.reply(picture, prompt)
        return prior.reply(prompt) if self.model_name == "prior" else pixel.reply(picture, prompt)


def seen(messages: Sequence[ChatMessage]) -> tuple[bytes, str]:
    """What an observer gets of a conversation: the bytes of the last user turn's picture (none: empty) and its text."""
    last = next(message for message in reversed(messages) if message.role == "user")
    if isinstance(last.content, str):
        return b"", last.content
    pictures = [part.image for part in last.content if isinstance(part, ContentImage)]
    if not pictures or not pictures[0].startswith(_PREFIX):
        return b"", last.text
    try:
        return base64.b64decode(pictures[0].removeprefix(_PREFIX), validate=True), last.text
    except binascii.Error:
        return b"", last.text
