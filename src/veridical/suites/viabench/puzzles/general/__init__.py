"""Puzzles of the category `general`."""

from veridical.suites.viabench.puzzles.general.behind_posts import BEHIND_POSTS
from veridical.suites.viabench.puzzles.general.kanizsa import KANIZSA
from veridical.suites.viabench.puzzles.general.profiles import PROFILES
from veridical.suites.viabench.puzzles.general.reflection import REFLECTION
from veridical.suites.viabench.puzzles.general.symmetry import SYMMETRY
from veridical.suites.viabench.puzzles.general.touch import TOUCH
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (PROFILES, KANIZSA, REFLECTION, SYMMETRY, BEHIND_POSTS, TOUCH)
