"""What is asked: both polarities with opposite answers, the picture first, the question last."""

import pytest

import veridical
from veridical.errors import InputError
from veridical.records import Media, Text
from veridical.suites import get
from veridical.suites.prompts import load
from veridical.suites.viprobe.trials import _PROMPTS, trials


@pytest.fixture(scope="module")
def stimuli():
    return veridical.make("viprobe", units=1, levels=2, size=128).stimuli


def test_each_picture_is_asked_about_in_both_polarities_with_opposite_gold(stimuli):
    asked = list(trials(stimuli, {}, None))
    assert len({trial.id for trial in asked}) == len(asked) == 2 * len(stimuli)
    for forward, backward in zip(asked[::2], asked[1::2], strict=True):
        assert forward.stimulus == backward.stimulus
        assert {forward.gold, backward.gold} == {"0", "1"}
        assert (forward.settings["polarity"], backward.settings["polarity"]) == ("forward", "reversed")


def test_the_picture_stands_before_the_text_and_the_question_at_its_end(stimuli):
    for trial, stimulus in zip(list(trials(stimuli, {}, None))[::2], stimuli, strict=True):
        (message,) = trial.messages
        picture, text = message.parts
        assert picture == Media(stimulus.media[0], stimulus.sha256)
        assert isinstance(text, Text)
        assert text.text.endswith(stimulus.question)
        for tag in ("<answer>", "</answer>", "<reasons>", "</reasons>"):
            assert tag in text.text


def test_nothing_of_the_answer_stands_in_the_text(stimuli):
    by_question = {}
    for trial in trials(stimuli, {}, None):
        key = (trial.unit, trial.settings["polarity"])
        assert by_question.setdefault(key, trial.messages[0].parts[1]) == trial.messages[0].parts[1]


def test_a_prompt_says_its_constraints_and_its_hash_covers_the_whole_file(tmp_path):
    path = _PROMPTS / "question.md"
    prompt = load(path)
    assert prompt.id == "viprobe/question"
    assert len(prompt.constraints) == 3
    copy = tmp_path / "question.md"
    copy.write_text(path.read_text().replace("Look closely", "Look hard"))
    assert load(copy).digest != prompt.digest


@pytest.mark.parametrize("text", ["no matter", "+++\nid = 3\n", "+++\nid = 'a'\n+++\nhello"])
def test_a_prompt_without_its_matter_is_refused(tmp_path, text):
    path = tmp_path / "p.md"
    path.write_text(text)
    with pytest.raises(InputError, match="a prompt opens with"):
        load(path)


def test_text_in_a_question_stays_text():
    assert "$question ${x}" in load(_PROMPTS / "question.md").fill(question="$question ${x}")


def test_the_suites_reader_is_the_one_its_trials_name(stimuli):
    assert {trial.reader for trial in trials(stimuli, {}, None)} <= set(get("viprobe").readers)
