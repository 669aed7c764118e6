"""Making a run whose stored responses are damaged readable again."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from veridical.ask.folder import STAGES
from veridical.ask.lock import held
from veridical.ask.repair import Repaired, repair
from veridical.verbs.result import RunResult, open_run


class Repairs(list[Repaired]):
    """What was set aside, file by file, and as a table."""

    def frame(self) -> pl.DataFrame:
        """One row per file: how many lines were set aside, and how many trials are asked again for them."""
        rows = [(str(each.file), each.lines, len(each.again), each.unknown) for each in self]
        schema = {"file": pl.String, **dict.fromkeys(("lines", "asked_again", "unknown"), pl.Int64)}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Repairs: {sum(each.lines for each in self):,} lines set aside in {len(self):,} files>"


def repair_run(run: RunResult | Path | str) -> Repairs:
    """What was set aside of the responses of a run, stage by stage; a file in which all is whole is left alone.

    Nothing is thrown away and nothing is sent (see `repair`). Raises `InputError` for what is no run, and while another
    process writes to it.
    """
    folder = open_run(run).folder
    with held(folder):
        places = [folder, *sorted(place.parent for place in folder.glob(f"{STAGES}/*/*/responses.jsonl"))]
        return Repairs(repaired for place in places if (repaired := repair(place)).lines)
