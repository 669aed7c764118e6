"""What `--export` prints or writes, of runs and of profiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from veridical.cli.common import tell
from veridical.errors import InputError, unknown

if TYPE_CHECKING:
    from veridical.report.export import Form


def form_of(word: str, out: Path | None, *, as_json: bool) -> Form:
    """The form that `--export` names; raises `InputError` for another, and where it and `--json` both print."""
    from veridical.report.export import FORMS

    if word not in FORMS:
        raise unknown("form of --export", word, FORMS)
    if as_json and out is None:
        raise InputError("--export prints the figures, --json what was written: name a file with --out, or drop --json")
    return word


def tell_export(text: str, out: Path | None, *, as_json: bool) -> None:
    """Prints the text that was exported or, where it was written to a file, the file and its size."""
    if out is None:
        typer.echo(text, nl=False)
        return
    size = out.stat().st_size
    tell({"export": str(out), "bytes": size}, [f"{out} ({size:,} bytes)"], as_json=as_json)
