"""The rule judges of Self-Heal against continuations whose reading was written first."""

import json

import pytest

from tests.suites.magic.continuations import LISTED, LISTINGS, MISTAKES, RIGHT, STEADY, WRONG
from tests.suites.magic.sentences import GRAPH, RELEVANT
from tests.suites.magic.stimuli import claim
from veridical.suites.magic.asking.step_checks import first_wrong, stretch_of
from veridical.suites.magic.healing.rules import denies, heals

LETTERS = {"n": "names", "s": "states", "h": "heals"}


def shown(kind, prefix, claims, reply, graph=GRAPH):
    facts = {"kind": kind, "claims": claims, "prefix": list(prefix), "graph": graph, "relevant": list(RELEVANT)}
    return {"facts": json.dumps({**facts, "boxes": 6}), "reply": reply}


def letters(verdict):
    return "?" if isinstance(verdict, str) else "".join(each for each, name in LETTERS.items() if verdict[name])


@pytest.mark.parametrize(("kind", "reply", "expected"), WRONG)
def test_a_continuation_of_a_false_beginning_is_judged_as_a_careful_reader_does(kind, reply, expected):
    text, mistake = MISTAKES[kind]
    verdict = letters(heals(shown(kind, ["I see a room.", text], [mistake], reply)))
    assert verdict == expected.rstrip("?") or verdict == expected[-1:] == "?"


def test_few_of_the_continuations_are_left_open():
    open_ones = [
        reply
        for kind, reply, expected in WRONG
        if letters(heals(shown(kind, [MISTAKES[kind][0]], [MISTAKES[kind][1]], reply))) == "?" and expected != "?"
    ]
    assert len(open_ones) <= len(WRONG) / 20


@pytest.mark.parametrize(("reply", "expected"), STEADY)
def test_a_continuation_of_a_true_beginning_denies_it_or_not(reply, expected):
    verdict = denies(shown("true", RIGHT, [], reply))
    assert ("?" if isinstance(verdict, str) else "yes" if verdict["denies"] else "no") == expected


@pytest.mark.parametrize(("reply", "expected"), LISTINGS)
def test_a_listing_is_healed_where_all_that_does_not_matter_is_set_aside(reply, expected):
    claims = [claim("dismissed", "", number, "matters", "dismissed") for number in (2, 4, 5, 6)]
    assert letters(heals(shown("listing", LISTED, claims, reply))) == expected


def test_a_rule_says_why_it_cannot_tell():
    text, mistake = MISTAKES["description"]
    assert heals(shown("annotated", [text], [], "The mug is red.", graph=None)).startswith("the item has no scene")
    assert heals(shown("description", [text], [], "The mug is red.")).startswith("the mistake claims nothing")
    assert "English" in heals(shown("description", [text], [mistake], "Nein, die Tasse ist doch ganz rot."))
    assert denies(shown("true", ["A room."], [], "So it is.")).startswith("the reasoning so far claims nothing")


def wrong_in(*steps, graph=GRAPH):
    return first_wrong({"facts": json.dumps({"steps": list(steps), "graph": graph, "relevant": list(RELEVANT)})})


def test_the_first_wrong_stretch_of_a_rationale_is_found_with_its_correction():
    steps = ["A room.", "R3 shows a red mug.", "The mug is in R4.", "The mug is green.", "Well.", "The book is red."]
    verdict = wrong_in(*steps)
    assert (verdict["first"], verdict["last"]) == (3, 4)
    assert verdict["correction"] == "The mug is in R3. The mug in R3 is red."
    assert wrong_in("R3 shows a red mug.")["first"] == 0
    assert wrong_in("This is a room.") == "no step claims anything that a rule can check"
    assert wrong_in("R3 shows a red mug.", graph=None).startswith("the item has no scene")


def test_a_verdict_about_a_step_that_does_not_exist_names_none():
    def verdict(first, last):
        return json.dumps({"justification": "", "first": first, "last": last, "correction": " It is red. "})

    assert stretch_of(verdict(2, 3), 4) == (2, 3, "It is red.")
    assert stretch_of(verdict(2, 9), 4) == (2, 4, "It is red.")
    assert stretch_of(verdict(3, 1), 4) == (3, 3, "It is red.")
    assert stretch_of(verdict(5, 6), 4) == stretch_of(verdict(0, 0), 4) == (0, 0, "")
