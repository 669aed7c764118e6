"""What is asked: opposite questions with opposite answers, with instructions, the picture first, the question last."""

from collections import Counter

import pytest

import veridical
from veridical.errors import InputError
from veridical.records import Media, Text
from veridical.suite.prompts import digest_of, load
from veridical.suite.registry import get
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.asking.trials import trials
from veridical.suites.viprobe.asking.wording import FOLDER
from veridical.suites.viprobe.illusions import CASES

SUITE = get("viprobe")
EVERYTHING = {name: list(levels) for name, levels in SUITE.asking.settings.items()}
NAMES = ("muller_lyer", "mach_band", "simultaneous_contrast", "zollner")


@pytest.fixture(scope="module")
def stimuli():
    return veridical.make("viprobe", cases=NAMES, units=1, levels=2, size=128).stimuli


def asked(stimuli, **chosen):
    return list(trials(stimuli, SUITE.asked(chosen), None))


@pytest.fixture(scope="module")
def everything(stimuli):
    """What is asked with every level of every setting."""
    return asked(stimuli, **EVERYTHING)


def test_each_picture_is_asked_about_in_both_polarities_with_opposite_gold(stimuli):
    found = asked(stimuli)
    assert len({trial.id for trial in found}) == len(found) == 2 * len(stimuli)
    for stimulus, forward, backward in zip(stimuli, found[::2], found[1::2], strict=True):
        assert forward.stimulus == backward.stimulus == stimulus.id
        assert (forward.id, backward.id) == (f"{stimulus.id}?forward", f"{stimulus.id}?reversed")
        assert {forward.gold, backward.gold} == ({None} if stimulus.variant == "I" else {"0", "1"})
        assert (forward.settings["polarity"], backward.settings["polarity"]) == ("forward", "reversed")
        unchanged = [trial.factors["answer_if_unchanged"] for trial in (forward, backward)]
        assert unchanged == (["0", "1"] if stimulus.family == "mach_band" else ["1", "0"])


def test_the_settings_cross_and_nothing_is_asked_twice(stimuli, everything):
    found = everything
    assert len({trial.id for trial in found}) == len(found)
    assert len({(trial.stimulus, *sorted(trial.settings.items())) for trial in found}) == len(found)
    assert len({(trial.stimulus, trial.messages) for trial in found}) == len(found)
    per_picture = Counter(trial.stimulus for trial in found if "sight" not in trial.settings)
    for stimulus in stimuli:
        forms = 3 if stimulus.truth["comparison"] and stimulus.variant != "I" else 2
        # With two instructions in two places; without one, with reasons and without.
        assert per_picture[stimulus.id] == forms * (2 + 2 * 2)
    ids = {trial.id.split("?")[1] for trial in found}
    assert {
        "forward",
        "comparison",
        "reversed&instruction=weigh",
        "comparison&instruction=measure&placement=user",
    } <= ids


def test_the_default_trials_are_among_all_trials(stimuli, everything):
    every = {trial.id: trial for trial in everything}
    assert all(every[trial.id] == trial for trial in asked(stimuli))


def test_a_comparison_has_no_polarity_and_its_gold_is_the_target_with_more(stimuli):
    found = asked(stimuli, task="comparison")
    assert {trial.settings["polarity"] for trial in found} == {"comparison"}
    assert {trial.family for trial in found} == {n for n in NAMES if CASES[n].comparison}
    assert "I" not in {trial.variant for trial in found}
    assert {trial.reader for trial in found} == {"choice"}
    for trial in found:
        positive, negative = trial.expects["options"]
        value = trial.factors["value"]
        assert trial.gold == (positive if value > 0 else negative if value < 0 else None)
        text = trial.messages[-1].parts[-1].text
        assert positive in text
        assert negative in text
        assert "same" not in text.lower()


def test_an_instruction_stands_in_the_system_turn_or_after_the_picture(stimuli):
    for trial, stimulus in zip(asked(stimuli, polarity="forward", instruction="weigh"), stimuli, strict=True):
        system, user = trial.messages
        assert (system.role, user.role) == ("system", "user")
        assert stimulus.truth["state"] in system.parts[0].text
        assert user.parts == asked([stimulus])[0].messages[0].parts
    moved = asked(stimuli, polarity="forward", instruction="weigh", placement="user")
    for trial, stimulus in zip(moved, stimuli, strict=True):
        (user,) = trial.messages
        picture, text = user.parts
        plain = asked([stimulus])[0].messages[0].parts[1].text
        assert picture == Media(stimulus.media[0].file, stimulus.media[0].sha256)
        assert text.text.endswith(f"\n\n{plain}")
        assert stimulus.truth["state"] in text.text.removesuffix(plain)


def test_measuring_is_asked_for_in_the_words_of_the_case(stimuli):
    for trial in asked(stimuli, instruction="measure"):
        stimulus = next(s for s in stimuli if s.id == trial.stimulus)
        assert stimulus.truth["measurand"] in trial.messages[0].parts[0].text


def test_the_picture_stands_before_the_text_and_the_question_at_its_end(stimuli):
    for trial, stimulus in zip(asked(stimuli)[::2], stimuli, strict=True):
        (message,) = trial.messages
        picture, text = message.parts
        assert picture == Media(stimulus.media[0].file, stimulus.media[0].sha256)
        assert isinstance(text, Text)
        assert text.text.endswith(stimulus.question)
        for tag in ("<answer>", "</answer>", "<reasons>", "</reasons>"):
            assert tag in text.text


def test_nothing_of_the_answer_stands_in_the_text(everything):
    by_question = {}
    for trial in everything:
        key = (trial.unit, *sorted(trial.settings.items()))
        texts = [part for message in trial.messages for part in message.parts if isinstance(part, Text)]
        assert by_question.setdefault(key, texts) == texts


def test_a_digest_covers_each_template_that_reaches_the_model(everything):
    digest = {path.stem: load(path).digest for path in FOLDER.glob("*.md")}
    by_suffix = {trial.id.split("?")[1]: trial.prompt for trial in everything}
    assert by_suffix["forward"] == by_suffix["reversed"] == digest["question"]
    assert by_suffix["comparison"] == digest["comparison"]
    assert by_suffix["forward&instruction=weigh"] == digest_of(digest["question"], digest["instruction_weigh"])
    assert by_suffix["forward&sight=prior"] == digest["prior"]
    assert by_suffix["forward&rationale=none"] == digest["answer"]
    assert by_suffix["comparison&rationale=none"] == digest["comparison_answer"]
    assert len(set(by_suffix.values())) == 2 * 4 + 1


def test_a_prompt_says_its_constraints_and_its_hash_covers_the_whole_file(tmp_path):
    path = FOLDER / "question.md"
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
    assert "$question ${x}" in load(FOLDER / "question.md").fill(question="$question ${x}")


def test_the_suites_reader_is_the_one_its_trials_name(everything):
    assert {trial.reader for trial in everything} <= set(SUITE.asking.readers)


def test_every_comparison_of_the_registry_has_its_reader():
    lenient, strict = SUITE.asking.readers["choice"]
    assert (lenient.name, strict.name) == ("lenient", "strict")
    for case in CASES.values():
        if case.comparison:
            _, positive, negative = case.comparison
            expects = {"options": [positive, negative]}
            for option in (positive, negative):
                for reader in (lenient, strict):
                    assert reader.parse(f"<answer>{option}</answer>", expects).answer == option
                assert lenient.parse(f"The answer is: {option}.", expects).answer == option
                assert strict.parse(f"The answer is: {option}.", expects).answer is None


BAD = {
    "setting": ({"instructions": ["none"]}, "unknown setting 'instructions': did you mean 'instruction'?"),
    "level": ({"instruction": ["wiegh"]}, "unknown level of instruction 'wiegh': did you mean 'weigh'?"),
    "none": ({"polarity": []}, "setting polarity has no level: allowed are forward, reversed"),
    "type": ({"polarity": [True]}, "unknown level of polarity 'True'"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_setting_that_is_not_known_is_refused(what):
    chosen, said = BAD[what]
    with pytest.raises(InputError) as refused:
        SUITE.asked(chosen)
    assert said in str(refused.value)


def test_levels_come_in_the_suites_order_and_the_rest_by_default():
    assert SUITE.asked({"instruction": ["weigh", "none", "weigh"]}) == AskingOptions(
        {
            "polarity": ("forward", "reversed"),
            "instruction": ("none", "weigh"),
            "placement": ("system",),
            "task": ("yes-no",),
            "sight": ("shown",),
            "rationale": ("asked",),
        }
    )
