"""Forms in which people answer what a model is asked: their fields, and a filled form as the text of a reply."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from veridical.records import Json, Stimulus, Trial
from veridical.suite.people_tasks import Caption, FieldOption, FormField

if TYPE_CHECKING:
    from veridical.suite.parts import AskingPart

ANSWER = "answer"
YES_NO = ("yes", "no")
"""The name of the one field of most forms."""


def text_form() -> tuple[FormField, ...]:
    """A form of one text."""
    return (FormField(name=ANSWER, kind="text"),)


def named_form(values: Iterable[str]) -> tuple[FormField, ...]:
    """A form of one choice among options that are called by what they are, such as yes and no.

    >>> [option.title for option in named_form(["yes", "no"])[0].options]
    ['Yes', 'No']
    """
    options = [FieldOption(value, value[:1].upper() + value[1:]) for value in values]
    return (FormField(name=ANSWER, kind="choice", options=options),)


def lettered_options(titles: Iterable[str], helps: Iterable[str] = ()) -> list[FieldOption]:
    """Options whose values are letters, "A" for the first; a break in a title becomes a space.

    >>> lettered_options(["left hand", "the\\nlap"])[1][:2]
    ('B', 'the lap')
    """
    texts = [" ".join(title.split()) for title in titles]
    longer = [*helps] or [""] * len(texts)
    return [FieldOption(*each) for each in zip(ascii_uppercase, texts, longer, strict=False)]


def lettered_form(titles: Iterable[str], helps: Iterable[str] = ()) -> tuple[FormField, ...]:
    """A form of one choice among lettered options."""
    return (FormField(name=ANSWER, kind="choice", options=lettered_options(titles, helps)),)


def reply_of(answer: Mapping[str, Json]) -> str:
    """A filled form as the text of a reply: of one field its value, of several a JSON object of those that are filled.

    Intervals are in seconds to the millisecond, with semicolons between; several options have commas between.

    >>> reply_of({"answer": [[1.5, 2.25], [3, 4]]}), reply_of({"answer": ["A", "C"]}), reply_of({"answer": None})
    ('1.5 to 2.25; 3 to 4', 'A, C', '')
    >>> reply_of({"boxes": ["R1", "R3"], "answer": "red"})
    '{"boxes": "R1, R3", "answer": "red"}'
    """
    if len(answer) == 1:
        return _text(next(iter(answer.values())))
    filled = {name: text for name, value in answer.items() if (text := _text(value))}
    return json.dumps(filled, ensure_ascii=False) if filled else ""


def _text(value: Json) -> str:
    if isinstance(value, list):
        pairs = any(isinstance(each, list) for each in value)
        return ("; " if pairs else ", ").join(
            " to ".join(map(_text, each)) if isinstance(each, list) else str(each) for each in value
        )
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)


def worded_question(asking: AskingPart, stimulus: Stimulus, trial: Trial) -> str:
    """The question of a trial with the options of its form, for where there is text alone, as in a table.

    Of a form of several fields it says how each is called: they are stated in lines that begin with these names.
    """
    fields = asking.answer_form(stimulus, trial)
    question = asking.bare_question(stimulus, trial)
    if len(fields) > 1:
        lines = [line for each in fields for line in (f"{each.name.capitalize()}: {each.title}", *_lines(each))]
    else:
        lines = [line for each in fields for line in _lines(each)]
    return "\n\n".join([question, *(["\n".join(lines)] if lines else [])])


def _lines(form_field: FormField) -> list[str]:
    """The options of a field that are not called by their values, a line each."""
    return [
        f"{option.value}. {option.title}{f': {option.help}' if option.help else ''}"
        for option in form_field.options
        if option.title.casefold() != option.value.casefold()
    ]


def captions_text(captions: Sequence[Caption]) -> str:
    """Words over a clip with their times in seconds, a line each.

    >>> captions_text([Caption(1.5, 2, "Gone!")])
    '1.50 to 2.00 s: Gone!'
    """
    return "\n".join(f"{each.start:.2f} to {each.end:.2f} s: {each.text}" for each in captions)
