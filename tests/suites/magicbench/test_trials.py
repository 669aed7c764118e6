"""What is asked about which clips, under which words, with what in front of the model; and what is never sent."""

import json
import re
from collections import Counter

import pytest

from tests.suites.magicbench.stimuli import make_stimulus
from veridical.errors import InputError
from veridical.records import Media, Text
from veridical.suite.stages import JUDGE, AskingOptions, PlannedMedia
from veridical.suites.magicbench.asking import ASKING
from veridical.suites.magicbench.asking.cells import STANCES
from veridical.suites.magicbench.asking.marking import _facts
from veridical.suites.magicbench.asking.trials import bare_question, trials
from veridical.suites.magicbench.stimuli import COMPONENTS, TYPES

ALL = {"stance": STANCES, "patter": (*TYPES, *COMPONENTS), "hush": ("unwarned", "warned")}


def ask(stimulus, **levels):
    chosen = {name: (level,) if isinstance(level, str) else level for name, level in levels.items()}
    return list(trials([stimulus], AskingOptions(chosen, None, PlannedMedia()), None))


def text_of(trial, role):
    parts = [part for message in trial.messages if message.role == role for part in message.parts]
    return "\n".join(part.text for part in parts if isinstance(part, Text))


def media_of(trial):
    return [part for message in trial.messages for part in message.parts if isinstance(part, Media)]


def by(made, **settings):
    return [trial for trial in made if all(trial.settings.get(name) == level for name, level in settings.items())]


@pytest.mark.parametrize("variant", ["trick", "honest"])
def test_by_default_a_clip_is_explained_and_probed_under_each_type_of_words(variant):
    stimulus = make_stimulus(variant)
    made = ask(stimulus)
    count = len(stimulus.truth["probes"])
    assert Counter(trial.settings["task"] for trial in made) == {"explain": 2 + 4 + 4, "probe": 5 * count}
    assert len({trial.id for trial in made}) == len(made)
    assert {trial.settings["stance"] for trial in by(made, task="probe")} == {"vision-only", "forensic"}


def test_an_explanation_without_words_is_also_asked_of_the_clip_before_its_outcome():
    stimulus = make_stimulus(outcome=4.5)
    made = by(ask(stimulus), task="explain", stance="vision-only")
    whole, cut = (by(made, until=until)[0] for until in ("end", "reveal"))
    assert ("lasts 6.00 s" in text_of(whole, "user"), "lasts 4.50 s" in text_of(cut, "user")) == (True, True)
    times = [float(time) for time in re.findall(r"at ([0-9.]+) s:", text_of(cut, "user"))]
    assert len(times) == len(media_of(cut)) == 18
    assert max(times) < 4.5
    assert {trial.settings.get("until") for trial in ask(stimulus, **ALL) if trial not in made} <= {None}
    assert _facts(False, stimulus, {"settings": json.dumps(dict(cut.settings))}) is None


def test_a_clip_without_a_known_outcome_or_shown_as_a_video_is_not_cut():
    for made in (ask(make_stimulus("real")), ask(make_stimulus(outcome=None)), ask(make_stimulus(), video="native")):
        assert "reveal" not in {trial.settings.get("until") for trial in made}


def test_a_release_has_its_own_words_alone():
    made = ask(make_stimulus("real"))
    assert [(t.settings["stance"], t.settings.get("patter")) for t in made] == [
        ("vision-only", None),
        ("neutral", "own"),
        ("forensic", "own"),
    ]


def test_all_stances_show_the_same_frames_but_that_of_text_alone():
    made = ask(make_stimulus(), **ALL, until="end")
    shown = {tuple(media_of(trial)) for trial in made if trial.settings["stance"] != "text-only"}
    assert len(shown) == 1
    assert len(shown.pop()) == 24
    for trial in by(made, stance="text-only"):
        assert media_of(trial) == []
        assert "The clip is not shown to you." in text_of(trial, "user")
        assert {"frames", "video"}.isdisjoint(trial.settings)


def test_in_silence_the_transcript_stays_empty_and_nothing_else_changes_unless_it_is_warned():
    made = ask(make_stimulus(), **ALL)
    lie, *_ = by(made, task="explain", stance="forensic", patter="lie")
    unwarned, warned = (
        by(made, task="explain", stance="forensic", patter="silence", hush=hush)[0] for hush in ("unwarned", "warned")
    )
    assert text_of(lie, "system") == text_of(unwarned, "system") == text_of(warned, "system")
    quiet, beware = text_of(unwarned, "user"), text_of(warned, "user")
    assert "0 lines" in quiet
    assert "| " not in quiet
    assert ("usually lie" in quiet, "usually lie" in beware) == (False, True)
    assert len(beware.splitlines()) > len(quiet.splitlines())
    assert not any("usually lie" in text_of(trial, "user") for trial in made if trial.settings.get("hush") != "warned")
    assert all("patter" not in trial.settings for trial in by(made, stance="vision-only"))
    assert "ranscript" not in text_of(by(made, stance="vision-only")[0], "user")


def test_the_truth_is_never_sent():
    stimulus = make_stimulus()
    secrets = [stimulus.truth["principle"], stimulus.truth["effect"], *(atom["text"] for atom in stimulus.truth["pcs"])]
    for trial in ask(stimulus, **ALL):
        sent = text_of(trial, "system") + text_of(trial, "user")
        assert not any(secret in sent for secret in secrets)
        assert stimulus.id not in sent


def test_trick_and_control_are_asked_the_same_words():
    one, two = (ask(make_stimulus(variant), **ALL) for variant in ("trick", "honest"))
    assert [text_of(t, "user") for t in one] == [text_of(t, "user") for t in two]
    assert [t.settings for t in one] == [t.settings for t in two]


def test_a_trick_and_its_control_as_made_are_told_apart_by_pictures_alone(made):
    for unit in made:
        texts = {}
        for stimulus, _ in unit:
            trials = ask(stimulus, **ALL)
            texts[stimulus.variant] = [(text_of(t, "system"), text_of(t, "user"), len(media_of(t))) for t in trials]
            assert not any(each in str(texts[stimulus.variant]) for each in (stimulus.unit, "honest", "control"))
        assert texts["trick"] == texts["honest"]


def test_a_video_is_shown_whole_where_that_is_wanted():
    stimulus = make_stimulus()
    for trial in ask(stimulus, video="native"):
        assert media_of(trial) == [Media.of(stimulus.media[0])]
        assert "frames" not in trial.settings


def test_words_beyond_the_clip_are_refused_with_its_name():
    stimulus = make_stimulus()
    late = {**stimulus.truth["patter"], "lie": {"text": "Gone!", "timeline": [[5.0, 9.0, "Gone!"]], "claims": []}}
    with pytest.raises(InputError, match=r"coin/0000/trick.*row 1 of its transcript, 5 to 9 s"):
        ask(make_stimulus(patter=late))


def test_people_are_asked_the_bare_question():
    stimulus = make_stimulus()
    for trial in ask(stimulus):
        text = bare_question(stimulus, trial)
        assert text.splitlines()[0] in text_of(trial, "user")
        assert "JSON" not in text


def test_the_papers_preset_has_its_sampling_and_its_judge():
    paper = ASKING.presets["paper"]
    assert paper.sampling.temperature == 0.6
    judge = paper.roles[JUDGE].sampling
    assert (judge.temperature, judge.max_tokens) == (0.0, 500)
