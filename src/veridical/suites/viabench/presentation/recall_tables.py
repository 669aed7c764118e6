"""VIA-Bench's tables of recall: leanings, what is usual, written names; the worst of a unit; length of replies."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.suite.results import Result, find, slice_values
from veridical.suite.tables import TRIALS, UNITS, CompanionColumn, RowHead, TableSpec
from veridical.suites.viabench.analysis.leanings import STATED
from veridical.suites.viabench.analysis.reasoning import TOKENS
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.puzzles import PUZZLES

ITEMS: tuple[RowHead, ...] = (
    (("all",), {}),
    *(((title,), {"category": category}) for category, title in CATEGORIES.items()),
)
"""Rows of all items and of each category."""

leanings = TableSpec(
    name="viabench-leanings",
    title="How errors lean",
    note="Pull of the usual: accuracy where the usual answer is right − where it is wrong. Recall rate: that answer "
    "on unusual pictures where it is wrong; of the sure: without replies of 'Not Sure' or none. Beyond guessing: − any "
    "one other wrong option there. d-prime and criterion: anomalies against their normal versions.",
    about=("Items",),
    rows=lambda _: ITEMS,
    columns={
        "Pull of the usual": "pull of the usual",
        "Recall rate": "recall rate",
        "Of the sure": ("recall rate", {"of": "decided"}),
        "Beyond guessing": "recall beyond guessing",
        "Cost of the unusual": "cost of the unusual",
        "Not sure": "not sure",
        "Overconfidence": "overconfidence",
        "d-prime": "d_prime",
        "Criterion": "criterion",
        "Yes bias": "polarity bias",
    },
)
priors = TableSpec(
    name="viabench-priors",
    title="Is the usual answer known?",
    note="Knows: without a picture, the usual answer is given. What is not known cannot be recalled; so recall is also "
    "given over the units whose usual answer the model states (if stated).",
    about=("Items",),
    rows=lambda result: (row for row in ITEMS if find(result, "knows the usual", row[1])),
    columns={
        "Knows the usual": "knows the usual",
        "Recall rate": "recall rate",
        "If stated": ("recall rate", STATED),
        "Pull": "pull of the usual",
        "Pull, if stated": ("pull of the usual", STATED),
        "Beyond guessing, if stated": ("recall beyond guessing", STATED),
        "Units": UNITS,
    },
)
whole_units = TableSpec(
    name="viabench-whole-units",
    title="Worst case over a unit",
    note="Units of which every picture is answered right, in every repeat, beside the accuracy over pictures.",
    about=("Items",),
    rows=lambda _: ITEMS,
    columns={"All right": "all right", "Accuracy": "accuracy", "Units": UNITS},
)
tokens = TableSpec(
    name="viabench-tokens",
    title="By length of the reply",
    note="By output tokens, thinking included, as the provider counts them. A correlation, not a cause: a model may "
    "think longer about what is hard.",
    about=("Tokens",),
    rows=lambda _: (((name,), {"tokens": name}) for name in TOKENS),
    columns={"Accuracy": "accuracy by tokens", "Recall rate": "recall by tokens", "Trials": TRIALS},
)
names = TableSpec(
    name="viabench-names",
    title="Does a written name mislead?",
    note="Cost: accuracy on familiar things above a blank strip − on the same pictures above their name; p by a "
    "sign-flip test by unit, Holm over puzzles and over kinds of pictures.",
    about=("Pictures",),
    rows=lambda result: (
        (label, where) for label, where in _familiar(result) if find(result, "cost of the name", where)
    ),
    columns={
        "Cost of the name": "cost of the name",
        "Units": UNITS,
        "p": CompanionColumn("p", 0),
        "Blank": ("accuracy", {"name_written": False}),
        "Named": ("accuracy", {"name_written": True}),
    },
)


def _familiar(result: Result) -> Iterator[RowHead]:
    """Rows of all pictures, of each variant, and of each puzzle."""
    yield from ((("all",), {}), (("unusual",), {"variant": "unusual"}), (("ordinary",), {"variant": "ordinary"}))
    yield from (
        ((PUZZLES[str(family)].title,), {"family": family})
        for family in slice_values(result, "family")
        if family in PUZZLES
    )
