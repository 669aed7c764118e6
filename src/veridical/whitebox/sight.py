"""What a local model sees of the pictures of a set or run, and of the regions in them that its answers take.

A folder has `places.json`, which says of which model and pictures this is, `places.parquet` with the boxes of picture
tokens for each size of picture, and `places-critical.parquet` with a row for each stimulus that shows a picture. In a
run it is `inside`, where the run's verdicts find it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Unpack

import polars as pl

from veridical.ask.local.requests import PromptRefused
from veridical.base.files import replace_atomically
from veridical.errors import InputError
from veridical.internals.seen_area import SeenArea, least_seen
from veridical.internals.token_map import PLACES, MapTable, Size, TokenMap
from veridical.records import CRITICAL_SEEN, Json
from veridical.suite.unseen_regions import LEAST_SEEN
from veridical.verbs.exchange.local_trials import LocalTrials, ReadingCost, ReadingOptions, pictures_of
from veridical.verbs.exchange.planned_stages import Place
from veridical.verbs.runs.measured_sight import REGIONS

if TYPE_CHECKING:
    from veridical.whitebox.inside import Inside

_SCHEMA: Mapping[str, pl.DataType] = {
    **dict.fromkeys(("model", "stimulus", "unit", "category", "variant"), pl.String()),
    "regions": pl.Int64(),
    CRITICAL_SEEN: pl.Float64(),
}


@dataclass(frozen=True, repr=False)
class SightTable:
    """The maps of picture tokens in a folder, and what the model sees of each stimulus's critical regions.

    `unmapped` has the sizes of pictures without a map, and why; `critical` is the table in `places-critical.parquet`.
    """

    folder: Path
    maps: Sequence[TokenMap]
    unmapped: Mapping[Size, str]
    critical: pl.DataFrame

    def by_kind(self) -> pl.DataFrame:
        """How many stimuli of each category and picture type have critical regions, and of how many one is not seen.

        `stated` have any, of `unmapped` nothing is measured, `part` are seen by less than 95 % of the area, `unseen` by
        less than half.
        """
        seen, stated = pl.col(CRITICAL_SEEN), pl.col("regions") > 0
        return (
            self.critical.group_by("category", "variant")
            .agg(
                pl.len().alias("stimuli"),
                stated.sum().alias("stated"),
                (stated & seen.is_null()).sum().alias("unmapped"),
                ((seen >= LEAST_SEEN) & (seen < 0.95)).sum().alias("part"),
                (seen < LEAST_SEEN).sum().alias("unseen"),
            )
            .sort("category", "variant")
        )

    def __repr__(self) -> str:
        return f"<SightTable of {len(self.critical):,} stimuli: {self.folder}>"


def write_places(
    place: Place, out: Path | str | None = None, model: str | None = None, **options: Unpack[ReadingOptions]
) -> SightTable:
    """What a local model sees of the pictures of a set or run, measured and written to the folder `out`.

    `out` is by default the folder `inside` of a run. `model` is `veridical-hf/NAME` (default: that of the run); for a
    run of a model that is served, the same model on this machine. The options are those of `ReadingOptions`. The same
    call resumes what was stopped. Raises `InputError` for a model that does not fit, for clips, for a set without
    `out`, and for a folder with the maps of another model or other pictures.
    """
    shown = LocalTrials.of(place, out, model, "", **options)
    from veridical.whitebox.inside import Inside
    from veridical.whitebox.places import kept_maps

    with shown.opened() as loaded:
        inside = Inside(loaded)
        shown.require_same("places", loaded, {})
        table = MapTable(shown.folder / PLACES)
        if agree := options.get("agree"):
            agree(_cost(inside, table.missing(shown.sizes)))
        maps, unmapped = kept_maps(inside, table, shown.sizes, options.get("progress"))
    critical = pl.DataFrame(_rows(shown, maps), schema=_SCHEMA, orient="row")
    with replace_atomically(shown.folder / REGIONS) as temporary:
        critical.write_parquet(temporary)
    return SightTable(shown.folder, maps, unmapped, critical)


def _cost(inside: Inside, sizes: Sequence[Size]) -> ReadingCost:
    """What mapping these sizes takes, by the time of one pass over a picture."""
    from veridical.whitebox.places import passes, still_features

    for size in sizes:
        start = perf_counter()
        with suppress(InputError, PromptRefused):  # of a size that the model cannot take, the table says so
            still_features(inside, *size)
            return ReadingCost(len(sizes), (perf_counter() - start) * passes(sizes), 0, passes(sizes))
    return ReadingCost(0, 0.0, 0, 0)


def _rows(shown: LocalTrials, maps: Sequence[TokenMap]) -> Iterator[tuple[Json, ...]]:
    """A row for each stimulus that shows a picture, in the order of the set."""
    areas = {(each.width, each.height): SeenArea(each) for each in maps}
    files: dict[str, set[str]] = {}
    for trial in shown.trials:
        files.setdefault(trial.stimulus, set()).update(medium.file for medium in pictures_of(trial))
    for each in shown.setup.stimuli.stimuli:
        if each.id in files:
            regions = shown.setup.suite.design.critical(each) if each.media else ()
            sizes = {shown.frame(file)[:2] for file in files[each.id] - {medium.file for medium in each.media[1:]}}
            seen = least_seen(each, regions, [areas.get(size) for size in sorted(sizes)])
            yield shown.model, each.id, each.unit, each.category, each.variant, len(regions), seen
