"""How alike short texts are, by shared words or by vectors from a server, and the best one-to-one choice."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.ask import clean_endpoint
from veridical.ask.models import KEY_VARIABLE, NO_KEY, servers_of
from veridical.ask.redact import one_line, redactor
from veridical.errors import InputError
from veridical.verbs.runs.models import entry

Similarity = NDArray[np.float64]
MOST_WORDS = 20_000
"""The maximum number of different words that are compared; the rarest beyond it are left out."""
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by for from has have in into is it its no not of on or over out that the "
        "their then there they this to under up was were which while who with without frame shows seen "
        "visible clip picture",
    )
)
BATCH = 64
"""How many texts one request holds."""
LONGEST = 8_000
"""The maximum number of characters of a text that is sent; the rest is left out."""
_SECONDS = 60.0


def words_of(text: str) -> list[str]:
    """The words of a text that are compared: lower case, without common words and the s of plurals.

    >>> words_of("Two mugs stand on the table.")
    ['two', 'mug', 'stand', 'table']
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text.casefold()) if word not in _COMMON]
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words]


def lexical(first: Sequence[str], second: Sequence[str]) -> Similarity:
    """The cosine of the TF-IDF vectors of each text of `first` with each of `second`, shape (first, second), 0 to 1.

    The weight of a word in a text is (1 + ln count) · (1 + ln((1 + texts) / (1 + texts with it))). A text without
    words is similar to none.

    >>> lexical(["a mug on a table"], ["the mugs", "a dog runs"]).round(2).tolist()
    [[0.61, 0.0]]
    """
    counted = [Counter(words_of(text)) for text in (*first, *second)]
    held = Counter(word for counts in counted for word in counts)
    places = {word: place for place, (word, _) in enumerate(held.most_common(MOST_WORDS))}
    weights = np.zeros((len(counted), max(len(places), 1)))
    for row, counts in enumerate(counted):
        for word, count in counts.items():
            if word in places:
                rarity = 1 + np.log((1 + len(counted)) / (1 + held[word]))
                weights[row, places[word]] = (1 + np.log(count)) * rarity
    return cosines(weights[: len(first)], weights[len(first) :])


def cosines(first: NDArray[np.float64], second: NDArray[np.float64]) -> Similarity:
    """The cosine of each row of `first` with each row of `second`; 0 for a row of zeros.

    >>> cosines(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.0]]
    """
    units = []
    for vectors in (first, second):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        units.append(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0))
    return np.asarray(units[0] @ units[1].T, dtype=np.float64)


def nearest(similarity: Similarity) -> list[tuple[int, int]]:
    """The pairs (row, column), each row and column once at most, whose similarity is largest in sum; by row.

    >>> nearest(np.array([[0.9, 0.8], [0.7, 0.1]]))
    [(0, 1), (1, 0)]
    """
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]


def embeddings_of(
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
    place = next(iter(servers_of(of_table.fields.base_url)), None)
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
