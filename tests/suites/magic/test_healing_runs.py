"""Self-Heal in runs: how it is planned and sent, and that a kill loses nothing."""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter

import pytest

import veridical
from tests.ask.asking import FORKED
from tests.ask.server import Reply, refused, said, serve
from tests.suites.magic import healed_runs
from tests.suites.magic.healed_runs import QUIET, written
from tests.suites.magic.stimuli import make_stimulus, released
from veridical.errors import InputError
from veridical.records import Text, canonical
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions
from veridical.suites.magic.asking.healing import HEAL, HEAL_GRADE, HEAL_OWN, HEAL_OWN_GRADE, SETTINGS, STEPS
from veridical.suites.magic.asking.trials import bare_question

MODEL = "openai-api/magic/some-model"
KINDS = ("region", "relation", "description", "listing", "true", "annotated")
PATIENCE = 60


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return written(tmp_path_factory.mktemp("magic") / "set", units=1)


def trials(stimuli, **levels):
    return list(HEAL.trials(stimuli, AskingOptions(levels), Evidence({})))


def test_each_stretch_of_each_chain_is_given_once_with_and_without_the_request():
    made = trials([make_stimulus(), released()])
    by_kind = Counter(trial.settings["prefix"] for trial in made)
    assert by_kind == {"annotated": 4, **dict.fromkeys(KINDS[:5], 2)}
    assert {trial.settings["injection"] for trial in made} == {"prefill"}
    assert len({trial.id for trial in made}) == len(made)


def test_the_prefix_is_the_beginning_of_the_models_turn_or_stands_in_the_users():
    for trial in trials([make_stimulus()], injection=SETTINGS["injection"]):
        begun = " ".join(trial.expects["prefix"])
        (text,) = (part.text for part in trial.messages[0].parts if isinstance(part, Text))
        roles = [message.role for message in trial.messages]
        if trial.settings["injection"] == "prefill":
            assert roles == ["user", "assistant"]
            assert trial.messages[1].parts == (Text(begun),)
            assert begun not in text
        else:
            assert roles == ["user"]
            assert f"| {begun}" in text
        assert ("put it right" in text) == (trial.settings["correcting"] == "prompted")


def test_what_is_right_is_sent_to_nobody():
    for trial in trials([make_stimulus()], injection=SETTINGS["injection"]):
        sent = " ".join(part.text for message in trial.messages for part in message.parts if isinstance(part, Text))
        assert not any(text in sent for text in trial.expects["corrections"])


def test_a_plan_bounds_every_later_stage():
    stimuli = [make_stimulus(), released()]
    levels = {"prefix": (*KINDS, "own"), "injection": ("prefill",), "correcting": ("unprompted", "prompted")}
    judging = {"healing": ("heal", "steady"), "checking": ("steps",)}
    asking = AskingOptions({**levels, **judging})
    made = trials(stimuli, **levels)
    assert HEAL_GRADE.at_most(stimuli, asking).trials == len(made)
    assert STEPS.at_most(stimuli, asking).trials == 2
    assert HEAL_OWN.at_most(stimuli, asking).trials == 4
    assert HEAL_OWN_GRADE.at_most(stimuli, asking).trials == 4
    without = AskingOptions({**levels, **judging, "prefix": ("region",)})
    assert [each.at_most(stimuli, without).trials for each in (HEAL_GRADE, STEPS, HEAL_OWN)] == [2, 0, 0]


def is_healing(request):
    return request.body["messages"][-1]["role"] == "assistant" and not request.counts


class Model:
    """A model that reasons and heals; its n-th continuation is never answered."""

    def __init__(self, hangs=None):
        self.hangs, self.healed, self.sent, self.reached = hangs, 0, [], threading.Event()

    def __call__(self, request):
        if not is_healing(request):
            return said("R1 shows a mug.\n\nAnswer: red")
        self.healed += 1
        if self.healed == self.hangs:
            self.reached.set()
            return Reply(hang=True)
        self.sent.append(canonical(request.body["messages"]))
        return said("Wait, I made a mistake. The mug is red.")


def ask(whole, out, url):
    settings = {"view": "all-boxes", "shots": "none"}
    own = {"base_url": url, "max_connections": 1, "max_requests": 1, "settings": settings, "repeats": 1}
    return veridical.run(whole, model=MODEL, out=out, **own, **QUIET)


def in_a_process(folder, out, url):
    sys.stderr = sys.stdout = open(f"{out}.txt", "a")  # noqa: SIM115, PTH123 - the process ends with it
    os.environ["MAGIC_API_KEY"] = "sk-made-up"  # a fork server has the environment of the time when it began
    ask(folder, out, url)


@pytest.mark.parametrize("hangs", [1, 2, 7])
def test_a_run_killed_within_self_heal_goes_on_where_it_was(whole, tmp_path, monkeypatch, hangs):
    monkeypatch.setenv("MAGIC_API_KEY", "sk-made-up")
    model = Model(hangs)
    with serve(model) as server:
        process = FORKED.Process(target=in_a_process, args=(str(whole.folder), str(tmp_path / "run"), server.url))
        process.start()
        assert model.reached.wait(PATIENCE)
        process.kill()
        process.join()
        before, model.hangs = len(model.sent), None
        assert before == hangs - 1
        run = ask(whole, tmp_path / "run", server.url)
        sent, model.sent = model.sent, []
        undisturbed = ask(whole, tmp_path / "other", server.url)
    assert Counter(sent) == Counter(model.sent), "each continuation is asked for once, whenever it was killed"
    own, other = (each.evidence().outcomes("heal") for each in (run, undisturbed))
    assert set(own["status"]) == {"answered"}
    assert own.select("trial", "answer").equals(other.select("trial", "answer"))
    judged = veridical.judge(run, judge="veridical/rule", **QUIET).evidence().outcomes("heal-grade")
    assert len(judged) == len(own)


def test_a_model_that_cannot_go_on_says_so_and_the_quoted_prefix_is_sent_instead(whole, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-made-up")
    settings = {"view": "all-boxes", "shots": "none", "prefix": "region", "correcting": "unprompted"}
    options = {"repeats": 1, "judge": "veridical/rule", **QUIET}
    with serve(lambda _: said("The mug is in R1, not there. Answer: red")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        with pytest.raises(InputError, match="not continue an assistant turn; choose injection=quoted, or skip"):
            veridical.run(whole, model="openai/gpt-4o", out=tmp_path, settings=settings, **options)
        first = veridical.open_run(tmp_path).evidence()
        assert first.outcomes("grade")["status"].null_count() == 0, "the stages that can be asked go on"
        assert set(first.outcomes("heal")["reason"]) == {"not asked: its provider does not continue an assistant turn"}
        asked = len(server.requests)
        run = veridical.run(
            whole, model="openai/gpt-4o", out=tmp_path, settings={**settings, "injection": "quoted"}, **options
        )
    healed = run.evidence().outcomes("heal")
    assert set(healed["status"]) == {"answered"}
    assert len(server.requests) == asked + len(healed), "what was answered is not asked again"
    assert not run.waiting


TEMPLATE = "Conversation roles must alternate user/assistant/user/assistant/..."


def test_a_later_stage_that_the_server_refuses_ends_in_one_line_after_the_others_were_asked(whole, tmp_path):
    def refuse(request):
        return refused(400, TEMPLATE) if is_healing(request) else said("R1 shows a mug.\n\nAnswer: red")

    options = {"settings": {"view": "all-boxes", "shots": "none", "prefix": "region"}, "judge": "veridical/rule"}
    with serve(refuse) as server, pytest.raises(InputError) as caught:
        veridical.run(whole, model="m", base_url=server.url, out=tmp_path, repeats=1, **options, **QUIET)
    line = str(caught.value)
    assert "\n" not in line
    assert f"refuses the first trial (HTTP 400, it says: {TEMPLATE})" in line
    evidence = veridical.open_run(tmp_path).evidence()
    assert evidence.outcomes("grade")["status"].null_count() == 0
    assert evidence.outcomes("heal")["status"].null_count() == len(evidence.outcomes("heal")) > 0


def test_people_see_the_question_of_each_continuation_and_the_first_sentence_of_each_rubric(whole, tmp_path):
    made = healed_runs.run(whole, tmp_path / "run", settings={"view": "all-boxes", "shots": "none"})
    stimuli = {stimulus.id: stimulus for stimulus in whole.stimuli}
    shown = {}
    for trial in (trial for runs in made.stages.counted.values() for run in runs for trial in run.trials()):
        words = bare_question(stimuli[trial.stimulus], trial)
        put = next(message for message in reversed(trial.messages) if message.role == "user")
        assert any(words in part.text for part in put.parts if isinstance(part, Text)), trial.id
        assert words == stimuli[trial.stimulus].question or words.startswith("You ")
        assert words.count(".") <= 1
        shown.setdefault(trial.stage, set()).add(words)
    assert shown["heal"] == shown["reason"]
    assert len(shown["grade"]) == len(shown["heal-grade"]) == 2
