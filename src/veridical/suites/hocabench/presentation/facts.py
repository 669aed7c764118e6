"""What stands beside a clip: what is wrong in it and when, the reference answer, and the options of Task III."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from veridical.records import Json, Stimulus
from veridical.suites.hocabench.asking.attribution import RULES, attribution_of, differs
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """The anomalies with their place in the taxonomy, their seconds, causes, reference answers and options.

    Text of releases is shown as it is.
    """
    truth, factors = stimulus.truth, stimulus.factors
    odd = not truth.get("plausible", False)
    domain = DOMAINS.get(stimulus.category)
    law = SUB_TYPES[factors["sub_type"]].law if odd and factors.get("sub_type") in SUB_TYPES else None
    reference = truth.get("reference") or {}
    unlike = odd and reference and differs(stimulus)
    labels = [f"{attribution_of(stimulus, rule)} by {rule}" for rule in RULES] if unlike else []
    rows: list[tuple[str, Json]] = [
        ("anomaly", _titles(truth.get("sub_types") or []) if odd else "none"),
        ("domain", domain and f"{domain.title}, {domain.layer}"),
        ("law that is broken", law),
        ("the rules of attribution differ", ", ".join(labels)),
        ("seconds", "; ".join(f"{start:.2f} to {end:.2f}" for start, end in truth.get("intervals") or [])),
        ("cause that is seen", truth.get("explained_by")),
        ("description", truth.get("description")),
        *((f"reference, {part}", reference.get(part)) for part in ("scene", "anomaly", "attribution", "reasoning")),
        *_options(truth),
        *((name, factors.get(name)) for name in ("source_model", "theme", "scene_type")),
    ]
    return [(name, value, None) for name, value in rows if value or name == "anomaly"]


def _titles(names: Sequence[str]) -> str:
    return ", ".join(SUB_TYPES[name].title.lower() if name in SUB_TYPES else name for name in names)


def _options(truth: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The descriptions by letter, each with the sub-type that it claims, where that is known."""
    texts = truth.get("options") or []
    kinds = truth.get("option_sub_types") or [None] * len(texts)
    for letter, text, kind in zip(ascii_uppercase, texts, kinds, strict=False):
        words = ["true"] if text == truth.get("option") else []
        words += [_titles([kind])] if kind else []
        yield f"{letter}. {text}", ", ".join(words) or "distractor"
