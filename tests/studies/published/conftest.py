"""Tables that a test changes are read anew, by it and after it."""

import pytest

from studies.published import printed, replicate


@pytest.fixture(scope="session")
def found():
    """The verdict on every claim of all papers."""
    return replicate()


@pytest.fixture
def unread():
    """Nothing of any table is kept from before, nor for after."""
    printed.sheet.cache_clear()
    yield
    printed.sheet.cache_clear()
