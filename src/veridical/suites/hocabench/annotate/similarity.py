"""Similarity of short texts by the words that they share, and the best one-to-one choice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
