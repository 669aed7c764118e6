"""Which boxes stand beside the relevant ones, and in which order all of them are numbered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.records import Box
from veridical.suite.nuisances import entropy

ADVERSARIAL = 3
"""How many adversarial boxes a question has (the paper, section 3.1)."""
SMALLEST_SIDE = 0.03
"""The shortest side of an adversarial box, as a share of the longer side of the picture: 15 px of 500."""
LARGEST_AREA = 0.4
"""The largest area of an adversarial box, as a share of the picture's."""
RANDOM_SIDES = (0.10, 0.25)
"""The range of the sides of a random box, as shares of the picture's width and height, where none is relevant."""
ALIKE = (0.92, 1.09)
"""The range of the sides of other random boxes, as shares of a relevant box's: areas differ by less than a fifth."""
RANDOM_TRIES = 300
"""How many places are tried for a random box before the picture counts as full."""

Boxes = NDArray[np.int64]


class AdversarialBoxes(NamedTuple):
    """Adversarial boxes in the order of their choice; the last `random` of them show no annotated thing."""

    boxes: list[Box]
    random: int


class Numbering(NamedTuple):
    """All boxes, the first is R1, with the numbers of the relevant and of the adversarial ones in ascending order."""

    boxes: list[Box]
    relevant: list[int]
    adversarial: list[int]


def area(box: Box) -> int:
    """The area of a box in pixels; 0 for one that is empty.

    >>> area(Box(2, 2, 5, 4)), area(Box(5, 0, 2, 4))
    (6, 0)
    """
    return max(box.x1 - box.x0, 0) * max(box.y1 - box.y0, 0)


def overlap(box: Box, other: Box) -> int:
    """The area in pixels that two boxes share; boxes that only touch share none.

    >>> overlap(Box(0, 0, 4, 4), Box(2, 1, 6, 3)), overlap(Box(0, 0, 4, 4), Box(4, 0, 6, 4))
    (4, 0)
    """
    return area(Box(max(box.x0, other.x0), max(box.y0, other.y0), min(box.x1, other.x1), min(box.y1, other.y1)))


def adversarial_boxes(
    relevant: Sequence[Box],
    candidates: Sequence[Box],
    size: tuple[int, int],
    *parts: int | str,
    apart: Sequence[Box] = (),
    wanted: int = ADVERSARIAL,
) -> AdversarialBoxes:
    """Adversarial boxes for a question, which overlap no relevant box and not each other.

    `candidates` are the boxes of things that matter to other questions about the picture, in any order; those that are
    empty, not inside the picture, or of an extreme size (`SMALLEST_SIDE`, `LARGEST_AREA`) are passed over. `size` is
    the picture's (width, height) in pixels; `parts` name the question and seed the choice. Where fewer than `wanted`
    candidates fit, random boxes fill up, as large as relevant ones where there is room; they also overlap none of the
    boxes in `apart`. A picture that is too full for them gets fewer.

    >>> things = [Box(0, 0, 90, 90), Box(300, 200, 380, 260), Box(80, 80, 140, 140)]
    >>> chosen = adversarial_boxes([Box(50, 50, 100, 100)], things, (400, 300), 7, "question 1")
    >>> chosen.boxes[0], len(chosen.boxes), chosen.random
    (Box(x0=300, y0=200, x1=380, y1=260), 3, 2)
    """
    rng = np.random.default_rng(entropy(*parts, "adversarial"))
    fitting = sorted({Box(*map(int, box)) for box in candidates if _fits(Box(*box), *size)})
    chosen: list[Box] = []
    for place in rng.permutation(len(fitting)):
        if len(chosen) < wanted and not any(overlap(fitting[place], box) for box in (*relevant, *chosen)):
            chosen.append(fitting[place])
    named = len(chosen)
    while len(chosen) < wanted:
        taken = [*relevant, *chosen, *apart]
        alike, any_size = _alike(rng, relevant), rng.uniform(*RANDOM_SIDES, (RANDOM_TRIES, 2)) * size
        free = _random(rng, size, alike, taken) or _random(rng, size, any_size, taken)
        if free is None:
            break
        chosen.append(free)
    return AdversarialBoxes(chosen, len(chosen) - named)


def numbering(relevant: Sequence[Box], adversarial: Sequence[Box], *parts: int | str) -> Numbering:
    """Relevant and adversarial boxes in a random order, which `parts` seed; the order of the input plays no role.

    >>> numbering([Box(0, 0, 9, 9)], [Box(20, 0, 29, 9), Box(40, 0, 49, 9)], 0, "question 2")[1:]
    ([1], [2, 3])
    """
    listed = sorted({*((Box(*box), True) for box in relevant), *((Box(*box), False) for box in adversarial)})
    order = np.random.default_rng(entropy(*parts, "numbers")).permutation(len(listed))
    boxes = [listed[place] for place in order]
    numbers = [(number, matters) for number, (_, matters) in enumerate(boxes, 1)]
    return Numbering(
        [box for box, _ in boxes],
        [number for number, matters in numbers if matters],
        [number for number, matters in numbers if not matters],
    )


def other_order(count: int, *parts: int | str) -> list[int]:
    """Another random order of so many boxes, as their old numbers; none keeps its number, unless it is the only one.

    The order is a random cycle (Sattolo's algorithm), which `parts` seed.

    >>> other_order(4, 0, "question 1"), other_order(1)
    ([2, 4, 1, 3], [1])
    """
    rng = np.random.default_rng(entropy(*parts, "other numbers"))
    order = list(range(1, count + 1))
    for last in range(count - 1, 0, -1):
        place = int(rng.integers(last))
        order[last], order[place] = order[place], order[last]
    return order


def _fits(box: Box, width: int, height: int) -> bool:
    """Whether a box lies in the picture and is of a size that can be seen and does not fill the picture."""
    inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
    shorter = min(box.x1 - box.x0, box.y1 - box.y0)
    return (
        inside and shorter >= max(1, SMALLEST_SIDE * max(width, height)) and area(box) <= LARGEST_AREA * width * height
    )


def _alike(rng: np.random.Generator, relevant: Sequence[Box]) -> NDArray[np.float64]:
    """Widths and heights near those of relevant boxes, shape (`RANDOM_TRIES`, 2); none without such a box."""
    whole = sorted(box for box in relevant if area(box))
    sides = np.array([(box.x1 - box.x0, box.y1 - box.y0) for box in whole], float).reshape(-1, 2)
    if not len(sides):
        return sides
    return np.asarray(sides[rng.integers(len(sides), size=RANDOM_TRIES)] * rng.uniform(*ALIKE, (RANDOM_TRIES, 2)))


def _random(
    rng: np.random.Generator, size: tuple[int, int], wanted: NDArray[np.float64], taken: Sequence[Box]
) -> Box | None:
    """A box of the first of the wanted sizes that overlaps none of those that are taken; `None` if none does."""
    canvas = np.array(size)
    sides: Boxes = np.clip(wanted.round().astype(np.int64), 1, canvas)
    low: Boxes = (rng.random(sides.shape) * (canvas - sides + 1)).astype(np.int64)
    others: Boxes = np.array([tuple(box) for box in taken], np.int64).reshape(-1, 4)
    starts = np.maximum(low[:, None], others[None, :, :2])
    ends = np.minimum((low + sides)[:, None], others[None, :, 2:])
    free = np.flatnonzero(~(ends > starts).all(2).any(1))
    return Box(*map(int, (*low[free[0]], *(low + sides)[free[0]]))) if len(free) else None
