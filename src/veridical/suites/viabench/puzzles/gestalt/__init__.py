"""Gestalt: one thing that differs hides in the regularity of the whole."""

from veridical.suites.viabench.puzzles.gestalt.camouflage import CAMOUFLAGE
from veridical.suites.viabench.puzzles.gestalt.details import DETAILS
from veridical.suites.viabench.puzzles.gestalt.gaps import GAPS
from veridical.suites.viabench.puzzles.gestalt.hues import HUES
from veridical.suites.viabench.puzzles.gestalt.lookalikes import LOOKALIKES
from veridical.suites.viabench.puzzles.gestalt.mirrored import MIRRORED
from veridical.suites.viabench.puzzles.gestalt.oriented import ORIENTED
from veridical.suites.viabench.puzzles.gestalt.sizes import SIZES
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (ORIENTED, MIRRORED, LOOKALIKES, GAPS, HUES, SIZES, DETAILS, CAMOUFLAGE)
