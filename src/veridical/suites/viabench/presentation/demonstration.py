"""The demonstration: three embedded observers on every puzzle. One measures, one recalls, one reads the words alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veridical.records import Json
from veridical.verbs import sets
from veridical.verbs.results.demonstration import Column, demonstrated

UNITS, SIZE = 3, 384
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "measures": ("pixel", {}),
    "recalls": ("simulated", {"mechanism": "recalls", "sees": 0.4}),
    "reads the words": ("text", {}),
}
_COLUMNS: dict[str, Column] = {
    "unusual": ("accuracy", {"variant": "unusual"}),
    "ordinary": ("accuracy", {"variant": "ordinary"}),
    "chance": ("chance", {}),
    "pull": ("pull of the usual", {}),
}
_LEGEND = """\
Percent right on illusions and anomalies, and on their ordinary counterparts. Pull of the usual: accuracy where the
usual answer is right − where it is wrong, in points. The observer that measures declines the puzzles whose answer is
not in the pixels; the one that recalls sees 40 % of the pictures and gives the usual answer to the others."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("viabench", out=out / "set", units=UNITS, size=SIZE)
    asked = demonstrated(stimuli, OBSERVERS, out, progress, repeats=1)
    pictures = len(stimuli.stimuli)
    opening = f"{pictures:,} items of {UNITS} units per puzzle in {stimuli.folder}"
    return asked.told(opening, {"pictures": pictures}, _COLUMNS, _LEGEND, width=10)
