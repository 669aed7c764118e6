"""The wording of questions: the suite's templates, or those and the questions per case of a user's folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from string import Formatter

from veridical.errors import InputError, unknown
from veridical.records import Stimulus
from veridical.suite.prompts import Prompt, digest_of, load_all, read_text
from veridical.suites.viprobe.illusions import CASES

FOLDER = Path(__file__).parent.parent / "prompts"
QUESTIONS = "questions.csv"
FORMS = ("forward", "reversed", "comparison")
"""Forms of a question: its two polarities, and the comparison (which target has more)."""

_FIELDS = {
    "question": ("question",),
    "comparison": ("question", "first", "second"),
    "answer": ("question",),
    "comparison_answer": ("question", "first", "second"),
    "prior": ("figure", "question"),
    "instruction_weigh": ("state", "measurand"),
    "instruction_measure": ("state", "measurand"),
}
_COLUMNS = ("case", "polarity", "text")


@dataclass(frozen=True)
class Wording:
    """Templates by name, and the user's question texts by case and form, each with its place in the file."""

    prompts: Mapping[str, Prompt]
    texts: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    digest: str = ""

    def question(self, stimulus: Stimulus, form: str) -> tuple[str, str] | None:
        """The question of that form about a stimulus and the digest of its file ("": the set's own).

        `None` if the stimulus has no such question. Raises `InputError` for a field that the stimulus lacks.
        """
        own = _own(stimulus, form)
        if own is None or (stimulus.family, form) not in self.texts:
            return None if own is None else (own, "")
        text, place = self.texts[stimulus.family, form]
        for _, name, _, _ in Formatter().parse(text):
            if name is not None and name not in stimulus.factors:
                raise InputError(f"{place}: {unknown(f'field of {stimulus.family}', name, stimulus.factors)}")
        return text.format_map(stimulus.factors), self.digest

    def worded(self, stimulus: Stimulus, form: str, *, rationale: bool = True) -> tuple[str, str] | None:
        """The full text of the question of that form, with the digest of all its parts; with or without reasons."""
        own = self.question(stimulus, form)
        if own is None:
            return None
        question, source = own
        prompt, options = self.prompts["question" if rationale else "answer"], {}
        if form == "comparison":
            first, second = stimulus.truth["comparison"]["options"]
            prompt = self.prompts["comparison" if rationale else "comparison_answer"]
            options = {"first": first, "second": second}
        return prompt.fill(question=question, **options), digest_of(prompt.digest, *([source] if source else []))

    def unseen(self, stimulus: Stimulus, form: str) -> tuple[str, str] | None:
        """The question of that form about the textbook's figure of the case, which is not shown, with its digest."""
        own = self.question(stimulus, form)
        if own is None:
            return None
        question, source = own
        prompt = self.prompts["prior"]
        text = prompt.fill(figure=CASES[stimulus.family].title, question=question)
        return text, digest_of(prompt.digest, *([source] if source else []))

    def instruction(self, stimulus: Stimulus, level: str) -> tuple[str, str]:
        """The instruction of that level, worded for the case, with the digest of its template.

        Raises `InputError` if the stimulus lacks the words that the template needs.
        """
        prompt = self.prompts[f"instruction_{level}"]
        for name in _FIELDS[f"instruction_{level}"]:
            if name not in stimulus.truth and f"${name}" in prompt.text:
                raise InputError(f"{stimulus.id} has no '{name}', which the instruction '{level}' needs")
        words = {name: str(stimulus.truth.get(name)) for name in _FIELDS[f"instruction_{level}"]}
        return prompt.fill(**words), prompt.digest


def wording(theirs: Path | None = None) -> Wording:
    """The suite's wording, overridden by the user's folder `theirs`; raises `InputError` for invalid content.

    Its `questions.csv` has the columns case, polarity (forward, reversed, comparison) and text; a text may name factors
    of the stimulus in braces.
    """
    prompts = load_all(FOLDER, theirs, _FIELDS, (QUESTIONS,))
    if theirs is None or not (theirs / QUESTIONS).exists():
        return Wording(prompts)
    content = read_text(theirs / QUESTIONS)
    return Wording(prompts, _questions(theirs / QUESTIONS, content), sha256(content.encode()).hexdigest()[:16])


def _own(stimulus: Stimulus, form: str) -> str | None:
    if form == "comparison":
        comparison = stimulus.truth.get("comparison")
        return None if comparison is None else str(comparison["question"])
    return stimulus.question if form == "forward" else stimulus.truth.get("question_reversed")


def _questions(path: Path, content: str) -> dict[tuple[str, str], tuple[str, str]]:
    texts: dict[tuple[str, str], tuple[str, str]] = {}
    for place, (case, form, text) in _rows(path, content):
        if case not in CASES:
            raise InputError(f"{place}: {unknown('case', case, CASES)}")
        if form not in FORMS:
            raise InputError(f"{place}: {unknown('polarity', form, FORMS)}")
        if form == "comparison" and CASES[case].comparison is None:
            raise InputError(f"{place}: {case} has no comparison question")
        if (case, form) in texts:
            raise InputError(f"{place}: {case} has a {form} question already")
        _require_plain(place, text)
        texts[case, form] = (text, place)
    return texts


def _rows(path: Path, content: str) -> Iterator[tuple[str, tuple[str, str, str]]]:
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    try:
        header = tuple(cell.strip() for cell in next(reader, []))
        if header != _COLUMNS:
            raise InputError(f"{path}: the columns are {', '.join(header) or 'none'}: {', '.join(_COLUMNS)} are needed")
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            if not row:
                continue
            if len(row) != len(_COLUMNS) or not row[2].strip():
                raise InputError(f"{place}: case, polarity and a text are needed, the text in quotes if it has commas")
            yield place, (row[0].strip(), row[1].strip(), row[2].strip())
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: no valid CSV: {error}") from error


def _require_plain(place: str, text: str) -> None:
    """Raises `InputError` for braces that hold anything but a name."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise InputError(f"{place}: {error}: write {{{{ and }}}} for braces that name no factor") from None
    for _, name, form, conversion in parts:
        if name is not None and (form or conversion or not name.isidentifier()):
            raise InputError(f"{place}: braces may only hold the name of a factor, not '{name}'")
