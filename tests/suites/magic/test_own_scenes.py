"""Our scenes and the readers: what the generator calls true is read as true, and what it calls wrong as wrong."""

import pytest

from tests.suites.magic.test_trials import ask
from veridical.judges.rule_clauses import is_said
from veridical.judges.rule_phrases import forms
from veridical.records import Response
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.asking.readers import READERS
from veridical.suites.magic.asking.rules import full_ruling, short_ruling
from veridical.suites.magic.options import MagicOptions
from veridical.suites.magic.regions.rule import DRAWN_VIEWS
from veridical.suites.magic.scenes.kinds import KINDS, MATERIALS, PALETTE
from veridical.suites.magic.scenes.make import chunks, make

SET = [
    stimulus
    for chunk in chunks(MagicOptions(units=4, seed=11))
    for stimulus, _ in make(MagicOptions(units=4, seed=11), chunk)
]


def text_of(chain):
    return " ".join(step["text"] for step in chain["steps"])


def chain_of(stimulus, kind):
    return next(chain for chain in stimulus.truth["chains"] if chain["kind"] == kind)


def read(stimulus, text, view="all-boxes"):
    (trial,) = ask([stimulus], view=view)
    return READERS["rationale"][0].read(Response(trial=trial.id, text=text), trial)


@pytest.mark.parametrize("stimulus", SET, ids=lambda stimulus: stimulus.id)
def test_true_answers_are_right_by_rule_and_rivals_wrong(stimulus):
    truth, rule = stimulus.truth, stimulus.truth["rule"]
    assert short_ruling(rule, truth["short"]).right
    assert short_ruling(rule, truth["full"]).right
    assert full_ruling(rule, truth["full"]).right
    assert full_ruling(rule, truth["short"], stimulus.question).right
    for word in rule["accepted"]:
        assert short_ruling(rule, word).right
    for rival in rule["rivals"]:
        assert short_ruling(rule, rival).right is False
        assert short_ruling(rule, f"{truth['short']} or {rival}").right is not True


SAID = (
    *(
        "{a}",
        "It's {a}.",
        "I'd say {a}.",
        "**{a}**",
        "{a}, because that is what R1 shows.",
        "Definitely {a}, as R2 shows",
    ),
    *("Based on R1, it is {a}.", "{a} (not {r})", "The answer is {a}, not {r}.", "Clearly {a}!", "So {a}"),
)
UNSAID = ("{a} or {r}", "{r}, not {a}", "either {a} or {r}", "{r}", "both {a} and {r}", "{a}/{r}", "{r}, I think")


@pytest.mark.parametrize("stimulus", SET, ids=lambda stimulus: stimulus.id)
def test_what_is_said_in_other_words_is_ruled_alike(stimulus):
    rule, short = stimulus.truth["rule"], stimulus.truth["short"]
    for rival in rule["rivals"]:
        for form in SAID:
            assert short_ruling(rule, form.format(a=short, r=rival)).right, (form, rival)
        for form in UNSAID:
            assert short_ruling(rule, form.format(a=short, r=rival)).right is not True, (form, rival)


@pytest.mark.parametrize("stimulus", SET, ids=lambda stimulus: stimulus.id)
def test_a_true_chain_focuses_on_the_relevant_boxes_alone_and_keeps_its_steps(stimulus):
    chain = chain_of(stimulus, "true")
    reading = read(stimulus, f"{text_of(chain)}\n\nAnswer: {stimulus.truth['full']}")
    assert reading.correct
    assert (reading.scores["precision"], reading.scores["recall"], reading.scores["beyond"]) == (1, 1, 0)
    assert split(text_of(chain))[0] == [step["text"] for step in chain["steps"]] == split_of(reading)


def split_of(reading):
    return [line.partition(" ")[2] for line in reading.answer.split("\n")[1:]]


@pytest.mark.parametrize("stimulus", SET, ids=lambda stimulus: stimulus.id)
def test_a_listing_mentions_every_box(stimulus):
    reading = read(stimulus, f"{text_of(chain_of(stimulus, 'listing'))}\nAnswer: {stimulus.label}")
    assert reading.scores["mentioned"] == stimulus.factors["box_count"]
    assert reading.scores["error_exhaustive"] == 1


@pytest.mark.parametrize("stimulus", SET[::3], ids=lambda stimulus: stimulus.id)
def test_each_view_has_its_own_relevant_boxes(stimulus):
    for view in DRAWN_VIEWS:
        (trial,) = ask([stimulus], view=view)
        named = ", ".join(f"R{number}" for number in trial.expects["relevant"])
        reading = read(stimulus, f"I look at {named}.\nAnswer: {stimulus.label}", view)
        assert (reading.correct, reading.scores["f1"]) == (True, 1)


@pytest.mark.parametrize("names", [tuple(KINDS), tuple(PALETTE), MATERIALS], ids=["things", "colors", "materials"])
def test_no_name_of_a_scene_is_read_as_another(names):
    for one in names:
        for other in names:
            said = frozenset(forms(other))
            assert one == other or not forms(one) or not said or not all(is_said(form, said) for form in forms(one))
