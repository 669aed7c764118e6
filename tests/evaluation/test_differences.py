"""What two models differ by is what an independent computation finds; where nothing differs, nothing is said."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.evaluation.conftest import OBSERVERS, SMALL
from veridical.report.profiles import QuestionDifference, holm_differences, model_titles
from veridical.suite import registry
from veridical.suite.gains import QuestionScores, ScoreGain, paired_gain
from veridical.verbs.evaluation.profile import profile, profile_of
from veridical.verbs.runs.run import run
from veridical.verbs.sets import make

WEIGHTS = {"figure": 1.0, "control": -1.0}


def scores(rng, rates, units=40, pictures=4, spread=0.15):
    """Scores of a model whose units differ, with these rates in the two cells."""
    rows = []
    for unit in range(units):
        shift = rng.normal(0, spread)
        for cell, rate in zip(WEIGHTS, rates, strict=True):
            chance = float(np.clip(rate + shift, 0, 1))
            rows += [
                {"unit": f"u{unit}", "family": f"f{unit % 4}", "item": f"{cell}{k}", "cell": cell, "score": float(hit)}
                for k, hit in enumerate(rng.random(pictures) < chance)
            ]
    return QuestionScores(pl.DataFrame(rows), WEIGHTS)


def effect(scored):
    means = [scored.rows.filter(pl.col("cell") == name)["score"].to_numpy().mean() for name in WEIGHTS]
    return 100 * (means[0] - means[1])


def flipped(first, second, rng, sign=-1.0):
    """p of the sign-flip test over units, by plain numpy, of A − B, or of A + B."""
    units = sorted(set(first.rows["unit"]))
    parts = []
    for scored, weight in ((first, 1.0), (second, sign)):
        for name, own in WEIGHTS.items():
            rows = scored.rows.filter(pl.col("cell") == name)
            sums = dict.fromkeys(units, 0.0)
            for unit, score in rows.select("unit", "score").iter_rows():
                sums[unit] += score / len(rows)
            parts.append(weight * own * np.array([sums[unit] for unit in units]))
    share = np.sum(parts, 0)
    signs = rng.choice([-1.0, 1.0], (20_000, len(units)))
    return float((np.abs(signs @ share) >= abs(share.sum()) - 1e-9).mean())


@pytest.mark.parametrize(
    ("one", "other"), [((0.9, 0.5), (0.6, 0.5)), ((0.5, 0.5), (0.55, 0.5)), ((0.2, 0.9), (0.8, 0.4))]
)
def test_a_gain_is_the_difference_of_the_effects_with_the_p_of_a_permutation(one, other):
    rng = np.random.default_rng(3)
    first, second = scores(rng, one), scores(rng, other)
    a, b = effect(first), effect(second)
    for better, expected in (("higher", a - b), ("lower", b - a), ("zero", abs(b) - abs(a))):
        gain = paired_gain(first, second, better)
        assert gain.value == pytest.approx(expected)
        assert (gain.first, gain.second) == pytest.approx((a, b))
        assert gain.low <= gain.value <= gain.high
        p = [flipped(first, second, rng)] + ([flipped(first, second, rng, 1.0)] if better == "zero" else [])
        assert gain.p == pytest.approx(max(p), abs=0.02)
        assert gain.units == 40
        assert gain.items == len(first.rows)


@pytest.mark.parametrize("better", ["higher", "lower", "zero"])
def test_a_gain_turns_round_with_the_models(better):
    rng = np.random.default_rng(5)
    first, second = scores(rng, (0.8, 0.6)), scores(rng, (0.4, 0.6))
    one, other = paired_gain(first, second, better), paired_gain(second, first, better)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert one.p == other.p


def test_rows_that_one_lacks_are_in_no_gain_and_alike_models_of_nothing_common_have_none():
    rng = np.random.default_rng(7)
    first, second = scores(rng, (0.9, 0.5)), scores(rng, (0.3, 0.5), units=25)
    gain = paired_gain(first, second, "higher")
    shared = QuestionScores(first.rows.filter(pl.col("unit").is_in(second.rows["unit"].implode())), WEIGHTS)
    assert gain == paired_gain(shared, second, "higher")
    assert gain.units == 25
    others = QuestionScores(second.rows.with_columns(pl.col("item") + "x"), WEIGHTS)
    assert paired_gain(first, others, "higher") == ScoreGain(reason="both were asked nothing alike")


def test_the_interval_of_a_gain_covers_the_truth_also_where_near_zero_is_good():
    """Of 60 pairs with effects of 30 and −10 points, nine of ten intervals cover their gain of −20."""
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(60):
        gain = paired_gain(scores(rng, (0.7, 0.4), spread=0.05), scores(rng, (0.5, 0.6), spread=0.05), "zero")
        covered += gain.low <= -20 <= gain.high
    assert covered >= 54


def test_of_two_models_that_are_moved_alike_in_opposite_directions_neither_is_nearer_to_zero():
    rng = np.random.default_rng(13)
    decided = 0
    for _ in range(60):
        gain = paired_gain(scores(rng, (0.7, 0.4)), scores(rng, (0.4, 0.7)), "zero")
        decided += gain.p < 0.05 and not gain.low <= 0 <= gain.high
    assert decided <= 7


def line(**values):
    return QuestionDifference(suite="s", short="S", name="q", question="?", **values)


def test_what_is_decided_needs_p_after_holm_an_interval_without_zero_and_a_verdict_where_low_is_good():
    clear = ScoreGain(value=30, low=20, high=40, p=0.001, units=40, items=90)
    weak = replace(clear, p=0.04)
    two = holm_differences([line(gain=clear), line(gain=weak), line(gain=replace(weak, low=-40, high=-20, value=-30))])
    assert [each.decision for each in two] == ["better", "cannot tell", "cannot tell"]
    assert holm_differences([line(gain=weak)])[0].decision == "better"
    assert holm_differences([line(gain=replace(weak, low=-1))])[0].decision == "cannot tell"
    assert holm_differences([line(gain=clear, unproven=(True, False))])[0].decision == "cannot tell"
    assert holm_differences([line(gain=clear, unproven=(False, True))])[0].decision == "better"
    assert holm_differences([line(gain=ScoreGain(reason="none"))])[0].decision == "cannot tell"


def test_scores_make_the_effects_that_a_profile_shows(evaluated):
    for model in evaluated.profile().models:
        for each in model.lines:
            made = each.part.scores(evaluated.runs[model.name][each.suite.name].evidence())
            if each.answer is not None and each.points[0] is not None:
                gain = paired_gain(made[each.question.name], made[each.question.name], "higher")
                assert gain.first == pytest.approx(each.points[0])
                assert (gain.value, gain.units) == (0.0, each.units)


@pytest.fixture(scope="session")
def repeated(tmp_path_factory):
    """The runs of five observers of one kind, which differ in their seeds, on sets of two suites."""
    place = tmp_path_factory.mktemp("repeated")
    figures = {"cases": ["muller_lyer", "ponzo"], "units": 8, "levels": 2, "size": 128, "recipe": "quick"}
    scenes = {"scenes": ["room"], "units": 6, "recipe": "quick"}
    made = {}
    for suite, values, observer in (("viprobe", figures, {"lapse": 0.3}), ("magic", scenes, {"right": 0.7})):
        whole = make(suite, out=place / suite, **values)
        made[suite] = [asked(whole, place / f"{suite}-{seed}", {**observer, "seed": seed}) for seed in range(5)]
    return made


def asked(whole, place, model_args):
    return run(whole, "veridical/simulated", out=place, model_args=model_args, analyze=False, show="quiet")


def test_observers_of_known_difference_are_told_apart_where_they_differ(repeated, evaluated, tmp_path):
    first = repeated["viprobe"][0]
    other = asked(first.folder.parent / "viprobe", tmp_path / "recalls", {"lapse": 0.3, "memory": 1.0})
    (found,) = profile_of({"sees": {"viprobe": first}, "recalls": {"viprobe": other}}, ["viprobe"], {}).differences
    assert [found.first, found.second] == ["sees", "recalls"]
    changes, figures = found.lines
    assert (changes.decision, changes.gain.units) == ("cannot tell", 16)
    assert figures.gain.low > 0
    assert figures.p < 0.05
    assert found.notes == ()


def test_page_text_and_json_have_the_differences(evaluated):
    (found,) = evaluated.profile().differences
    assert [found.first, found.second] == OBSERVERS
    stored = json.loads((evaluated.folder / "profile.json").read_text(encoding="utf-8"))
    assert stored["differences"] == [found.facts()]
    page = (evaluated.folder / "index.html").read_text(encoding="utf-8")
    assert page.count(found.sentence) == 1
    assert page.rindex('class="question"') < page.index(found.sentence) < page.index("What was asked</h2>")
    assert f"{OBSERVERS[0]} against {OBSERVERS[1]}" in list(evaluated.profile().text())


def test_two_seeds_of_one_observer_are_not_told_apart(repeated):
    """Of 20 pairs, one in twenty may be by chance."""
    decided = 0
    for suite, runs in repeated.items():
        part = registry.get(suite).evaluation
        for first, second in combinations([part.scores(each.evidence()) for each in runs], 2):
            gains = [paired_gain(first[each.name], second[each.name], each.better) for each in _both(part, first)]
            decided += any(
                each.decision != "cannot tell" for each in holm_differences([line(gain=gain) for gain in gains])
            )
    assert decided <= 3


def _both(part, made):
    return [each for each in part.questions if each.name in made]


def test_models_that_were_asked_other_sets_are_compared_over_what_both_have(evaluated, tmp_path):
    """A larger set has the same first units; one of another seed has none."""
    first = evaluated.runs[OBSERVERS[0]]["viprobe"]

    def against(**values):
        place = tmp_path / "-".join(values)
        whole = make("viprobe", out=place / "set", **{**SMALL["viprobe"], "recipe": "quick", **values})
        other = asked(whole, place / "run", {})
        (found,) = profile_of({"a": {"viprobe": first}, "b": {"viprobe": other}}, ["viprobe"], {}).differences
        return found

    none, some = against(seed=5), against(units=3)
    assert {each.decision for each in none.lines} == {"cannot tell"}
    assert "nothing is compared" in none.notes[0]
    assert "these are of 4 units" in some.notes[0]
    assert {each.gain.units for each in some.lines} == {4}


def test_two_evaluations_of_models_of_one_name_stand_beside_each_other(evaluated, tmp_path):
    places = ("old", "new")
    for place in places:
        shutil.copytree(evaluated.folder / "viprobe" / "runs", tmp_path / place / "viprobe" / "runs")
        evaluated.choices.model_copy(update={"suites": ["viprobe"]}).write(tmp_path / place)
    both = profile([tmp_path / place for place in places])
    assert [each.name for each in both.models] == [f"{name} ({place})" for place in places for name in OBSERVERS]
    assert len(both.differences) == 6
    same = next(each for each in both.differences if each.second == f"{OBSERVERS[0]} (new)")
    assert {each.gain.value for each in same.lines} == {0.0}
    assert model_titles([(Path("a/x"), "m"), (Path("b/x"), "m")])[Path("b/x"), "m"] == "m (b/x)"
