"""Observers whose mechanism is known answer as it says, in a frame and when they are asked like any model."""

import asyncio
import json
import math
from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import veridical
from studies.viprobe.validation import design_frame
from tests.calling import call
from tests.late import inspect_model
from tests.probe_suite import SUITE as PROBE
from veridical.errors import InputError
from veridical.stats import first_probability, same_probability
from veridical.suites.viprobe.observers.simulation import (
    MECHANISMS,
    ViprobeMechanism,
    identity,
    mark_outcomes,
    mechanism_and_seed,
    simulate,
)
from veridical.verbs.runs.models import observer_of

pytestmark = pytest.mark.usefixtures("no_figures")

CASES = ["muller_lyer", "zollner"]
SIGMA_PER_JND = 1 / stats.norm.ppf(0.75)
SEEN = ("trial", "repeat", "gold", "status", "answer", "correct", "text")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("simulated") / "set"
    return veridical.make("viprobe", out=folder, cases=CASES, units=2, levels=2, size=96)


@pytest.fixture(scope="module")
def planned():
    return design_frame(units=40, levels=10, cases=CASES)


@pytest.fixture(scope="module")
def many():
    return design_frame(units=400, levels=10, cases=CASES[:1])


def simulated(small, out, **model_args):
    levels = {"task": ["yes-no", "comparison"], "instruction": ["none", "weigh"]}
    return veridical.run(
        small, "veridical/simulated", out=out, settings=levels, model_args=model_args, show="quiet", max_connections=3
    )


@pytest.fixture(scope="module")
def small_run(small, tmp_path_factory):
    return simulated(small, tmp_path_factory.mktemp("simulated-run") / "run")


def test_the_model_and_simulate_agree_trial_by_trial(small, tmp_path):
    mechanism = ViprobeMechanism(
        memory=0.5, recognition=0.7, jnd=0.3, illusion=0.2, spread=0.1, lapse=0.2, insensitivity=0.3
    )
    given = {field.name: getattr(mechanism, field.name) for field in fields(ViprobeMechanism)}
    run = simulated(small, tmp_path / "run", seed=3, **given)
    assert run.complete
    columns = ["status", "answer", "reason", "text"]
    unasked = run.outcomes().with_columns(pl.lit(None).alias(name) for name in columns)
    expected = simulate(unasked, mechanism, np.random.default_rng(3))
    assert run.outcomes().select(SEEN).equals(expected.select(SEEN))
    assert run.outcomes()["answer"].n_unique() > 4
    assert not simulate(unasked, mechanism, np.random.default_rng(4))["answer"].equals(expected["answer"])


def test_a_run_taken_up_again_goes_on_with_the_same_observer(small, tmp_path):
    whole = simulated(small, tmp_path / "run", mechanism="competition", lapse=0.5).outcomes()
    stored = tmp_path / "run/responses.jsonl"
    lines = stored.read_text().splitlines(keepends=True)
    stored.write_text("".join(lines[: len(lines) // 3]))
    again = simulated(small, tmp_path / "run", mechanism="competition", lapse=0.5)
    assert again.complete
    assert again.outcomes().select(SEEN).equals(whole.select(SEEN))


def test_its_identity_is_the_mechanism_wherever_the_run_lies_and_says_that_it_reads_the_truth(small, tmp_path):
    here, there = (simulated(small, tmp_path / name, mechanism="blind", seed=1) for name in ("here", "there"))
    assert here.run.identity == there.run.identity
    assert here.run.identity["model_args"] == identity({"mechanism": "blind", "seed": 1})
    page = veridical.write_report([here]).read_text()
    assert "veridical/simulated (reads the truth)" in page
    assert "the truth of each trial, and no picture" in page
    assert "(reads the truth)" in (tmp_path / "here/tables/isolation.csv").read_text()
    with pytest.raises(InputError, match="seed"):
        simulated(small, tmp_path / "here", mechanism="blind", seed=2)


WRONG = {
    "mechanism=competitive": "unknown mechanism 'competitive': did you mean 'competition'?",
    "jmd=1": "unknown model argument 'jmd': did you mean 'jnd'?",
    "run=/tmp": "unknown model argument 'run'",
    "jnd=fine": "jnd 'fine': a number is allowed",
    "jnd=NaN": "jnd nan: a number is allowed",
    "jnd=true": "jnd 'True': a number is allowed",
    "jnd=[1]": "jnd '[1]': a number is allowed",
    "jnd=0": "jnd 0.0: a number above 0 is allowed",
    "illusion=1" + "0" * 400: "a number is allowed",
    "lapse=1.5": "lapse 1.5: a share from 0 to 1 is allowed",
    "seed=-1": "seed -1: a whole number from 0 up is allowed",
    "seed=0.5": "seed 0.5: a whole number from 0 up is allowed",
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda text: text[:20])
def test_a_wrong_argument_ends_in_one_line(wrong, small, tmp_path, monkeypatch, capsys):
    words = ("run", "viprobe", "--set", small.folder, "--model", "veridical/simulated", "--out", tmp_path / "run")
    code, _, err = call(monkeypatch, capsys, *words, "-M", wrong)
    (line,) = err.splitlines()
    assert code == 2
    assert line.startswith("veridical: ")
    assert WRONG[wrong] in line
    assert not (tmp_path / "run").exists()


def test_it_says_what_it_cannot_answer(small, small_run, tmp_path):
    with pytest.raises(InputError, match="leave out the 2 repeats"):
        veridical.run(small, "veridical/simulated", out=tmp_path / "run", repeats=2, show="quiet", analyze=False)
    with pytest.raises(InputError, match="unknown embedded model 'veridical/simulated'"):
        observer_of("veridical/simulated", PROBE)
    outside = inspect_model.get_model("veridical/simulated", suite="viprobe", memoize=False)
    with pytest.raises(InputError, match="use it with `veridical run` only"):
        asyncio.run(outside.generate([inspect_model.ChatMessageUser(content="?", metadata={"trial": "a"})]))
    stranger = inspect_model.get_model("veridical/simulated", suite="viprobe", run=str(small_run.folder), memoize=False)
    with pytest.raises(InputError, match="got trial 'a', which its run does not contain"):
        asyncio.run(stranger.generate([inspect_model.ChatMessageUser(content="?", metadata={"trial": "a"})]))


def test_infinite_is_a_number_on_the_command_line_and_in_the_identity():
    assert mechanism_and_seed({"jnd": "inf"}) == mechanism_and_seed({"mechanism": "blind"})
    assert mechanism_and_seed({"jnd": math.inf})[0].jnd == math.inf
    assert json.loads(json.dumps(identity({"jnd": "inf"}), allow_nan=False))["jnd"] == "inf"


shares = st.floats(0, 1)
mechanisms = st.builds(
    ViprobeMechanism,
    memory=shares,
    recognition=shares,
    jnd=st.floats(0.001, 2) | st.just(math.inf),
    criterion=st.floats(0, 1),
    illusion=st.floats(-1, 1),
    spread=st.floats(0, 1),
    lapse=shares,
    yes_bias=st.floats(-1, 1),
    insensitivity=shares,
)


@given(mechanisms, st.integers(0, 99))
def test_every_trial_is_answered_in_place_and_the_same_again(mechanism, seed):
    few = design_frame(units=2, levels=2, cases=CASES)
    first, second = (simulate(few, mechanism, np.random.default_rng(seed)) for _ in range(2))
    assert first.equals(second)
    assert list(first.schema.items()) == list(few.schema.items())
    untouched = [name for name in few.columns if few[name].null_count() < len(few)]
    assert first.select(untouched).equals(few.select(untouched))
    assert set(first["status"]) == {"answered"}
    assert set(first["answer"]) <= {"0", "1"}


@given(mechanisms)
def test_no_trial_is_no_trouble(mechanism):
    nothing = design_frame(units=1, levels=2, cases=CASES).clear()
    assert simulate(nothing, mechanism, np.random.default_rng(0)).equals(nothing)


def test_right_is_the_gold_answer_and_nothing_is_where_there_is_none_or_nothing_was_asked():
    rows = {
        "gold": ["1", "1", "1", None, "1"],
        "status": ["answered", "answered", "refused", "answered", None],
        "answer": ["1", "0", None, "1", None],
        "correct": [None] * 5,
    }
    frame = pl.DataFrame(rows, schema={**dict.fromkeys(("gold", "status", "answer"), pl.String), "correct": pl.Boolean})
    assert mark_outcomes(frame)["correct"].to_list() == [True, False, False, None, None]
    assert mark_outcomes(frame).columns == frame.columns


def said_same(outcomes):
    """The replies that say "same", by variant and α: right of an original, wrong of a changed picture."""
    unchanged = pl.col("factors").str.json_path_match("$.answer_if_unchanged")
    return outcomes.with_columns((pl.col("answer") == unchanged).alias("same"))


@pytest.mark.parametrize(
    "mechanism",
    [
        ViprobeMechanism(jnd=0.1, criterion=0.25, lapse=0.1),
        ViprobeMechanism(jnd=0.15, criterion=0.2, illusion=0.3),
        ViprobeMechanism(jnd=0.1, criterion=0.2, memory=0.6),
        ViprobeMechanism(jnd=0.1, criterion=0.15, spread=0.1),
        MECHANISMS["blind"],
    ],
    ids=["lapsing", "fooled", "recalling", "units that differ", "blind"],
)
def test_replies_follow_the_psychometric_function(mechanism, many):
    """Cell by cell, against the formula of the library of statistics, which the observer does not use."""
    rows = said_same(simulate(many, mechanism, np.random.default_rng(5)))
    for (variant, alpha), cell in rows.filter(pl.col("trial").str.ends_with("forward")).group_by("variant", "alpha"):
        figure = variant in ("O", "P")
        if math.isinf(mechanism.jnd):
            expected = 1.0
        else:
            sigma = math.hypot(mechanism.jnd * SIGMA_PER_JND, mechanism.spread)
            seen = alpha * (1 - mechanism.memory * figure) + mechanism.illusion * figure
            expected = float(same_probability(seen, 0.0, sigma, mechanism.criterion, mechanism.lapse))
        assert stats.binomtest(int(cell["same"].sum()), len(cell), min(expected, 1.0)).pvalue > 1e-4


def test_a_lapse_is_a_coin_and_a_bias_says_yes_or_no_whatever_is_asked(planned):
    for bias, answer in ((1.0, "1"), (-1.0, "0")):
        assert set(simulate(planned, ViprobeMechanism(yes_bias=bias), np.random.default_rng(0))["answer"]) == {answer}
    coins = simulate(planned, ViprobeMechanism(lapse=1.0), np.random.default_rng(0))
    assert stats.binomtest(int((coins["answer"] == "1").sum()), len(coins)).pvalue > 1e-4


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_insensitivity_is_the_share_of_pictures_that_get_one_answer_twice(planned, share):
    rows = simulate(planned, ViprobeMechanism(insensitivity=share), np.random.default_rng(1))
    twice = rows.group_by("stimulus").agg(pl.col("answer").n_unique() == 1)["answer"]
    assert stats.binomtest(int(twice.sum()), len(twice), share).pvalue > 1e-4


def test_memory_works_on_recognised_figures_alone(planned):
    perfect = ViprobeMechanism(jnd=1e-6)
    seen, recalled = (
        said_same(simulate(planned, each, np.random.default_rng(2)))
        for each in (perfect, ViprobeMechanism(jnd=1e-6, memory=1.0, recognition=0.5))
    )
    figures = pl.col("variant") == "P"
    assert seen["same"].equals(seen.select(pl.col("alpha") == 0)["alpha"].alias("same"))
    assert recalled.filter(~figures)["same"].equals(seen.filter(~figures)["same"])
    by_unit = recalled.filter(figures).group_by("unit").agg(pl.col("same").mean())["same"]
    assert set(by_unit) == {0.0, 1.0}
    assert stats.binomtest(int(by_unit.sum()), len(by_unit)).pvalue > 1e-4


def test_a_comparison_is_answered_by_the_sign_of_what_is_perceived(small):
    run = veridical.run(
        small,
        "veridical/simulated",
        settings={"task": "comparison"},
        model_args={"jnd": 0.2, "illusion": 0.3},
        show="quiet",
    )
    many = pl.concat([run.outcomes().with_columns(repeat=pl.lit(k, pl.Int64)) for k in range(1, 401)])
    rows = simulate(many, ViprobeMechanism(jnd=0.2, illusion=0.3), np.random.default_rng(3))
    factors = pl.col("factors").str
    rows = rows.with_columns(
        (pl.col("answer") == pl.col("expects").str.json_path_match("$.options[0]")).alias("first"),
        factors.json_path_match("$.value").cast(pl.Float64).alias("value"),
    )
    changed = rows.filter(pl.col("alpha") != 0).select("unit", "value", "alpha")
    signs = {unit: np.sign(value * alpha) for unit, value, alpha in changed.iter_rows()}
    seen = rows.filter(pl.col("variant").is_in(["O", "P", "OC", "PC"]))
    for (unit, variant, alpha), cell in seen.group_by("unit", "variant", "alpha"):
        pushed = 0.3 if variant in ("O", "P") else 0.0
        expected = float(first_probability(signs[unit] * (alpha + pushed), 0.0, 0.2 * SIGMA_PER_JND, 0.0))
        assert stats.binomtest(int(cell["first"].sum()), len(cell), expected).pvalue > 1e-5
