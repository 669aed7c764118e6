"""Replies that are free and replies that are held to a JSON schema: the same clips at both levels, read alike."""

import json

import pytest

import veridical
from tests.ask.server import said, serve
from tests.suites.hocabench.stimuli import all_kinds, clip
from tests.suites.hocabench.test_trials import ask, text_of
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suite.contrasts import pair
from veridical.suite.reply import FREE, REPLY, SCHEMA, is_held
from veridical.suites.hocabench.asking.readers import READERS
from veridical.suites.hocabench.options import HOCABenchOptions
from veridical.suites.hocabench.stimuli import FACTORS

TASKS = ("explanation", "interval", "set")
SETTINGS = {"sight": "blind", "task": ["plausibility", *TASKS]}
PARTS = {"scene": "A ball falls.", "anomaly": "It rises.", "attribution": "Causal", "reasoning": "Gravity pulls."}
HELD = {
    "explanation": json.dumps(PARTS),
    "interval": '{"intervals": [{"start": 2, "end": 4}]}',
    "set": '{"sub_types": ["G", "K"]}',
}
FREELY = {
    "explanation": "\n".join(f"{name.capitalize()}: {text}" for name, text in PARTS.items()),
    "interval": "Answer: 2.0 s to 4.0 s",
    "set": "Answer: G, K",
}


def behave(request):
    """A model that replies in JSON where the request has a schema, and in words otherwise."""
    asked = next((task for task in TASKS if MARKS[task] in request.text), None)
    if asked is None:
        return said("Yes")
    return said((HELD if "response_format" in request.body else FREELY)[asked])


MARKS = {"explanation": "in four parts", "interval": "each stretch", "set": "Name each kind"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    def make(options, chunk):
        yield all_kinds()[chunk.index], (clip(),)

    chunks = [Chunk("gravity", index) for index in range(5)]
    place = tmp_path_factory.mktemp("replies") / "set"
    return write_set(place, "hocabench", HOCABenchOptions(), chunks, make, factors=FACTORS, workers=Workers(1))


@pytest.fixture(scope="module")
def asked(whole, tmp_path_factory):
    """A run at both levels, and the bodies that the server got."""
    with serve(behave) as server:
        settings = {**SETTINGS, REPLY: [FREE, SCHEMA]}
        folder = tmp_path_factory.mktemp("replied") / "run"
        run = veridical.run(whole, "m", base_url=server.url, out=folder, settings=settings, judge="rule", show="quiet")
        return run, [request.body for request in server.requests]


def test_the_same_clips_are_asked_at_both_levels_and_what_is_said_is_read_alike(asked):
    run, _ = asked
    rows = run.outcomes(stage="ask")
    assert set(rows["status"]) == {"answered"}
    tasks = rows["settings"].str.json_path_match("$.task")
    both = pair(rows.filter(tasks.is_in(TASKS)), REPLY, (FREE, SCHEMA), ["answer"])
    assert len(both) == 3
    assert both["answer_free"].to_list() == both["answer_schema"].to_list()
    assert rows.filter(tasks == "plausibility")["settings"].str.json_path_match("$.reply").null_count() > 0


def test_the_schema_of_the_reader_is_sent_at_the_level_schema_and_none_elsewhere(asked):
    run, bodies = asked
    sent = [body["response_format"]["json_schema"]["schema"] for body in bodies if "response_format" in body]
    held = [trial for trial in run.run.trials() if is_held(trial)]
    assert len(sent) == len(held) == 3
    assert sorted(map(json.dumps, sent)) == sorted(json.dumps(READERS[trial.reader][0].schema) for trial in held)
    assert len(bodies) == len(run.run.trials())


def test_the_effect_of_the_schema_is_among_the_effects_of_settings_and_other_figures_are_of_free_replies(asked):
    run, _ = asked
    effects = [each for each in run.estimates() if each.metric == "setting effect"]
    assert {(each.slice["task"], each.slice["setting"], each.slice["level"]) for each in effects} == {
        (task, REPLY, SCHEMA) for task in TASKS
    }
    (iou,) = [each for each in run.estimates() if each.metric == "mean iou" and not each.slice]
    assert iou.counts.planned == 1


def test_what_was_sent_is_in_the_identity_of_the_run_and_another_level_is_another_run(asked, whole):
    run, _ = asked
    assert run.run.identity["settings"][REPLY] == [FREE, SCHEMA]
    with pytest.raises(InputError, match=r"settings\.reply"):
        veridical.run(whole, "m", base_url="http://127.0.0.1:9/v1", out=run.folder, settings=SETTINGS, show="quiet")


def test_a_free_reply_leaves_no_trace_in_ids_and_prompts_and_the_setting_is_that_of_three_tasks_alone():
    usual, both = ask(all_kinds()), ask(all_kinds(), reply=(FREE, SCHEMA))
    held = [trial for trial in both if is_held(trial)]
    assert [trial for trial in both if not is_held(trial)] == usual
    assert {trial.settings["task"] for trial in held} == set(TASKS)
    assert {trial.id for trial in held} == {
        f"{trial.id},{SCHEMA}" for trial in usual if trial.settings.get(REPLY) == FREE
    }
    assert all("one JSON object" in text_of(trial) for trial in held)
    assert not any("JSON" in text_of(trial) for trial in usual)
