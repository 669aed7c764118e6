"""Prompts for video generators as a file: CSV or JSON Lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from veridical.base.files import write_whole
from veridical.errors import InputError, unknown
from veridical.suites.hocabench.annotate.prompting import WAYS, Prompted, prompts


def written(out: Path, sub_types: Sequence[str] | None, *, count: int, ways: Sequence[str] | None, seed: int) -> int:
    """How many prompts were written to a file that ends in .csv or .jsonl; raises `InputError` for another."""
    for way in ways or ():
        if way not in WAYS:
            raise unknown("way", way, WAYS)
    if out.suffix.lower() not in (".csv", ".jsonl"):
        raise InputError(f"{out}: prompts are written to a file that ends in .csv or .jsonl")
    chosen = [way for way in WAYS if not ways or way in ways]
    drawn = prompts(sub_types, count=count, ways=chosen, seed=seed)
    try:
        write_whole(out, _text(drawn, as_csv=out.suffix.lower() == ".csv").encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return len(drawn)


def _text(drawn: Sequence[Prompted], *, as_csv: bool) -> str:
    if not as_csv:
        return "".join(json.dumps(each._asdict(), ensure_ascii=False) + "\n" for each in drawn)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([Prompted._fields, *drawn])
    return text.getvalue()
