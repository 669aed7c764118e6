"""Verbs that show a suite: gallery, demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, app, bar, suites_with, tell
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.records import Json
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
    tell({"gallery": str(page)}, [str(page)], as_json=as_json)


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
    if suite:
        demonstrate = _the_suite(suite, "demonstration").presentation.demonstration
        assert demonstrate is not None
        with bar("observers") as progress:
            lines, facts = demonstrate(out, progress)
    else:
        lines, facts = _all_demonstrations(out)
        more, facts["profile"] = _profile(out)
        lines += ["", *more]
    tell(dict(facts), lines, as_json=as_json)


def _all_demonstrations(out: Path) -> tuple[list[str], dict[str, Json]]:
    """The lines and facts of every suite's demonstration, each in a folder of its own, several at a time."""
    from veridical.base.processes import cores, map_processes

    titles = {each.name: each.title for each in _able("demonstration")}
    told: dict[str, tuple[list[str], Json]] = {}
    with bar("suites") as progress:
        progress(0, len(titles))
        for name, lines, facts in map_processes(demonstrate_suite, str(out), [*titles], cores()):
            told[name] = lines, facts
            progress(len(told), len(titles))
    parts = [[title, "", *told[name][0]] for name, title in titles.items()]
    return [line for part in parts for line in ["", *part]][1:], {name: told[name][1] for name in titles}


def _profile(out: Path) -> tuple[list[str], Json]:
    """The profile of the observers of known mechanism over the sets of all demonstrations, with its page."""
    from veridical.suite.evaluation import PROTOTYPES
    from veridical.verbs.evaluation.choices import choices_from
    from veridical.verbs.evaluation.evaluate import evaluate_choices
    from veridical.verbs.runs.models import PREFIX

    choices = choices_from({"models": [PREFIX + name for name in PROTOTYPES], "recipe": "demo"})
    places = {name: out / name / "set" for name in choices.suites}
    result = evaluate_choices(choices, out / "profile", show="quiet", places=places)
    page = result.write_page()
    found = result.profile()
    return ["The profile: all suites on one page", "", *found.text(), f"Page: {page}"], found.facts()


def demonstrate_suite(out: Json, name: Json) -> Json:
    """A suite's name with the lines and facts of its demonstration in `out`, for a process of its own."""
    demonstrate = _the_suite(name, "demonstration").presentation.demonstration
    assert demonstrate is not None
    lines, facts = demonstrate(Path(out) / name, None)
    return [name, [*lines], dict(facts)]


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
