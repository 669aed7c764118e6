"""Practice for those who label steps: three drawn tables, whose steps are labeled already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veridical.media.decode import medium_of
from veridical.suite.people_tasks import MediumBlock, TaskItem, TextBlock
from veridical.suites.magic.people.step_fields import RIGHT, SILENT, WRONG, step_field, step_fields

PICTURES = Path(__file__).parent / "practice_pictures"
_EXAMPLES: Sequence[tuple[str, Sequence[tuple[str, str]]]] = (
    (
        "Which of the two is the book made of, wood or metal?",
        (
            ("I first need to find the book.", SILENT),
            ("The book is in R3.", RIGHT),
            ("The book in R3 is made of wood.", RIGHT),
            ("The book in R3 is to the left of the lamp in R4.", WRONG),
        ),
    ),
    (
        "What material is the bowl made of: glass, wicker, wood or metal?",
        (
            ("The picture shows a number of things on a table.", RIGHT),
            ("I look through the boxes and find the bowl in R4.", WRONG),
            ("The thing in R3 is made of wicker.", RIGHT),
        ),
    ),
    (
        "Which is farther to the right, the book or the lamp?",
        (
            ("I see a table top with several things on it.", RIGHT),
            ("Of the boxes, R4 shows the book.", RIGHT),
            ("The lamp in R1 is made of metal.", WRONG),
            ("I leave the other boxes aside, because the question does not depend on them.", SILENT),
        ),
    ),
)


def _item(number: int, question: str, steps: Sequence[tuple[str, str]]) -> TaskItem:
    path = PICTURES / f"practice-{number}.png"
    return TaskItem(
        id=f"practice-{number}",
        blocks=[
            MediumBlock(medium=medium_of(path.name, path.read_bytes()), path=path),
            TextBlock(text=question, title="Question"),
        ],
        fields=step_fields([text for text, _ in steps]),
        right={step_field(place): label for place, (_, label) in enumerate(steps, start=1)},
    )


PRACTICE = tuple(_item(number, *example) for number, example in enumerate(_EXAMPLES, start=1))
