"""What drawing remembers is dropped after each module of tests, since no other module draws the same pictures."""

import re
import sys

import pytest

DRAWING = re.compile(r"veridical\.suites\.\w+\.(illusions|puzzles)\b")


@pytest.fixture(scope="module", autouse=True)
def _nothing_drawn_is_kept():
    yield
    for module in [each for name, each in sys.modules.items() if DRAWING.match(name)]:
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()
