"""The replies of a run, ready for counting: which option was chosen, and what kind of choice that is."""

from __future__ import annotations

import json
from functools import partial

import polars as pl

from veridical.suite.rows import RIGHT, asked_slices, filter_to_level
from veridical.suites.viabench.asking.readers import CHOICE
from veridical.suites.viabench.asking.trials import PRIOR, SETTINGS
from veridical.suites.viabench.puzzles.puzzle import kind_of

NAME = "viabench"
_READ = ("settings", "expects", "answer", "usual")

pieces = partial(asked_slices, NAME)


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of questions about pictures with a column per setting, and what each reply comes to.

    Added are `label` (the true option), `right` (1 or 0; not answered is 0), `option` (the text of the chosen option,
    null without one), `kind` (of choice: gold, usual, opposite, near, unsure, other), and 1 or 0 for `not_sure`,
    `as_usual` (the usual answer was chosen) and `sure_and_wrong`.
    """
    return _every_reply(outcomes).filter(pl.col("sight") != PRIOR)


def expectations(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The same of questions about what is usual, asked without a picture: there, `label` is the usual answer."""
    asked = _every_reply(outcomes).filter(pl.col("sight") == PRIOR)
    # It is asked of a unit by one of its items, whichever comes first, and shows nothing: no name either.
    return asked.with_columns(name_written=pl.lit(None, pl.Boolean))


def _every_reply(outcomes: pl.DataFrame) -> pl.DataFrame:
    cases = outcomes.select(_READ).unique()
    read = [_case(*row) for row in cases.iter_rows()]
    joined = outcomes.join(
        cases.with_columns(
            *(
                pl.Series(name, [row[name] for row in read], dtype=pl.String)
                for name in (*SETTINGS, "label", "option", "kind")
            )
        ),
        on=_READ,
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return joined.with_columns(
        right=RIGHT,
        not_sure=(pl.col("kind") == "unsure").fill_null(value=False).cast(pl.Float64),
        as_usual=(pl.col("option") == pl.col("usual")).fill_null(value=False).cast(pl.Float64),
        sure_and_wrong=(pl.col("option").is_not_null() & ~pl.col("kind").is_in(["gold", "unsure"])).cast(pl.Float64),
    )


def letter_replies(rows: pl.DataFrame, *, names: bool = False) -> pl.DataFrame:
    """The replies to multiple-choice questions; without `names`, those to pictures with a written name left out."""
    unnamed = ~pl.col("name_written").fill_null(value=False)
    return rows.filter((pl.col("answer_form") == CHOICE) & (pl.lit(names) | unnamed))


def plain_replies(rows: pl.DataFrame, form: str = CHOICE) -> tuple[pl.DataFrame, str]:
    """The replies of a form under the first system turn and sight of the run, and a note on them for `method`.

    That is no system turn with the pictures shown, if the run has it. Pictures with a written name are left out.
    """
    written = rows["name_written"].fill_null(value=False)
    kept = rows.filter((pl.col("answer_form") == form) & ~written)
    plain, note = filter_to_level(kept, {"cot": "none", "sight": "shown"}, SETTINGS)
    return plain, f"{note}; without written names" if written.any() else note


def _case(settings: str, expects: str, answer: str | None, usual: str | None) -> dict[str, str | None]:
    item = {**json.loads(settings), "label": json.loads(expects)["label"]}
    options = json.loads(expects).get("options")
    if answer is None or options is None:
        return {**item, "option": None, "kind": None}
    option = options[ord(answer) - ord("A")]
    return {**item, "option": option, "kind": kind_of(option, item["label"], usual)}
