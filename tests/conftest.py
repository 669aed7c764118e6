"""Property tests draw the same examples in every run and have no clock; each worker computes in one thread."""

import ctypes
import gc
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What one process compiles, the next need not compile again, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Workers share the cores: threads that wait for each other only keep them busy. Libraries read this when they load.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_threads, "1")

settings.register_profile(
    "veridical", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("veridical")


class _Loaded:
    """How tests are looked for: in modules of tests, and in those of the library that have an example."""

    @staticmethod
    def pytest_ignore_collect(collection_path: Path) -> bool | None:
        if collection_path.suffix != ".py":
            return None
        if collection_path.is_relative_to(Path(__file__).parent):
            needed = collection_path.name.startswith("test_")
        else:
            needed = ">>>" in collection_path.read_text(encoding="utf-8")
        return None if needed else True

    @staticmethod
    @pytest.hookimpl(wrapper=True)
    def pytest_collection() -> Iterator[None]:
        # Thousands of tests stay to the end: nobody need look among them for what is garbage.
        gc.disable()
        try:
            return (yield)
        finally:
            gc.enable()
            gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    # As a plugin of its own: what a conftest says is heard below its own folder alone.
    config.pluginmanager.register(_Loaded())


DRAWING = re.compile(r"veridical\.suites\.\w+\.(illusions|puzzles)\b")


@pytest.fixture(scope="module", autouse=True)
def _caches_end_with_their_module(request):
    """What tests of a module remember, and what drawing does, is dropped after them: no other module asks for it."""
    yield
    drawing = [module for name, module in sys.modules.items() if DRAWING.match(name)]
    for module in (request.module, *drawing):
        for each in vars(module).values():
            if hasattr(each, "cache_clear") and each.__module__ == module.__name__:
                each.cache_clear()
    # What is free, glibc would keep for this process: 44 MB after the tests of clutter alone.
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


@pytest.fixture(scope="session", autouse=True)
def _unsynced():
    """Files wait for no disk: it matters where the power fails. What is killed instead leaves what it wrote."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="module")
def one_process():
    """Sets are drawn in this process: the cores are busy with other tests, and a process more costs more to start."""
    from veridical.stimulus_set import write

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "cores", lambda: 1)
        yield


@pytest.fixture(scope="module")
def no_figures():
    """Runs write their outcomes and tables and no figures, which take as long as all else, where no test looks at them.

    What figures show, and that runs write them, is tested elsewhere.
    """
    from veridical.verbs.results import result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result, "write_figures", lambda *_: [])
        yield


@pytest.fixture
def cli(monkeypatch, capsys):
    """Runs a command line on a terminal of so many columns; returns its exit code, output and errors."""
    from veridical import cli as command_line

    def called(*words, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["veridical", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            command_line.main()
        shown = capsys.readouterr()
        return ended.value.code, shown.out, shown.err

    return called


@pytest.fixture
def other(monkeypatch):
    """A suite of somebody else's, with an option of every type, that is known while a test runs."""
    from tests.cli import elsewhere
    from veridical.suite import registry

    monkeypatch.setitem(registry._REGISTERED, elsewhere.SUITE.name, elsewhere.SUITE)
    return elsewhere.SUITE
