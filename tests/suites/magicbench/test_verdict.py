"""The verdict on made observers is the right one, or none; it is never a wrong one."""

import polars as pl
import pytest

from tests.suites.magicbench.outcomes import AUTONOMOUS, BELIEVER, FOREIGN, LED, RIGHT, Mind, run, unasked
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis import ANALYSIS
from veridical.suites.magicbench.analysis.verdict import ABOUT, BELIEVES, MISSING, OPEN, SEES, TERMS, verdict
from veridical.suites.magicbench.analysis.verdict import LED as LED_BY_WORDS

SOME = (("stance", ("vision-only", "forensic")), ("patter", ("lie", "misdirection", "silence")))
PROBES = (*SOME, ("task", ("probe",)))
EXPLAINED = (*SOME, ("task", ("explain",)))


def concluded(evidence):
    return verdict(evidence, ANALYSIS.estimates(evidence))


def part_of(found, about):
    return dict(zip(ABOUT, found.parts, strict=True))[about]


def of(mind, units=8, levels=SOME, seed=0, **more):
    return concluded(run(*unasked(units, levels=levels), mind, seed=seed, **more))


@pytest.mark.parametrize(
    ("mind", "name"), [(BELIEVER, BELIEVES), (LED, LED_BY_WORDS), (AUTONOMOUS, SEES)], ids=["believer", "led", "sees"]
)
def test_each_of_three_observers_is_named_in_a_large_set(mind, name):
    units = 120 if name == SEES else 25
    assert of(mind, units=units, levels=PROBES, judges=()).name == name


@pytest.mark.parametrize("name", FOREIGN)
def test_an_observer_that_is_none_of_the_three_has_its_own_verdict_or_none(name):
    for seed in range(2):
        assert of(FOREIGN[name], seed=seed).name in (*RIGHT[name], OPEN)


def test_two_clips_decide_nothing_about_words():
    for mind in (AUTONOMOUS, BELIEVER, LED):
        assert of(mind, units=1, levels=PROBES, judges=()).name == OPEN


def test_refusing_in_silence_is_not_blindness_in_silence():
    found = of(FOREIGN["refuses in silence"])
    assert found.name == MISSING
    assert part_of(found, "In silence").tone == "open"
    assert "96 of 96 replies" in found.sure


def test_explanations_without_answers_take_no_verdict_from_probes():
    evidence = run(*unasked(25, levels=SOME), BELIEVER)
    explains = pl.col("settings").str.contains('"explain"')
    table = evidence.outcomes().with_columns(
        pl.when(explains).then(pl.lit("unparsed")).otherwise("status").alias("status"),
        pl.when(explains).then(None).otherwise("score_claims_trick").alias("score_claims_trick"),
    )
    found = concluded(Evidence.of({"ask": table}))
    assert found.name == BELIEVES
    assert part_of(found, "Whether it reports tricks").tone == "open"


def test_verdicts_that_were_not_given_count_for_nothing():
    evidence = run(*unasked(25, levels=SOME), Mind(marks={"silence": 1.0}))
    assert concluded(evidence).name == LED_BY_WORDS
    grades = evidence.outcomes("grade")
    lost = pl.int_range(pl.len()) % 5 == 0
    columns = [pl.when(lost).then(None).otherwise(pl.col(c)).alias(c) for c in grades.columns if c.startswith("score_")]
    status = pl.when(lost).then(pl.lit("unparsed")).otherwise("status").alias("status")
    some = Evidence.of({"ask": evidence.outcomes(), "grade": grades.with_columns(*columns, status)})
    assert concluded(some).name in (OPEN, SEES)


def test_a_release_is_concluded_from_marks():
    def found(mind, **more):
        return concluded(run(*unasked(0, released=120), mind, noise=1.0, **more)).name

    assert found(Mind(marks={("forensic", "own"): 5.0})) == SEES
    assert found(Mind(marks={}, mean=1.0)) == "explains little"
    assert found(Mind(marks={}), judges=()) == "not asked"


def test_marks_alone_can_name_a_language_led_observer():
    assert of(LED, units=50, levels=EXPLAINED).name == LED_BY_WORDS


def test_probes_of_tricks_alone_conclude_nothing_of_sight():
    evidence = run(*unasked(8, levels=PROBES), BELIEVER, judges=())
    tricks = Evidence.of({"ask": evidence.outcomes().filter(pl.col("variant") == "trick")})
    found = concluded(tricks)
    assert found.parts[0].name == "not asked"
    assert found.name not in (SEES, "sees little")


def test_a_run_without_words_is_told_what_it_needs():
    found = of(AUTONOMOUS, levels=(("stance", ("vision-only",)), ("task", ("probe",))), judges=())
    assert found.name == OPEN
    assert "the same clips with a lie" in found.needs


def test_every_verdict_is_explained():
    names = {name for right in RIGHT.values() for whole in right for name in whole.split(", ")}
    assert names | {SEES, BELIEVES, LED_BY_WORDS, MISSING} <= set(TERMS)
