"""What tests of VI-Probe share."""

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
