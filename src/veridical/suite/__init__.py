"""What a suite is, the registry of suites, and the kit for writing one."""

from veridical.suite.asking import Asking, Levels, Preset, Stage
from veridical.suite.record import Suite
from veridical.suite.registry import get, names, register
from veridical.suite.results import PEOPLE, About, Cell, Figure, Result, Table

__all__ = [
    "PEOPLE",
    "About",
    "Asking",
    "Cell",
    "Figure",
    "Levels",
    "Preset",
    "Result",
    "Stage",
    "Suite",
    "Table",
    "get",
    "names",
    "register",
]
