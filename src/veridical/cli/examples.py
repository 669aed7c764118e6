"""Verbs that show a suite: gallery, demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.base.progress import bar
from veridical.cli.common import JsonFlag, app, show, suites_with
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.suite.record import Suite


def _which(what: str) -> Any:  # noqa: ANN401 (Typer has its type in a private module)
    return typer.Argument(metavar="SUITE", help=f"Default: the only suite with a {what}.", show_default=False)


@app.command()
def gallery(
    out: Annotated[Path, typer.Option(help="Folder for the page and its pictures.")],
    suite: Annotated[str | None, _which("gallery")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw every picture type of a suite on one page."""
    write = _the_suite(suite, "gallery").presentation.gallery
    assert write is not None
    page = write(out)
    if as_json:
        show({"gallery": str(page)})
        return
    typer.echo(str(page))


@app.command()
def demo(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="Default: all that have a demonstration.", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder for the set, the runs and the report; for all suites, with a folder each.")
    ] = Path("demo"),
    as_json: JsonFlag = False,
) -> None:
    """Run suites on embedded observers, from drawing to report."""
    chosen = [_the_suite(suite, "demonstration")] if suite else _able("demonstration")
    facts: dict[str, Any] = {}
    for each in chosen:
        demonstrate = each.presentation.demonstration
        assert demonstrate is not None
        with bar("observers") as progress:
            lines, facts[each.name] = demonstrate(out if suite else out / each.name, progress)
        if not as_json:
            for line in [
                *([each.title, ""] if suite is None else []),
                *lines,
                *([""] if each is not chosen[-1] else []),
            ]:
                typer.echo(line)
    if as_json:
        show(dict(facts[suite]) if suite else facts)


def _able(what: str) -> list[Suite]:
    """The suites that have `what`; raises `InputError` if none has."""
    able = [suite for suite in suites_with("presentation") if getattr(suite.presentation, what) is not None]
    if not able:
        raise InputError(f"no suite has a {what}")
    return able


def _the_suite(name: str | None, what: str) -> Suite:
    """The suite of that name, or the only one that has `what`; raises `InputError` if there is none."""
    from veridical.suite import registry

    if name is not None:
        suite = registry.get(name)
        if getattr(suite.presentation, what) is None:
            raise InputError(f"the suite '{name}' has no {what}")
        return suite
    able = _able(what)
    if len(able) == 1:
        return able[0]
    raise InputError(f"name a suite: {', '.join(suite.name for suite in able)} have a {what}")
