"""A person who stops a run gets the prompt back: nothing is awaited or computed, and nothing that came is lost."""

from __future__ import annotations

import os
import signal

import pytest

import veridical
from tests.ask.server import Reply, refused, said, serve
from tests.calling import call

DESIGN = {"cases": ["muller_lyer"], "units": 3, "levels": 2, "size": 128}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("interrupted") / "set", **DESIGN)


def command(small, server, out):
    return ("run", "viprobe", "--set", small.folder, "--model", "m", "--base-url", server.url, "--out", out, "--yes")


def test_a_run_that_is_stopped_keeps_its_replies_computes_nothing_and_goes_on(small, tmp_path, monkeypatch, capsys):
    def stopping(request):
        if request.number == 12:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply(hang=True) if request.number >= 12 else said("Yes")

    out = tmp_path / "run"
    with serve(stopping) as server:
        code, _, err = call(monkeypatch, capsys, *command(small, server, out))
        assert (code, "stopped early: interrupted" in err) == (1, True)
        kept = (out / "responses.jsonl").read_bytes().splitlines()
        assert 11 >= len(kept) > 0
        assert not (out / "tables").exists()
        server.behaviour = lambda _: said("Yes")
        assert call(monkeypatch, capsys, *command(small, server, out))[0] == 0
    assert (out / "responses.jsonl").read_bytes().splitlines()[: len(kept)] == kept
    assert (out / "tables").exists()


@pytest.mark.parametrize(("there", "hint"), [("/v1", True), ("/elsewhere", False)])
def test_a_base_url_without_v1_is_told_the_one_that_answers_where_one_does(
    there, hint, small, tmp_path, monkeypatch, capsys
):
    def routed(request):
        return said("Yes") if request.path == f"{there}/chat/completions" else refused(404, "Not Found")

    with serve(routed) as server:
        base = server.url.removesuffix("/v1")
        server.url = base
        code, _, err = call(monkeypatch, capsys, *command(small, server, tmp_path / "run"))
    line = err.splitlines()[-1]
    assert code == 2
    assert (f"the server answers at {base}/v1, give that as the base URL" in line) == hint
    assert [request.path for request in server.requests] == ["/chat/completions", "/v1/chat/completions"]
    assert server.requests[1].body["messages"] == []
