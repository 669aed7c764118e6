"""The site of a board: a page, its data, and copies of the profiles and reports that its cells lead to."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from veridical.base.files import os_errors, write_whole
from veridical.report.boards.board import ProfileBoard
from veridical.report.boards.size_charts import ordered_models, size_charts
from veridical.report.profiles import StoredProfile, content_policy
from veridical.report.view import environment_of
from veridical.suite.evaluation import ABILITIES

PAGE, DATA = "index.html", "board.json"
FORMAT = 1


def write_site(board: ProfileBoard, out: Path) -> Path:
    """The path of the page, after the site was written: any host of static files serves its folder.

    Pages and reports are copied from the profiles' folders; what is not there has no link.
    """
    links = {place: _copied(board, place, out) for place in board.folders}
    facts = {"format": FORMAT, "version": board.version, "notes": list(board.notes), "rows": board.facts()}
    write_whole(out / DATA, (json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())
    return write_whole(out / PAGE, site_page(board, links).encode())


def _copied(board: ProfileBoard, place: str, out: Path) -> dict[str, str]:
    """The links to a folder's page (under the empty name) and to its suites' reports, after these were copied."""
    folder = board.folders[place]
    profile: StoredProfile = next(each.profile for each in board.models if each.place == place)
    suites = sorted({each.suite for model in profile.models for each in model.questions})
    # The paths in the file are not trusted: a report is looked for where an evaluation writes it.
    wanted = {"": Path(profile.page).name, **{suite: f"{Path(suite).name}/report.html" for suite in suites}}
    links = {}
    for name, path in wanted.items():
        source = folder / path
        if path.endswith(".html") and source.is_file() and not source.is_symlink():
            with os_errors(source, "copied"):
                write_whole(out / place / path, source.read_bytes())
            links[name] = f"{place}/{path}"
    return links


def site_page(board: ProfileBoard, links: dict[str, dict[str, str]]) -> str:
    """The page as text: no script and no style of others, nothing that loads; `links` by place and suite."""
    from markupsafe import Markup

    css = "".join(_resource(name) for name in ("report.css", "profiles/profile.css", "boards/board.css"))
    script = _resource("boards/board.js")
    questions = board.questions
    return (
        environment_of({"board.html.j2": _resource("boards/board.html.j2")})
        .get_template("board.html.j2")
        .render(
            board=board,
            models=ordered_models(board.models),
            questions=questions,
            groups=[(name, count) for name in ABILITIES if (count := sum(each.ability == name for each in questions))],
            charts=size_charts(board),
            links=links,
            points=lambda value: f"{round(value) + 0:d}".replace("-", "−"),
            policy=content_policy(script),
            css=Markup(css),  # noqa: S704
            script=Markup(script),  # noqa: S704
        )
    )


def _resource(name: str) -> str:
    return files("veridical.report").joinpath(name).read_text(encoding="utf-8")
