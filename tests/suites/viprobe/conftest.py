"""What tests of VI-Probe share."""

from functools import partial
from importlib import import_module

import pytest


@pytest.fixture(scope="module")
def no_verdicts():
    """Runs write their tables without those of the verdicts, whose fits take as long as all else, where none looks.

    What these tables show, and that runs write them, is tested elsewhere.
    """
    model_tables = import_module("veridical.suites.viprobe.presentation.tables")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_tables, "mechanisms", lambda *_: [])
        yield


@pytest.fixture
def sets_of_one_case(monkeypatch):
    """A run that has no set draws one of a single case, as sets of all cases take long and are tested elsewhere."""
    sets = import_module("veridical.verbs.sets")
    monkeypatch.setattr(sets, "make", partial(sets.make, cases=["muller_lyer"]))
