"""Property tests draw the same examples in every run and have no clock; each worker computes in one thread."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Workers share the cores: threads that wait for each other only keep them busy. Libraries read this when they load.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

settings.register_profile(
    "veridical", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("veridical")


@pytest.fixture(scope="module")
def one_process():
    """Sets are drawn in this process: the cores are busy with other tests, and a process more costs more to start."""
    from veridical.stimulus_set import write

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "cores", lambda: 1)
        yield
