"""A marking pass that is killed and resumed loses nothing, and asks nothing that it had an answer to."""

import sys
import threading
from collections import Counter

import pytest

import veridical
from tests.ask.asking import FORKED
from tests.ask.server import Reply
from tests.judge.conftest import good, playing
from tests.judge.quiz import SUITE
from tests.judge.test_marking import QUIET, asked, colors, rates

PATIENCE = 60


def mark(folder, models):
    """Marks a run in a process of its own."""
    from veridical.suite import registry

    registry.register(SUITE, replace=True)
    sys.stderr = sys.stdout = open(f"{folder}.txt", "a")  # noqa: SIM115, PTH123 - the process ends with it
    veridical.judge(folder, judge="slow", models=models, max_connections=1, max_requests=1, **QUIET)


class Slow:
    """A judge that says nothing readable at first, then judges; its n-th request is never answered."""

    def __init__(self, hangs=None):
        self.hangs, self.requests, self.reached = hangs, [], threading.Event()

    def __call__(self, request):
        self.requests.append(request.text)
        if len(self.requests) == self.hangs:
            self.reached.set()
            return Reply(hang=True)
        return good(request) if self.requests.count(request.text) > 1 else "Let me think."


@pytest.mark.parametrize("hangs", [1, 2, 5, 12])
def test_a_killed_marking_pass_goes_on_where_it_was(boxes, tmp_path, models_file, hangs):
    slow = Slow(hangs)
    with playing({"slow": slow}, colors(1)) as server:
        run = asked(boxes, tmp_path / "run", server, repeats=2)
        place = models_file(server, "slow")
        process = FORKED.Process(target=mark, args=(str(run.folder), place))
        process.start()
        assert slow.reached.wait(PATIENCE)
        process.kill()
        process.join()
        (hung,) = slow.requests[-1:]
        slow.hangs = None
        slow.requests.pop()
        run = veridical.judge(run, judge="slow", models=place, max_connections=1, **QUIET)
    sent = Counter(slow.requests)
    assert hung in sent
    assert set(sent.values()) == {2}, "one unreadable reply and one verdict each, whenever it was killed"
    assert len(sent) == 6
    assert rates(run)["slow"].value == 5 / 6
    assert set(run.evidence().outcomes("grade")["status"]) == {"answered"}


@pytest.mark.parametrize("structured", [True, False, None])
def test_a_provider_gets_the_schema_of_the_verdict_only_where_that_is_said(boxes, tmp_path, monkeypatch, structured):
    sent = []

    def judge(request):
        sent.append(request.body)
        return good(request)

    stated = "" if structured is None else f"args = {{structured = {str(structured).lower()}}}\n"
    (tmp_path / "models.toml").write_text(f'[judge]\nmodel = "openai/gpt-4o"\n{stated}')
    with playing({"gpt-4o": judge}, colors()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-made-up")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        run = asked(boxes, tmp_path / "run", server, limit=1)
        run = veridical.judge(run, judge="judge", models=tmp_path / "models.toml", **QUIET)
    assert rates(run)["openai/gpt-4o"].value == 1
    form = sent[0].get("response_format")
    assert (form is not None) is (structured is True)
    if form is not None:
        assert set(form["json_schema"]["schema"]["required"]) == {"reason", "correct"}


def test_an_argument_of_a_stage_holds_the_judge_of_that_stage_alone(boxes, tmp_path):
    with playing({"good": good}, colors()) as server:
        (tmp_path / "models.toml").write_text(f'[good]\nmodel = "good"\nbase_url = "{server.url}"\n')
        how = {"models": tmp_path / "models.toml", "judge": "good", "model_args": {"structured.grade": True}}
        asked(boxes, tmp_path / "run", server, limit=1, **how)
    held = {request.body["model"]: "response_format" in request.body for request in server.requests}
    assert held == {"sees": False, "good": True}
