"""The item browser's data: one JSON document of units, pictures, questions and replies, as small as it needs to be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from veridical.base.format import visible
from veridical.records import Json, Media, Stimulus, Text, Trial, canonical
from veridical.report.runs import ReportRun
from veridical.report.select import Unit

Picture = Callable[[str], tuple[str | None, str]]
"""From a media file to the source that shows it, or `None`, and the note that stands in its place."""

_IN_SCRIPT = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})


@dataclass(frozen=True)
class Items:
    """The units that found room, and the JSON document that shows them."""

    units: tuple[Unit, ...]
    json: str


def script_json(value: Json) -> str:
    """JSON that can stand in a script element: no `<`, `>` or `&` in it, and every hidden character written out.

    >>> script_json({"reply": "</script>"})
    '{"reply":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(_visible(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_IN_SCRIPT)


def _visible(value: Json) -> Json:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(key): _visible(item) for key, item in value.items()}
    return [_visible(item) for item in value] if isinstance(value, list | tuple) else value


def encode_items(
    units: Iterable[Unit],
    outcomes: pl.DataFrame,
    runs: Sequence[ReportRun],
    names: Sequence[str],
    stimuli: Mapping[str, Stimulus],
    picture: Picture,
    room: int,
    titles: Mapping[str, str],
) -> Items:
    """The items of the first units that fit into so many bytes, and the prompts that they share, each once.

    `titles` names the variants for people. A unit is there as a whole or not at all. Units that do not fit are passed
    over only as long as none has fitted.
    """
    encoder = _Encoder(outcomes, runs, stimuli, picture, titles)
    head = f'{{"runs":{script_json(list(names))},"units":['
    taken: list[Unit] = []
    parts: list[str] = []
    prompts: dict[str, str] = {}
    used = len(head.encode()) + len('],"prompts":{}}')
    for unit in units:
        part = script_json(encoder.unit(unit))
        new = {key: text for key, text in encoder.prompts.items() if key not in prompts}
        size = len(part.encode()) + 1 + sum(len(key) + len(text.encode()) + 4 for key, text in new.items())
        if used + size <= room:
            taken.append(unit)
            parts.append(part)
            prompts |= new
            used += size
        elif taken:
            break
    shared = ",".join(f'"{key}":{text}' for key, text in prompts.items())
    return Items(tuple(taken), f'{head}{",".join(parts)}],"prompts":{{{shared}}}}}')


class _Encoder:
    """Makes units into JSON values; `prompts` holds the prompts of the unit made last, by a short hash."""

    def __init__(
        self,
        outcomes: pl.DataFrame,
        runs: Sequence[ReportRun],
        stimuli: Mapping[str, Stimulus],
        picture: Picture,
        titles: Mapping[str, str],
    ) -> None:
        self.rows: dict[str, list[dict[str, Any]]] = {}
        for row in outcomes.iter_rows(named=True):
            self.rows.setdefault(row["stimulus"], []).append(row)
        self.runs, self.stimuli, self.picture, self.titles = runs, stimuli, picture, titles
        self.place = {name: index for index, name in enumerate(stimuli)}
        self.prompts: dict[str, str] = {}

    def unit(self, unit: Unit) -> Json:
        self.prompts = {}
        last = len(self.place)
        ordered = sorted(unit.pictures, key=lambda name: self.place.get(name, last))
        flags = [name for name in ("failed", "wrong", "disagree") if getattr(unit, name)]
        return {
            "name": unit.name,
            "family": unit.family,
            "flags": flags,
            "pictures": [self.item(name) for name in ordered],
        }

    def item(self, name: str) -> Json:
        rows = self.rows[name]
        stimulus = self.stimuli.get(name)
        item: dict[str, Json] = {"id": name}
        item |= {key: rows[0][key] for key in ("variant", "alpha", "congruent", "side") if rows[0][key] is not None}
        if rows[0]["variant"] in self.titles:
            item["title"] = self.titles[rows[0]["variant"]]
        if stimulus is None:
            item["media"] = [[None, "not in the stimulus set"]]
        else:
            item |= {"width": stimulus.width, "height": stimulus.height, "facts": _facts(stimulus)}
            item["media"] = [self.picture(file) for file in stimulus.media]
        item["questions"] = self.questions(rows, stimulus)
        return item

    def questions(self, rows: Sequence[dict[str, Any]], stimulus: Stimulus | None) -> Json:
        """One question for each trial and each wording of it that was sent, with the outcomes of all runs."""
        questions: dict[tuple[str, str | None], dict[str, Json]] = {}
        order = {name: index for index, name in enumerate(dict.fromkeys(row["trial"] for row in rows))}
        for row in sorted(rows, key=lambda row: order[row["trial"]]):
            trial = self.runs[row["run"]].trials.get(row["trial"])
            key = (row["trial"], self.prompt(trial))
            if key not in questions:
                questions[key] = {"prompt": key[1], "gold": row["gold"], "settings": _settings(row["settings"])}
                questions[key] |= {"asked": _asked(trial, stimulus), "outcomes": []}
            questions[key]["outcomes"].append(_outcome(row))
        return list(questions.values())

    def prompt(self, trial: Trial | None) -> str | None:
        if trial is None:
            return None
        text = script_json([[message.role, [_part(part) for part in message.parts]] for message in trial.messages])
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.prompts[key] = text
        return key


def _part(part: Text | Media) -> Json:
    return part.text if isinstance(part, Text) else None


def _asked(trial: Trial | None, stimulus: Stimulus | None) -> str | None:
    """The stimulus's question as it stands in what the user said last, else all of that text."""
    said = [message.parts for message in trial.messages if message.role == "user"] if trial is not None else []
    texts = [part.text for part in said[-1] if isinstance(part, Text)] if said else []
    if not texts:
        return None
    known = (stimulus.question, stimulus.question_reversed) if stimulus is not None else ()
    found = [question for question in known if question and question in texts[-1]]
    return max(found, key=len) if found else texts[-1]


def _settings(text: str | None) -> Json:
    settings = json.loads(text) if text else {}
    return [f"{key}: {value}" for key, value in settings.items()]


def _facts(stimulus: Stimulus) -> Json:
    both = [*stimulus.truth.items(), *stimulus.measured.items()]
    keys = dict.fromkeys(key for key, value in both if not isinstance(value, list | dict))
    return [[key, _fact(stimulus.truth.get(key)), _fact(stimulus.measured.get(key))] for key in keys]


def _fact(value: Json) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return f"{round(value, 4) + 0.0:.6g}" if isinstance(value, float) else canonical(value)


def _outcome(row: Mapping[str, Any]) -> Json:
    """An outcome without what is null; `right` is there where an answer can be held against a gold answer."""
    kept = ("run", "repeat", "status", "answer", "reason", "text", "reasoning")
    outcome = {key: row[key] for key in kept if row[key] is not None}
    if row["status"] == "answered" and row["gold"] is not None:
        outcome["right"] = row["answer"] == row["gold"]
    if facts := _how_it_went(row):
        outcome["facts"] = facts
    return outcome


def _how_it_went(row: Mapping[str, Any]) -> str:
    tokens = [f"{row[key]:,} {name}" for key, name in _TOKENS.items() if row[key] is not None]
    facts = [
        f"{row['latency']:.1f} s" if row["latency"] is not None else "",
        f"tokens: {', '.join(tokens)}" if tokens else "",
        f"stop: {row['stop_reason']}" if row["stop_reason"] else "",
        f"attempt {row['attempt']}" if (row["attempt"] or 1) > 1 else "",
        f"{row['requests']} requests" if (row["requests"] or 1) > 1 else "",
    ]
    return " · ".join(filter(None, facts))


_TOKENS = {"input_tokens": "in", "output_tokens": "out"}
