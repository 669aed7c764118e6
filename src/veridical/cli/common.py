"""What the verbs share: the application, arguments that several take, and how words become values."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.records import Estimate, Json

app = typer.Typer(
    help="Does a vision-language model perceive what is in front of it, or recall what is usually there?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

USAGE: type[typer.BadParameter] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""Typer's base of all errors in how a command was called; it is public only through its subclasses."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="A suite, as `veridical suites` lists them.")]
SetFolder = Annotated[Path, typer.Argument(metavar="SET", help="A stimulus set.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]


def ended(application: typer.Typer, name: str) -> NoReturn:
    """Runs a command line and leaves the process.

    A user's mistake ends in one line and exit code 2, an incomplete run in exit code 1. Where nothing is asked for, the
    help is shown.
    """
    try:
        code = application(standalone_mode=False)
    except IncompleteError as error:
        _fail(name, str(error), 1)
    except InputError as error:
        _fail(name, str(error), 2)
    except OSError as error:
        _fail(name, f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (KeyboardInterrupt, typer.Abort):
        _fail(name, "stopped; what was finished is kept", 130)
    except USAGE as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(2)
        _fail(name, f"{error.format_message()} (see --help)", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(name: str, line: str, code: int) -> NoReturn:
    typer.echo(f"{name}: {' '.join(line.split())}", err=True)
    sys.exit(code)


def listed(text: str | None) -> list[str] | None:
    """The comma-separated words of an option."""
    return [part.strip() for part in text.split(",") if part.strip()] if text is not None else None


def numbers(text: str | None) -> list[float] | None:
    """The comma-separated numbers of `--alphas`."""
    try:
        return [float(part) for part in listed(text) or []] if text is not None else None
    except ValueError:
        raise InputError(f"--alphas '{text}': comma-separated numbers from -1 to 1 are allowed") from None


def pairs(texts: Sequence[str]) -> dict[str, Json]:
    """KEY=VALUE arguments; a value that is JSON (a number, true, a list) is taken as that, else as text."""
    found: dict[str, Json] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(f"-M '{text}': KEY=VALUE is allowed")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def levels(texts: Sequence[str]) -> dict[str, list[str]]:
    """NAME=LEVEL,LEVEL settings; a setting that is given twice has the levels of both."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, given = text.partition("=")
        if not name.strip() or not equals:
            raise InputError(f"-S '{text}': NAME=LEVEL,LEVEL is allowed")
        found.setdefault(name.strip(), []).extend(listed(given) or [])
    return found


def show(value: Json) -> None:
    """Prints JSON for machines."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def estimate_json(estimate: Estimate) -> dict[str, Json]:
    """An estimate as `metrics --json` prints it."""
    return asdict(estimate)
