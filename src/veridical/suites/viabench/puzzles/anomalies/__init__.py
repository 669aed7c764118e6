"""Visual anomalies: what breaks a common-sense prior, each beside its normal version."""

from veridical.suites.viabench.puzzles.anomalies.animals import ANIMALS
from veridical.suites.viabench.puzzles.anomalies.boards import BOARDS
from veridical.suites.viabench.puzzles.anomalies.clocks import CLOCKS
from veridical.suites.viabench.puzzles.anomalies.dice import DICE
from veridical.suites.viabench.puzzles.anomalies.dominoes import DOMINOES
from veridical.suites.viabench.puzzles.anomalies.feet import FEET
from veridical.suites.viabench.puzzles.anomalies.flags import FLAGS
from veridical.suites.viabench.puzzles.anomalies.hands import HANDS
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (HANDS, FEET, ANIMALS, DICE, DOMINOES, CLOCKS, FLAGS, BOARDS)
