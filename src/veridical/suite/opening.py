"""What a report says first: a row for each model, and below it what its verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from veridical.records import Counts, Estimate

Tone = Literal["good", "bad", "open"]
"""What a verdict says of a model: it does what is asked of it, it fails, or neither is shown."""


@dataclass(frozen=True)
class ChartCurve:
    """A curve of a small chart: its name, and its points, an x and an estimate each.

    `pieces` are not joined to each other; a piece of one point is a mark of its own.
    """

    name: str
    pieces: tuple[tuple[tuple[float, Estimate], ...], ...]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A small chart of one model: what it shows, its curves, all of one unit, and what its x axis says at its ends."""

    title: str
    curves: tuple[ChartCurve, ...]
    ends: tuple[str, str]


@dataclass(frozen=True)
class FoldedRuns:
    """Parts of a run with one verdict that a page names in a line, instead of a row each: why, and which they are."""

    verdict: str
    line: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """A verdict on a run, or on a part of it, and what it rests on.

    `weights` are those of rival explanations, by their keys in `Opening.weights`; they add up to 1. `parameters` are
    those of the explanation that the verdict names, in words. `parts` has a row for each part of the run that has a
    verdict of its own, `folded` the others.
    """

    about: str
    verdict: str
    tone: Tone = "open"
    weights: Mapping[str, float] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Reasons, ...] = ()
    folded: tuple[FoldedRuns, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a run says of its model, on the first screen of a report.

    `verdict` is its name, `sentence` what that means in plain words, `sure` how sure it is, `basis` how much was asked.
    `rates` stand in the order of `Opening.rates`, each with how much it is of; `counts` are of all trials. `needs` says
    what would decide what is open.
    """

    model: str
    verdict: str
    sentence: str
    sure: str
    tone: Tone
    basis: str
    counts: Counts
    rates: tuple[tuple[Estimate | None, str], ...] = ()
    chart: Chart | None = None
    needs: tuple[str, ...] = ()
    reasons: tuple[Reasons, ...] = ()


@dataclass(frozen=True)
class Opening:
    """What a report says first: a title, lines of text, and a finding for each model.

    `rates` are the heads of the findings' rates: what each is called, and what that means in a few words. `weights`
    names the rival explanations, in the order in which they are drawn. `in_place_of` names tables and figures of the
    suite that a page leaves out, since the findings say the same.
    """

    title: str
    lines: tuple[str, ...] = ()
    rates: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    weights: Mapping[str, str] = field(default_factory=dict)
    in_place_of: tuple[str, ...] = ()
