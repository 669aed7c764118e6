"""Explanations whose JSON is free, and those that the provider holds to its schema."""

import json
from dataclasses import replace

import pytest

import veridical
from tests.ask.server import said, serve
from tests.late import inspect_ai
from tests.suites.magicbench.graded import RIGHT
from tests.suites.magicbench.stimuli import clip, make_stimulus
from tests.suites.magicbench.test_trials import ask
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suite import registry
from veridical.suite.contrasts import pair
from veridical.suite.reply import FREE, REPLY, SCHEMA, is_held
from veridical.suites.magicbench.asking.cells import STANCES
from veridical.suites.magicbench.asking.explanations import Explanation, Thought
from veridical.suites.magicbench.asking.readers import READERS
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    def make(options, chunk):
        for variant in ("trick", "honest"):
            yield make_stimulus(variant, chunk.index), (clip(60 if variant == "honest" else 100),)

    place = tmp_path_factory.mktemp("replies") / "set"
    chunks = [Chunk("coin", 0)]
    return write_set(place, "magicbench", MagicBenchOptions(), chunks, make, factors=FACTORS, workers=Workers(1))


def test_the_same_clips_are_explained_at_both_levels_and_only_one_has_the_schema(whole, tmp_path):
    settings = {"task": "explain", "stance": "text-only", "patter": ["lie", "filler"], REPLY: [FREE, SCHEMA]}
    with serve(lambda _: said(json.dumps(RIGHT))) as server:
        run = veridical.run(whole, "m", base_url=server.url, out=tmp_path / "run", settings=settings, show="quiet")
        forms = [request.body.get("response_format") for request in server.requests]
    both = pair(run.outcomes(stage="ask"), REPLY, (FREE, SCHEMA), ["status", "answer"])
    assert both.select("status_free", "status_schema").unique().rows() == [("answered", "answered")]
    assert (len(both), both["answer_free"].equals(both["answer_schema"])) == (4, True)
    sent = [form["json_schema"]["schema"] for form in forms if form is not None]
    assert sent == [READERS["explanation"][0].schema] * 4
    assert forms.count(None) == 4


def test_a_free_reply_leaves_no_trace_in_ids_and_prompts_and_probes_have_no_schema():
    usual = ask(make_stimulus(), stance=STANCES)
    both = ask(make_stimulus(), stance=STANCES, reply=(FREE, SCHEMA))
    held = [trial for trial in both if is_held(trial)]
    assert [trial for trial in both if not is_held(trial)] == usual
    explained = [trial for trial in usual if trial.settings["task"] == "explain"]
    assert [trial.id for trial in held] == [f"{trial.id},{SCHEMA}" for trial in explained]
    assert [trial.messages for trial in held] == [trial.messages for trial in explained]
    assert all(SCHEMA not in trial.id and REPLY not in trial.settings for trial in usual if trial not in explained)


@pytest.mark.parametrize(("stance", "form"), [("forensic", Explanation), ("image-of-thought", Thought)])
def test_the_schema_has_all_keys_of_the_form_and_those_of_the_thought_come_first(stance, form):
    (trial,) = ask(make_stimulus(), task="explain", stance=stance, patter="lie", reply=SCHEMA)
    (reader,) = READERS[trial.reader]
    assert set(reader.schema["required"]) == set(form.model_fields)
    assert list(reader.schema["properties"])[-7:] == list(Explanation.model_fields)


def test_what_others_are_to_ask_has_the_schema_where_the_reply_is_to_be_held_to_it(whole, tmp_path):
    settings = {"task": "explain", "stance": "text-only", "patter": "lie", REPLY: [FREE, SCHEMA]}
    schema = READERS["explanation"][0].schema
    veridical.write_trials(whole, tmp_path / "lines", settings=settings)
    lines = [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]
    assert sorted((line.get("schema") for line in lines), key=bool) == [None, None, schema, schema]
    assert all((line.get("schema") is None) == (line["settings"][REPLY] == FREE) for line in lines)
    veridical.write_trials(whole, tmp_path / "batch", settings=settings, batch=True, model="org/vlm")
    bodies = [json.loads(line)["body"] for line in (tmp_path / "batch").read_text().splitlines()]
    held = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    assert sorted((body.get("response_format") for body in bodies), key=bool) == [None, None, held, held]
    url = "http://127.0.0.1:9/v1"
    first, second, _ = veridical.dry_run(whole, "m", base_url=url, settings=settings)
    assert (first.settings, second.settings) == ({}, {"schema": schema})


def test_a_task_of_inspect_sends_the_schema_too_or_fails_where_it_would_be_dropped(whole, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "made-up")
    settings = {"task": "explain", "stance": "text-only", "patter": "lie", REPLY: [FREE, SCHEMA]}
    how = {"task_args": {"set": str(whole.folder), "limit": 1, "settings": settings}, "display": "none"}
    how |= {"log_dir": str(tmp_path), "log_realtime": False, "max_samples": 1}
    with serve(lambda _: said(json.dumps(RIGHT))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        (log,) = inspect_ai.eval("veridical/magicbench", model="openai/gpt-4o", **how)
    assert log.status == "success"
    assert sorted("response_format" in request.body for request in server.requests) == [False, False, True, True]
    how["task_args"]["settings"] = {**settings, REPLY: SCHEMA}
    (log,) = inspect_ai.eval("veridical/magicbench", model="mockllm/model", **how)
    told = "reply=schema: model 'mockllm/model' cannot be held to a JSON schema"
    assert all(told in sample.error.message for sample in log.samples)


def test_a_reader_without_a_schema_refuses_in_one_line(whole, tmp_path, monkeypatch):
    (reader,) = READERS["explanation"]
    monkeypatch.setitem(READERS, "explanation", (replace(reader, schema=None),))
    monkeypatch.setitem(registry.get("magicbench").asking.readers, "explanation", READERS["explanation"])
    settings = {"task": "explain", "stance": "text-only", "patter": "lie", REPLY: SCHEMA}
    with pytest.raises(InputError, match=r"has reply=schema, and its readers 'explanation' have no schema$"):
        veridical.run(whole, "m", base_url="http://127.0.0.1:9/v1", out=tmp_path / "run", settings=settings)


def test_a_run_of_probes_alone_has_nothing_that_could_be_held(whole, tmp_path):
    told = r"^reply=schema: no question that would be asked has a schema for its reply; leave it out, or ask others$"
    for levels in (SCHEMA, [FREE, SCHEMA]):
        with pytest.raises(InputError, match=told):
            veridical.run(
                whole,
                "m",
                base_url="http://127.0.0.1:9/v1",
                out=tmp_path / "run",
                settings={"task": "probe", REPLY: levels},
                show="quiet",
            )
    assert not (tmp_path / "run").exists()
