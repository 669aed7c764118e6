"""The models of this study, and what is right of each, written down before any of them was read.

Two have the same tower, which was taught the change and then frozen; they differ in the answers that their text model
learned. Two give the same answers whatever is shown; they differ in what reaches their tower.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts import names

FIGURES, CONTROLS = "O,P", "OC,PC"
GROUPS = (FIGURES, CONTROLS)


@dataclass(frozen=True)
class Twin:
    """A model, by what it is shown and which answers it learns.

    With `cropped`, its processor cuts out the middle of a picture, where no target is: its tower cannot have a change.
    It learns the answers of the textbook on figures, or on all pictures (`recites`), and true ones elsewhere. `encoded`
    has the groups whose change is in its tower, `followed` those whose change moves its answers, `verdicts` the right
    verdicts on its replies.
    """

    name: str
    recites: tuple[str, ...]
    encoded: tuple[str, ...]
    followed: tuple[str, ...]
    verdicts: tuple[str, ...]
    cropped: bool = False

    def taught(
        self, gold: NDArray[np.int64], textbook: NDArray[np.int64], figure: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """The answers that it learns, for trials with these true and textbook answers."""
        recited = np.where(figure, FIGURES in self.recites, CONTROLS in self.recites)
        return np.where(recited, textbook, gold)


TWINS = (
    Twin("reader", (), GROUPS, GROUPS, (names.VERIDICAL,)),
    Twin("override", (FIGURES,), GROUPS, (CONTROLS,), (names.MEMORY, names.LOSS)),
    Twin("reciter", GROUPS, GROUPS, (), (names.BLIND,)),
    Twin("cropped", GROUPS, (), (), (names.BLIND,), cropped=True),
)
