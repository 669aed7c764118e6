"""Which questions are asked about which clips, what is shown, what is true, and what is never sent."""

from collections import Counter
from fractions import Fraction

import pytest

from tests.suites.hocabench.stimuli import EVENT, all_kinds, make_stimulus, opened
from veridical.errors import InputError
from veridical.media.derive import frame_times, frames_of
from veridical.records import Media, Text, canonical
from veridical.suite.people_forms import worded_question
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.hocabench.asking import ASKING
from veridical.suites.hocabench.asking.attribution import RULES, attribution_of, differs
from veridical.suites.hocabench.asking.cut import UNTIL
from veridical.suites.hocabench.asking.people import bare_question
from veridical.suites.hocabench.asking.tasks import SHORT_NAMES
from veridical.suites.hocabench.asking.trials import BLIND, FOLDER, SETTINGS, trials
from veridical.suites.hocabench.taxonomy import DOMAINS, SHORT_DOMAINS, SUB_TYPES


def ask(stimuli, prompts=None, derivations=None, **levels):
    chosen = {name: (level,) if isinstance(level, str) else level for name, level in levels.items()}
    return list(trials(stimuli, AskingOptions(chosen, prompts, derivations or PlannedMedia()), None))


def text_of(trial):
    return "\n".join(part.text for part in trial.messages[0].parts if isinstance(part, Text))


def media_of(trial):
    return [part for part in trial.messages[0].parts if isinstance(part, Media)]


def test_each_task_is_asked_about_the_clips_that_it_applies_to():
    made = ask(all_kinds())
    asked = {(trial.stimulus.partition("/")[0], trial.variant, trial.settings["task"]) for trial in made}
    single = {("gravity", "violating", task) for task in ("plausibility", "domain", "description", "explanation")}
    controls = {("gravity", variant, "plausibility") for variant in ("plausible", "explained")}
    others = {("panels", "panels", "set"), ("sequence", "sequence", "interval"), ("real", "plausible", "plausibility")}
    assert asked == single | controls | others
    assert len(made) == len(asked) == len({trial.id for trial in made})
    assert {trial.reader for trial in made} <= set(ASKING.readers)


def test_what_is_true_is_known_for_each_task():
    gold = {(trial.variant, trial.settings["task"]): trial.gold for trial in ask(all_kinds())}
    assert gold["violating", "plausibility"] == "No"
    assert gold["plausible", "plausibility"] == gold["explained", "plausibility"] == "Yes"
    assert (gold["violating", "domain"], gold["violating", "description"]) == ("mechanics", "A")
    assert gold["violating", "explanation"] is None
    assert (gold["sequence", "interval"], gold["panels", "set"]) == ("2.00-4.00", "collision,gravity")


def test_intervals_of_single_clips_are_asked_on_request_and_releases_have_questions_of_their_own():
    asked = ask(all_kinds(), task="interval", grounding=("sequences", "single"))
    assert Counter(trial.variant for trial in asked) == {"violating": 1, "sequence": 1}
    (own,) = ask([make_stimulus("sequence", asked="When does the mug float?")], task="interval")
    assert "When does the mug float?" in text_of(own)
    assert bare_question(make_stimulus("sequence", asked="When does the mug float?"), own) == "When does the mug float?"


def test_frames_are_preceded_by_their_times_and_the_set_has_64():
    for trial in ask(all_kinds()):
        parts = trial.messages[0].parts
        count = 64 if trial.settings["task"] == "set" else 16
        assert trial.settings["frames"] == f"uniform-{count}"
        assert [type(part) for part in parts] == [Text, Media] * count + [Text]
        first = (Fraction(4) / count) / 2
        assert parts[0].text == f"Frame 1 of {count}, at {float(first):.2f} s:"
        assert f"{count} frames of one clip that lasts 4.00 s" in parts[-1].text


def test_a_clip_is_shown_as_a_video_or_not_at_all_where_that_is_asked():
    for stimulus in all_kinds():
        for trial in ask([stimulus], video="native"):
            assert media_of(trial) == [Media.of(stimulus.media[0])]
            assert "frames" not in trial.settings
    blind = ask(all_kinds(), sight=BLIND, frames=("uniform-16", "uniform-64"), until=tuple(UNTIL))
    assert len(blind) == len(ask(all_kinds()))
    assert not any(media_of(trial) for trial in blind)
    assert {"not shown to you" in text_of(trial) for trial in blind} == {True}


def test_the_levels_of_a_setting_are_asked_where_it_applies_and_show_the_same_frames():
    made = ask(
        [make_stimulus()], domains=("nine", "short"), attribution_rule=tuple(RULES), frames=("uniform-4", "4fps")
    )
    count = Counter(trial.settings["task"] for trial in made)
    assert count == {"plausibility": 2, "domain": 4, "description": 2, "explanation": 4}
    for level in ("uniform-4", "4fps"):
        assert len({tuple(media_of(trial)) for trial in made if trial.settings["frames"] == level}) == 1


@pytest.mark.parametrize("until", [name for name in UNTIL if name != "end"])
@pytest.mark.parametrize("sampling", ["uniform-16", "uniform-16-ends", "4fps", "adaptive-20"])
def test_frames_of_a_cut_clip_lie_before_the_cut(until, sampling):
    rule = frames_of(sampling, longest=None, quality=None, cut=UNTIL[until])
    stimulus, cut = make_stimulus(), Fraction(EVENT) + Fraction(UNTIL[until].after)
    ((_, times),) = frame_times(stimulus, rule.arguments)
    assert all(0 <= time < cut for time in times)
    made = list(rule.make(stimulus, [opened()]))
    assert len(made) == rule.count(stimulus) == len(times)
    shown = [facts["pts"] * Fraction(facts["time_base"]) for _, facts in made]
    assert all(time <= wanted for time, wanted in zip(shown, times, strict=True))
    assert max(shown) < cut


def test_a_cut_clip_is_plausible_until_the_event_and_only_plausibility_is_asked_of_it():
    made = ask([make_stimulus(), make_stimulus("plausible")], until=tuple(UNTIL))
    gold = {(trial.variant, trial.settings["until"]): trial.gold for trial in made if trial.reader == "plausibility"}
    early, late = ("before", "event"), ("after-0.5", "after-1", "end")
    assert {gold["violating", until] for until in early} == {"Yes"}
    assert {gold["violating", until] for until in late} == {"No"}
    assert {gold["plausible", until] for until in UNTIL} == {"Yes"}
    assert {trial.settings["until"] for trial in made if trial.reader != "plausibility"} == {"end"}
    shown = [trial for trial in made if trial.settings["until"] == "before"]
    assert all("lasts 1.50 s" in text_of(trial) and "4.00" not in text_of(trial) for trial in shown)


def test_a_clip_without_an_event_or_without_time_before_it_is_not_cut():
    assert ask([make_stimulus("plausible", event=None)], until="event") == []
    assert ask([make_stimulus(event=0.4)], until="before") == []
    with pytest.raises(InputError, match="is not cut: use until=end"):
        ask([make_stimulus()], video="native", until="event")


def test_no_truth_is_sent():
    for trial in ask(all_kinds()):
        sent = text_of(trial)
        assert "breaks the rule that" not in sent
        assert "gravity/0000" not in sent
        if trial.settings["task"] != "description":
            assert "rises" not in sent
    (domain,) = ask([make_stimulus()], task="domain")
    (other,) = ask([make_stimulus(sub_type="optics")], task="domain")
    assert text_of(domain) == text_of(other)


def test_domains_have_letters_and_definitions_or_the_names_of_the_short_list():
    (nine,), (short,) = (ask([make_stimulus()], task="domain", domains=level) for level in ("nine", "short"))
    assert all(f"{domain.title}: {domain.definition}" in text_of(nine) for domain in DOMAINS.values())
    assert all(title in text_of(short) for title in SHORT_DOMAINS.values())
    assert not any(domain.definition in text_of(short) for domain in DOMAINS.values())
    assert nine.gold == short.gold == "mechanics"
    assert set(SHORT_NAMES) == set(DOMAINS)
    assert set(SHORT_NAMES.values()) == set(SHORT_DOMAINS)


def test_one_rule_of_attribution_is_in_the_prompt_and_what_differs_is_flagged():
    for level, rule in RULES.items():
        (trial,) = ask([make_stimulus()], task="explanation", attribution_rule=level)
        assert [rule in text_of(trial), *(other in text_of(trial) for other in RULES.values() if other != rule)] == [
            True,
            False,
        ]
    lifts, spins = (make_stimulus(sub_type="bio_behavior", interaction=each) for each in (True, False))
    assert [differs(each) for each in (lifts, spins, make_stimulus())] == [True, False, False]
    assert [attribution_of(lifts, level) for level in RULES] == ["Causal", "Ontological"]
    assert [attribution_of(spins, level) for level in RULES] == ["Ontological", "Ontological"]
    assert [attribution_of(make_stimulus(), level) for level in RULES] == ["Causal", "Causal"]


def test_a_users_prompt_takes_the_place_of_ours_and_is_part_of_the_trials_identity(tmp_path):
    own = (FOLDER / "plausibility.md").read_text().replace("Reply with one word", "Say one word")
    (tmp_path / "plausibility.md").write_text(own)
    (ours,), (theirs,) = (ask([make_stimulus()], each, task="plausibility") for each in (None, tmp_path))
    assert "Say one word" in text_of(theirs)
    assert ours.prompt != theirs.prompt
    (tmp_path / "other.md").write_text(own)
    with pytest.raises(InputError, match=r"unknown prompt file 'other\.md'"):
        ask([make_stimulus()], tmp_path)


def test_settings_and_what_readers_must_know_are_plain_values():
    for trial in ask(all_kinds()):
        assert set(trial.settings) <= set(SETTINGS)
        assert all(level in SETTINGS[name] for name, level in trial.settings.items())
        canonical(dict(trial.expects))


def test_people_are_asked_the_same_without_the_form_of_a_reply():
    by_task = {trial.settings["task"]: trial for trial in ask(all_kinds())}
    kinds = {stimulus.id: stimulus for stimulus in all_kinds()}
    for trial in by_task.values():
        question = bare_question(kinds[trial.stimulus], trial)
        assert question
        assert "Answer:" not in question
        assert "Reply" not in question
    assert SUB_TYPES["gravity"].definition in worded_question(ASKING, kinds["panels/0000/panels"], by_task["set"])
