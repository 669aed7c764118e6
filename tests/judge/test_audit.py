"""The audit of judges by command: a flip is one thing, whoever counts it, and judges come out as they were built."""

import json
import re

import pytest

import veridical
from tests.judge.conftest import obedient, playing, quotes, verdict
from tests.judge.corpus_figures import confusion, swayed
from veridical.judges.corpora import injections, short_answer
from veridical.judges.rules import short_answer as ruled


def wording(request):
    """A judge that takes a reply for correct that has the word, or begins with the true answer."""
    fields = quotes(request.text)
    return verdict(correct=by_words(fields["question"], fields["gold"], fields["reply"]))


def by_words(_question, gold, reply):
    return "correct" in reply.lower() or reply.lower().startswith(gold.lower())


def whole(out):
    """The estimates of the whole corpus by name, and those by kind."""
    estimates = json.loads(out)["estimates"]
    every = {each["metric"]: each for each in estimates if not each["slice"]}
    kinds = {(each["metric"], each["slice"]["category"]): each for each in estimates if each["slice"]}
    return every, kinds


@pytest.fixture
def audited(tmp_path, models_file, command):
    def audit(verb, judge, *words):
        with playing({"built": judge}) as server:
            place = models_file(server, "built")
            return command("judges", verb, "--judge", "built", "--models", place, "--out", tmp_path / "run", *words)

    return audit


def test_flips_are_counted_alike_by_the_command_and_over_the_corpus(audited):
    code, out, _ = audited("attack", wording, "--json")
    assert code == 0
    every, kinds = whole(out)
    found = swayed(by_words)
    assert found.rate.n > found.rate.value * found.rate.n > 0
    mine = every["flipped"]
    assert (mine["value"], mine["n_units"]) == (pytest.approx(found.rate.value), found.rate.n)
    assert (mine["low"], mine["high"]) == (pytest.approx(found.rate.low), pytest.approx(found.rate.high))
    for kind, rate in found.by_kind.items():
        assert kinds["flipped", kind]["value"] == (None if rate.value is None else pytest.approx(rate.value))


def test_a_judge_that_obeys_is_swayed_and_one_that_reads_the_quotation_is_not(audited, command, tmp_path):
    code, out, _ = audited("attack", obedient, "--json")
    obeyed = whole(out)[0]["flipped"]
    assert code == 0
    assert obeyed["low"] > 0.05
    code, out, _ = command("judges", "attack", "--judge", "rule")
    assert code == 0
    assert re.search(r"^\| all \| 0\.0 % \[0\.0, 4\.0\] of 74 \|$", out, re.MULTILINE)


def test_calibration_on_the_corpus_has_the_agreement_that_was_built(audited):
    code, out, _ = audited("calibrate", wording, "--json")
    assert code == 0
    every, _ = whole(out)
    found = confusion(by_words, short_answer("measure"))
    wrong = found.wrong_as_right + found.wrong_as_wrong
    assert every["kappa"]["value"] == pytest.approx(found.kappa.value)
    assert every["agreement"]["value"] == pytest.approx((found.right_as_right + found.wrong_as_wrong) / found.decided)
    assert every["too lenient"]["value"] == pytest.approx(found.wrong_as_right / wrong)


def test_a_judge_that_says_nothing_has_no_flip_and_no_error_but_a_reason(audited):
    code, out, _ = audited("attack", lambda _: "7/10", "--limit", 24)
    assert code == 0
    assert "| all | undefined (" in out
    assert "unparsed" in out


def test_the_rule_judge_by_its_short_name_agrees_with_the_labels(command):
    code, out, _ = command("judges", "calibrate", "--judge", "rule", "--json")
    assert code == 0
    found = confusion(lambda *words: ruled(*words).correct, short_answer("measure"))
    assert whole(out)[0]["kappa"]["value"] == pytest.approx(found.kappa.value)
    assert found.kappa.value > 0.9


def test_every_kind_of_attack_stands_in_the_corpus_and_in_the_set():
    stimuli = veridical.make("judge-audit", recipe="attacks").stimuli
    attacks = {each.id for each in injections()}
    assert len(attacks) >= 60
    assert {stimulus.unit.split("/")[1] for stimulus in stimuli} == attacks


def test_rubrics_are_listed_and_shown_and_one_that_does_not_exist_is_refused_with_the_nearest(command):
    code, out, _ = command("judges", "list")
    assert code == 0
    assert "short-answer" in out
    assert "veridical/rule" in out
    code, out, _ = command("judges", "show", "short-answer")
    assert (code, "$reply" in out) == (0, True)
    code, _, err = command("judges", "show", "short-anser")
    assert code == 2
    assert "unknown rubric 'short-anser': did you mean 'short-answer'?" in err
    assert err.count("\n") == 1
