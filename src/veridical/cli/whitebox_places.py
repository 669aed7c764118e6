"""The verb that measures what a local model never sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, bar, tell
from veridical.cli.options import options_of, takes
from veridical.cli.readout_words import map_lines, pictures_facts, tell_cost
from veridical.cli.whitebox import PlaceArgument, StageFlag, group
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    import polars as pl

    from veridical.records import Json
    from veridical.verbs.exchange.local_trials import ReadingCost


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def places(
    place: PlaceArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for what is measured. Default: 'inside' in a run. The same command resumes it.",
            callback=a_folder_to_be,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="Local model: veridical-hf/NAME. Default: that of the run. For a served model, the same one here.",
        ),
    ] = None,
    stage: StageFlag = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Measure what a model never sees of the pictures of a set or run.

    Of each size of picture, the part that is in no picture token; of each kind of stimulus, how many have a critical
    region of which less than half is seen. Verdicts on a run with such a table do not blame the model for these. Exit
    code 1 if a size of picture cannot be mapped.
    """
    from veridical.whitebox.sight import write_places

    with bar("mapping picture tokens") as progress:
        options: dict[str, Any] = {**options_of(words), "stage": stage, "agree": _tell_sizes, "progress": progress}
        table = write_places(place, out, model, **options)
    kinds = table.by_kind()
    facts: dict[str, Json] = {"places": str(table.folder), "pictures": pictures_facts(table.maps, table.unmapped)}
    lines = [*map_lines(table.maps, table.unmapped), *_region_lines(kinds), str(table.folder)]
    tell({**facts, "critical": kinds.to_dicts()}, lines, as_json=as_json)
    if table.unmapped:
        raise IncompleteError(f"{len(table.unmapped):,} sizes of pictures have no map")


def _region_lines(kinds: pl.DataFrame) -> list[str]:
    """A line for each kind of stimulus: how many have a critical region that is not seen, or in part."""
    if not kinds["stated"].sum():
        return ["the suite states no critical regions of these stimuli"]
    names = [f"{row['category']}, {row['variant']}" for row in kinds.to_dicts()]
    wide = max(map(len, names))
    heads = ("stimuli", "with critical region", "seen in part", "unseen")
    lines = ["critical regions (seen in part: less than 95 % of the area; unseen: less than half)"]
    lines.append(f"  {'':<{wide}}  {'  '.join(heads)}")
    for name, row in zip(names, kinds.to_dicts(), strict=True):
        values = (f"{row['stimuli']:,}", f"{row['stated']:,}", f"{row['part']:,}", _share(row["unseen"], row["stated"]))
        cells = "  ".join(f"{value:>{len(head)}}" for value, head in zip(values, heads, strict=True))
        lines.append(f"  {name:<{wide}}  {cells}")
    unmapped = int(kinds["unmapped"].sum())
    return [*lines, *([f"{unmapped:,} stimuli with critical regions have no map"] if unmapped else [])]


def _share(count: int, of: int) -> str:
    return f"{count:,} ({100 * count / of:.0f} %)" if count else "0"


def _tell_sizes(cost: ReadingCost) -> None:
    if cost.rows:
        tell_cost(cost, "sizes of pictures")
