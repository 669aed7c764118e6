"""What is expected without a picture, recall where that is known, the worst of a unit, and length of replies."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

import polars as pl
import pytest

import veridical
from tests.suites.viabench.release_data import as_tsv, items
from veridical.ask.outcomes import outcome_table
from veridical.records import Chunk, Media, Response, Text
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.viabench.analysis import ANALYSIS
from veridical.suites.viabench.analysis.reasoning import TOKENS
from veridical.suites.viabench.analysis.replies import replies
from veridical.suites.viabench.asking import ASKING
from veridical.suites.viabench.asking.marking import GRADE
from veridical.suites.viabench.asking.trials import trials
from veridical.suites.viabench.design import DESIGN
from veridical.suites.viabench.observers.simulation import ViabenchMechanism, _reply
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles import make as drawing

BY_PICTURE = {"contrast", "profiles", "dice", "dominoes", "grids", "logos"}
"""Puzzles whose usual answer only the picture tells."""
SIGHTS = {"sight": ("shown", "prior")}


@pytest.fixture(scope="module")
def stimuli():
    """Three units of every puzzle, undrawn: what is asked depends on no pixel."""
    options = VIABenchOptions(units=3, size=256, seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_require_sound", lambda *_: None)
        patch.setattr(drawing, "encode_png", lambda _: b"")
        patch.setattr(drawing, "pixel_hash", lambda _: "")
        patch.setattr(drawing, "_of_one_length", iter)
        return [
            stimulus
            for name in PUZZLES
            for index in range(options.units)
            for stimulus, _ in drawing.make(options, Chunk(name, index))
        ]


def asked(stimuli, **levels):
    return list(trials(stimuli, AskingOptions(levels, None, PlannedMedia()), None))


def evidence(made, mechanism, seed=0, repeats=1, tokens=None):
    responses = {
        (trial.id, repeat): Response(
            trial=trial.id,
            repeat=repeat,
            text=_reply(mechanism, seed, trial, repeat),
            output_tokens=None if tokens is None else tokens(trial, repeat),
        )
        for trial in made
        for repeat in range(1, repeats + 1)
    }
    table = outcome_table("m", made, responses, ASKING.readers, factors=DESIGN.factors, repeats=repeats)
    return graded_by_none(table)


def graded_by_none(table):
    return Evidence.of({"ask": table, "grade": outcome_table("j", [], {}, ASKING.readers, factors=DESIGN.factors)})


def found(ran):
    return {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.estimates(ran)}


def at(table, metric, **where):
    return table[metric, frozenset(where.items())]


def test_the_usual_answer_is_asked_for_once_a_unit_without_a_picture(stimuli):
    made = [trial for trial in asked(stimuli, **SIGHTS) if trial.settings["sight"] == "prior"]
    usual = {each.unit: each.factors["usual"] for each in stimuli if each.truth["prior"] is not None}
    assert [trial.unit for trial in made] == list(usual)
    for trial in made:
        (message,) = trial.messages
        assert not any(isinstance(part, Media) for part in message.parts)
        (text,) = (part.text for part in message.parts if isinstance(part, Text))
        assert "is not shown" in text
        assert "{" not in text
        assert trial.expects["options"][ord(trial.gold) - 65] == trial.expects["label"] == usual[trial.unit]


def test_every_puzzle_with_a_usual_answer_is_asked_for_it_but_those_where_only_the_picture_tells_it(stimuli):
    leaning = {each.family for each in stimuli if each.factors["usual"] is not None}
    known = {each.family for each in stimuli if each.truth["prior"] is not None}
    assert leaning - known == BY_PICTURE
    assert known <= leaning


def test_items_of_a_release_and_open_answers_are_not_asked_for_what_is_usual(stimuli, tmp_path):
    released = veridical.import_release("viabench", as_tsv(tmp_path, items()), tmp_path / "set")
    assert not [t for t in asked(released.stimuli, **SIGHTS) if t.settings["sight"] == "prior"]
    both = asked(stimuli, **SIGHTS, answer_form=("choice", "open"))
    assert {t.settings["answer_form"] for t in both if t.settings["sight"] == "prior"} == {"choice"}
    assert {t.settings["answer_form"] for t in both} == {"choice", "open"}


def test_no_expectation_is_marked_or_counted_as_an_answer_to_a_picture(stimuli):
    made = asked(stimuli, **SIGHTS)
    ran = evidence(made, ViabenchMechanism(sees=1.0))
    assert set(replies(ran.outcomes())["sight"]) == {"shown"}
    assert at(found(ran), "accuracy").value == 1.0
    marked = list(GRADE.trials(stimuli, AskingOptions({"grading": ("multiple-choice",)}, None, PlannedMedia()), ran))
    assert len(marked) == sum(trial.settings["sight"] == "shown" for trial in made)
    only = evidence([trial for trial in made if trial.settings["sight"] == "prior"], ViabenchMechanism(sees=1.0))
    table = found(only)
    assert at(table, "knows the usual").value == 1.0
    assert not [key for key in table if key[0] == "accuracy" and table[key].value is not None]


def test_an_observer_that_recalls_what_it_knows_recalls_all_of_what_it_states(stimuli):
    made = asked(stimuli, **SIGHTS)
    table = found(evidence(made, ViabenchMechanism(recalls=1.0, knows=0.5), seed=4))
    units = {trial.unit for trial in made if trial.settings["sight"] == "prior"}
    knows = at(table, "knows the usual")
    assert (knows.n_units, knows.low < 0.65 < knows.high) == (len(units), True)
    assert at(table, "recall rate").value < 0.85
    stated = at(table, "recall rate", prior="stated")
    # What is stated by a guess is not recalled: two of three that are not known, where there are two options.
    assert 0.7 < stated.value <= 1
    assert stated.value > at(table, "recall rate").value
    assert at(table, "pull of the usual", prior="stated").value > at(table, "pull of the usual").value
    sees = found(evidence(made, ViabenchMechanism(sees=1.0), seed=4))
    assert at(sees, "knows the usual").value == 1.0
    assert at(sees, "recall rate", prior="stated").value == 0.0


def test_without_the_arm_nothing_is_said_of_what_is_known(stimuli):
    table = found(evidence(asked(stimuli), ViabenchMechanism(recalls=0.5)))
    assert not [key for key in table if key[0] == "knows the usual" or dict(key[1]).get("prior")]


def test_the_worst_reply_decides_a_unit(stimuli):
    ran = evidence(asked(stimuli), ViabenchMechanism(sees=0.9), seed=2, repeats=2)
    right = defaultdict(list)
    for row in ran.outcomes().iter_rows(named=True):
        right[row["unit"]].append(float(bool(row["correct"])))
    families = defaultdict(list)
    for unit, each in right.items():
        families[unit.partition("/")[0]].append(min(each))
    table = found(ran)
    whole = at(table, "all right")
    assert whole.value == pytest.approx(fmean(min(each) for each in right.values()))
    assert whole.n_units == len(right)
    assert whole.value < at(table, "accuracy").value
    for family, each in families.items():
        assert at(table, "all right", family=family).value == pytest.approx(fmean(each))
    outcomes = ran.outcomes()
    first = outcomes["unit"][0]
    cut = pl.when((pl.col("unit") == first) & (pl.col("repeat") == 2)).then(None).otherwise("status").alias("status")
    partly = found(graded_by_none(outcomes.with_columns(cut)))
    assert at(partly, "all right").n_units == len(right) - 1


def test_accuracy_is_given_by_the_length_of_replies(stimuli):
    lengths = (10, 200, 5000)
    made = asked(stimuli)
    ran = evidence(made, ViabenchMechanism(sees=0.5), seed=1, tokens=lambda trial, _: lengths[len(trial.id) % 3])
    table = found(ran)
    right = defaultdict(list)
    for row in ran.outcomes().iter_rows(named=True):
        right[row["output_tokens"]].append(float(bool(row["correct"])))
    for length, name in zip(lengths, ("up to 64", "65 to 256", "over 4,096"), strict=True):
        own = at(table, "accuracy by tokens", tokens=name)
        assert own.value == pytest.approx(fmean(right[length]))
        assert own.counts.planned == len(right[length])
    assert {dict(where)["tokens"] for metric, where in table if metric == "accuracy by tokens"} <= set(TOKENS)
    silent = found(evidence(made, ViabenchMechanism(sees=0.5), seed=1))
    assert not [key for key in silent if key[0] == "accuracy by tokens"]
