"""The command line: verbs over the same functions that Python has."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

from veridical.cli import analysis, asking, data, exchange, replicate, sets, validate
from veridical.cli.common import USAGE, app
from veridical.errors import IncompleteError, InputError

__all__ = ["analysis", "app", "asking", "data", "exchange", "main", "replicate", "sets", "validate"]


def main() -> NoReturn:
    """Runs the command line; a user's mistake ends in one line and exit code 2, an incomplete run in exit code 1."""
    try:
        code = app(standalone_mode=False)
    except IncompleteError as error:
        _fail(str(error), 1)
    except InputError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (KeyboardInterrupt, typer.Abort):
        _fail("stopped; what was finished is kept", 130)
    except USAGE as error:
        _fail(f"{error.format_message()} (see --help)", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(line: str, code: int) -> NoReturn:
    typer.echo(f"veridical: {' '.join(line.split())}", err=True)
    sys.exit(code)
