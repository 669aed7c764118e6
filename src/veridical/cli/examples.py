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
    suite: Annotated[str | None, _which("demonstration")] = None,
    out: Annotated[Path, typer.Option(help="Folder for the set, the runs and the report.")] = Path("demo"),
    as_json: JsonFlag = False,
) -> None:
    """Run a suite on embedded observers, from drawing to report."""
    demonstrate = _the_suite(suite, "demonstration").presentation.demonstration
    assert demonstrate is not None
    with bar("observers") as progress:
        lines, facts = demonstrate(out, progress)
    if as_json:
        show(dict(facts))
        return
    for line in lines:
        typer.echo(line)


def _the_suite(name: str | None, what: str) -> Suite:
    """The suite of that name, or the only one that has `what`; raises `InputError` if there is none."""
    from veridical.suite import registry

    if name is not None:
        suite = registry.get(name)
        if getattr(suite.presentation, what) is None:
            raise InputError(f"the suite '{name}' has no {what}")
        return suite
    able = [suite for suite in suites_with("presentation") if getattr(suite.presentation, what) is not None]
    if len(able) == 1:
        return able[0]
    if not able:
        raise InputError(f"no suite has a {what}")
    raise InputError(f"name a suite: {', '.join(suite.name for suite in able)} have a {what}")
