"""Verbs for people by an app: serve a study, invite people, revoke invitations, and how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer
from typer.core import TyperCommand

from veridical.base.requirements import extra_needed
from veridical.base.study_options import StudyDatabase
from veridical.cli.common import (
    JsonFlag,
    a_file,
    a_folder_to_be,
    a_study,
    a_study_run_or_set,
    suites_with,
    tell,
)
from veridical.cli.front import Click
from veridical.cli.options import options_of, takes
from veridical.cli.people import group
from veridical.errors import InputError

if TYPE_CHECKING:
    from socket import socket

    from veridical.people.study import Study, StudyDesign

StudyFolder = Annotated[Path, typer.Argument(metavar="STUDY", help="Folder of a study.", callback=a_study)]
_OF_SERVING = ("places", "host", "port", "address", "database")
"""What may be stated of a study that is there."""


def _address(text: str | None) -> str | None:
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"--address '{text}': http://HOST:PORT or https://HOST is needed")
    return text.rstrip("/")


Address = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Start of people's addresses, where a proxy stands before the server.", callback=_address
    ),
]


class ServeVerb(TyperCommand):
    """The verb whose help lists what people can be asked to do."""

    def format_options(self, ctx: Click, formatter: Click) -> None:
        from veridical.people.tasks import GENERAL

        super().format_options(ctx, formatter)
        rows = [(name, task.help) for name, task in GENERAL.items()]
        for suite in suites_with("people"):
            rows += [(f"{name} ({suite.name})", task.help) for name, task in suite.people.items()]
        with formatter.section("Tasks"):
            formatter.write_dl(rows)


@group.command(cls=ServeVerb)
@takes("settings")
def serve(
    ctx: typer.Context,
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="PLACE", help="A study; or sets or runs, of which one is made.", callback=a_study_run_or_set
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for a new study.", callback=a_folder_to_be)] = None,
    task: Annotated[str, typer.Option(help="What people do, as listed below.")] = "answer",
    number: Annotated[int, typer.Option("--people", help="Number of people who share the items.")] = 1,
    per_item: Annotated[int, typer.Option(help="Number of people for each item.")] = 1,
    items: Annotated[int | None, typer.Option(help="Number of items. Default: all.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same items in the same order.")] = 0,
    stage: Annotated[str | None, typer.Option(help="Stage of a run. Default: the stage asked of people.")] = None,
    check_every: Annotated[int, typer.Option(help="An attention check after so many items; 0: none.")] = 0,
    break_every: Annotated[int, typer.Option(help="A break after so many items; 0: none.")] = 0,
    consent: Annotated[Path | None, typer.Option(help="Text that people agree to first.", callback=a_file)] = None,
    title: Annotated[str, typer.Option(help="What stands over the page. Default: the task.")] = "",
    host: Annotated[
        str, typer.Option(help="Address to serve on. Another than this machine's own needs --people.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0: a free one.")] = 0,
    address: Address = None,
    database: StudyDatabase = None,
    **words: Any,  # noqa: ANN401
) -> None:
    """Serve an app in which people answer, review, mark and agree.

    Each person has an address of their own, which is printed once and stored nowhere. Served again, a study goes on
    where it was; `veridical people invite STUDY --again NAME` makes a new address for somebody who lost theirs.
    """
    with extra_needed("people", "the app for people"):
        from veridical.people.study import StudyDesign, is_study

    stated = {name for name in ctx.params if _is_stated(ctx, name)}
    if len(places) == 1 and is_study(places[0]):
        _require_only(places[0], stated)
        _serve_again(places[0], host, port, address, database)
        return
    design = StudyDesign(
        task=task,
        suite="",
        places=[{"path": str(place)} for place in places],
        items=items,
        seed=seed,
        stage=stage,
        settings=options_of(words)["settings"] or {},
        people=number,
        per_item=per_item,
        check_every=check_every,
        break_every=break_every,
        consent=_text_of(consent),
        title=title,
    )
    _require_new(design, out, host, invited="number" in stated)
    assert out is not None
    _serve_new(out, design, host, port, address, database)


def _is_stated(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _text_of(path: Path | None) -> str:
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except UnicodeDecodeError:
        raise InputError(f"{path} is no text in UTF-8") from None


def _require_only(study: Path, stated: set[str]) -> None:
    """Raises `InputError` where something is stated that a study has for good."""
    others = sorted(stated - set(_OF_SERVING))
    if others:
        names = ", ".join("--people" if name == "number" else f"--{name.replace('_', '-')}" for name in others)
        raise InputError(f"{study} is a study already: leave out {names}, or make a new one from its set or run")


def _require_new(design: StudyDesign, out: Path | None, host: str, *, invited: bool) -> None:
    """Raises `InputError` for a new study that cannot be, before its sets are opened."""
    from veridical.people.hosts import is_local
    from veridical.people.study import is_study, require_design

    if any(is_study(place) for place in design.paths):
        raise InputError("one study, or sets or runs of which one is made, is allowed")
    if out is None:
        raise InputError("--out FOLDER is needed: the study, with what people state, is written there")
    if not is_local(host) and not invited:
        raise InputError(f"--host {host}: others can reach it, so --people N is needed: one invitation for each")
    require_design(design)


def _serve_new(out: Path, design: StudyDesign, host: str, port: int, address: str | None, database: str | None) -> None:
    from dataclasses import replace

    from veridical.people import invitations
    from veridical.people.serve import bound_socket, person_addresses, start_of
    from veridical.people.study import make_study
    from veridical.people.tasks import suite_of

    at = bound_socket(host, port)
    study = make_study(out, replace(design, suite=suite_of(design.paths)), database)
    start = address or start_of(at, host)
    _serve(study, at, host, start, person_addresses(invitations.invite(study, design.people), start))


def _serve_again(folder: Path, host: str, port: int, address: str | None, database: str | None) -> None:
    from veridical.people.serve import bound_socket, require_invited, start_of
    from veridical.people.study import open_study

    study = open_study(folder, database)
    changed = study.changed()
    if changed:
        raise InputError(changed)
    require_invited(study, host)
    at = bound_socket(host, port)
    advice = f"addresses are not stored: `veridical people invite {folder} --again NAME` makes a new one for somebody"
    _serve(study, at, host, address or start_of(at, host), [advice])


def _serve(study: Study, at: socket, host: str, start: str, lines: list[str]) -> None:
    from veridical.people import serve as server

    design = study.design
    typer.echo(f"{design.task}, {design.suite}: {study.folder}, served at {start}; Ctrl-C stops it")
    typer.echo(f"dashboard  {server.dashboard_address(study, start)}")
    for line in lines:
        typer.echo(line)
    server.serve(study, at, [start, f"//{host}"])


@group.command()
def invite(
    study: StudyFolder,
    number: Annotated[int, typer.Option("--people", help="Number of new people.")] = 1,
    third: Annotated[
        bool, typer.Option("--third", help="They decide about the items where others differ, as these arise.")
    ] = False,
    again: Annotated[
        str | None, typer.Option(metavar="NAME", help="A new address for somebody; the earlier one ends.")
    ] = None,
    address: Address = None,
    database: StudyDatabase = None,
    as_json: JsonFlag = False,
) -> None:
    """Invite people to a study, or give somebody a new address.

    An address is printed once and stored nowhere. Without --address, it begins where the study is served.
    """
    with extra_needed("people", "a study"):
        from veridical.people import invitations
        from veridical.people.serve import person_addresses
        from veridical.people.study import open_study

    if again is not None and third:
        raise InputError("--again NAME keeps what somebody is asked: leave out --third")
    whole = open_study(study, database)
    made = invitations.invite(whole, number, third=third) if again is None else [invitations.invite_again(whole, again)]
    start = address or ""
    facts = [{"name": each.name, "address": f"{start}/s/{each.token}/"} for each in made]
    tell(facts, person_addresses(made, start), as_json=as_json)


@group.command()
def revoke(
    study: StudyFolder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who, such as p01.")],
    database: StudyDatabase = None,
) -> None:
    """End somebody's invitation; earlier answers stay and count."""
    with extra_needed("people", "a study"):
        from veridical.people import invitations
        from veridical.people.study import open_study

    invitations.revoke(open_study(study, database), name)
    typer.echo(f"{name} is revoked; what {name} stated before stays and counts")


@group.command()
def status(study: StudyFolder, database: StudyDatabase = None, as_json: JsonFlag = False) -> None:
    """Show how a study stands: progress, time, attention, agreement."""
    with extra_needed("people", "a study"):
        from veridical.people.status_text import status_json, status_lines
        from veridical.people.study import open_study
        from veridical.people.study_status import status_of

    whole = status_of(open_study(study, database))
    tell(status_json(whole), status_lines(whole), as_json=as_json)
