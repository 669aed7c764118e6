"""Shared by the verbs: the application, checks of paths, common arguments, and the parsing of their values."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from veridical.base.path_checks import RUN, STUDY, require_file, require_folder, require_run, require_set, require_study
from veridical.cli.front import USAGE, Front
from veridical.cli.remote_words import usual_streams
from veridical.errors import IncompleteError, InputError, UnansweredWarning

if TYPE_CHECKING:
    from veridical.records import Estimate, Json
    from veridical.suite.record import Suite

Callback = Callable[[Any], Any]

_STOPPED = 130


def _checked(check: Callable[[Path], None]) -> Callback:
    """A callback for Typer, which checks the path or paths of an argument; raises `InputError` as `check` does."""

    def callback(value: Any) -> Any:  # noqa: ANN401 (a path, several, or none)
        for path in value if isinstance(value, list | tuple) else [value]:
            if path is not None:
                check(path)
        return value

    return callback


def _run_or_set(path: Path) -> None:
    if not (path / RUN).exists():
        require_set(path)


def _study_run_or_set(path: Path) -> None:
    if not (path / STUDY).exists():
        _run_or_set(path)


def _no_file(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} cannot be used: Not a directory")


def _exists(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path} cannot be read: No such file or directory")


a_run = _checked(require_run)
a_set = _checked(require_set)
a_run_or_set = _checked(_run_or_set)
a_study = _checked(require_study)
a_study_run_or_set = _checked(_study_run_or_set)
a_file = _checked(require_file)
a_folder_of_prompts = _checked(lambda path: require_folder(path, "prompts"))
a_folder_to_be = _checked(_no_file)
something = _checked(_exists)

app = typer.Typer(
    cls=Front,
    help="Does a vision-language model perceive what is in front of it, or recall what is usually there?",
    epilog="`veridical suites` lists the suites, `veridical SUITE --help` a suite's own commands.",
    context_settings={"max_content_width": 120, "help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SetFolder = Annotated[Path, typer.Argument(metavar="SET", help="A stimulus set.", callback=a_set)]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", callback=a_run)]


def _completed(application: typer.Typer, name: str) -> NoReturn:
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        application(prog_name=name, standalone_mode=False)
    sys.exit(0)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"veridical {version('veridical')}")
        raise typer.Exit


def run_and_exit(application: typer.Typer, name: str) -> NoReturn:
    """Runs a command line and leaves the process.

    A user's mistake ends in one line and exit code 2, an incomplete run in exit code 1. Without arguments, the help is
    shown. A shell that completes a word gets no message, whatever is wrong with the words before it.
    """
    if f"_{name.upper()}_COMPLETE" in os.environ:
        _completed(application, name)
    with usual_streams():
        sys.exit(_exit_code(application, name))


def _exit_code(application: typer.Typer, name: str) -> int:
    """Runs a command line and returns its exit code, or leaves the process with one line."""
    try:
        with _warnings_in_one_line(name):
            code = application(prog_name=name, standalone_mode=False)
    except IncompleteError as error:
        _fail(name, str(error), 1)
    except InputError as error:
        _fail(name, str(error), 2)
    except OSError as error:
        _fail(name, f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (KeyboardInterrupt, typer.Abort):
        code = _STOPPED
    except USAGE as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(2)
        _fail(name, f"{error.format_message()} (see --help)", 2)
    if code == _STOPPED:  # Typer's own for Ctrl-C in a command
        _fail(name, "stopped; what was finished is kept; the same command goes on", _STOPPED)
    return code if isinstance(code, int) else 0


@app.callback()
def front(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Write to a folder elsewhere though another machine may still do so.")
    ] = False,
) -> None:
    """Only options of the whole command line stand here; a word is a verb or a suite."""


@contextmanager
def _warnings_in_one_line(name: str) -> Iterator[None]:
    """Shows each suite that cannot be loaded as one line on standard error, and other warnings as usual.

    Unanswered replies are left to the verbs, which show them with the summary.
    """
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def shown(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            registry = sys.modules.get("veridical.suite.registry")  # it is loaded if it warned
            if registry is not None and issubclass(category, registry.BrokenSuiteWarning):
                print_warning(str(message), name)
            elif not issubclass(category, UnansweredWarning):
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = shown
        yield


def print_warning(line: str, name: str = "veridical") -> None:
    """Prints a warning as one line on standard error."""
    typer.echo(f"{name}: warning: {' '.join(line.split())}", err=True)


def print_warnings(lines: Iterable[str]) -> None:
    """Prints warnings of several lines on standard error; what they quote of others is made visible."""
    from veridical.base.format import visible

    for line in lines:
        typer.echo(f"veridical: warning: {visible(line)}", err=True)


def _fail(name: str, line: str, code: int) -> NoReturn:
    whole = " ".join(line.split())
    if not whole.isprintable():
        from veridical.base.format import visible

        whole = visible(whole)
    typer.echo(f"{name}: {whole}", err=True)
    sys.exit(code)


def comma_list(text: str | None) -> list[str] | None:
    """The comma-separated words of an option; raises `InputError` if one is missing."""
    words = [part.strip() for part in text.split(",")] if text is not None else None
    if words is not None and not all(words):
        raise InputError(f"'{text}': a name is missing before or after a comma")
    return words


def pairs(texts: Sequence[str]) -> dict[str, Json]:
    """KEY=VALUE arguments; a value that is JSON (a number, true, a list) is parsed, any other is text."""
    values: dict[str, Json] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(f"-M '{text}': KEY=VALUE is allowed")
        try:
            values[key] = json.loads(f"0{value}" if value.startswith(".") else value)
        except ValueError:
            values[key] = value
    return values


def levels(texts: Sequence[str]) -> dict[str, list[str]]:
    """NAME=LEVEL,LEVEL settings; the levels of a repeated setting are joined."""
    by_name: dict[str, list[str]] = {}
    for text in texts:
        name, equals, names = text.partition("=")
        if not name.strip() or not equals:
            raise InputError(f"-S '{text}': NAME=LEVEL,LEVEL is allowed")
        by_name.setdefault(name.strip(), []).extend(part.strip() for part in names.split(",") if part.strip())
    return by_name


def show(value: Json) -> None:
    """Prints JSON for machines."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def tell(value: Json, lines: Iterable[str], *, as_json: bool) -> None:
    """Prints what a verb came to: as JSON for machines, or as lines for people."""
    if as_json:
        show(value)
        return
    for line in lines:
        typer.echo(line)


def print_wrapped(line: str, indent: int) -> None:
    """Prints a line, broken on a terminal that is too narrow for it; what goes on is indented."""
    room = get_terminal_size((0, 0)).columns
    start = " " * (len(line) - len(line.lstrip()))
    fitting = wrap(
        line.lstrip(),
        max(room, 2 * indent),
        initial_indent=start,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
    typer.echo("\n".join(fitting) if room and fitting else line)


def estimate_json(estimate: Estimate) -> dict[str, Json]:
    """An estimate as `metrics --json` prints it; `counts_first` stands in differences of two runs alone."""
    facts = {**asdict(estimate), "unit": str(estimate.unit)}
    if facts["counts_first"] is None:
        del facts["counts_first"]
    return facts


def run_letters(others: int) -> list[str]:
    """What runs are called in a comparison: A, the base, then so many others.

    >>> run_letters(2), run_letters(26)[-2:]
    (['A', 'B', 'C'], ['Z', 'A2'])
    """
    return [chr(ord("A") + k % 26) + (str(k // 26 + 1) if k > 25 else "") for k in range(others + 1)]


def suites_with(part: str) -> Iterator[Suite]:
    """The suites whose part of that name can be loaded; prints a warning for each other suite."""
    from veridical.suite import registry

    for suite in registry.all_suites():
        try:
            getattr(suite, part)
        except InputError as error:
            print_warning(str(error))
        else:
            yield suite


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar if standard error is a terminal, else nothing; yields a function of `(done, total)`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
