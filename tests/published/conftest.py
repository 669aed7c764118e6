"""Tables that a test changes are read anew, by it and after it."""

import pytest

from veridical.published import printed
from veridical.published.viabench import layout


def forget():
    printed.sheet.cache_clear()
    layout.questions.cache_clear()


@pytest.fixture
def unread():
    """Nothing of any table is kept from before, nor for after."""
    forget()
    yield
    forget()
