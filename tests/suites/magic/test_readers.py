"""Readings of rationales: boxes, scores and answers, whatever the true answer is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.magic.replies import CASES
from tests.suites.magic.stimuli import make_stimulus, released
from tests.suites.magic.test_trials import ask
from veridical.records import Response
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.asking.readers import RANGES, READERS, answer_of, mentioned_in, parts_of
from veridical.suites.magic.focus import focus_of, scores

USUAL, WITHOUT = READERS["rationale"]
(TRIAL,) = ask([make_stimulus("query", relevant=[1, 2], adversarial=[3, 4])], view="all-boxes")


def read(text, reader=USUAL, trial=TRIAL, **response):
    return reader.read(Response(trial=trial.id, text=text, **response), trial)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("reader", READERS["rationale"], ids=lambda reader: reader.name)
def test_a_reply_is_read_with_its_boxes(name, reader):
    case, reading = CASES[name], read(CASES[name].reply, reader)
    if case.answer is None:
        assert (reading.status, reading.answer, reading.correct) == ("unparsed", None, False)
        assert reading.reason in ("no final answer", "the reply is empty")
        return
    named = set(case.boxes) - (set(case.excluded) if reader is WITHOUT else set())
    focus = focus_of(named, [1, 2], 4)
    assert reading.status == "answered"
    assert parts_of(reading.answer)[0] == case.answer
    assert {name: reading.scores[name] for name in ("tp", "fp", "fn", "steps")} == {
        **focus._asdict(),
        "steps": case.steps,
    }
    assert [reading.scores[name] for name in ("precision", "recall", "f1")] == list(scores(focus))
    assert reading.scores["mentioned"] == len(named)
    assert set(reading.scores) <= set(RANGES)


@pytest.mark.parametrize("name", CASES)
def test_another_gold_changes_no_status_and_no_answer(name):
    trials = [
        ask([make_stimulus(kind, label=gold, rule=rule, short=gold)], view="all-boxes")[0]
        for kind, gold, rule in (
            ("query", "red", {"accepted": ["red"], "rivals": ["blue"], "essentials": [["red"]]}),
            ("query", "blue", {"accepted": ["blue"], "rivals": ["red"], "essentials": [["blue"]]}),
            ("verify", "yes", None),
        )
    ]
    read_all = [read(CASES[name].reply, trial=trial) for trial in trials]
    assert len({(each.status, each.answer, each.reason) for each in read_all}) == 1


@pytest.mark.parametrize(
    ("step", "boxes"),
    [
        ("It is in R1 or 2.", [1, 2]),
        ("R1, 2, or 3 may show it.", [1, 2, 3]),
        ("Regions 1 or 4 show it.", [1, 4]),
        ("R2 and/or 3.", [2, 3]),
        ("R1 shows 2 or 3 mugs.", [1]),
        ("R1 or 2 mugs are red.", [1]),
    ],
)
def test_a_bare_number_after_or_is_a_box_and_no_number_of_things(step, boxes):
    assert mentioned_in([step], boxes=4) == ([boxes], 0)


def test_an_excluded_mention_changes_the_usual_reader_alone():
    plain = "R1 shows the mug. R2 shows the lamp.\nAnswer: red"
    more = plain.replace("\n", " R3 is irrelevant.\n")
    one, other = ((read(text).scores, read(text, WITHOUT).scores) for text in (plain, more))
    assert other[0]["fp"] == one[0]["fp"] + 1
    boxes = ("tp", "fp", "fn", "precision", "recall", "f1", "mentioned", "beyond")
    assert [other[1][name] for name in boxes] == [one[1][name] for name in boxes]
    assert read(plain).correct == read(more).correct


@given(st.permutations(["R1 shows a mug.", "R2 is irrelevant.", "R7 is empty.", "I see R1-R3.", "The mug is red."]))
def test_the_order_of_steps_changes_no_score(steps):
    for reader in READERS["rationale"]:
        first = read(
            "I look around. R1 shows a mug. R2 is irrelevant. R7 is empty. I see R1-R3. The mug is red.\nAnswer: red"
        )
        assert read("\n".join(["I look around.", *steps, "Answer: red"])).scores == first.scores
        assert read("\n".join([*steps, "Answer: red"]), reader).scores["beyond"] == 1


def test_a_mention_said_twice_counts_once_and_one_beyond_counts_each_time():
    once, twice = (read(f"{'I look at R1 and R9. ' * often}\nAnswer: red").scores for often in (1, 2))
    assert {**once, "steps": 2, "beyond": 2} == twice
    assert once["beyond"] == 1


FORMS = {
    "R1 to R3 are marked.": [1, 2, 3],
    "Boxes 2 and 3 are empty.": [2, 3],
    "Region R2's mug.": [2],
    "[R1] and (R2).": [1, 2],
    "R\u2081 shows it.": [1],
    "\uff32\uff11 shows it.": [1],
    "Box #1 has it.": [1],
    "**R1**/**R2** are near.": [1, 2],
    "R1 & R2 match.": [1, 2],
    "R1-3 are there.": [1, 2, 3],
    "R1\u2013R3 are there.": [1, 2, 3],
    "Boxes R1..R4 are there.": [1, 2, 3, 4],
    "R3-R1 are there.": [1, 2, 3],
    "I moved from R1 to R3.": [1, 3],
    "$R_1$ and $R_{2}$ differ.": [1, 2],
    "R\\_1 shows it.": [1],
    "R10 is far.": [],
    "The box is 12 cm wide.": [],
    "R2D2 is a robot.": [],
    "All boxes show lamps.": [],
}


@pytest.mark.parametrize("step", FORMS)
def test_boxes_are_mentioned_in_many_forms(step):
    steps, _ = split(f"{step} That is all.\nAnswer: x")
    of_steps, beyond = mentioned_in(steps, 4)
    assert len(steps) == 2
    assert of_steps[0] == FORMS[step]
    assert beyond == ("R10" in step)


def test_ten_thousand_mentions_and_no_step_are_fine():
    many = read("R1 and R77, " * 10_000 + "that is all.\nAnswer: red").scores
    assert (many["mentioned"], many["beyond"], many["precision"]) == (1, 10_000, 1.0)
    none = read("Answer: red").scores
    assert (none["steps"], none["mentioned"], none["precision"], none["recall"], none["f1"]) == (0, 0, 0, 0, 0)
    (view,) = ask([make_stimulus("query")], view="blind")
    assert set(read("R1 is red.\nAnswer: red", trial=view).scores) == {"steps"}


RIGHT = {
    "query": (
        "red",
        "Red.",
        "The mug is red.",
        "It's red, not blue.",
        "A dark red",
        "crimson",
        "RED",
        "rot",
        "not blue but red",
    ),
    "verify": ("yes", "Yes, it is.", "Yes, the mug is red.", "Correct, it is.", "Yes - red"),
    "compare": (
        "the mug",
        "The mug is further left than the lamp.",
        "The mug, not the lamp",
        "mug (R1)",
        "It is the mug; the lamp is on the right.",
    ),
}
WRONG = {
    "query": (
        "blue",
        "red or blue",
        "It is blue, not red.",
        "Either red or green.",
        "not red",
        "red and blue",
        "unclear",
        "",
    ),
    "verify": ("no", "No, it is blue.", "Yes and no", "maybe", "I cannot tell."),
    "compare": ("the lamp", "The lamp is further left than the mug.", "Both the mug and the lamp", "neither"),
}


@pytest.mark.parametrize(("kind", "answer"), [(kind, answer) for kind in RIGHT for answer in RIGHT[kind]])
def test_right_answers_of_our_scenes_are_right_by_rule(kind, answer):
    (trial,) = ask([make_stimulus(kind)], view="all-boxes")
    assert read(f"R1 shows it.\n\nAnswer: {answer}", trial=trial).correct is True


@pytest.mark.parametrize(("kind", "answer"), [(kind, answer) for kind in WRONG for answer in WRONG[kind]])
def test_wrong_answers_of_our_scenes_are_wrong_by_rule(kind, answer):
    (trial,) = ask([make_stimulus(kind)], view="all-boxes")
    assert read(f"R1 shows it.\n\nAnswer: {answer}", trial=trial).correct is False


def test_answers_about_pictures_of_others_are_matched_exactly_but_for_dress():
    (trial,) = ask([released()], view="all-boxes")
    for answer, right in {"red": True, "Red.": True, "the red": True, "The mug is red.": False, "blue": False}.items():
        assert read(f"R1 shows it.\n\nAnswer: {answer}", trial=trial).correct is right


@pytest.mark.parametrize(
    ("reply", "response", "status"),
    [
        ("I'm sorry, but I can't help with that.", {}, "refused"),
        ("R1 shows a mug. It is", {"stop_reason": "max_tokens"}, "truncated"),
        ("R1 shows a mug.\nAnswer: The mug is re", {"stop_reason": "max_tokens"}, "truncated"),
        ("<think>R1 shows a mug. Answer: red", {}, "truncated"),
        ("R1 shows a mug.", {}, "unparsed"),
        ("", {"error": "timeout"}, "error"),
    ],
)
def test_what_is_no_answer_has_its_status_and_is_not_correct(reply, response, status):
    reading = read(reply, **response)
    assert (reading.status, reading.correct, reading.scores) == (status, False, {})


@given(
    st.lists(
        st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).map(str.strip), max_size=5
    )
)
def test_a_canonical_answer_gives_back_its_parts(texts):
    conclusion, *steps = ["red", *texts]
    assert parts_of(answer_of(steps, conclusion)) == (conclusion, steps)
