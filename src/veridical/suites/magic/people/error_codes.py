"""The errors of failed replies as people code them: one row per failure, and how often each pattern occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import polars as pl

from veridical.errors import InputError
from veridical.records import Estimate, Estimates, Json
from veridical.suite.rates import Slice
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.people.sheets import (
    STRATA,
    answered,
    counts_of,
    drawn,
    filled,
    read_key,
    write_sheet,
    yes_or_no,
)
from veridical.suites.magic.people.step_labels import kappa_of
from veridical.suites.magic.steps import PATTERNS
from veridical.suites.magic.stimuli import NAME

OTHER = "other"
CODES = (*PATTERNS, OTHER)
COLUMNS = ("item", "picture", "question", "truth", "reasoning", "said", "person", *CODES, "note")
SAMPLED = 100
"""How many failures the paper looks at (section 5.3)."""


def write_errors(
    runs: Sequence[Path], out: Path, *, count: int | None = SAMPLED, seed: int = 0
) -> tuple[int, int, Path]:
    """Writes a sample of replies whose answer is wrong; returns how many, of how many, and the place of the key.

    They are in random order and spread evenly over models and types of questions. People see the picture's file, the
    question, what is right, and the reply, and not whose it is. Raises `InputError` where no answer is wrong.
    """
    wrong = answered(runs).filter(pl.col("gold").is_not_null() & (pl.col("right") == 0))
    if wrong.is_empty():
        raise InputError(f"{', '.join(map(str, runs))}: no answer is wrong, so there is no failure to code")
    sampled = drawn(wrong, count, seed, STRATA)
    rows = []
    for place, reply in enumerate(sampled.iter_rows(named=True), start=1):
        said, steps = parts_of(reply["answer"])
        reasoning = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
        rows.append({**reply, "item": f"f{place:03}", "reasoning": reasoning, "said": said})
    _, key = write_sheet(out, COLUMNS, rows)
    return len(rows), len(wrong), key


def read_errors(paths: Sequence[Path], key: Path) -> pl.DataFrame:
    """What people coded, a row per item and person, with 1 or 0 for each pattern, and the columns of the key.

    In a row where one pattern is filled in, an empty one means no; a row without any is not coded. Raises `InputError`
    as `sheets.filled` does.
    """
    known = read_key(key)
    rows = []
    for row in filled(paths, known, CODES):
        codes = {name: float(bool(yes_or_no(row, name))) for name in CODES}
        rows.append({**known[row.cells["item"]], "person": row.cells["person"], **codes})
    return pl.DataFrame(rows)


def error_patterns(coded: pl.DataFrame) -> Estimates:
    """`error pattern` by pattern and person, and `agreement` of each two people by pattern, over units."""
    return Estimates([*_rates(coded), *_agreements(coded)])


def _rates(coded: pl.DataFrame) -> Iterator[Estimate]:
    for (person,), own in coded.group_by("person", maintain_order=True):
        for pattern in CODES:
            where: dict[str, Json] = {"pattern": pattern, "among": "wrong answers", "person": str(person)}
            piece = Slice(NAME, where, own, counts_of(len(own)))
            yield piece.rate("error pattern", pattern, "of the failures that the person coded")


def _agreements(coded: pl.DataFrame) -> Iterator[Estimate]:
    by_person = {str(person): own for (person,), own in coded.group_by("person", maintain_order=True)}
    for one, two in combinations(sorted(by_person), 2):
        for pattern in CODES:
            where = {"pattern": pattern, "person": one, "against": two}
            yield kappa_of(by_person[one], by_person[two], pattern, where)
