"""The probe suite, installed like anybody's package while these tests run: nothing of the library is patched."""

import pytest

import veridical
from tests.calling import call
from tests.probe.packages import installed
from veridical.stimulus_set import write
from veridical.suite import registry


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder to find packages in, with one that offers the probe."""
    return installed(tmp_path_factory.mktemp("site"), "probe-suite", ["probe = tests.probe_suite:SUITE"])


@pytest.fixture(scope="package", autouse=True)
def probe(site):
    before = dict(registry._REGISTERED)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        yield registry.get("probe")
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """A set of 25 chunks, drawn in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "cores", lambda: 1)
        return veridical.make("probe", out=tmp_path_factory.mktemp("sets") / "set", units=5, dots=6)


@pytest.fixture(scope="package")
def small(tmp_path_factory):
    return veridical.make("probe", out=tmp_path_factory.mktemp("sets") / "small", recipe="quick", units=1)


@pytest.fixture(scope="package")
def seeing(made, tmp_path_factory):
    """A run of the observer that looks, in both tones."""
    out = tmp_path_factory.mktemp("runs") / "seeing"
    return veridical.run(made, "veridical/eye", out=out, settings={"tone": ["plain", "polite"]}, show="quiet")


@pytest.fixture(scope="package")
def blind(made, tmp_path_factory):
    """A run of the observer that guesses, with the same trials."""
    out = tmp_path_factory.mktemp("runs") / "blind"
    asked = {"tone": ["plain", "polite"]}
    return veridical.run(made, "veridical/eye", out=out, settings=asked, model_args={"blind": True}, show="quiet")


@pytest.fixture
def said(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)
