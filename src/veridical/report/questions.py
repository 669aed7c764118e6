"""What was asked about one item, and what came back: the questions of the item browser."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from veridical.base.format import format_number
from veridical.records import Json, Media, Medium, Stimulus, Text, Trial, canonical
from veridical.report.passages import mark_passages
from veridical.report.runs import is_score
from veridical.report.settings import shown_name
from veridical.suite.people_forms import worded_question
from veridical.suite.record import Suite

_TOKENS = {"input_tokens": "in", "output_tokens": "out"}


class OutcomeRow(NamedTuple):
    """A row of an outcome table, with the place of its run and the trial as it was sent, where that is at hand."""

    run: int
    values: Mapping[str, Any]
    trial: Trial | None


class Wordings:
    """What the suite knows of a question and of a score: what is asked in few words, and the range of each score."""

    def __init__(self, suite: Suite, outcomes: Sequence[pl.DataFrame]) -> None:
        self.asking = suite.asking
        self.names = suite.presentation.names
        self.passages = suite.presentation.passages
        self.mentioned = suite.presentation.mentioned
        self.answer = suite.presentation.answer
        self.shown = suite.presentation.scores
        self.several_stages = len({stage for rows in outcomes for stage in rows["stage"].unique()}) > 1
        self.varied = _varied(text for rows in outcomes for text in rows["settings"].unique())
        self.first = suite.asking.ordered[0].name
        self.ranges: dict[str, dict[str, tuple[float, float]]] = {}
        for reader in (reader for family in suite.asking.readers.values() for reader in family):
            self.ranges.setdefault(reader.name, {}).update(reader.scores)

    def is_later(self, values: Mapping[str, Any]) -> bool:
        """Whether a row is of a stage after the first, in which others than the run's model may have been asked."""
        return bool(values["stage"] != self.first) and self.several_stages

    def words(self, trial: Trial | None, stimulus: Stimulus | None) -> str | None:
        """The bare question as it stands in what the user said last, else all of that text."""
        messages = [message.parts for message in trial.messages if message.role == "user"] if trial is not None else []
        text = "\n".join(part.text for part in messages[-1] if isinstance(part, Text)) if messages else ""
        if not text or trial is None:
            return None if stimulus is None else stimulus.question or None
        if stimulus is None:
            return text
        both = worded_question(self.asking, stimulus, trial), self.asking.bare_question(stimulus, trial)
        return next((each for each in both if each and each in text), text)

    def settings(self, values: Mapping[str, Any]) -> Json:
        """The stage where there are several, and the settings that are not the same for all questions."""
        stage = {"stage": values["stage"]} if self.several_stages else {}
        if self.is_later(values):
            stage |= {"asked of": values["model"]}
        own = json.loads(values["settings"]) if values["settings"] else {}
        chosen = stage | {key: value for key, value in own.items() if key in self.varied}
        return [f"{shown_name(self.names, key)}: {value}" for key, value in chosen.items()]

    def scores(self, values: Mapping[str, Any]) -> Json:
        """Name, value and range of each score that a reply has."""
        ranges = self.ranges.get(values["reader"], {})
        shown = []
        for column, value in values.items():
            name = column.removeprefix("score_")
            if is_score(column) and value is not None and (self.shown is None or name in self.shown):
                bounds = "–".join(format_number(end) for end in ranges[name]) if name in ranges else ""
                shown.append([shown_name(self.names, name), format_number(value), bounds])
        return shown


def _varied(settings: Iterable[str | None]) -> set[str]:
    """The settings that take more than one level."""
    levels: dict[str, set[str]] = {}
    for text in settings:
        for key, value in (json.loads(text) if text else {}).items():
            levels.setdefault(key, set()).add(canonical(value))
    return {key for key, values in levels.items() if len(values) > 1}


def questions(
    rows: Sequence[OutcomeRow], stimulus: Stimulus | None, media: Sequence[Medium | Media], wordings: Wordings
) -> tuple[list[Json], dict[str, Json]]:
    """One question for each trial and each wording of it that was sent, with the outcomes of all runs.

    In a later stage there is one for each model that was asked, such as a judge.

    With them come the messages that were sent, by a short hash; in these a text is itself, and a medium its place in
    `media`.
    """
    by_key: dict[tuple[str, str | None, str | None], dict[str, Json]] = {}
    prompts: dict[str, Json] = {}
    order = {name: index for index, name in enumerate(dict.fromkeys(row.values["trial"] for row in rows))}
    for run, values, trial in sorted(rows, key=lambda row: order[row.values["trial"]]):
        prompt = None
        if trial is not None:
            messages = _messages(trial, media)
            prompt = hashlib.sha256(canonical(messages).encode(errors="surrogatepass")).hexdigest()[:16]
            prompts[prompt] = messages
        key = (values["trial"], prompt, values["model"] if wordings.is_later(values) else None)
        if key not in by_key:
            by_key[key] = {"prompt": prompt, "gold": values["gold"], "settings": wordings.settings(values)}
            by_key[key] |= {"asked": wordings.words(trial, stimulus), "outcomes": []}
        by_key[key]["outcomes"].append(_outcome(run, values, wordings, stimulus))
    return list(by_key.values()), prompts


def _messages(trial: Trial, media: Sequence[Medium | Media]) -> Json:
    place = {(medium.file, medium.sha256): index for index, medium in enumerate(media)}
    return [
        [
            message.role,
            [part.text if isinstance(part, Text) else place[part.file, part.sha256] for part in message.parts],
        ]
        for message in trial.messages
    ]


def plain_value(value: Json) -> Json:
    """The value of a factor as JSON has it: numbers that are not finite become text."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _outcome(run: int, values: Mapping[str, Any], wordings: Wordings, stimulus: Stimulus | None) -> Json:
    """An outcome without what is null; `correct` is there where an answer can be. Texts are as of `mark_passages`.

    `lit` names the regions that the reply is about.
    """
    kept = ("repeat", "status", "answer", "correct", "reason", "text", "reasoning")
    read = {**values, "answer": wordings.answer(values)}
    outcome: dict[str, Json] = {"run": run} | {key: read[key] for key in kept if read[key] is not None}
    passages = wordings.passages(values)
    for name in ("text", "reasoning"):
        if name in outcome:
            outcome[name] = mark_passages(outcome[name], [each for each in passages if each.field == name])
    if stimulus is not None and (lit := list(wordings.mentioned(stimulus, values))):
        outcome["lit"] = lit
    if scores := wordings.scores(values):
        outcome["scores"] = scores
    if facts := _how_it_went(values, with_reader=wordings.is_later(values)):
        outcome["facts"] = facts
    return outcome


def _how_it_went(values: Mapping[str, Any], *, with_reader: bool) -> str:
    tokens = [f"{values[key]:,} {name}" for key, name in _TOKENS.items() if values[key] is not None]
    facts = [
        f"read by {values['reader']} {values['reader_version']}" if with_reader and values["reader"] else "",
        f"{values['latency']:.1f} s" if values["latency"] is not None else "",
        f"tokens: {', '.join(tokens)}" if tokens else "",
        f"stop: {values['stop_reason']}" if values["stop_reason"] else "",
        f"attempt {values['attempt']}" if (values["attempt"] or 1) > 1 else "",
        f"{values['requests']} requests" if (values["requests"] or 1) > 1 else "",
        "from the cache" if values["cached"] else "",
    ]
    return " · ".join(filter(None, facts))
