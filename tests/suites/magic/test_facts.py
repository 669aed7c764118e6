"""What an answer states besides its yes or no, and what becomes of a mistake, on every question of a drawn set."""

import json
import re

import pytest

from tests.suites.magic.test_own_scenes import SET
from veridical.suites.magic.asking.rules import full_ruling, short_ruling
from veridical.suites.magic.asking.step_checks import truth_of
from veridical.suites.magic.facts import facts_of
from veridical.suites.magic.healing.prefixes import LISTING, TRUE, prefixes_of
from veridical.suites.magic.healing.rules import heals

POLAR = {"yes": ["yes", "yeah", "correct", "true"], "no": ["no", "nope", "incorrect", "false"]}


def rule(gold, fact):
    other = "no" if gold == "yes" else "yes"
    full = f"{gold.capitalize()}, {fact}."
    return {"accepted": POLAR[gold], "rivals": POLAR[other], "essentials": [POLAR[gold]], "full": full}


LEFT = rule("no", "the mug is to the left of the clock")
RED = rule("no", "the mug is red")
QUESTION = "Is the mug to the right of the clock?"


@pytest.mark.parametrize(
    ("known", "answer", "right"),
    [
        (LEFT, "No.", True),
        (LEFT, "No, the mug is to the left of the clock.", True),
        (LEFT, "No, the mug is to the right of the clock.", False),
        (LEFT, "No. The clock is to the right of the mug.", True),
        (LEFT, "No. The clock is to the left of the mug.", False),
        (LEFT, "The clock is to the left of the mug.", False),
        (LEFT, "The mug is not to the right of the clock but to the left of it.", True),
        (LEFT, "No, because it is nearer to the right border.", False),
        (LEFT, "Yes, the mug is to the left of the clock.", False),
        (LEFT, "I doubt that the mug is to the left of the clock.", None),
        (LEFT, "Nein, die Tasse steht rechts von der Uhr.", None),
        (RED, "No, the mug is red.", True),
        (RED, "No, the red mug stands beside a blue lamp.", True),
        (RED, "No, the mug is green.", False),
        (RED, "No, it's green.", False),
    ],
)
def test_what_follows_yes_or_no_counts(known, answer, right):
    assert short_ruling(known, answer).right is right


def test_a_full_answer_has_what_is_so_in_it_or_at_the_end_of_its_reasoning():
    assert full_ruling(LEFT, "No.", QUESTION) == (False, "does not say left")
    assert full_ruling(LEFT, "No.", QUESTION, "R1 shows a mug.\nIt is to the left of the clock.").right
    assert full_ruling(LEFT, "No, the clock is to the right of the mug.", QUESTION).right
    assert full_ruling(rule("yes", "the mug is red"), "Yes.", "Is the mug red?").right


def test_the_true_answer_of_every_question_is_right_in_full_and_in_short_and_turned_round_it_is_wrong():
    turned = 0
    for stimulus in SET:
        known, full = {**stimulus.truth["rule"], "full": stimulus.truth["full"]}, stimulus.truth["full"]
        assert full_ruling(known, full, stimulus.question).right, full
        assert short_ruling(known, full).right, full
        assert short_ruling(known, stimulus.truth["short"]).right, full
        for one, other in (("left", "right"), ("in front of", "behind"), ("larger", "smaller")):
            if re.match(rf"(?:Yes|No), .*\b{one}\b", full) and facts_of(full):
                turned += 1
                assert short_ruling(known, full.replace(one, other)).right is False, full
    assert turned


CORRECTING = (
    "Wait, I made a mistake. {so}",
    "Sorry, that was wrong. {so} So the answer follows.",
    "I misread the picture. {so}",
    "Looking again, I was wrong. {so}",
)
FALLING_BACK = ("Wait, I made a mistake. {so} But no, I was right at first.", "Sorry, that was wrong. {so} {mistake}")
PASSING_OVER = ("{mistake} So the answer follows.", "With this in mind, I can answer.", "I am not sure any more.")


def healed(prefix, stimulus, reply):
    facts = {"kind": prefix.kind, "claims": [dict(claim) for claim in prefix.claims], "prefix": list(prefix.steps)}
    facts |= {"graph": stimulus.truth["graph"], "relevant": stimulus.truth["relevant"]}
    return heals({"facts": json.dumps(facts), "reply": reply})


def test_a_correction_of_any_drawn_mistake_heals_it_unless_the_continuation_falls_back():
    count = 0
    for stimulus in SET:
        for chain in stimulus.truth["chains"]:
            for prefix in prefixes_of(chain, stimulus.truth["relevant"], len(stimulus.truth["boxes"])):
                if prefix.kind in (TRUE, LISTING):
                    continue
                wrong = [claim for claim in prefix.claims if claim["value"] != claim["true"]]
                told = {"so": " ".join(map(truth_of, wrong)), "mistake": " ".join(prefix.mistaken)}
                count += 1
                for template in CORRECTING:
                    assert healed(prefix, stimulus, template.format(**told))["heals"], template.format(**told)
                for template in (*FALLING_BACK, *PASSING_OVER):
                    assert not healed(prefix, stimulus, template.format(**told))["heals"], template.format(**told)
    assert count > 20


@pytest.mark.parametrize(
    ("reply", "heals_it"),
    [
        ("Not green, but red.", True),
        ("I should have said red rather than green.", True),
        ("Contrary to what I wrote, the mug is red.", True),
        ("~~The mug is green~~ The mug is red.", True),
        ("My first impression of R3 was wrong; the mug is red.", True),
        ("I said that the mug is green. That was wrong. It is red.", True),
        ("Wait, the mug is red. But no, I was right at first: the mug is green.", False),
        ("Correction: the mug is green.", False),
        ("One could think that the mug is red. But that is not so; the mug is green.", False),
        ("Correction: it is neither green nor red, but blue.", False),
        ("I apologize for the confusion. Let me go on.", False),
    ],
)
def test_a_mistake_is_healed_by_what_is_said_not_by_its_words(reply, heals_it):
    from tests.suites.magic.continuations import MISTAKES
    from tests.suites.magic.test_healing_rules import shown

    text, mistake = MISTAKES["description"]
    verdict = heals(shown("description", [text], [mistake], reply))
    assert (not isinstance(verdict, str) and verdict["heals"]) is heals_it


@pytest.mark.parametrize("piece", ["red ", "the mug is red and it is green ", '"', "~~x~~ "])
def test_a_very_long_continuation_gets_a_verdict(piece):
    from tests.suites.magic.continuations import MISTAKES
    from tests.suites.magic.test_healing_rules import shown

    text, mistake = MISTAKES["description"]
    assert heals(shown("description", [text], [mistake], piece * (60_000 // len(piece))))
