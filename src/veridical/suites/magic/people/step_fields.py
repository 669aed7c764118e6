"""The form of a reply whose steps are labeled: a label for each step, and what a wrong one should say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.suite.people_tasks import FieldOption, FormField

RIGHT, WRONG, SILENT = "right", "wrong", "silent"
"""What a step is by the picture: right, wrong, or stating nothing."""


_OPTIONS = (
    (RIGHT, "Right", "All that it states is true of the picture."),
    (WRONG, "Wrong", "Something that it states is not true of the picture."),
    (SILENT, "States nothing", "It states nothing about the picture, such as a plan or a question."),
)


def step_field(number: int) -> str:
    """The name of the field that has the label of a step."""
    return f"step_{number}"


def correction_field(number: int) -> str:
    """The name of the field that has what a wrong step should say."""
    return f"correction_{number}"


def step_fields(steps: Sequence[str]) -> list[FormField]:
    """For each step its label, and where it is wrong, what it should say."""
    return [each for number, step in enumerate(steps, start=1) for each in _fields(number, step)]


def _fields(number: int, step: str) -> Iterator[FormField]:
    # What the labels mean stands beside the first step alone: a reply may have a dozen.
    options = [FieldOption(value, title, text if number == 1 else "") for value, title, text in _OPTIONS]
    yield FormField(name=step_field(number), kind="choice", title=f"{number}. {step}", options=options)
    title, when = f"What step {number} should say", (step_field(number), (WRONG,))
    yield FormField(name=correction_field(number), kind="text", title=title, value=step, when=when)
