"""What stands beside a clip: what is wrong in it and when, the reference answer, and the options of Task III."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from veridical.records import Json, Stimulus
from veridical.suites.hocabench.asking.attribution import RULES, attribution_of, differs
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

Fact = tuple[str, Json, Json]


def facts(stimulus: Stimulus) -> Sequence[Fact]:
    """The anomalies with their place in the taxonomy, their seconds, causes, reference answers and options.

    Text of releases is shown as it is.
    """
    truth = stimulus.truth
    rows: list[Fact] = [("anomaly", _titles(truth.get("sub_types") or []) if _is_odd(stimulus) else "none", None)]
    if stimulus.category in DOMAINS:
        domain = DOMAINS[stimulus.category]
        rows.append(("domain", f"{domain.title}, {domain.layer}", None))
    sub_type = stimulus.factors.get("sub_type")
    if sub_type in SUB_TYPES and _is_odd(stimulus):
        rows.append(("law that is broken", SUB_TYPES[sub_type].law, None))
    if _is_odd(stimulus) and truth.get("reference") and differs(stimulus):
        labels = ", ".join(f"{attribution_of(stimulus, rule)} by {rule}" for rule in RULES)
        rows.append(("the rules of attribution differ", labels, None))
    if truth.get("intervals"):
        rows.append(("seconds", "; ".join(f"{start:.2f} to {end:.2f}" for start, end in truth["intervals"]), None))
    rows += [("cause that is seen", truth["explained_by"], None)] if truth.get("explained_by") else []
    rows += [("description", truth["description"], None)] if truth.get("description") else []
    reference = truth.get("reference") or {}
    parts = [part for part in ("scene", "anomaly", "attribution", "reasoning") if reference.get(part)]
    rows += [(f"reference, {part}", reference[part], None) for part in parts]
    return [*rows, *_options(truth), *_origin(stimulus)]


def _is_odd(stimulus: Stimulus) -> bool:
    return not stimulus.truth.get("plausible", False)


def _titles(names: Sequence[str]) -> str:
    return ", ".join(SUB_TYPES[name].title.lower() if name in SUB_TYPES else name for name in names)


def _options(truth: Mapping[str, Any]) -> list[Fact]:
    """The descriptions by letter, each with the sub-type that it claims, where that is known."""
    texts = truth.get("options") or []
    kinds = truth.get("option_sub_types") or [None] * len(texts)
    rows: list[Fact] = []
    for letter, text, kind in zip(ascii_uppercase, texts, kinds, strict=False):
        words = ["true"] if text == truth.get("option") else []
        words += [_titles([kind])] if kind else []
        rows.append((f"{letter}. {text}", ", ".join(words) or "distractor", None))
    return rows


def _origin(stimulus: Stimulus) -> list[Fact]:
    return [
        (name, stimulus.factors[name], None)
        for name in ("source_model", "theme", "scene_type")
        if stimulus.factors.get(name)
    ]
