"""The report: one HTML page that opens from disk, loads nothing, and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.base.files import write_whole
from veridical.base.format import format_interval, format_number, format_value, visible
from veridical.errors import InputError
from veridical.records import Counts, Json, Stimulus
from veridical.report.items import Items, encode_items
from veridical.report.pictures import picture_source
from veridical.report.published import beside
from veridical.report.runs import ReportRun, cannot_be_asked, combined, labels
from veridical.report.select import first_units, in_order, units_of
from veridical.report.svg import inline_svg
from veridical.report.tables import tables_of
from veridical.report.view import counts_view, headlines, settings_view, table_view
from veridical.suite import Suite

if TYPE_CHECKING:
    from jinja2 import Template

_COUNT_LINE = 256
"""Bytes left free for the figures in the line that says how many items are shown."""


def write_report(
    suite: Suite,
    runs: Sequence[ReportRun],
    out: Path,
    *,
    stimuli: Mapping[str, Stimulus],
    media: Callable[[str], bytes] | None,
    items: int = 220,
    assets: Path | None = None,
    published: bool = False,
    seed: int = 0,
    limit_bytes: int = 15_000_000,
) -> Path:
    """The path `out`, after the report of the runs was written there: never more than `limit_bytes` bytes.

    The item browser holds whole units, trouble first (`select.in_order`), up to `items` pictures and as far as bytes
    allow. With a folder `assets` the pictures are copied there and every unit is shown, again as far as bytes allow.
    `media` reads a file of the stimulus set; without it, or where a file is missing, a placeholder says so.
    `published` adds the suite's published results (see `published.beside`).
    Raises `InputError` where the page is too large without any item, or an argument is out of range.
    """
    if not runs:
        raise InputError("report: there is no run to report on")
    if items < 1 or seed < 0:
        raise InputError(f"report: items {items}, seed {seed}: items must be at least 1, the seed at least 0")
    outcomes = combined(runs)
    units = in_order(units_of(outcomes), seed)
    names = labels([run.result for run in runs])
    context = _context(suite, runs, names)
    context |= {"asked_units": len(units), "asked_pictures": sum(len(unit.pictures) for unit in units)}
    context |= {"seed": seed, "assets": assets is not None}
    results = [run.result for run in runs]
    context["published"], context["apart"] = beside(suite.name, results, names) if published else ([], {})
    template = _template()
    bare = len(_render(template, context, Items((), "")))
    if bare + _COUNT_LINE > limit_bytes:
        raise InputError(f"report: {bare:,} bytes without any item, and limit_bytes is {limit_bytes:,}: raise it")
    shown = encode_items(
        units if assets is not None else first_units(units, items),
        outcomes,
        runs,
        names,
        stimuli,
        picture_source(media, out, assets),
        limit_bytes - bare - _COUNT_LINE,
        suite.variants,
    )
    return write_whole(out, _render(template, context, shown))


def _context(suite: Suite, runs: Sequence[ReportRun], names: Sequence[str]) -> dict[str, Json]:
    """What the template shows apart from the items."""
    from markupsafe import Markup

    results = [replace(run.result, model=name) for run, name in zip(runs, names, strict=True)]
    counts = [(name, Counts.of(result.outcomes)) for name, result in zip(names, results, strict=True)]
    figures = [
        (figure, Markup(inline_svg(figure.svg, f"figure-{number}", figure.title)))  # noqa: S704
        for number, figure in enumerate(suite.figures(results), 1)
    ]
    return {
        "suite": suite,
        "names": names,
        "runs": [
            (name, counts_view(count), str(r.about or "")) for (name, count), r in zip(counts, results, strict=True)
        ],
        "incomplete": [
            (name, count, run.stopped, cannot_be_asked(run.result.outcomes))
            for (name, count), run in zip(counts, runs, strict=True)
            if count.asked < count.planned or count.error or run.stopped
        ],
        "headlines": headlines(suite, results, names),
        "tables": [table_view(table) for table in tables_of(suite, results)],
        "figures": figures,
        "settings": settings_view([run.identity for run in runs]),
        "version": version("veridical"),
    }


def _template() -> Template:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=finalize, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": format_number, "interval": format_interval}
    environment.filters["value"] = lambda estimate: format_value(estimate.value, estimate.unit)
    environment.globals["counts_view"] = counts_view
    return environment.from_string(_resource("template.html.j2"))


def _resource(name: str) -> str:
    return files("veridical.report").joinpath(name).read_text(encoding="utf-8")


def _render(template: Template, context: Mapping[str, Json], items: Items) -> bytes:
    from markupsafe import Markup

    script = _resource("unit.js") + _resource("browse.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    pictures = "data: 'self' file:" if context["assets"] else "data:"
    page = template.render(
        context,
        policy=f"default-src 'none'; img-src {pictures}; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'",
        css=Markup(_resource("report.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        shown_units=len(items.units),
        shown_pictures=sum(len(unit.pictures) for unit in items.units),
        items=Markup(items.json),  # noqa: S704
    )
    return page.encode()
