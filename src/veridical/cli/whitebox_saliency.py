"""The verb that writes where a local model looks."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from veridical.cli.common import JsonFlag, bar
from veridical.cli.options import options_of, takes
from veridical.cli.readout_words import row_lines, tell_cost
from veridical.cli.whitebox import (
    WITHOUT_PICTURE,
    ModelFlag,
    OpeningFlag,
    OutFlag,
    PlaceArgument,
    RandomFlag,
    StageFlag,
    group,
    tell_rows,
)


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def saliency(
    place: PlaceArgument,
    out: OutFlag = None,
    model: ModelFlag = None,
    stage: StageFlag = None,
    opening: OpeningFlag = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="attention, rollout, gradient or grad-cam. Repeatable. Default: attention and rollout.",
        ),
    ] = None,
    random_weights: RandomFlag = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write where a model looks: saliency maps of each stimulus.

    A map is of the position of the answer. Each kind has a folder, with one for each combination of settings, with
    STIMULUS.npz. Exit code 1 if a stimulus has no map.
    """
    from veridical.whitebox.saliency import ATTENTION, ROLLOUT, write_saliency

    with bar("reading saliency") as progress:
        options: dict[str, Any] = {**options_of(words), "stage": stage, "random_weights": random_weights}
        options |= {"agree": partial(tell_cost, what="maps"), "progress": progress}
        table = write_saliency(place, out, model, kinds=kind or (ATTENTION, ROLLOUT), opening=opening, **options)
    rows = table.presentations()
    lines = row_lines(table, "maps are written", "", WITHOUT_PICTURE)
    for row in rows:
        unseen = row["unseen"]
        seen = "" if not unseen or unseen < 0.005 else f", up to {100 * unseen:.0f} % of a picture in no token"
        lines += [
            f"{row['stimuli']:,} stimuli{seen}: {table.folder / each / row['presentation']}" for each in table.kinds
        ]
    facts = {"saliency": str(table.folder), "kinds": list(table.kinds), "maps": table.read}
    tell_rows(table, {**facts, "without_picture": table.left_out, "presentations": rows}, lines, as_json=as_json)
