"""The page of a gallery: contents, how to read a plate, and plates in groups; a suite writes the rest of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from veridical.base.format import format_number, visible
from veridical.records import Json
from veridical.report.gallery.folder import SIGNATURE

_POLICY = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Group:
    """Plates under one heading.

    A plate has `name`, `number`, `title` and `thumbnail`, a picture with `file`, `alt`, `width` and `height`.
    """

    name: str
    title: str
    plates: Sequence[Any]


def render(package: str, groups: Sequence[Group], **words: Json) -> bytes:
    """The page of the groups that have plates, as UTF-8.

    `package` holds `gallery.html.j2`, which extends `frame.html.j2` (blocks `heading`, `lead`, `reading`, and `badges`
    and `plate` for each plate), and `gallery.css`. `words` are what its blocks use; `count` is the number of plates.
    """
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    own = {name: _resource(name, __package__) for name in ("frame.html.j2", "macros.html.j2")}
    environment = Environment(
        loader=DictLoader({**own, "gallery.html.j2": _resource("gallery.html.j2", package)}),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = format_number
    css = "".join(_resource(*place) for place in (("report.css", "veridical.report"), ("gallery.css", __package__)))
    page = environment.get_template("gallery.html.j2").render(
        groups=[group for group in groups if group.plates],
        count=sum(len(group.plates) for group in groups),
        version=version("veridical"),
        signature=Markup(SIGNATURE),  # noqa: S704
        css=Markup(css + _resource("gallery.css", package)),  # noqa: S704
        policy=_POLICY,
        **words,
    )
    return page.encode()


def _resource(name: str, package: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
