"""A model that any harness can ask: its reply follows from the text and the pixels that reach it, and nothing else."""

from __future__ import annotations

import base64
import io
from hashlib import sha256

from PIL import Image

from tests.ask.server import said

TEXTS = (
    "<answer>1</answer>",
    "<answer>0</answer>",
    "Answer: A",
    "Answer: B",
    "Answer: Yes",
    "Answer: No",
    '<b onmouseover="alert(1)">[a](javascript:alert(1))</b> {"effect": "it vanishes"}\n\n# NA\u2028\t"quoted", none',
    "I cannot say.",
)
"""What it says: what readers of the suites can read, what none can, and what must stay text."""


def reply(texts, pictures):
    """The text for a conversation, by its texts in order and the pixels of its pictures in order."""
    digest = sha256("\n".join(texts).encode())
    for content in pictures:
        with Image.open(io.BytesIO(content)) as picture:
            digest.update(picture.convert("RGB").tobytes())
    return TEXTS[digest.digest()[0] % len(TEXTS)]


def served(request):
    """The reply to a request of the OpenAI kind."""
    contents = [message["content"] for message in request.body["messages"]]
    parts = [part for content in contents for part in as_parts(content)]
    texts = [part["text"] for part in parts if part["type"] == "text"]
    return said(reply(texts, [picture_in(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"]))


def mocked(messages, *_):
    """The reply as a mock model of inspect-ai gives it; its tokens are stated, or inspect-ai would count them."""
    from inspect_ai.model import ModelOutput, ModelUsage

    parts = [part for message in messages for part in as_parts(message.content)]
    texts = [part["text"] if isinstance(part, dict) else part.text for part in parts if type_of(part) == "text"]
    output = ModelOutput.from_content("mockllm/model", reply(texts, pictures_in(parts)))
    return output.model_copy(update={"usage": ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)})


def type_of(part):
    return part["type"] if isinstance(part, dict) else part.type


def pictures_in(parts):
    return [picture_in(part.image) for part in parts if type_of(part) == "image"]


def as_parts(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def picture_in(url):
    return base64.b64decode(url.partition(",")[2])
