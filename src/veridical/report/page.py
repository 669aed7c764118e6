"""The report: one HTML page that opens from disk, loads nothing, and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.base.files import write_whole
from veridical.base.format import format_interval, format_number, format_value, visible
from veridical.errors import InputError
from veridical.records import PROPORTION, Json
from veridical.report.items import FindStimuli, Items, encode_items, no_stimuli
from veridical.report.media_sources import FindSource, media_sources
from veridical.report.part import SuitePart, part_of
from veridical.report.runs import ReportRun, group_by_suite
from veridical.report.select import first_units
from veridical.report.small_charts import legend, small_chart
from veridical.report.view import counts_table, environment_of, readable, unanswered_text
from veridical.suite import registry
from veridical.suite.opening import Reasons

if TYPE_CHECKING:
    from jinja2 import Environment

_SCRIPTS = ("dom.js", "tables.js", "figures.js", "media.js", "unit.js", "browse.js")
_SECTIONS = ("opening", "why", "training", "results", "exhibits", "inside", "published", "items", "method", "glossary")
_TEMPLATES = tuple(f"{name}.html.j2" for name in ("page", "part", "macros", *_SECTIONS))
_COUNT_LINE = 256
"""Bytes left free, in each part, for the figures in the line that says how many items are shown."""
LIMIT_BYTES = 15_000_000
_LARGEST_CLIP = 1 / 8
"""The share of the page's bytes that one clip may take."""


def write_report(
    runs: Sequence[ReportRun],
    out: Path,
    *,
    stimuli: Mapping[str, FindStimuli],
    media: Mapping[str, Callable[[str], bytes]],
    items: int = 220,
    assets: Path | None = None,
    beside: Path | None = None,
    published: bool = False,
    seed: int = 0,
    limit_bytes: int = LIMIT_BYTES,
) -> Path:
    """The path `out`, after the report of the runs was written there: never more than `limit_bytes` bytes.

    Runs of several suites make a part for each, in order of appearance. `stimuli` and `media` give, by suite, what
    finds stimuli by their ids and what reads a file of the set; without them, or where a file is missing, a placeholder
    says so.
    The item browsers hold whole units, trouble first (`select.order_units`), together up to `items` items and as far as
    bytes allow. With a folder `assets` the media are copied there and every unit is shown, again as far as bytes allow.
    Without it, media go to the folder `beside`, if one is named and the page has no room for all that it is to show.
    `published` adds the suites' published results.
    Raises `InputError` where the page is too large without any item, where nothing published can be shown, or where an
    argument is out of range.
    """
    if not runs:
        raise InputError("report: there is no run to report on")
    if items < 1 or seed < 0:
        raise InputError(f"report: items {items}, seed {seed}: items must be at least 1, the seed at least 0")
    grouped = group_by_suite(runs)
    prefixes = [""] if len(grouped) == 1 else [f"p{number}-" for number in range(1, len(grouped) + 1)]
    parts = [
        part_of(group, prefix, published=published, seed=seed) for group, prefix in zip(grouped, prefixes, strict=True)
    ]
    if published:
        _require_published(parts)
    templates = _templates()
    context = {"seed": seed, "assets": assets is not None, "version": version("veridical")}
    bare = len(_render(templates, context, parts, [Items((), "")] * len(parts))) + _COUNT_LINE * len(parts)
    if bare > limit_bytes:
        raise InputError(f"report: {bare:,} bytes without any item, and limit_bytes is {limit_bytes:,}: raise it")
    largest = int(limit_bytes * _LARGEST_CLIP)
    for folder in (assets, beside):
        sources = {part.suite.name: media_sources(media.get(part.suite.name), out, folder, largest) for part in parts}
        shown = _items(parts, stimuli, sources, None if assets else items, limit_bytes - bare)
        context["assets"] = folder is not None
        if assets is not None or beside is None or not any(each.crowded for each in shown):
            break
    return write_whole(out, _render(templates, context, parts, shown))


def _items(
    parts: Sequence[SuitePart],
    stimuli: Mapping[str, FindStimuli],
    sources: Mapping[str, FindSource],
    items: int | None,
    room: int,
) -> list[Items]:
    """Each part's items, so many (`None`: all) in so many bytes; what one part leaves of its share the others have."""
    shown: list[Items] = []
    for index, part in enumerate(parts):
        more = len(parts) - index
        units = part.units if items is None else first_units(part.units, max(1, items // more))
        of_suite = stimuli.get(part.suite.name, no_stimuli)
        encoded = encode_items(units, part.runs, part.names, of_suite, sources[part.suite.name], room // more)
        room -= len(encoded.json.encode())
        items = None if items is None else items - sum(len(unit.stimuli) for unit in encoded.units)
        shown.append(encoded)
    return shown


def _require_published(parts: Sequence[SuitePart]) -> None:
    if any(part.published for part in parts):
        return
    if lacking := {name: why for part in parts for name, why in part.apart.items()}:
        reasons = "; ".join(f"{name} {why}" for name, why in lacking.items())
        raise InputError(f"--published: no run was asked as the published models were: {reasons}")
    stored = [suite.name for suite in registry.all_suites() if suite.presentation.published]
    names = ", ".join(part.suite.name for part in parts)
    raise InputError(f"--published: nothing is stored for the suite {names}; there is for {', '.join(stored)}")


def _templates() -> Environment:
    from markupsafe import Markup

    environment = environment_of({name: _resource(name) for name in _TEMPLATES})
    environment.filters |= {"number": format_number, "interval": format_interval}
    environment.filters["value"] = lambda estimate: format_value(estimate.value, estimate.unit)
    environment.filters["unbroken"] = lambda text: text.replace("≥ ", "≥\u00a0").replace("≤ ", "≤\u00a0")
    environment.globals |= {
        "counts_table": counts_table,
        "lacking": unanswered_text,
        "readable": readable,
        "percent": lambda share: format_value(share, PROPORTION),
        "small_chart": lambda chart: Markup(small_chart(chart)),  # noqa: S704
        "legend": lambda charts: [(name, Markup(key)) for name, key in legend(charts)],  # noqa: S704
        "verdict_counts": _verdict_counts,
    }
    return environment


def _verdict_counts(reasons: Reasons) -> list[tuple[str, int]]:
    """How many parts have each verdict, the most frequent first."""
    parts = Counter(each.verdict for each in reasons.parts)
    return (parts + Counter({each.verdict: len(each.names) for each in reasons.folded})).most_common()


def _resource(name: str) -> str:
    return files("veridical.report").joinpath(name).read_text(encoding="utf-8")


def _render(
    templates: Environment, context: Mapping[str, Json], parts: Sequence[SuitePart], items: Sequence[Items]
) -> bytes:
    from markupsafe import Markup

    script = "".join(map(_resource, _SCRIPTS))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    media = "data: 'self' file:" if context["assets"] else "data:"
    shown: list[dict[str, Json]] = [
        {
            **part.facts(),
            "anchors": {term.title: term.anchor for term in part.terms},
            "meanings": {term.title: visible(term.short) for term in part.terms},
            "shown_units": len(of_part.units),
            "shown_items": sum(len(unit.stimuli) for unit in of_part.units),
            "document": Markup(of_part.json),  # noqa: S704
        }
        for part, of_part in zip(parts, items, strict=True)
    ]
    body = templates.get_template("part.html.j2")
    page = templates.get_template("page.html.j2").render(
        context,
        policy=f"default-src 'none'; img-src {media}; media-src {media}; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        css=Markup(_resource("report.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        parts=shown,
        bodies=[
            Markup(body.render({**context, **part, "part": part, "alone": len(parts) == 1}))  # noqa: S704
            for part in shown
        ],
    )
    return page.encode()
