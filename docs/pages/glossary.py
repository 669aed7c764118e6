"""The glossary: general terms, and every measure of every registered suite."""

from __future__ import annotations

import tomllib
from pathlib import Path

from docs.pages.words import code, page, plain
from veridical.suite import registry

TERMS = Path(__file__).with_name("terms.toml")


def terms() -> dict[str, str]:
    """The general terms, each with what it means in Markdown."""
    return dict(tomllib.loads(TERMS.read_text(encoding="utf-8")))


def glossary_pages() -> dict[str, str]:
    """The page of the glossary, by path; what a term says stands before the measure of the same name."""
    found, measures = terms(), _measures()
    entries = {name: " ".join([found.get(name, ""), *measures.get(name, [])]) for name in {**found, **measures}}
    text = "\n\n".join(f"{plain(name)}\n  {entries[name].strip()}" for name in sorted(entries, key=_key))
    return {
        "glossary.md": page(
            "# Glossary",
            "Terms of the field as this library uses them, and each figure that a registered suite reports.",
            f"```{{glossary}}\n{text}\n```",
        )
    }


def _key(name: str) -> tuple[str, str]:
    return name.casefold(), name


def _measures() -> dict[str, list[str]]:
    """What each suite says of the measure of a title."""
    found: dict[str, list[str]] = {}
    for suite in registry.all_suites(whole=True):
        for measure in suite.analysis.measures.values():
            formula = f" {code(measure.formula)}." if measure.formula else ""
            text = f"{plain(measure.definition)}{formula} Figure of [{plain(suite.name)}](suites/{suite.name}.md)."
            found.setdefault(measure.title, []).append(text)
    return found
