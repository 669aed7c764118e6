"""The replies of runs that people are shown: with their question, picture and steps, and what the key needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from veridical.errors import InputError
from veridical.records import Media
from veridical.suites.magic.analysis.rows import plain, replies
from veridical.suites.magic.stimuli import NAME
from veridical.verbs.placed import set_of_run
from veridical.verbs.result import RunResult, open_run

STRATA = ("model", "category")
SHOWN = ("model", "stimulus", "unit", "family", "category", "trial", "repeat", "answer", "right", "gold")


def answered(places: Sequence[Path]) -> pl.DataFrame:
    """The answered replies of runs at the view that shows all boxes, with `question`, `picture` and `truth`.

    Raises `InputError` for a run of another suite, and where no reply is answered.
    """
    tables = [_of_run(open_run(place)) for place in places]
    replies = pl.concat(tables)
    if replies.is_empty():
        raise InputError(f"{', '.join(map(str, places))}: no reply is answered, so there is nothing to show")
    return replies


def _of_run(run: RunResult) -> pl.DataFrame:
    if run.suite.name != NAME:
        raise InputError(f"{run.folder} is a run of {run.suite.name}, and not of {NAME}")
    rows, _ = plain(replies(run.evidence().outcomes()))
    rows = rows.filter(pl.col("status") == "answered").select(SHOWN)
    stimuli = {stimulus.id: stimulus for stimulus in set_of_run(run).stimuli}
    pictures = {
        trial.id: next((p.file for m in trial.messages for p in m.parts if isinstance(p, Media)), "")
        for trial in run.run.trials()
    }
    named = [
        (pictures[trial], stimuli[own].question, str(stimuli[own].truth.get("full") or stimuli[own].label or ""))
        for trial, own in rows.select("trial", "stimulus").iter_rows()
    ]
    columns = pl.DataFrame(named, schema=dict.fromkeys(("picture", "question", "truth"), pl.String), orient="row")
    return pl.concat([rows, columns], how="horizontal")
