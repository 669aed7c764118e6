"""Puzzles of the category `motion`."""

from veridical.suites.viabench.puzzles.motion.poles import POLES
from veridical.suites.viabench.puzzles.motion.rays import RAYS
from veridical.suites.viabench.puzzles.motion.static_drift import STATIC_DRIFT
from veridical.suites.viabench.puzzles.motion.tunnel import TUNNEL
from veridical.suites.viabench.puzzles.motion.wheels import WHEELS
from veridical.suites.viabench.puzzles.motion.window import WINDOW
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (WHEELS, WINDOW, TUNNEL, POLES, RAYS, STATIC_DRIFT)
