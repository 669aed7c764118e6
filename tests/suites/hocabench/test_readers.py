"""Replies to each task and what is read of them, or why nothing is; what counts as right."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.hocabench.stimuli import all_kinds, make_stimulus
from tests.suites.hocabench.test_trials import ask
from veridical.answers import intervals
from veridical.answers.time_intervals import iou, merge_intervals
from veridical.records import Response
from veridical.suites.hocabench.asking.explanations import label_of, parts
from veridical.suites.hocabench.asking.readers import READERS
from veridical.suites.hocabench.asking.sets import canonical_set, members, overlap, read_set
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

BY_TASK = {trial.settings["task"]: trial for trial in ask(all_kinds()) if trial.variant != "plausible"}


def read(task, text, reader=None, **response):
    """The reading of a reply to the trial of a task, by its default reader or the one of a name."""
    by_name = {each.name: each for each in READERS[task]}
    chosen = READERS[task][0] if reader is None else by_name[reader]
    return chosen.read(Response(trial="t", text=text, **response), BY_TASK[task])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("No", "No"),
        ("yes.", "Yes"),
        ("**No**", "No"),
        ("No, the ball floats up to the ceiling.", "No"),
        ("<think>Yes? no</think>No", "No"),
        ("It is hard to say.", None),
        ("Yes and no.", None),
        ("Impossible", "No"),
        ("No way!", "No"),
        ("Not plausible.", "No"),
        ("This could happen.", "Yes"),
        ("Physically possible", "Yes"),
        ("Unm\u00f6glich.", "No"),
        ("It is not impossible.", "Yes"),
        ("Ye\u00ads", "Yes"),
        ("The clip is plausible until the ball falls up.", None),
    ],
)
def test_plausibility_is_yes_or_no(text, answer):
    reading = read("plausibility", text)
    assert reading.answer == answer
    assert reading.correct is (answer == BY_TASK["plausibility"].gold)
    strict = read("plausibility", text, "one-word").answer
    assert strict == (answer if text.split("</think>")[-1].strip("*.").lower() in ("yes", "no") else None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: D", "mechanics"),
        ("The ball should fall.\nAnswer: D. Mechanics", "mechanics"),
        ("Mechanics", "mechanics"),
        ("Answer: I", "optics"),
        ("Answer: J", None),
        ("Answer: A or D", None),
        ("Answer: D. Optics", None),
    ],
)
def test_a_domain_is_read_by_letter_or_title(text, answer):
    assert read("domain", text).answer == answer


@pytest.mark.parametrize("short", [False, True])
def test_each_domain_is_read_by_its_letter_and_its_title_of_either_list(short):
    (trial,) = ask([make_stimulus()], task="domain", domains="short" if short else "nine")
    for place, (name, title) in enumerate(zip(DOMAINS, trial.expects["options"], strict=True)):
        for text in (f"Answer: {chr(65 + place)}", f"Answer: {chr(65 + place)}. {title}", title):
            assert READERS["domain"][0].read(Response(trial="t", text=text), trial).answer == name


def test_a_description_is_read_by_letter():
    assert read("description", "Answer: A").correct is True
    assert read("description", "Answer: C").correct is False
    assert read("description", "The ball is gone.").answer == "B"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("from 1.5 to 4.0", "1.50-4.00"),
        ("[1.5, 4]", "1.50-4.00"),
        ('{"intervals": [[1.5, 3], [3.2, 4]]}', "1.50-3.00;3.20-4.00"),
        ("00:01 - 00:04", "1.00-4.00"),
        ("1.5s\u20134s", "1.50-4.00"),
        ("Frames 5 to 12 are odd.\nAnswer: 1.2 to 3.1", "1.20-3.10"),
        ("Answer: 0.5 to 1; 2 to 3.5", "0.50-1.00;2.00-3.50"),
        ("Answer:\n- 0.5 s to 1 s\n- 2 s to 3.5 s", "0.50-1.00;2.00-3.50"),
        ("Answer: 1 to 3; 2 to 4", "1.00-4.00"),
        ("Answer: 2 to 4.3", "2.00-4.00"),
        ("Answer: none", "none"),
        ("0.5 to 1 and 2 to 3.5", "0.50-1.00;2.00-3.50"),
        ("0.5 \u2013 1 und 2 \u2013 3.5", "0.50-1.00;2.00-3.50"),
        ("between 0.5 and 1 and between 2 and 3.5", "0.50-1.00;2.00-3.50"),
        ("At 0.5 to 1 and at 2 to 3.5 seconds.", "0.50-1.00;2.00-3.50"),
        ("[0.5, 1] and [2, 3.5]", "0.50-1.00;2.00-3.50"),
        ("0.5-1 frames, 2-3.5 frames", None),
        ("0.5 to 1 of the ball, and 2 to 3.5", None),
    ],
)
def test_intervals_are_read_in_many_forms(text, answer):
    assert read("interval", text).answer == answer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Answer: 3 to 1", "the end of the interval is before its start"),
        ('{"intervals": [[3, 1]]}', "the end of the interval is before its start"),
        ("Answer: 2 to 9", "the interval 2-9 s lies outside the clip of 4 s"),
        ("Answer: 1 to 2; 5 to 6", "the interval 5-6 s lies outside the clip of 4 s"),
        ("Answer: frames 5 to 12", "no time interval is stated"),
        ("Answer: 1 to 2 or 2 to 3", "a choice of time intervals is given"),
        ('{"intervals": [[-1, 2]]}', "a time of the interval is negative"),
    ],
)
def test_intervals_that_cannot_be_are_no_answer_and_the_reason_says_why(text, reason):
    reading = read("interval", text)
    assert (reading.status, reading.answer, reading.reason, reading.correct) == ("unparsed", None, reason, False)


@pytest.mark.parametrize(
    ("reader", "text", "answer"),
    [
        ("time-r1", "<think>2 to 3</think><answer>1.20 to 3.40</answer>", "1.20-3.40"),
        ("time-r1", "1.20 to 3.40", None),
        ("time-r1", "<answer>3.40 to 1.20</answer>", None),
        ("time-r1", "<answer>1.2 to 44</answer>", None),
        ("qwen-grounding", "The event happens in 1.2 - 3.4 seconds.", "1.20-3.40"),
        ("qwen-grounding", "The given query happens in 00:01 - 00:03.", "1.00-3.00"),
        ("qwen-grounding", "<answer>1.20 to 3.40</answer>", None),
    ],
)
def test_specialist_models_are_read_by_their_own_forms(reader, text, answer):
    reading = read("interval", text, reader)
    assert reading.answer == answer
    assert ("iou" in reading.scores) is (answer is not None)


STRETCHES = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), max_size=4).map(
    lambda pairs: [(start / 10, (start + length) / 10) for start, length in pairs]
)


@given(one=STRETCHES, other=STRETCHES)
@settings(max_examples=60)
def test_the_iou_of_unions_is_that_of_the_times_counted_one_by_one(one, other):
    ticks = np.arange(0, 8, 0.1) + 0.05
    inside = [np.any([(a < ticks) & (ticks < b) for a, b in each] or [ticks < 0], axis=0) for each in (one, other)]
    union = (inside[0] | inside[1]).sum()
    assert iou(one, other) == pytest.approx((inside[0] & inside[1]).sum() / union if union else 0.0)
    assert iou(one, other) == iou(other, one)
    assert iou(one, one) == (1.0 if one else 0.0)
    assert all(
        first.end < second.start for first, second in zip(merge_intervals(one), merge_intervals(one)[1:], strict=False)
    )


def test_an_interval_is_correct_from_an_iou_of_one_half_on():
    gold = intervals(BY_TASK["interval"].gold)
    assert gold == ((2.0, 4.0),)
    assert read("interval", "Answer: 3 to 4").scores == {"iou": 0.5}
    assert read("interval", "Answer: 3 to 4").correct is True
    assert read("interval", "Answer: 3.1 to 4").correct is False
    assert read("interval", "Answer: none").scores == {"iou": 0.0}


NAMES = tuple(SUB_TYPES)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: H, K", "collision,gravity"),
        ("Answer: [K] and [H]", "collision,gravity"),
        ("Gravity and collision", "collision,gravity"),
        ("Answer: H. Gravity; K. Collision anomaly", "collision,gravity"),
        ("Answer: Gravity (H), Collision (K)", "collision,gravity"),
        ('{"sub_types": ["Gravity Anomaly", "K"]}', "collision,gravity"),
        ('["gravity", "collision"]', "collision,gravity"),
        ("I see a ball and a wall.\nAnswer:\n- H. Gravity\n- K. Collision", "collision,gravity"),
        ("Answer: Mass & volume", "mass_volume"),
        ("Answer: Mass and volume, Size", "mass_volume,size"),
        ("Answer: none", "none"),
        ("Answer: K, K", "collision"),
        ("H\nK", "collision,gravity"),
        ("- H. Gravity\n- K. Collision", "collision,gravity"),
        ("h, k", "collision,gravity"),
        ("Answer: h, j und k", "collision,friction,gravity"),
        ("HK", "collision,gravity"),
        ("The anomalies are H and K.", "collision,gravity"),
        ("None of them.", "none"),
        ("Answer: H or K", None),
        ("KH", None),
        ("H is wrong, K", None),
        ("Answer: H. Collision", None),
        ("Answer: S", None),
        ("Answer: gravity is fine, but collision is not", None),
        ("The ball passes through the wall, which is a collision.", None),
        ("I think A ball falls up.", None),
    ],
)
def test_sub_types_are_read_by_letter_or_name_and_nothing_is_guessed(text, answer):
    assert read_set(text, NAMES).answer == answer


@given(st.sets(st.sampled_from(NAMES), min_size=1, max_size=4))
@settings(max_examples=40)
def test_every_set_is_read_by_letters_titles_and_names(chosen):
    letters = ", ".join(chr(65 + NAMES.index(name)) for name in chosen)
    titles = "; ".join(SUB_TYPES[name].title for name in chosen)
    for text in (f"Answer: {letters}", f"Answer: {titles}", json.dumps({"sub_types": list(chosen)})):
        assert read_set(text, NAMES).answer == canonical_set(chosen)
    assert members(canonical_set(chosen)) == chosen


@given(one=st.sets(st.sampled_from(NAMES), max_size=4), gold=st.sets(st.sampled_from(NAMES), min_size=1, max_size=3))
def test_the_scores_of_a_set_are_those_of_its_members(one, gold):
    scores = overlap(canonical_set(one), canonical_set(gold))
    both = len(one & gold)
    assert scores["set_precision"] == (both / len(one) if one else 0)
    assert scores["set_recall"] == both / len(gold)
    assert scores["set_f1"] == pytest.approx(2 * both / (len(one) + len(gold)))


def test_a_set_is_correct_only_as_a_whole():
    assert read("set", "Answer: K, H").correct is True
    half = read("set", "Answer: K")
    assert (half.correct, half.scores["set_recall"], half.scores["set_precision"]) == (False, 0.5, 1.0)


FOUR = {
    "scene": "A ball falls.",
    "anomaly": "It rises.",
    "attribution": "Causal",
    "reasoning": "It breaks gravity. It should fall.",
}
LONG = ("Scene Description", "Anomaly Identification", "Taxonomic Attribution", "Counterfactual Reasoning")
CANONICAL = "\n".join(f"{name.capitalize()}: {text}" for name, text in FOUR.items())


@pytest.mark.parametrize(
    "text",
    [
        CANONICAL,
        CANONICAL.replace(": ", ":\n"),
        "\n\n".join(f"**{name.capitalize()}:** {text}" for name, text in FOUR.items()),
        "\n".join(f"({k}) **{name.upper()}**: {text}" for k, (name, text) in enumerate(FOUR.items(), start=1)),
        "\n".join(f"### {name.capitalize()}\n{text}" for name, text in FOUR.items()),
        json.dumps(FOUR),
        "\n".join(f"{k}. {name}: {text}" for k, (name, text) in enumerate(zip(LONG, FOUR.values(), strict=True), 1)),
        f"<think>Scene: a cat.</think>{CANONICAL}",
    ],
)
def test_an_explanation_is_read_in_its_parts_in_whatever_form(text):
    reading = read("explanation", text)
    assert (reading.status, reading.answer, reading.correct) == ("answered", CANONICAL, None)


def test_an_explanation_without_parts_is_taken_as_it_is_and_nothing_is_not():
    assert read("explanation", "The ball rises\nby itself.").answer == "The ball rises by itself."
    assert read("explanation", "Scene: a ball falls.").answer == "Scene: a ball falls."
    assert read("explanation", "").status == "unparsed"
    assert read("explanation", "I'm sorry, but I can't help with that.").status == "refused"
    assert read("explanation", "<think>It rises", stop_reason="max_tokens").status == "truncated"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Attribution: Causal", "Causal"),
        ("Attribution: **Ontological** anomaly", "Ontological"),
        ("Attribution: Ontological rather than causal", "Ontological"),
        ("Attribution: Causal / Ontological", "both"),
        ("Attribution: Ontological. There is no causal interaction.", "Ontological"),
        ("Attribution: This is a causal anomaly, since the ontological layer is sound", "Causal"),
        ("Attribution: It is not causal; it is ontological", "Ontological"),
        ("Attribution: Causal, because it interacts.\nAttribution: Ontological", "both"),
        ("Attribution: Causal\nAttribution: Ontological", "both"),
        ("It floats. Ontological. A ball has weight.", "Ontological"),
        ("There is no causal agent here.", None),
        ("Attribution: mechanics", None),
    ],
)
def test_the_label_of_an_explanation_is_one_word_or_none(text, label):
    assert label_of(parts(text)) == label
