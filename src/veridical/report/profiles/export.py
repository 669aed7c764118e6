"""A profile for other programs (CSV, JSON), or as a table for a text (Markdown, LaTeX)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veridical.base.format import visible
from veridical.base.markdown import plain, table
from veridical.report.export import Form, csv_text
from veridical.report.latex import PACKAGE, booktabs, escape_latex
from veridical.report.profiles.page import profile_json
from veridical.report.profiles.profile import NOT_ASKED, Profile, ProfileLine
from veridical.suite.opening import Tone

_HEAD = ("Model", "Ability", "Suite", "Question", "Points", "Units", "Verdict")
_DECIDED: Mapping[Tone, str] = {"good": "Decided for", "bad": "Decided against", "open": "Open"}


def profile_text(profile: Profile, form: Form) -> str:
    """The profile as text in one of `report.export.FORMS`.

    CSV has a row for each model and question, as `Profile.frame`; JSON is the whole of `profile.json`. Markdown has
    such rows as a reader sees them, LaTeX a row for each question and a column for each model.
    """
    if form == "csv":
        frame = profile.frame()
        return csv_text(frame.columns, frame.iter_rows())
    if form == "json":
        return profile_json(profile)
    return "\n".join([*(_markdown(profile) if form == "markdown" else _latex(profile)), ""])


def _markdown(profile: Profile) -> Iterator[str]:
    """A table, and below it what was found of each model in words."""
    rows = [
        [plain(visible(each)) for each in _cells(model.name, line)] for model in profile.models for line in model.lines
    ]
    yield table(_HEAD, rows)
    yield ""
    for model in profile.models:
        yield f"- {plain(visible(model.name))}: {model.sentence} {model.sureness}"


def _cells(model: str, line: ProfileLine) -> tuple[str, ...]:
    asked = line.question
    points = line.effect_text if line.answer else line.missing
    return (model, asked.ability, line.part.short, asked.question, points, f"{line.units:,}", line.conclusion.name)


def _latex(profile: Profile) -> Iterator[str]:
    """A table with each effect and, below the questions, how many are decided for and against each model."""
    rows = []
    for question in profile.questions:
        lines = [profile.line(model, question) for model in profile.models]
        shown = [line.effect_text if line is not None and line.answer else NOT_ASKED for line in lines]
        rows.append([escape_latex(each) for each in (f"{question.part.short}: {question.question.question}", *shown)])
    counts = [[words, *(str(len(model.toned(tone))) for model in profile.models)] for tone, words in _DECIDED.items()]
    yield PACKAGE
    yield from booktabs(["Question", *(escape_latex(model.name) for model in profile.models)], rows, counts)
