"""What a stimulus set holds, counted: factors, answers, texts, pictures, and what file sizes give away."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from veridical.base.files import write_whole
from veridical.records import Json, Stimulus
from veridical.stimulus_set.card import card
from veridical.stimulus_set.read import StimulusSet

_FACTORS = ("category", "family", "variant", "alpha", "congruent", "side")
_SAMPLES = 1000
_OTHER = {"1": "0", "0": "1"}


def describe(whole: StimulusSet) -> dict[str, Json]:
    """The description of a set, as plain JSON.

    `factors` counts stimuli by level; `answers` gives how often each answer is right per polarity, with the `chance`
    rate of an even guess among the answers that occur and the `majority` rate of always giving the most frequent one;
    `words` and `bytes` have smallest, median and largest; `png_size_auc` is the chance that within a unit a perturbed
    picture has the larger file than the original, with its 95 % interval over units (0.5: sizes give nothing away,
    `None` without both); `changed_share` is the largest part of a canvas in which original and perturbed may differ,
    by family, and `min_side` counts stimuli whose change is safe only down to a side above 224 px.
    """
    stimuli = whole.stimuli
    frame = pl.DataFrame([{name: _level(getattr(s, name)) for name in _FACTORS} for s in stimuli])
    sizes = {s.id: sum((whole.folder / name).stat().st_size for name in s.media) for s in stimuli}
    return {
        "stimuli": len(stimuli),
        "units": len({s.unit for s in stimuli}),
        "factors": {name: _counted(frame[name].to_list()) for name in _FACTORS},
        "answers": _answers(stimuli),
        "words": {
            "forward": _spread([len(s.question.split()) for s in stimuli]),
            "reversed": _spread([len(s.question_reversed.split()) for s in stimuli if s.question_reversed]),
        },
        "pictures": _counted([f"{s.width}x{s.height}" for s in stimuli]),
        "bytes": _spread(list(sizes.values())),
        "png_size_auc": size_auc(stimuli, sizes),
        "changed_share": _changed_share(stimuli),
        "min_side": _counted([str(s.truth["min_side"]) for s in stimuli if s.truth.get("min_side")]),
    }


def write_card(whole: StimulusSet, facts: Mapping[str, Json], title: str) -> None:
    """Writes the data set card of a set anew, with its description."""
    write_whole(whole.folder / "README.md", card(whole.manifest, title, lines(facts)).encode())


def lines(facts: Mapping[str, Json]) -> list[str]:
    """A description as Markdown lines, for a terminal and for the card."""
    told = [f"{facts['stimuli']:,} stimuli from {facts['units']:,} base items.", ""]
    for name, counts in facts["factors"].items():
        told.append(f"- {name}: " + ", ".join(f"{level} {count:,}" for level, count in counts.items()))
    for polarity, found in facts["answers"].items():
        told.append(
            f"- answers, {polarity}: {', '.join(f'{a} {n:,}' for a, n in found['counts'].items())}; "
            f"chance {found['chance']:.1%}, majority {found['majority']:.1%}"
        )
    for polarity, spread in facts["words"].items():
        if spread:
            told.append(f"- words, {polarity}: {_told(spread)}")
    told.append("- pictures: " + ", ".join(f"{size} {count:,}" for size, count in facts["pictures"].items()))
    told.append(f"- bytes: {_told(facts['bytes'])}")
    auc = facts["png_size_auc"]
    if auc:
        told.append(f"- AUC of PNG size alone, O against P: {auc['value']:.3f} [{auc['low']:.3f}, {auc['high']:.3f}]")
    wide = {name: share for name, share in facts["changed_share"].items() if share > 0.5}
    told.append(
        "- O and P may differ in more than half of the canvas: "
        + (", ".join(f"{name} {share:.0%}" for name, share in wide.items()) or "nowhere")
    )
    small = sum(facts["min_side"].values())
    told.append(f"- not safe down to 224 px, with a `min_side` of their own: {small:,}")
    return told


def size_auc(stimuli: Sequence[Stimulus], sizes: Mapping[str, int]) -> dict[str, float] | None:
    """The chance that, within a unit, a picture of variant P has a larger file than its O, ties counting half."""
    originals = {s.unit: sizes[s.id] for s in stimuli if s.variant == "O"}
    units: dict[str, list[float]] = {}
    for s in stimuli:
        if s.variant == "P" and s.unit in originals:
            units.setdefault(s.unit, []).append(0.5 + 0.5 * float(np.sign(sizes[s.id] - originals[s.unit])))
    if not units:
        return None
    means = np.array([np.mean(values) for values in units.values()])
    picks = np.random.default_rng(0).integers(len(means), size=(_SAMPLES, len(means)))
    low, high = np.quantile(means[picks].mean(1), [0.025, 0.975])
    return {"value": float(means.mean()), "low": float(low), "high": float(high), "units": len(means)}


def _answers(stimuli: Sequence[Stimulus]) -> dict[str, Json]:
    """Right answers by kind of question; answers that stand for choice in one question are one group."""
    groups: dict[str, dict[str, list[str]]] = {"forward": {}, "reversed": {}, "comparison": {}}
    for s in stimuli:
        if s.label is not None:
            groups["forward"].setdefault("", []).append(s.label)
            if s.question_reversed and s.label in _OTHER:
                groups["reversed"].setdefault("", []).append(_OTHER[s.label])
        comparison = s.truth.get("comparison")
        if comparison and comparison["answer"]:
            groups["comparison"].setdefault(" ".join(sorted(comparison["options"])), []).append(comparison["answer"])
    return {kind: _balance(list(found.values())) for kind, found in groups.items() if found}


def _balance(groups: Sequence[Sequence[str]]) -> dict[str, Json]:
    total = sum(map(len, groups))
    counted = [_counted(group) for group in groups]
    return {
        "counts": _counted([answer for group in groups for answer in group]),
        "chance": sum(len(group) / max(len(counts), 2) for group, counts in zip(groups, counted, strict=True)) / total,
        "majority": sum(max(counts.values()) for counts in counted) / total,
    }


def _changed_share(stimuli: Sequence[Stimulus]) -> dict[str, float]:
    """The largest share of the canvas inside the changed regions, by family; boxes may overlap."""
    shares: dict[str, float] = {}
    for s in stimuli:
        regions = s.truth.get("regions")
        if regions and s.variant in ("O", "P"):
            inside = np.zeros((s.height, s.width), bool)
            for x0, y0, x1, y1 in regions:
                inside[y0:y1, x0:x1] = True
            shares[s.family] = max(shares.get(s.family, 0.0), float(inside.mean()))
    return shares


def _level(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, float):
        return f"{value:+g}" if value else "0"
    return {None: "none", True: "yes", False: "no"}.get(value, str(value))


def _counted(levels: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for level in levels:
        counts[level] = counts.get(level, 0) + 1
    try:
        return dict(sorted(counts.items(), key=lambda item: math.inf if item[0] == "none" else float(item[0])))
    except ValueError:
        return counts


def _spread(values: Sequence[int]) -> list[float] | None:
    return [min(values), float(np.median(values)), max(values)] if values else None


def _told(spread: Sequence[float]) -> str:
    return f"{spread[0]:,.0f} to {spread[2]:,.0f}, median {spread[1]:,.0f}"
