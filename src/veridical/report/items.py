"""The item browser's data: one JSON document of units, items, questions and replies, as small as it needs to be."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import polars as pl

from veridical.base.format import visible
from veridical.base.path_checks import derived_rule
from veridical.records import Json, Media, Medium, Stimulus, Trial, canonical
from veridical.report.media_sources import WORDS, FindSource, MediaSource
from veridical.report.passages import regions_of
from veridical.report.questions import OutcomeRow, Wordings, plain_value, questions
from veridical.report.runs import ReportRun, factors_of
from veridical.report.select import ReportUnit, first_units
from veridical.report.settings import shown_name
from veridical.suite.record import Suite

_IN_SCRIPT = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
_NO_SET = "not in the stimulus set"
_ANOTHER = "the stimulus set has other content under this name"
_THUMBNAIL = 144
"""Px of the longer side of a derived picture in the page: twice what a list of messages shows of it."""
_AT_A_TIME = 2_000
"""Items whose rows and stimuli are in memory at a time."""
FindStimuli = Callable[[Collection[str]], Mapping[str, Stimulus]]
"""Those of the stimuli with these ids that a set has, by id, in the order of the set."""
_NO_ROOM = "this clip is left out, for the page is full; a report with a folder of assets shows it"


def no_stimuli(ids: Collection[str]) -> Mapping[str, Stimulus]:  # noqa: ARG001 (none of them is there)
    """What a missing set finds."""
    return {}


@dataclass(frozen=True)
class Items:
    """The units that found room, and the JSON document that shows them; `crowded`: media in files would leave more."""

    units: tuple[ReportUnit, ...]
    json: str
    crowded: bool = False


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


@dataclass
class SharedTexts:
    """Texts of JSON that several items refer to by a short hash, each written once: prompts and sources of media."""

    prompts: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def beyond(self, other: SharedTexts) -> SharedTexts:
        """What is here and not there."""
        return SharedTexts(
            {key: text for key, text in self.prompts.items() if key not in other.prompts},
            {key: text for key, text in self.sources.items() if key not in other.sources},
        )

    def add(self, other: SharedTexts) -> None:
        self.prompts |= other.prompts
        self.sources |= other.sources

    @property
    def size(self) -> int:
        """Bytes that this adds to a document."""
        both = [*self.prompts.items(), *self.sources.items()]
        return sum(len(key) + len(text.encode()) + 4 for key, text in both)

    def json(self) -> str:
        prompts, sources = (
            ",".join(f'"{key}":{text}' for key, text in each.items()) for each in (self.prompts, self.sources)
        )
        return f'"prompts":{{{prompts}}},"sources":{{{sources}}}'


def encode_items(
    units: Iterable[ReportUnit],
    runs: Sequence[ReportRun],
    names: Sequence[str],
    stimuli: FindStimuli,
    source: FindSource,
    room: int,
) -> Items:
    """The items of the first units that fit into so many bytes, with the prompts and media that they share.

    A unit is there as a whole or not at all; where only its clips find no room, notes stand in their place. Units that
    do not fit are passed over only as long as none has fitted.
    """
    units = list(units)
    encoder = _Encoder(runs, stimuli, source)
    head = f'{{"runs":{script_json(list(names))},{script_json(_named(runs))[1:-1]},"units":['
    taken: list[ReportUnit] = []
    parts: list[str] = []
    shared = SharedTexts()
    used = len(head.encode()) + len("]," + shared.json() + "}")
    crowded = False
    for unit in encoder.in_turn(units):
        for clips in (True, False):
            part = script_json(encoder.unit(unit, clips=clips))
            new = encoder.shared.beyond(shared)
            size = len(part.encode()) + 1 + new.size
            if used + size <= room or not encoder.inline_clips:
                break
            crowded = True
        if used + size <= room:
            taken.append(unit)
            parts.append(part)
            shared.add(new)
            used += size
        elif taken:
            break
    crowded |= encoder.large or (len(taken) < len(units) and bool(shared.sources))
    return Items(tuple(taken), f"{head}{','.join(parts)}],{shared.json()}}}", crowded)


def _named(runs: Sequence[ReportRun]) -> dict[str, Json]:
    """What factors, families and answers are called for people."""
    presentation = runs[0].suite.presentation
    families = {name for run in runs for name in run.rows()["family"].unique()}
    return {
        "factors": [asdict(f) | {"title": shown_name(presentation.names, f.name)} for f in factors_of(runs)],
        "families": {name: presentation.names[name] for name in sorted(families & presentation.names.keys())},
        "answers": dict(presentation.answers),
    }


class _Encoder:
    """Makes units into JSON values; `shared` holds what the unit made last refers to."""

    def __init__(self, runs: Sequence[ReportRun], stimuli: FindStimuli, source: FindSource) -> None:
        self.suite: Suite = runs[0].suite
        self.find, self.source = stimuli, source
        self.outcomes = [(run.rows(), run.trials) for run in runs]
        self.rows: dict[str, list[OutcomeRow]] = {}
        self.stimuli: Mapping[str, Stimulus] = {}
        self.place: dict[str, int] = {}
        self.factors = [factor.name for factor in factors_of(runs)]
        self.variants = {name: index for index, name in enumerate(self.suite.presentation.variants)}
        self.wordings = Wordings(self.suite, [rows for rows, _ in self.outcomes])
        self.shared = SharedTexts()
        self.inline_clips = self.clips = self.large = False

    def in_turn(self, units: Sequence[ReportUnit]) -> Iterator[ReportUnit]:
        """The units one by one; what is needed of each is read before, together with that of some after it."""
        while units:
            some = first_units(units, _AT_A_TIME)
            self._read({name for unit in some for name in unit.stimuli})
            yield from some
            units = units[len(some) :]

    def _read(self, names: Collection[str]) -> None:
        self.rows = {}
        of_units = pl.col("stimulus").is_in(sorted(names))
        for index, (rows, trials) in enumerate(self.outcomes):
            for values in rows.filter(of_units).iter_rows(named=True):
                row = OutcomeRow(index, values, trials.get(values["trial"]))
                self.rows.setdefault(values["stimulus"], []).append(row)
        self.stimuli = self.find(names)
        self.place = {name: index for index, name in enumerate(self.stimuli)}

    def unit(self, unit: ReportUnit, *, clips: bool) -> Json:
        self.shared = SharedTexts()
        self.clips, self.inline_clips = clips, False
        ordered = sorted(unit.stimuli, key=self.order)
        mixed = len({self.rows[name][0].values["category"] for name in ordered}) > 1
        flags = [name for name in ("split", "failed", "wrong", "disagree") if getattr(unit, name)]
        return {
            "name": unit.name,
            "family": unit.family,
            "flags": flags,
            "items": [self.item(name, mixed=mixed) for name in ordered],
        } | ({"mixed": True} if mixed else {})

    def order(self, name: str) -> tuple[int, int]:
        """Items stand by their variants, in the order in which the suite names these, then as in the set."""
        variant = self.rows[name][0].values["variant"]
        return self.variants.get(variant, len(self.variants)), self.place.get(name, len(self.place))

    def item(self, name: str, *, mixed: bool = False) -> Json:
        """One item; of a `mixed` unit, whose items are of several categories, with its own."""
        rows = self.rows[name]
        stimulus = self.stimuli.get(name)
        first = rows[0].values
        item: dict[str, Json] = {"id": name, "variant": first["variant"]}
        if first["variant"] in self.suite.presentation.variants:
            item["title"] = self.suite.presentation.variants[first["variant"]]
        if mixed:
            item["category"] = shown_name(self.suite.presentation.names, first["category"])
        values = {factor: plain_value(first.get(factor)) for factor in self.factors}
        item["factors"] = {factor: value for factor, value in values.items() if value is not None}
        if stimulus is not None:
            shown = self.suite.presentation.facts(stimulus)
            names = self.suite.presentation.names
            facts = [[shown_name(names, key), _fact(truth), _fact(measured)] for key, truth, measured in shown]
            item["facts"] = [fact for fact in facts if fact[1:] != [None, None]]
        media = _media(stimulus, [row.trial for row in rows])
        item["media"] = [self.medium(each, stimulus) for each in media]
        item["own"] = len(stimulus.media) if stimulus is not None else len(media)
        if stimulus is None and not any(row.trial for row in rows):
            item["media"], item["own"] = [{"kind": "image", "what": "", "note": _NO_SET}], 1
        pictures = [medium for medium in item["media"][: item["own"]] if medium["kind"] == "image"]
        if pictures and (regions := regions_of(stimulus, rows[0].trial, self.suite.presentation.regions)):
            pictures[0]["regions"] = regions
        item["questions"], prompts = questions(rows, stimulus, media, self.wordings)
        self.shared.prompts |= {key: script_json(prompt) for key, prompt in prompts.items()}
        return item

    def medium(self, medium: Medium | Media, stimulus: Stimulus | None) -> dict[str, Json]:
        source = self.source_of(medium, stimulus)
        shown: dict[str, Json] = {"kind": medium.kind, "what": medium_words(medium)}
        if isinstance(medium, Medium):
            shown |= {"width": medium.width, "height": medium.height}
        if source.url is None:
            self.large |= source.large
            return shown | {"note": source.note}
        if medium.kind == "video" and source.inline:
            self.inline_clips = True
            if not self.clips:
                return shown | {"note": _NO_ROOM}
        self.shared.sources[source.key] = script_json(source.url)
        return shown | {"source": source.key}

    def source_of(self, medium: Medium | Media, stimulus: Stimulus | None) -> MediaSource:
        derived = isinstance(medium, Media) and derived_rule(medium.file) is not None
        source = self.source(medium.file, medium.kind, within=_THUMBNAIL if derived else None)
        if source.url is None:
            return source
        if stimulus is None:
            return MediaSource(None, note=_NO_SET)
        own = {each.file for each in stimulus.media}
        return MediaSource(None, note=_ANOTHER) if isinstance(medium, Media) and medium.file in own else source


def _media(stimulus: Stimulus | None, trials: Iterable[Trial | None]) -> list[Medium | Media]:
    """The stimulus's own media, then what else its trials were sent."""
    own: list[Medium | Media] = list(stimulus.media) if stimulus is not None else []
    shown = {(each.file, each.sha256) for each in own}
    parts = [part for trial in trials if trial for message in trial.messages for part in message.parts]
    for part in parts:
        if isinstance(part, Media) and (part.file, part.sha256) not in shown:
            shown.add((part.file, part.sha256))
            own.append(part)
    return own


def medium_words(medium: Medium | Media) -> str:
    """What a medium is, in words.

    >>> medium_words(Medium(file="a.mp4", kind="video", width=320, height=240, sha256="", frames=48, rate=24.0))
    'clip, 320 × 240 px, 48 frames, 24 frames/s'
    """
    if isinstance(medium, Media):
        return WORDS[medium.kind]
    facts = [WORDS[medium.kind], f"{medium.width} × {medium.height} px"]
    facts += [f"{medium.frames:,} frame{'s' if medium.frames > 1 else ''}"] if medium.frames is not None else []
    facts += [f"{medium.rate:g} frames/s"] if medium.rate is not None else []
    return ", ".join(facts)


def _fact(value: Json) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return f"{round(value, 4) + 0.0:.6g}" if isinstance(value, float) else canonical(value)
