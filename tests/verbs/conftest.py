"""What tests of verbs share."""

import pytest


@pytest.fixture
def environment(monkeypatch):
    """Sets the variables of a scheduler, and no others."""

    def stated(**variables):
        for name in ("ID", "MIN", "MAX", "STEP", "COUNT"):
            monkeypatch.delenv(f"SLURM_ARRAY_TASK_{name}", raising=False)
        for name in ("RANK", "WORLD_SIZE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return stated
