"""What a set of VI-Probe holds beyond what any set holds: balance, texts, and what file sizes and whole
pictures give away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from veridical.media.decode import decode_picture
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.describe import level_counts, spread, spread_words
from veridical.suite.shortcuts import OF_A_PICTURE, STATISTICS, Values, separation, statistics
from veridical.suites.viprobe.illusions.case import Case, Context
from veridical.suites.viprobe.illusions.drawing import Drawing

_SAMPLES = 1000
_OTHER = {"1": "0", "0": "1"}


def describe(whole: StimulusSet) -> tuple[Mapping[str, Json], Sequence[str]]:
    """The facts of a set by name, and the same in Markdown lines.

    `answers` gives how often each answer is right per polarity, with the `chance` rate of an even guess among the
    answers that occur and the `majority` rate of always giving the most frequent one; `words_reversed` has smallest,
    median and largest length of reversed questions; `strengths` has the strengths of perturbed pictures by family;
    `png_size_auc` is the chance that within a unit a perturbed picture has the larger file than the original, with its
    95 % interval over units (0.5: sizes give nothing away, `None` without both); `changed_share` is the largest part of
    a canvas in which original and perturbed may differ, by family, `min_side` counts stimuli whose change is safe only
    down to a side above 224 px, and `whole_picture` has by family what statistics of the whole picture give away (see
    `whole_picture`), for families with enough units.
    """
    stimuli = whole.stimuli
    sizes = {s.id: sum((whole.folder / medium.file).stat().st_size for medium in s.media) for s in stimuli}
    reversed_ = [str(s.truth["question_reversed"]) for s in stimuli if s.truth.get("question_reversed")]
    facts: dict[str, Json] = {
        "answers": _answers(stimuli),
        "words_reversed": spread([len(text.split()) for text in reversed_]),
        "strengths": _strengths(stimuli),
        "png_size_auc": size_auc(stimuli, sizes),
        "changed_share": _changed_share(stimuli),
        "min_side": level_counts([str(s.truth["min_side"]) for s in stimuli if s.truth.get("min_side")]),
        "whole_picture": _whole_pictures(whole),
    }
    return facts, _lines(facts)


def _lines(facts: Mapping[str, Json]) -> list[str]:
    lines = [
        f"- answers, {polarity}: {', '.join(f'{a} {n:,}' for a, n in balance['counts'].items())}; "
        f"chance {balance['chance']:.1%}, majority {balance['majority']:.1%}"
        for polarity, balance in facts["answers"].items()
        if polarity != "forward"  # the general description has labels and their balance
    ]
    if facts["words_reversed"]:
        lines.append(f"- words, reversed question: {spread_words(facts['words_reversed'])}")
    lines += _strength_lines(facts["strengths"])
    auc = facts["png_size_auc"]
    if auc:
        lines.append(f"- AUC of PNG size alone, O against P: {auc['value']:.3f} [{auc['low']:.3f}, {auc['high']:.3f}]")
    wide = {name: share for name, share in facts["changed_share"].items() if share > 0.5}
    lines.append(
        "- O and P may differ in more than half of the canvas: "
        + (", ".join(f"{name} {share:.0%}" for name, share in wide.items()) or "nowhere")
    )
    lines.append(f"- not safe down to 224 px, with a `min_side` of their own: {sum(facts['min_side'].values()):,}")
    return lines + whole_picture_lines(facts["whole_picture"])


def _strengths(stimuli: Sequence[Stimulus]) -> dict[str, list[float]]:
    by_family: dict[str, set[float]] = {}
    for s in stimuli:
        if alpha := s.factors.get("alpha"):
            by_family.setdefault(s.family, set()).add(float(alpha))
    return {family: sorted(alphas) for family, alphas in by_family.items()}


def _strength_lines(strengths: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """A line for each set of strengths, the one that most cases have first."""
    grids: dict[tuple[float, ...], list[str]] = {}
    for family, alphas in strengths.items():
        grids.setdefault(tuple(alphas), []).append(family)
    for alphas, families in sorted(grids.items(), key=lambda each: -len(each[1])):
        text = ", ".join(f"{alpha:+g}" for alpha in alphas)
        yield f"- strengths {text}: {len(families)} cases ({', '.join(families)})"


def _whole_pictures(whole: StimulusSet) -> dict[str, Json]:
    """By family the separation of each statistic; families with too few units are left out."""
    families: dict[str, list[Stimulus]] = {}
    for s in whole.stimuli:
        if not s.truth.get("imported"):
            families.setdefault(s.family, []).append(s)
    by_family = {}
    for family, stimuli in families.items():
        values: dict[str, list[Values]] = {}
        if len({s.unit for s in stimuli if s.variant == "OC"}) >= LEAST_UNITS:
            for s in sample_of_case(stimuli):
                pixels = decode_picture(whole.read(s.media[0].file), s.media[0].file)
                values.setdefault(s.variant, []).append(statistics(pixels))
        if (separated := separations(values)) is not None:
            by_family[family] = separated
    return by_family


def whole_picture_lines(by_family: Mapping[str, Json]) -> list[str]:
    """A table with the worst statistic of each case on either side, after a line that says what it shows."""
    if not by_family:
        return [
            f"- what whole pictures give away is told of cases with {LEAST_UNITS} units or more, figures and controls"
        ]
    many = sum(bool(breaches(separated)) for separated in by_family.values())
    told_of = (
        f"- what whole pictures give away (AUC of O against P; more than {ALLOWED:.2f} above the control's would be a "
        f"shortcut): {many} of {len(by_family)} cases have one"
    )
    lines = [
        told_of,
        "",
        "| case | most in the figure | figure | control | most in the control | figure | control |",
        "|---|---|--:|--:|---|--:|--:|",
    ]
    for family, separated in by_family.items():
        worst, easiest = (
            max(separated, key=lambda name: _gain(separated[name])),
            min(separated, key=lambda name: _gain(separated[name])),
        )
        cells = [
            cell
            for name in (worst, easiest)
            for cell in (name, f"{separated[name]['figure']:.2f}", f"{separated[name]['control']:.2f}")
        ]
        lines.append(f"| {family} | {' | '.join(cells)} |")
    return lines


def _gain(separation: Mapping[str, float]) -> float:
    return separation["figure"] - separation["control"]


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
            if s.truth.get("question_reversed") and s.label in _OTHER:
                groups["reversed"].setdefault("", []).append(_OTHER[s.label])
        comparison = s.truth.get("comparison")
        if comparison and comparison["answer"]:
            groups["comparison"].setdefault(" ".join(sorted(comparison["options"])), []).append(comparison["answer"])
    return {kind: _balance(list(counts.values())) for kind, counts in groups.items() if counts}


def _balance(groups: Sequence[Sequence[str]]) -> dict[str, Json]:
    total = sum(map(len, groups))
    counts_of = [level_counts(group) for group in groups]
    chances = [len(group) / max(len(counts), 2) for group, counts in zip(groups, counts_of, strict=True)]
    return {
        "counts": level_counts([answer for group in groups for answer in group]),
        "chance": sum(chances) / total,
        "majority": sum(max(counts.values()) for counts in counts_of) / total,
    }


def _changed_share(stimuli: Sequence[Stimulus]) -> dict[str, float]:
    """The largest share of the canvas inside the changed regions, by family; boxes may overlap."""
    shares: dict[str, float] = {}
    for s in stimuli:
        regions = s.truth.get("regions")
        if regions and s.variant in ("O", "P"):
            inside = np.zeros((s.media[0].height, s.media[0].width), bool)
            for x0, y0, x1, y1 in regions:
                inside[y0:y1, x0:x1] = True
            shares[s.family] = max(shares.get(s.family, 0.0), float(inside.mean()))
    return shares


ALLOWED = 0.1
"""By how much a statistic's AUC in the figure may exceed that in the control."""
LEAST_UNITS, MOST_UNITS, _MOST_STRENGTHS = 10, 20, 4
_TYPES: Mapping[str, tuple[Context, bool]] = {
    "O": ("figure", False),
    "P": ("figure", True),
    "OC": ("control", False),
    "PC": ("control", True),
}
_STRENGTHS = (-1.0, -0.5, 0.5, 1.0)


def separations(by_type: Mapping[str, Sequence[Values]]) -> dict[str, dict[str, float]] | None:
    """By statistic its separation in `figure` and `control`, from the statistics of pictures by type (O, P, OC, PC).

    `None` where a type has fewer than `LEAST_UNITS` pictures.
    """
    if any(len(by_type.get(name, ())) < LEAST_UNITS for name in _TYPES):
        return None
    held = {name: np.array(by_type[name]) for name in _TYPES}
    return {
        statistic: {
            "figure": separation(held["O"][:, place], held["P"][:, place]),
            "control": separation(held["OC"][:, place], held["PC"][:, place]),
        }
        for place, statistic in enumerate(STATISTICS)
    }


def sample_of_case(stimuli: Sequence[Stimulus]) -> list[Stimulus]:
    """The pictures of one case that are looked at: of at most 20 units, and at most four strengths, evenly chosen."""
    units = set(list(dict.fromkeys(s.unit for s in stimuli))[:MOST_UNITS])
    strengths = sorted({s.factors["alpha"] for s in stimuli if s.variant in ("P", "PC")})
    picks = np.linspace(0, len(strengths) - 1, min(_MOST_STRENGTHS, len(strengths))).round().astype(int)
    kept = {0.0, *(strengths[place] for place in picks)}
    return [s for s in stimuli if s.variant in _TYPES and s.unit in units and s.factors["alpha"] in kept]


def drawn_separations(case: Case, *, units: int, seed: int) -> dict[str, dict[str, float]] | None:
    """The separations of a case's freshly drawn pictures, at four strengths and 256 px or the least that it needs."""
    by_type: dict[str, list[Values]] = {}
    for unit in range(units):
        drawing = Drawing(case, case.base(max(256, case.smallest_size), seed, unit))
        for alpha in (0.0, *_STRENGTHS):
            for variant, (context, changed) in _TYPES.items():
                if changed == (alpha != 0):
                    by_type.setdefault(variant, []).append(statistics(drawing.pixels(context, alpha)))
    return separations(by_type)


def breaches(separation: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The statistics that give the answer away more in the figure than in the control, beyond what is allowed.

    A difference between halves is one only where no statistic of the control tells as much.

    >>> breaches({"inked": {"figure": 0.8, "control": 0.65}, "mean": {"figure": 0.55, "control": 0.9}})
    ['inked']
    """
    most = max(each["control"] for each in separation.values())
    return [
        name
        for name, each in separation.items()
        if each["figure"] > each["control"] + ALLOWED and (name in OF_A_PICTURE or each["figure"] > most)
    ]
