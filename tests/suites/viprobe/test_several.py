"""Several models in one call: each run is what asking that model alone gives, and nothing is asked or spent twice."""

import io
import json
import os
import re
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.ask.server import refused, said, serve
from tests.calling import call
from tests.probe.staged import models_file
from veridical.ask import RunBoard
from veridical.records import Response
from veridical.verbs.runs.model_runs import folder_of

pytestmark = pytest.mark.usefixtures("one_process", "no_figures", "no_verdicts")
QUIET = {"show": "quiet", "analyze": False}
WHEN = ["latency", "ended"]
TRIALS = 8


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Four pictures, each asked about twice."""
    few = {"cases": ["zollner"], "units": 1, "levels": 2, "variants": ["P", "PC"], "size": 128}
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("sets") / "set", **few)


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A server that knows every model but `gone`, with folders of its own for what it is asked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    known = lambda r: refused(404, "no such model") if r.body["model"] == "gone" else said("<answer>1</answer>")  # noqa: E731
    with serve(known) as started:
        yield started


@pytest.fixture
def cli(monkeypatch, capsys):
    return lambda *words: call(monkeypatch, capsys, *words)


def asked(server):
    return [request.body["model"] for request in server.requests]


def test_each_run_is_what_asking_its_model_alone_gives(small, server, tmp_path):
    models_file(tmp_path / "models.toml", {"a": {"model": "m", "base_url": server.url, "temperature": 0.5}})
    runs = veridical.run_models(small, ["a", "veridical/pixel"], out=tmp_path / "runs", **QUIET)
    alone = [
        veridical.run(small, "m", base_url=server.url, temperature=0.5, out=tmp_path / "m", **QUIET),
        veridical.run(small, "veridical/pixel", out=tmp_path / "pixel", **QUIET),
    ]
    assert [run.folder for run in runs] == [tmp_path / "runs" / "a", tmp_path / "runs" / "veridical--pixel"]
    assert runs.complete
    for run, other in zip(runs, alone, strict=True):
        assert run.run.identity == other.run.identity
        assert run.outcomes().drop(WHEN).equals(other.outcomes().drop(WHEN))
    assert {request.body["temperature"] for request in server.requests} == {0.5}
    assert runs.frame().select("model", "run", "complete", "planned", "asked", "problem").rows() == [
        (run.model, str(run.folder), True, TRIALS, TRIALS, None) for run in runs
    ]


def test_the_same_call_asks_nothing_twice_and_a_further_model_alone(small, server, tmp_path):
    options = {"out": tmp_path / "runs", "base_url": server.url, **QUIET}
    veridical.run_models(small, ["a", "b"], **options)
    assert asked(server) == ["a"] * TRIALS + ["b"] * TRIALS
    veridical.run_models(small, ["a", "b"], **options)
    assert len(server.requests) == 2 * TRIALS
    veridical.run_models(small, ["b", "c", "a"], **options)
    assert asked(server)[2 * TRIALS :] == ["c"] * TRIALS


def test_a_model_that_cannot_be_asked_keeps_nobody_from_being_asked(small, server, tmp_path, cli):
    place = {"base_url": server.url}
    models_file(tmp_path / "models.toml", {"a": place, "bad": {"model": "gone", **place}, "c": place})
    words = ("run", "viprobe", "--set", small.folder, "--out", "runs", "--yes")
    models = ("--model", "a", "--model", "bad", "--model", "c")
    code, out, err = cli(*words, *models)
    assert code == 2
    assert [line for line in err.splitlines() if line.startswith("bad: the model 'gone'")]
    assert err.splitlines()[-1] == "veridical: 1 of 3 models cannot be asked; the same command sends what is missing"
    assert [line.split(",")[0] for line in out.splitlines() if " on viprobe" in line] == [
        "a on viprobe",
        "c on viprobe",
    ]
    facts = json.loads(cli(*words, *models, "--json")[1])
    assert [each["model"] for each in facts] == ["a", "c", "bad"]
    assert facts[2]["problem"].startswith("the model 'gone'")
    models_file(tmp_path / "models.toml", {"a": place, "bad": {"model": "back", **place}, "c": place})
    before = len(server.requests)
    code, out, err = cli(*words, *models)
    assert (code, asked(server)[before:]) == (0, ["back"] * TRIALS)


def test_one_budget_holds_for_all_models_together(small, server, tmp_path, cli):
    words = ("run", "viprobe", "--set", small.folder, "--out", "runs", "--yes", "--base-url", server.url)
    limits = ("--model", "a", "--model", "b", "--model", "c", "--budget-tokens", 150, "--max-connections", 1)
    code, _, err = cli(*words, *limits)
    assert code == 1
    assert 12 * len(server.requests) in range(150, 150 + 12)
    assert err.splitlines()[-1].startswith("veridical: 2 of 3 runs are incomplete (b, c)")
    assert set(asked(server)) == {"a", "b"}


REFUSED = {
    "twice": (("--model", "a", "--model", "a"), "the model a is given twice: once is allowed"),
    "unknown observer": (("--model", "a", "--model", "veridical/pixl"), "did you mean 'veridical/pixel'"),
    "unknown table": (
        ("--model", "vlm-a", "--model", "vlm-d"),
        "models.toml: unknown model 'vlm-d': did you mean 'vlm-b'",
    ),
    "wrong table": (("--model", "vlm-a", "--model", "wrong"), "models.toml: 'wrong': unknown key 'base_ulr'"),
    "no key": (("--model", "vlm-a", "--model", "keyed"), "set the environment variable NO_SUCH_KEY"),
    "contradiction": (
        ("--model", "vlm-b", "--model", "vlm-a", "--temperature", "1"),
        "temperature 1.0 contradicts models.toml, where 'vlm-a' has 0.5: leave out one of the two",
    ),
    "other argument": (
        ("--model", "vlm-b", "--model", "argued", "-M", "x=2"),
        "model_args x 2 contradicts models.toml, where 'argued' has 1: leave out one of the two",
    ),
    "in a run": (("--model", "vlm-b", "--model", "vlm-a", "--out", "taken"), "taken is a run: name another folder"),
    "a setting": (("--model", "vlm-b", "--model", "vlm-a", "-S", "polarty=forward"), "did you mean 'polarity'?"),
    "nobody agrees": (("--model", "vlm-b", "--model", "vlm-a"), "nothing was sent: give --yes"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_told_before_anything_is_sent_or_written(what, small, server, tmp_path, cli):
    words, told = REFUSED[what]
    place = {"base_url": server.url}
    tables = {"vlm-a": {**place, "temperature": 0.5}, "vlm-b": place, "wrong": {"base_ulr": "x"}}
    tables |= {"keyed": {**place, "key": "NO_SUCH_KEY"}, "argued": {**place, "args": {"x": 1}}}
    models_file(tmp_path / "models.toml", tables)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "run.json").write_text("{}")
    agreed = () if what == "nobody agrees" else ("--yes",)
    flags = words if "--out" in words else (*words, "--out", "runs")
    code, out, err = cli("run", "viprobe", "--set", small.folder, *flags, *agreed)
    assert (code, out) == (2, "")
    assert told in err.splitlines()[-1]
    assert server.requests == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["models.toml", "taken"]


def test_a_person_is_asked_once_about_all_that_is_to_be_sent(small, server, tmp_path):
    shown = []

    def refuses(setups):
        shown.append([setup.model for setup in setups])
        return False

    models = ["a", "veridical/pixel", "b"]
    with pytest.raises(veridical.InputError, match="nothing was sent"):
        veridical.run_models(small, models, out=tmp_path / "runs", base_url=None, confirm=refuses, **QUIET)
    models_file(tmp_path / "models.toml", {"a": {"base_url": server.url}, "b": {"base_url": server.url}})
    with pytest.raises(veridical.InputError, match="nothing was sent"):
        veridical.run_models(small, models, out=tmp_path / "runs", confirm=refuses, **QUIET)
    assert shown[-1] == ["a", "b"]
    assert server.requests == []
    assert not (tmp_path / "runs").exists()
    runs = veridical.run_models(small, models, out=tmp_path / "runs", confirm=lambda _: True, **QUIET)
    assert runs.complete


def test_a_call_that_is_stopped_leaves_what_follows_and_the_same_call_goes_on(small, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    seen, stop = [], TRIALS + 3

    def stopping(request):
        seen.append(request.body["model"])
        if len(seen) == stop:
            os.kill(os.getpid(), signal.SIGINT)
        return said("<answer>1</answer>", delay=1 if len(seen) == stop else 0)

    with serve(stopping) as server:
        options = {"out": tmp_path / "runs", "base_url": server.url, "max_connections": 1, **QUIET}
        first = veridical.run_models(small, ["a", "b", "c"], **options)
        assert (first.left, first.complete, [run.model for run in first]) == (("c",), False, ["a", "b"])
        assert first.frame()["problem"].to_list() == [None, "interrupted", "not asked yet"]
        assert repr(first) == "<Runs of a, b, 1 not asked yet>"
        stored = len(first[0].run.responses()) + len(first[1].run.responses())
        again = veridical.run_models(small, ["a", "b", "c"], **options)
    assert again.complete
    assert stored == stop - 1
    assert len(seen) - stop == 3 * TRIALS - stored


def test_a_plan_takes_the_price_of_a_table(small, server, tmp_path, cli):
    models_file(tmp_path / "models.toml", {"a": {"base_url": server.url, "price": {"input": 2, "output": 10}}})
    told = json.loads(cli("plan", "viprobe", "--set", small.folder, "--model", "a", "--json")[1])
    assert told["usd"] == pytest.approx((told["input_tokens"] * 2 + told["output_tokens"] * 10) / 1e6)


def test_what_would_be_sent_to_each_model_can_be_shown(small, server, tmp_path, cli):
    words = ("run", "viprobe", "--set", small.folder, "--out", "runs", "--base-url", server.url, "--dry-run", "--json")
    shown = json.loads(cli(*words, "--model", "a", "--model", "b")[1])
    assert [each["model"] for each in shown] == ["a"] * 3 + ["b"] * 3
    assert server.requests == []


NAMES = st.one_of(st.text(max_size=12), st.text("ab/-:.A ", max_size=6), st.sampled_from(["a--b", "a/b", "a-b", ".."]))


@given(NAMES, NAMES)
def test_two_names_have_two_folders_each_right_inside_the_parent(one, other):
    from pathlib import Path

    places = [folder_of(Path("runs"), name) for name in (one, other)]
    assert (places[0] == places[1]) == (one == other)
    for place in places:
        assert place.parent == Path("runs")
        assert re.fullmatch(r"[A-Za-z0-9._-]+", place.name)
        assert not place.name.startswith(".")


def board(columns, monkeypatch, mode="auto"):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    with RunBoard(["openai/a-model-with-quite-a-long-name-2025-08-07", "b"], mode) as together:
        for name in ("openai/a-model-with-quite-a-long-name-2025-08-07", "b"):
            part = together.of(name, 1000)
            part.start(990)
            for number in range(10):
                part.advance(Response(trial=str(number), input_tokens=10**6, output_tokens=10**6))
            part.stop(interrupted=False)
        later = together.of("b", 5, "stage mark")
        later.start(0)
        later.stop(interrupted=True)
        together.tell("b", "refused")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.getvalue()).replace("\r", "\n").splitlines()


@pytest.mark.parametrize("columns", [80, 120])
def test_one_display_has_a_row_for_each_model_that_fits_the_terminal(columns, monkeypatch):
    lines = board(columns, monkeypatch)
    assert max(map(len, lines)) <= columns
    last = lines[-4:]
    assert sum("1000/1000" in line for line in last) == 2
    assert any("stage mark" in line and "interrupted" in line for line in last)
    assert any(line.startswith("b ") and "refused" in line for line in last)


def test_elsewhere_each_line_names_its_model(monkeypatch):
    lines = board(80, monkeypatch, "plain")
    assert all(line.startswith(("openai/a-model-with-quite-a-long-name-2025-08-07 (1 of 2): ", "b")) for line in lines)
    assert sum(line.startswith("b (2 of 2): ") for line in lines) > 1
    assert board(80, monkeypatch, "quiet") == []
