"""The option of every verb that reads a study: where its votes are."""

from __future__ import annotations

from typing import Annotated

import typer

StudyDatabase = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="PostgreSQL database of the study, postgresql+psycopg://USER@HOST:PORT/NAME. The password may stand in "
        "PGPASSWORD or ~/.pgpass. Default: a file in the study.",
    ),
]
