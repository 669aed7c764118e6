"""The page that shows a run while it goes on: one document, which asks its own server for what changes."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import NamedTuple

from veridical.report.view import environment_of


class LivePage(NamedTuple):
    """The page as UTF-8, and the policy that its server sends with it: nothing comes from elsewhere."""

    html: bytes
    policy: str


def live_page(suite: str, title: str, run: str) -> LivePage:
    """The page of a run of a suite, which has a title of its own, in the folder of that name.

    What the page shows besides, its script gets as JSON from `state.json`, and thumbnails from `media/`.
    """
    from markupsafe import Markup

    css = _text("report.css", "veridical.report") + _text("live.css")
    script = _text("dom.js", "veridical.report") + _text("live.js")
    html = environment_of({"live": _text("live.html.j2")}).get_template("live")
    words = {"suite": suite, "title": title, "run": run}
    page = html.render(words, css=Markup(css), script=Markup(script))  # noqa: S704
    policy = (
        f"default-src 'none'; img-src 'self'; connect-src 'self'; style-src '{_hash(css)}'; "
        f"script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return LivePage(page.encode(), policy)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(name: str, package: str = __package__ or "") -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
