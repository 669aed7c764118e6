"""Vectors of texts from an OpenAI-compatible server's `embeddings`, for a model that the user names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.ask import clean_endpoint
from veridical.ask.models import KEY_VARIABLE, NO_KEY
from veridical.ask.redact import one_line, redactor
from veridical.errors import InputError
from veridical.verbs.models_file import entry

BATCH = 64
"""How many texts one request holds."""
LONGEST = 8_000
"""The maximum number of characters of a text that is sent; the rest is left out."""
_SECONDS = 60.0


def embedded(
    texts: Sequence[str], model: str, *, base_url: str | None = None, models: Path | None = None
) -> NDArray[np.float64]:
    """The vectors of texts, one row each, in the order of the texts.

    `model` is a table of the user's file of models, or, with a `base_url`, a server's own name. Raises `InputError`
    where neither says which server, where it cannot be asked, and for a reply that holds no finite vector of one
    length for each text.
    """
    name, place, key = _server(model, base_url, models)
    import openai

    hide = redactor(place, keys=[key])
    client = openai.OpenAI(base_url=clean_endpoint(place), api_key=key, timeout=_SECONDS, max_retries=2)
    rows: list[list[float]] = []
    try:
        with client:
            for start in range(0, len(texts), BATCH):
                batch = [text[:LONGEST] or " " for text in texts[start : start + BATCH]]
                reply = client.embeddings.create(model=name, input=batch, encoding_format="float")
                rows += _vectors(reply, len(batch))
    except openai.OpenAIError as error:
        raise _cannot(name, place, hide(one_line(str(error)))) from None
    except (TypeError, ValueError, AttributeError) as error:
        raise _cannot(name, place, f"its reply has no vector for each text: {hide(one_line(str(error)))}") from None
    if len({len(row) for row in rows}) > 1:
        raise _cannot(name, place, "its vectors differ in length")
    return np.array(rows, np.float64).reshape(len(texts), -1)


def _server(model: str, base_url: str | None, models: Path | None) -> tuple[str, str, str]:
    """The name, the endpoint and the key of a model."""
    if base_url is not None:
        return model, base_url, os.environ.get(KEY_VARIABLE) or NO_KEY
    of_table = entry(model, models)
    place = of_table.fields.base_url
    if place is None:
        raise InputError(f"{model}: its server is not known: a table of the file of models with base_url is needed")
    return of_table.model, place, of_table.secret() or NO_KEY


def _vectors(reply: Any, count: int) -> Iterator[list[float]]:  # noqa: ANN401 - whatever the client made of the body
    """The vectors of a reply in the order of its texts; raises ValueError for another number, or what is no number."""
    held = sorted(reply.data, key=lambda each: int(each.index))
    if [int(each.index) for each in held] != list(range(count)):
        raise ValueError(f"{len(held)} vectors for {count} texts")
    for each in held:
        vector = [float(value) for value in each.embedding]
        if not vector or not np.isfinite(vector).all():
            raise ValueError("a vector is empty or not finite")
        yield vector


def _cannot(name: str, place: str, problem: str) -> InputError:
    return InputError(f"the embeddings of '{name}' at {clean_endpoint(place)} cannot be used: {problem[:300]}")
