"""At which depth the answer follows the picture: picture tokens of one trial put into its pair's run, over a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import polars as pl

from veridical.base.files import replace_atomically, write_whole
from veridical.suite.trial_pairs import PairLevels, trial_pairs
from veridical.verbs.exchange.planned_stages import Place
from veridical.whitebox.local_trials import LocalTrials, ReadingOptions
from veridical.whitebox.patch_curve import curve_svg, patch_curve


@dataclass(frozen=True, repr=False)
class PatchTable:
    """The curve by depth and group, as `patch_curve` gives it, and the folder of all numbers.

    `unpaired` counts trials without a partner, `problems` pairs that could not be read by reason.
    """

    folder: Path
    curve: pl.DataFrame
    pairs: int
    unpaired: int
    problems: Mapping[str, int]

    def frame(self) -> pl.LazyFrame:
        """A row for each pair: the logarithms of the probabilities of `answers`, of both trials and at each depth."""
        return pl.scan_parquet(self.folder / "patch/*.parquet")

    def __repr__(self) -> str:
        return f"<Patched runs of {self.pairs:,} pairs: {self.folder}>"


def write_patches(
    place: Place,
    out: Path | str,
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
    `curve.csv`, `curve.parquet` and `curve.svg` are written to the folder `out`; the same call resumes. Raises
    `InputError` as `write_states` does, and where no pair is found or a partner is not unique.
    """
    levels = [PairLevels.of(each) for each in pairs]
    shown, folder = LocalTrials.of(place, model, **options), Path(out)
    found, unpaired = trial_pairs(shown.trials, levels, by)
    from veridical.whitebox.patch_reading import PatchReading

    with shown.opened(folder) as inside:
        reading = PatchReading(inside, shown, folder, found, opening)
        reading.begin(options, pairs=[list(each) for each in levels], by=by)
        problems = reading.read(options)
    frame = pl.read_parquet(folder / "patch/*.parquet")
    table = PatchTable(folder, patch_curve(frame), len(found), unpaired, problems)
    with replace_atomically(folder / "curve.parquet") as temporary:
        table.curve.write_parquet(temporary)
    write_whole(folder / "curve.csv", table.curve.write_csv().encode())
    write_whole(folder / "curve.svg", curve_svg(table.curve).encode())
    return table
