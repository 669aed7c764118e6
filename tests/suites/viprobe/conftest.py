"""What tests of VI-Probe share."""

import pytest


@pytest.fixture(scope="module")
def no_verdicts():
    """Runs write their tables without those of the verdicts, whose fits take as long as all else, where none looks.

    What these tables show, and that runs write them, is tested elsewhere.
    """
    from veridical.suites.viprobe.presentation import tables as model_tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_tables, "mechanisms", lambda *_: [])
        yield
