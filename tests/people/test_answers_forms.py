"""What people state in the form of a question is what the question's own reader reads, whatever the settings."""

from __future__ import annotations

import json

import pytest

from tests.people.golds import stated_gold
from veridical.records import Media, Response, Text
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.people_forms import captions_text, lettered_options, named_form, reply_of, worded_question
from veridical.verbs.sets import design

CHEAPEST = {
    "viprobe": {"cases": ["muller_lyer", "hering", "ebbinghaus"], "size": 256, "levels": 2},
    "viabench": {"size": 256, "written_names": True},
    "magic": {"width": 480},
    "magicbench": {"height": 180, "rate": 10, "tricks": ["cups", "coin"]},
    "hocabench": {"height": 180, "rate": 10, "sub_types": ["size", "gravity", "optics", "mass_volume"]},
}
FEW = {"frames": 2}
"""Settings of which so many levels are enough: what people see does not depend on them."""


@pytest.fixture(scope="module", params=CHEAPEST)
def planned(request):
    """A suite with the pairs of stimulus and trial of its first stage, at all levels of its settings."""
    suite = registry.get(request.param)
    stage = suite.asking.ordered[0]
    names = suite.asking.settings if stage.settings is None else stage.settings
    levels = {name: list(suite.asking.settings[name])[: FEW.get(name)] for name in names}
    options = design(suite.name, units=1, seed=3, **CHEAPEST[suite.name]).options
    chunks = {chunk.family: chunk for chunk in suite.design.chunks(options)}
    stimuli = [each for chunk in chunks.values() for each in suite.design.outlined(options, chunk)]
    by_id = {each.id: each for each in stimuli}
    trials = stage.trials(stimuli, suite.asked(levels).of_stage(stage), Evidence({}))
    return suite, [(by_id[trial.stimulus], trial) for trial in trials]


def read(suite, trial, answer):
    return suite.asking.readers[trial.reader][0].read(Response(trial=trial.id, text=reply_of(answer)), trial)


def canonical(suite, trial, value):
    """The canonical answer that a value of a choice stands for, from the expectations of the trial alone."""
    if "names" in trial.expects:
        return trial.expects["names"][ord(value) - ord("A")]
    return {"yes": "1", "no": "0"}.get(value, value) if suite.name == "viprobe" else value


def test_every_option_is_read_as_what_it_stands_for(planned):
    suite, pairs = planned
    checked = set()
    for stimulus, trial in pairs:
        form = suite.asking.answer_form(stimulus, trial)
        if len(form) > 1 or not form[0].options:
            continue
        for option in form[0].options:
            key = trial.reader, option, repr(trial.expects.get("options"))
            if key in checked:
                continue
            value = [option.value] if form[0].kind == "codes" else option.value
            reading = read(suite, trial, {"answer": value})
            assert reading.status == "answered", (trial.id, option, reading)
            assert reading.answer == canonical(suite, trial, option.value), (trial.id, option)
            checked.add(key)
    assert checked or suite.name == "magic"


def test_the_truth_stated_in_the_form_is_right(planned):
    suite, pairs = planned
    marked = set()
    for stimulus, trial in pairs:
        stated = stated_gold(suite, stimulus, trial)
        if stated is None:
            continue
        reading = read(suite, trial, stated)
        assert reading.status == "answered", (trial.id, reply_of(stated), reading)
        assert reading.correct, (trial.id, reply_of(stated), trial.gold, reading)
        marked.add(trial.reader)
    expected = {trial.reader for _, trial in pairs if trial.gold is not None}
    assert marked == expected


def test_a_form_of_several_parts_is_read_whole(planned):
    suite, pairs = planned
    seen = set()
    for stimulus, trial in pairs:
        form = suite.asking.answer_form(stimulus, trial)
        key = trial.family, repr(form), trial.reader, trial.expects.get("form")
        if len(form) == 1 or key in seen:
            continue
        seen.add(key)
        stated = {each.name: filled(each) for each in form}
        reading = read(suite, trial, stated)
        assert reading.status == "answered", (trial.id, reply_of(stated), reading)
        bare = {each.name: filled(each) if each.required else None for each in form}
        assert read(suite, trial, bare).status == "answered", (trial.id, bare)


def filled(field):
    match field.kind:
        case "choice":
            return field.options[0].value
        case "codes":
            return [field.options[0].value]
        case "number":
            return field.high
    return "2.4 s: the coin stays\n3 s: Trick: no"


def test_the_question_does_not_repeat_the_options_and_a_table_has_them(planned):
    suite, pairs = planned
    for stimulus, trial in pairs:
        question = suite.asking.bare_question(stimulus, trial)
        worded = worded_question(suite.asking, stimulus, trial)
        assert question.strip()
        assert worded.startswith(question)
        for field in suite.asking.answer_form(stimulus, trial):
            for option in field.options:
                if option.title.casefold() != option.value.casefold():
                    line = f"{option.value}. {option.title}"
                    assert line not in question
                    assert line in worded


def test_words_over_a_clip_are_those_that_a_model_gets_and_lie_within_it(planned):
    suite, pairs = planned
    spoken = 0
    for stimulus, trial in pairs:
        captions = suite.asking.captions(stimulus, trial)
        text = "\n".join(p.text for m in trial.messages for p in m.parts if isinstance(p, Text))
        quoted = [line.removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
        assert captions_text(captions) == "\n".join(quoted)
        if captions:
            spoken += 1
            duration = float(stimulus.media[0].duration.partition("/")[0]) / float(
                stimulus.media[0].duration.partition("/")[2] or 1
            )
            assert all(0 <= each.start <= each.end <= duration for each in captions)
    assert (spoken > 0) == (suite.name == "magicbench")


def test_nothing_in_a_form_tells_which_option_is_right(planned):
    """Two trials with the same options, and other truths, have the same form."""
    suite, pairs = planned
    forms = {}
    for stimulus, trial in pairs:
        if suite.name == "magic":
            continue
        key = (trial.stimulus.rpartition("/")[0], json.dumps(trial.settings), json.dumps(trial.expects.get("options")))
        form = repr(suite.asking.answer_form(stimulus, trial))
        if trial.reader in ("yes-no", "plausibility"):
            assert forms.setdefault(key, form) == form


def test_intervals_and_options_become_text_that_keeps_them():
    pairs = [[0.0416667, 1.5], [2, 3.25]]
    assert reply_of({"answer": pairs}) == "0.042 to 1.5; 2 to 3.25"
    assert reply_of({"answer": 3.0}) == reply_of({"answer": 3}) == "3"
    assert reply_of({"boxes": None, "answer": "red"}) == '{"answer": "red"}'
    assert reply_of({"answer": None}) == reply_of({"a": None, "b": ""}) == ""
    assert [option.title for option in named_form(["yes", "no"])[0].options] == ["Yes", "No"]
    assert [option.value for option in lettered_options(["x", "y"])] == ["A", "B"]


def test_a_trial_that_shows_nothing_asks_for_no_marks_on_it(planned):
    suite, pairs = planned
    for stimulus, trial in pairs:
        shows = any(isinstance(part, Media) for message in trial.messages for part in message.parts)
        kinds = {field.kind for field in suite.asking.answer_form(stimulus, trial)}
        assert shows or not kinds & {"intervals", "boxes"}
