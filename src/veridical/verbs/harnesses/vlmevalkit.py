"""Questions as a table of VLMEvalKit, with the pictures in base64.

Its columns are documented in `docs/en/Development.md` of open-compass/VLMEvalKit. There are none of options (`A`, `B`,
…): a table that has them is asked in words of VLMEvalKit's own, so the options stand in the question, as planned.
"""

from __future__ import annotations

import csv
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from veridical.base.files import replace_atomically
from veridical.errors import InputError
from veridical.media.pictures import suffix_of
from veridical.observers.harness_answers import item_number
from veridical.records import Media, Trial
from veridical.verbs.exchange.trials import require_picture
from veridical.verbs.harnesses.questions import FlatQuestion, LeavingQuestions

_COLUMNS = ("index", "question", "answer", "category", "image", "image_path")


def write_table(folder: Path, questions: LeavingQuestions) -> tuple[str, ...]:
    """Writes `veridical_SUITE_openended.tsv`, and says what VLMEvalKit does not take as it was planned.

    Its name makes it an open-ended table, whose questions are asked in their own words. Several pictures are a list, as
    Python writes it. A picture that an earlier row has is the index of that row. Raises `InputError` for a clip.
    """
    flat = {trial.id: FlatQuestion.of(trial) for trial in questions.trials}
    place = folder / f"{questions.task}_openended.tsv"
    with replace_atomically(place) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(_COLUMNS)
        table.writerows(_rows(questions, flat))
    told = {
        "have no picture: VLMEvalKit leaves them out": sum(not each.media for each in flat.values()),
        "have a system prompt: it stands before the question": sum(each.joined for each in flat.values()),
        "have text between pictures: VLMEvalKit shows the pictures first": sum(each.moved for each in flat.values()),
    }
    return tuple(f"{count:,} questions {words}" for words, count in told.items() if count)


def _rows(questions: LeavingQuestions, flat: dict[str, FlatQuestion]) -> Iterator[tuple[str, ...]]:
    first: dict[Media, str] = {}
    numbers: set[int] = set()
    for trial in questions.trials:
        question, number = flat[trial.id], item_number(questions.opaque(trial.id))
        if number in numbers:
            raise InputError(f"two questions have the index {number}: export the set for another harness")
        numbers.add(number)
        image, names = _pictures(trial, question, questions)
        if len(question.media) == 1:
            image = first.get(question.media[0], image)
            first.setdefault(question.media[0], str(number))
        yield str(number), question.text, trial.gold or "", questions.suite, image, names


def _pictures(trial: Trial, question: FlatQuestion, questions: LeavingQuestions) -> tuple[str, str]:
    """The pictures of a question and the names under which VLMEvalKit stores them, as cells of its table."""
    encoded, names = [], []
    for medium in question.media:
        require_picture(trial, medium, "VLMEvalKit")
        content = questions.read(medium.file)
        encoded.append(b64encode(content).decode())
        names.append(f"{questions.opaque(medium.file)}{suffix_of(content, medium.file)}")
    return _cell(encoded), _cell(names)


def _cell(texts: list[str]) -> str:
    return "".join(texts) if len(texts) < 2 else str(texts)
