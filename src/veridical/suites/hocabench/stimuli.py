"""Stimuli made from annotations: the clip of one anomaly, of several, of intervals to be found, and a real clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Any

from veridical.records import FactorTypes, Json, Medium, Stimulus
from veridical.suites.hocabench.taxonomy import SUB_TYPES

NAME = "hocabench"
FACTORS: FactorTypes = {
    "layer": str,
    "sub_type": str,
    "scene": str,
    "drawing": str,
    "camera": str,
    "anomalies": int,
    "event": float,
    "taken_from": str,
    "source_model": str,
    "theme": str,
    "scene_type": str,
}
"""The declared factors of the suite, with their types.

`layer` and `sub_type` are those of the anomaly, of a control those of the event that it is the control of. `scene` is
what hosts the event, `drawing` (the style) and `camera` how it is filmed, `anomalies` how many there are at a time or
one after the other, `event` when it begins, in seconds. `source_model`, `theme` and `scene_type` come with releases.
"""
PANELS, SEQUENCE, REAL, SEVERAL = "panels", "sequence", "real", "several"
VIOLATING, PLAUSIBLE = "violating", "plausible"
QUESTION = "Could what this clip shows happen in the real world?"
_SHORT = 60


@dataclass(frozen=True, kw_only=True)
class SourceClip:
    """A clip of others: its unit and index, where it is from, and its slices.

    `factors` may name `source_model`, `theme` and `scene_type`; `facts` are kept in the truth.
    """

    unit: str
    index: str
    taken_from: str
    factors: Mapping[str, str | None] = field(default_factory=dict)
    facts: Mapping[str, Json] = field(default_factory=dict)
    media: tuple[Medium, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """The descriptions of Task III in their order, the true one, and the sub-type of each where it is known."""

    texts: tuple[str, ...]
    true: str
    sub_types: tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True)
class Anomaly:
    """An annotated anomaly: its sub-type and the four-part reference answer; `interaction` as people judged it."""

    sub_type: str
    scene: str
    anomaly: str
    normal: str
    interaction: bool | None

    @property
    def reference(self) -> dict[str, Json]:
        """The four parts: scene, anomaly, attribution, and reasoning (law and normal course)."""
        layer = SUB_TYPES[self.sub_type].layer
        return {
            "scene": self.scene,
            "anomaly": self.anomaly,
            "attribution": layer.capitalize(),
            "reasoning": self.normal,
        }


Intervals = Sequence[tuple[float, float]]


def violating_clip(
    clip: SourceClip, anomaly: Anomaly, intervals: Intervals = (), options: TaskOptions | None = None
) -> Stimulus:
    """The stimulus of a clip with one anomaly.

    >>> odd = Anomaly(sub_type="gravity", scene="A mug.", anomaly="It rises.", normal="It falls.", interaction=True)
    >>> stimulus = violating_clip(SourceClip(unit="clip/1", index="1", taken_from="release"), odd, [(1.5, 4.0)])
    >>> stimulus.id, stimulus.label, stimulus.factors["layer"], stimulus.factors["event"]
    ('gravity/1/violating', 'No', 'causal', 1.5)
    """
    kind = SUB_TYPES[anomaly.sub_type]
    factors = {"layer": kind.layer, "sub_type": kind.name, "scene": shorten(anomaly.scene, _SHORT, placeholder="…")}
    truth: dict[str, Json] = {"reference": anomaly.reference, "interaction": anomaly.interaction}
    truth |= {
        "options": None if options is None else list(options.texts),
        "option": None if options is None else options.true,
        "option_sub_types": None if options is None else list(options.sub_types),
    }
    return _stimulus(clip, kind.name, kind.domain, VIOLATING, "No", (kind.name,), intervals, factors, truth)


def panels(clip: SourceClip, sub_types: Sequence[str], intervals: Intervals = ()) -> Stimulus:
    """The stimulus of a clip with several anomalies, whose label is their sorted list.

    >>> panels(SourceClip(unit="clip/2", index="2", taken_from="release"), ["gravity", "collision"]).label
    'collision,gravity'
    """
    names = tuple(sorted(set(sub_types)))
    return _stimulus(clip, PANELS, SEVERAL, PANELS, ",".join(names), names, intervals, {}, {})


def sequence(clip: SourceClip, sub_types: Sequence[str], intervals: Intervals, question: str | None = None) -> Stimulus:
    """The stimulus of a clip whose anomalous intervals, in seconds, are to be found; it has no label.

    A `question` is that of the release about these intervals.
    """
    names = tuple(sorted(set(sub_types)))
    extra = {"asked": question} if question else {}
    return _stimulus(clip, SEQUENCE, SEVERAL, SEQUENCE, None, names, intervals, {}, extra)


def real(clip: SourceClip, scene: str | None = None) -> Stimulus:
    """The stimulus of a real clip, which is plausible.

    >>> stimulus = real(SourceClip(unit="real/7", index="7", taken_from="release"))
    >>> stimulus.id, stimulus.label, stimulus.truth["plausible"]
    ('real/7/plausible', 'Yes', True)
    """
    factors = {"scene": shorten(scene, _SHORT, placeholder="…")} if scene else {}
    facts = {"description": scene} if scene else {}
    return _stimulus(clip, REAL, REAL, PLAUSIBLE, "Yes", (), (), factors, facts)


def _stimulus(
    clip: SourceClip,
    family: str,
    category: str,
    variant: str,
    label: str | None,
    sub_types: Sequence[str],
    intervals: Intervals,
    factors: Mapping[str, Any],
    truth: Mapping[str, Json],
) -> Stimulus:
    ordered = sorted([float(start), float(end)] for start, end in intervals)
    own = {"event": ordered[0][0] if ordered else None, "anomalies": len(sub_types), "taken_from": clip.taken_from}
    return Stimulus(
        id=f"{family}/{clip.index}/{variant}",
        suite=NAME,
        family=family,
        unit=clip.unit,
        variant=variant,
        category=category,
        question=QUESTION,
        label=label,
        seed=0,
        media=clip.media,
        factors={**dict.fromkeys(FACTORS), **own, **clip.factors, **factors},
        truth={
            "plausible": variant == PLAUSIBLE,
            "sub_types": list(sub_types),
            "intervals": ordered,
            **truth,
            **clip.facts,
        },
    )
