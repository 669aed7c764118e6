"""Which questions are put in which view: what is shown, what is expected, and what makes a trial another one."""

import pytest

from tests.suites.magic.stimuli import make_stimulus, released, stimuli
from veridical.answers import region_mentions
from veridical.base.options import MOST_UNITS, parse_options
from veridical.errors import InputError
from veridical.records import Media, Text, canonical
from veridical.suite.results import ModelFacts
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.magic import SUITE
from veridical.suites.magic.asking import ASKING
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.asking.shots import RESERVED, examples
from veridical.suites.magic.asking.trials import (
    BLIND,
    DEFAULTS,
    FIELDS,
    FOLDER,
    VIEWS,
    bare_question,
    boxes_shown,
    stratum,
    trials,
)
from veridical.suites.magic.options import MagicOptions
from veridical.suites.magic.regions.rule import DRAWN_VIEWS, boxes_of_view, drawing_rule, relevant_of


def ask(stimuli, prompts=None, derivations=None, **levels):
    chosen = {name: (level,) if isinstance(level, str) else level for name, level in levels.items()}
    return list(trials(stimuli, AskingOptions(chosen, prompts, derivations or PlannedMedia()), None))


def text_of(trial):
    return "\n".join(part.text for part in trial.messages[0].parts if isinstance(part, Text))


def media_of(trial):
    return [part for part in trial.messages[0].parts if isinstance(part, Media)]


def test_each_question_is_put_in_each_view_that_is_shown_once():
    made = ask(stimuli())
    asked = {(trial.stimulus, trial.settings["view"]) for trial in made}
    assert asked == {(stimulus.id, view) for stimulus in stimuli() for view in DRAWN_VIEWS}
    assert len(made) == len(asked) == len({trial.id for trial in made})
    assert {trial.settings["shots"] for trial in made} == {"own"}
    assert ask(stimuli()) == made


def test_a_trial_is_another_one_in_another_view_with_other_examples_and_of_another_question():
    made = ask(stimuli(2), view=VIEWS, shots=("own", "none"))
    assert len({trial.id for trial in made}) == len(made) == 2 * 5 * len(VIEWS) * 2
    assert len({trial.prompt for trial in made}) == 4


@pytest.mark.parametrize("view", DRAWN_VIEWS)
def test_a_view_shows_its_own_picture_and_names_its_boxes(view):
    for stimulus in stimuli(2):
        plans = PlannedMedia()
        (trial,) = ask([stimulus], view=view, derivations=plans)
        assert media_of(trial) == list(PlannedMedia().of(stimulus, drawing_rule(view)))
        assert list(plans.rules.values()) == [drawing_rule(view)]
        count = len(boxes_of_view(stimulus, view))
        assert boxes_shown(count) in text_of(trial)
        assert trial.expects["boxes"] == count
        assert trial.expects["relevant"] == relevant_of(stimulus, view)
        assert stimulus.question in text_of(trial)


@pytest.mark.parametrize("view", DRAWN_VIEWS)
def test_things_have_the_numbers_of_the_view(view):
    for stimulus in stimuli(4):
        (trial,) = ask([stimulus], view=view)
        shown = [tuple(box) for box in boxes_of_view(stimulus, view)]
        for thing in trial.expects["graph"]["things"]:
            number = thing["number"]
            assert (tuple(thing["box"]) in shown) == (number is not None)
            assert number is None or shown[number - 1] == tuple(thing["box"])


def test_without_the_picture_no_boxes_are_named_and_none_are_expected():
    for trial in ask(stimuli(1), view=BLIND, shots="none"):
        assert media_of(trial) == []
        assert "box" not in text_of(trial).lower()
        assert set(trial.expects) == {"rule"}


def test_nothing_that_is_true_is_sent():
    for trial in ask(stimuli(2), view=VIEWS):
        words = {"adversarial", "relevant", "accepted", "rivals", "essentials"}
        assert not words & set(text_of(trial).lower().split())
        full = next(each for each in stimuli(2) if each.id == trial.stimulus).truth["full"]
        assert full.lower() not in text_of(trial).lower()


def test_views_that_would_show_the_same_are_left_out():
    single = make_stimulus("query", boxes=[[0, 0, 80, 80]], relevant=[1], adversarial=[], graph=None)
    assert [trial.settings["view"] for trial in ask([single], view=VIEWS)] == ["all-boxes", "relevant-masked", BLIND]
    assert "One box is drawn" in text_of(ask([single])[0])


def test_pictures_of_others_are_asked_about_alike():
    made = ask([released()])
    assert {trial.settings["view"] for trial in made} == set(DRAWN_VIEWS)
    assert {canonical(trial.expects["graph"]) for trial in made} == {"null"}


def test_examples_come_first_and_speak_of_no_picture_of_the_set():
    for view in VIEWS:
        (own,), (none,) = (ask([make_stimulus()], view=view, shots=level) for level in ("own", "none"))
        assert own.messages[0].parts[1:] == none.messages[0].parts
        example = own.messages[0].parts[0].text
        assert example.count("Answer:") == example.count("Question:") == 4
        assert "do not see" in example


def test_examples_are_about_scenes_that_no_set_has_and_name_relevant_boxes_alone():
    assert MOST_UNITS <= RESERVED
    for kind in ("room", "table"):
        with pytest.raises(InputError):
            parse_options(MagicOptions, {"units": RESERVED + 1, "scenes": [kind]})
    answers = [example.partition("Answer: ")[2].lower().split()[0].strip(",") for example in examples().split("\n\n")]
    assert {"yes", "no"} <= set(answers)
    assert sorted(answers).count("yes") == sorted(answers).count("no") == 1
    for example in examples().split("\n\n"):
        steps, answer = split(example.partition("\n")[2])
        named = {number for step in steps for number in region_mentions(step)}
        assert answer
        assert 1 <= len(named) < int(example.split(": ")[1].split()[0])
    assert examples.__wrapped__() == examples()


def test_a_thinking_model_gets_no_examples():
    assert ASKING.defaults_for(ModelFacts(thinking=True)) == {"shots": ("none",)}
    assert ASKING.defaults_for(ModelFacts(thinking=False)) == ASKING.defaults_for(ModelFacts()) == {}
    assert SUITE.asked().levels["shots"] == DEFAULTS["shots"] == ("own",)


def test_the_prompt_says_what_it_should_and_does_not_claim_that_every_box_matters():
    (trial,) = ask([make_stimulus()], view="all-boxes", shots="none")
    text = text_of(trial)
    for words in ("4 boxes", "R1, R2, R3 and R4", "all the boxes there are", "first person", '"Answer:"', "or not"):
        assert words in text


def test_a_users_prompts_stand_in_and_make_other_trials(tmp_path):
    (tmp_path / "reason.md").write_text(
        (FOLDER / "reason.md").read_text().replace("Think aloud", "Reason step by step")
    )
    (own,), (other,) = (ask([make_stimulus()], prompts, view="all-boxes") for prompts in (None, tmp_path))
    assert (own.id, own.prompt != other.prompt) == (other.id, True)
    assert "Reason step by step" in text_of(other)
    (tmp_path / "reason.md").write_text("+++\nid='x'\nversion='1'\nconstraints=[]\n+++\n$boxes")
    with pytest.raises(InputError, match=r"\$question is missing"):
        ask([make_stimulus()], tmp_path)


def test_a_dollar_sign_in_a_question_is_text():
    (trial,) = ask([make_stimulus(question="Does it cost $boxes or $5?")], view="all-boxes")
    assert "Does it cost $boxes or $5?" in text_of(trial)


def test_people_are_asked_the_question_alone():
    stimulus = make_stimulus("verify")
    (trial,) = ask([stimulus], view="all-boxes")
    assert bare_question(stimulus, trial) == stimulus.question
    assert stratum(stimulus) == ("verify", "room")


def test_the_suite_loads_with_its_stages_and_every_prompt_is_of_some_stage():
    assert [stage.name for stage in SUITE.asking.ordered][:2] == ["reason", "grade"]
    assert {path.stem for path in FOLDER.glob("*.md")} >= set(FIELDS)
    assert "Qwen2.5-72B-Instruct-AWQ" in str(ASKING.presets["paper"].stated()["roles"])
