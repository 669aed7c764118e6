"""At which depth the answer follows the picture: picture tokens of one trial put into its pair's run, over a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import polars as pl

from veridical.base.files import replace_atomically, write_whole
from veridical.internals.patch_curve import CURVE, curve_svg, patch_curve
from veridical.suite.trial_pairs import PairLevels, trial_pairs
from veridical.verbs.exchange.local_trials import LocalTrials, ReadingOptions, ReadRows
from veridical.verbs.exchange.planned_stages import Place


@dataclass(frozen=True, repr=False, kw_only=True)
class PatchTable(ReadRows):
    """A row for each pair: the logarithms of the probabilities of `answers`, of both trials and at each depth.

    `curve` has the figures by depth and group, as `patch_curve` gives them.
    """

    name = "patch"
    curve: pl.DataFrame


def write_patches(
    place: Place,
    out: Path | str | None = None,
    model: str | None = None,
    *,
    pairs: Sequence[str],
    by: str | None = None,
    opening: str = "",
    **options: Unpack[ReadingOptions],
) -> PatchTable:
    """The answers of a local model to a picture with the picture tokens of another one of its unit, at each depth.

    Each of `pairs`, such as `variant=original,changed`, is a group: pictures at the second level are put into the runs
    on those at the first. `by` names a further factor that divides groups; `opening` begins each reply. Numbers,
    `curve.csv`, `curve.parquet` and `curve.svg` are written to the folder `out` (default: `inside/patch` of the run);
    the same call resumes. Raises `InputError` as `write_states` does, and where no pair is found or a partner is not
    unique.
    """
    levels = [PairLevels.of(each) for each in pairs]
    shown = LocalTrials.of(place, out, model, "patch", **options)
    found, unpaired = trial_pairs(shown.trials, levels, by)
    from veridical.whitebox.patch_reading import PatchReading

    with shown.opened() as loaded:
        rows = PatchReading(loaded, shown, found, opening).read(pairs=[list(each) for each in levels], by=by)
    folder = shown.folder
    curve = patch_curve(pl.read_parquet(folder / "patch/*.parquet"))
    with replace_atomically(folder / CURVE) as temporary:
        curve.write_parquet(temporary)
    write_whole(folder / "curve.csv", curve.write_csv().encode())
    write_whole(folder / "curve.svg", curve_svg(curve).encode())
    return PatchTable(**{**rows, "left_out": unpaired}, curve=curve)
