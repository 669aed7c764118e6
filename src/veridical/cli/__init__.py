"""The command line: verbs over the same functions that Python has."""

from __future__ import annotations

from typing import NoReturn

from veridical.cli import (
    analysis,
    board,
    data,
    evaluation,
    examples,
    exports,
    listing,
    people,
    people_studies,
    run_commands,
    sets,
    whitebox,
    whitebox_places,
    whitebox_saliency,
)
from veridical.cli.common import app, run_and_exit

__all__ = [
    "analysis",
    "app",
    "board",
    "data",
    "evaluation",
    "examples",
    "exports",
    "listing",
    "main",
    "people",
    "people_studies",
    "run_commands",
    "sets",
    "whitebox",
    "whitebox_places",
    "whitebox_saliency",
]


def main() -> NoReturn:
    """Runs the command line; a user's mistake ends in one line and exit code 2, an incomplete run in exit code 1."""
    run_and_exit(app, "veridical")
