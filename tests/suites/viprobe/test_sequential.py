"""Sequential verdicts: questions are new, replayable and even over cases; a verdict stops them only when it is safe."""

from collections import Counter
from itertools import chain

import numpy as np
import polars as pl
import pytest

import veridical
from tests.suites.viprobe.sequential_runs import answered, asked_of, options, piece, planned, refused, run, started
from veridical.errors import InputError
from veridical.suite.registry import get as suite_of
from veridical.suites.viprobe.sequential.gates import LEAST
from veridical.suites.viprobe.sequential.part import SEQUENTIAL
from veridical.suites.viprobe.verdicts import names

FIGURES = pl.col("variant").is_in(["O", "P"])


def test_the_suite_asks_until_it_can_conclude():
    part = suite_of("viprobe").sequential
    assert part is SEQUENTIAL
    assert part.usual < part.most


@pytest.mark.parametrize(
    ("observer", "verdict"),
    [
        ("veridical", names.VERIDICAL),
        ("memory_override", names.LOSS),
        ("blind", names.BLIND),
        ("language_limited", names.LANGUAGE),
    ],
)
def test_a_clear_observer_has_its_verdict_after_a_few_hundred_questions(observer, verdict):
    rounds, standings, _ = run(answered(observer))
    last = standings[-1]
    assert (last.verdict, last.rule is None) == (verdict, False)
    assert LEAST <= sum(map(len, rounds)) <= 400
    assert sum(last.weights.values()) == pytest.approx(1)
    assert all(each.rule is None and each.verdict == names.OPEN for each in standings[:-1])


def test_no_question_comes_twice_and_cases_are_asked_alike():
    rounds, _, _ = run(answered("visual_limit"), to_the_end=True)
    questions = list(chain.from_iterable(rounds))
    assert len({question.trial for question in questions}) == len(questions) == 432
    assert {len(each) for each in rounds} == {48}
    known = dict(planned().select("trial", "unit").iter_rows())
    assert all(known[each.trial] == f"{each.chunk.family}/{each.chunk.index:04d}" for each in questions)
    assert set(Counter(each.chunk for each in questions).values()) == {4}
    for upto in range(1, len(rounds)):
        so_far = Counter(each.chunk.family for each in chain.from_iterable(rounds[:upto]))
        assert max(so_far.values()) - min(so_far[family] for family in {k.split("/")[0] for k in known.values()}) <= 4


def test_the_same_replies_lead_to_the_same_questions_in_whatever_order_they_are_read():
    outcomes = answered("visual_limit")
    first, standings, _ = run(outcomes, to_the_end=True)
    again = started()
    for questions, standing in zip(first[:4], standings, strict=False):
        assert list(again.next_round()) == list(questions)
        again.learn(asked_of(outcomes, questions).reverse())
        assert again.standing() == standing
    other = started(seed=1)
    assert list(other.next_round()) != list(first[0])


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_refusals_that_depend_on_what_is_seen_never_lead_to_a_verdict(share):
    outcomes = answered("veridical")
    hidden = pl.Series(np.random.default_rng(1).random(len(outcomes)) < share)
    seen = (pl.col("alpha") != 0) & pl.col("correct") & FIGURES
    _, standings, _ = run(refused(outcomes, seen & hidden))
    assert {each.verdict for each in standings} <= {names.OPEN, names.MISSING}
    assert standings[-1].verdict == names.MISSING
    assert "P" in " ".join(standings[-1].evidence)


def test_evenly_missing_answers_keep_every_verdict_back():
    outcomes = answered("memory_override")
    gone = pl.Series(np.random.default_rng(2).random(len(outcomes)) < 0.2)
    _, standings, _ = run(refused(outcomes, gone))
    assert {each.verdict for each in standings} <= {names.OPEN, names.MISSING}


def test_an_observer_that_refuses_everything_is_asked_one_round_and_told_why():
    rounds, standings, _ = run(refused(answered("veridical"), pl.lit(value=True)))
    assert [len(each) for each in rounds] == [48]
    assert standings[0].verdict == names.MISSING
    assert standings[0].rule
    assert "none of 48 replies has an answer: 48 refused" in standings[0].evidence


def test_a_few_recalled_cases_are_found_and_named():
    lost = ("ponzo", "cornsweet", "zollner")
    recalled = pl.col("family").is_in(lost)
    seeing, recalling = (answered(name, units=6) for name in ("veridical", "memory_override"))
    outcomes = pl.concat([seeing.filter(~recalled), recalling.filter(recalled)])
    _, standings, _ = run(outcomes, to_the_end=True, most=648, units=6)
    assert standings[-1].verdict == names.MIXED
    line = next(each for each in standings[-1].evidence if each.startswith("lost on figures"))
    assert all(name in line for name in lost)
    early = standings[1].families
    assert len(early) > len(standings[-1].families)
    assert all("nothing can be said of it alone" in words and "more question" in words for words in early.values())
    assert not set(early) & set(standings[1].evidence[-1].split("(")[-1].strip(")").split(", "))


def test_replies_that_are_not_there_yet_are_no_refusals():
    questioner = started()
    questions = questioner.next_round()
    with pytest.raises(RuntimeError):
        questioner.next_round()
    questioner.learn(asked_of(planned(), questions))
    assert questioner.standing().verdict == names.OPEN
    assert len(questioner.next_round()) == 48


def test_the_most_questions_are_kept_to():
    rounds, _, _ = run(answered("visual_limit"), most=130, to_the_end=True)
    assert sum(map(len, rounds)) == 128


@pytest.mark.parametrize(
    ("design", "most", "words"),
    [
        ({"units": 1, "cases": ("ponzo",)}, 400, "24 units a case are enough"),
        ({"units": 2, "cases": ("ponzo", "delboeuf")}, 400, "2 cases with 4 base items in all are too few"),
        ({}, 95, "at most 95 questions: a verdict takes at least 96"),
    ],
)
def test_a_design_that_is_too_small_is_refused(design, most, words):
    with pytest.raises(InputError, match=words):
        started(most=most, **design)


def test_a_design_without_reversed_questions_or_controls_is_refused():
    def forward(chunk):
        return [trial for trial in piece(chunk) if trial.settings["polarity"] == "forward"]

    def figures(chunk):
        return [trial for trial in piece(chunk) if trial.variant in ("O", "P")]

    for pool in (forward, figures):
        with pytest.raises(InputError, match="verdicts need OC, PC, O, P in both polarities"):
            SEQUENTIAL.start(options(), pool, 432).next_round()


def test_two_cases_with_enough_base_items_are_enough():
    questioner = started(units=12, cases=("ponzo", "mach_band"), most=96)
    families = Counter(each.chunk.family for each in questioner.next_round())
    assert families == {"ponzo": 24, "mach_band": 24}


def test_an_observer_that_other_runs_ask_in_workers_is_asked_the_same_in_rounds(tmp_path):
    design = veridical.design("viprobe", **{**SEQUENTIAL.values, "size": 256, "alphas": (-1.0, -0.5, 0.5, 1.0)})
    asked = {"stop_at": "verdict", "max_questions": 480, "show": "quiet", "analyze": False}
    alone, spread = (
        veridical.run(design, "veridical/pixel", out=tmp_path / str(workers), workers=workers, **asked)
        for workers in (None, 2)
    )
    assert spread.rounds == alone.rounds
    assert spread.counts.error == 0
