"""Replies drawn at random give the figures that plain Python counts from them, and the paper's index is its own."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise, product
from statistics import fmean

import numpy as np
import polars as pl
import pytest

from studies.published.claims import source
from studies.published.printed import Sheet
from tests.suites.hocabench.outcomes import PARTS, planned, run, stimuli
from veridical.answers.time_intervals import intervals, iou
from veridical.stats import sensitivity
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.analysis import ANALYSIS
from veridical.suites.hocabench.analysis.figures import f1, permuted_p
from veridical.suites.hocabench.analysis.index import PAPER_CLIPS, TASKS, h_index, weights_of
from veridical.suites.hocabench.analysis.plausibility import OUTCOMES
from veridical.suites.hocabench.analysis.probes import LEVELS
from veridical.suites.hocabench.asking.attribution import RULES
from veridical.suites.hocabench.asking.marking import judge_fields
from veridical.suites.hocabench.asking.sets import members
from veridical.suites.hocabench.taxonomy import SUB_TYPES

KINDS = {"Onto.": "ontological", "Caus.": "causal"}
"""The layers as the paper's table and as the suite call them."""

UNCLEAR = "I cannot tell what to say about this."


def rng_of(trial, *more):
    return np.random.default_rng([*more, *trial.id.encode()])


def at_random(trial, repeat=1, seed=0):
    """A reply of the right form, more often right than not; one of twenty has no answer."""
    rng, task = rng_of(trial, seed, repeat), trial.settings["task"]
    if rng.random() < 0.05:
        return UNCLEAR
    if task == "plausibility":
        share = {"violating": 0.7, "plausible": 0.3, "explained": 0.5}[trial.variant]
        share -= 0.5 * (trial.settings.get("until") in ("before", "event"))
        return "No" if rng.random() < share else "Yes"
    if task == "explanation":
        return "Scene: a ball.\nAnomaly: it rises.\nAttribution: Causal\nReasoning: gravity."
    if task == "interval":
        start = rng.uniform(0, 2)
        return f"Answer: {start:.2f} to {start + rng.uniform(0.5, 2):.2f}"
    if task == "set":
        names = trial.expects["names"]
        wanted = [each for each in trial.gold.split(",") if rng.random() < 0.6]
        wanted += [names[int(rng.integers(len(names)))]] if rng.random() < 0.5 else []
        return "Answer: " + (", ".join(chr(ord("A") + names.index(each)) for each in wanted) or "none")
    count = len(trial.expects["options"])
    right = trial.expects["names"].index(trial.gold) if task == "domain" else ord(trial.gold) - ord("A")
    return f"Answer: {chr(ord('A') + (right if rng.random() < 0.5 else int(rng.integers(count))))}"


def mark(trial):
    rng = rng_of(trial, 7)
    return None if rng.random() < 0.1 else float(rng.random() * (0.9 if trial.factors["layer"] == "causal" else 1))


def every_verdict(trial):
    return float(rng_of(trial, 7).random())


@pytest.fixture(scope="module")
def asked():
    return planned(2, panels=20, sequences=20)


@pytest.fixture(scope="module")
def evidence(asked):
    return run(asked, at_random, every_verdict)


@pytest.fixture(scope="module")
def estimates(evidence):
    return ANALYSIS.estimates(evidence)


@pytest.fixture(scope="module")
def of(estimates):
    by_slice = {(each.metric, frozenset(each.slice.items())): each for each in estimates}
    assert len(by_slice) == len(estimates)
    return lambda metric, **where: by_slice[metric, frozenset(where.items())]


@pytest.fixture(scope="module")
def rows(evidence):
    """The replies as plain values, with their settings."""
    return [row | json.loads(row["settings"]) for row in evidence.outcomes().iter_rows(named=True)]


def task(rows, name, **where):
    return [row for row in rows if row["task"] == name and all(row[key] == value for key, value in where.items())]


JUDGE = {"judge": "judge", "rubric": "counterfactual"}


@pytest.mark.parametrize("where", [{}, {"drawing": "flat"}, {"layer": "causal"}, {"sub_type": "gravity"}])
def test_plausibility_is_scored_as_counted(rows, of, where):
    own = [row for row in task(rows, "plausibility", **where) if row["variant"] != "explained"]
    kinds = {name: [row for row in own if row["variant"] == name] for name in ("violating", "plausible")}
    hit = sum(row["answer"] == "No" for row in kinds["violating"])
    missed = len(kinds["violating"]) - hit
    false = sum(row["answer"] != "Yes" for row in kinds["plausible"])
    assert of("f1", **where).value == pytest.approx(2 * hit / (2 * hit + false + missed))
    silent = sum(row["status"] != "answered" for row in own)
    lost = sum(row["status"] != "answered" for row in kinds["violating"])
    of_answered = 2 * hit / (2 * hit + false - (silent - lost) + missed - lost)
    assert of("f1", of="answered", **where).value == pytest.approx(of_answered)
    assert of_answered >= of("f1", **where).value
    assert of("accuracy", task="plausibility", **where).value == pytest.approx(1 - (false + missed) / len(own))
    shares = hit / len(kinds["violating"]), 1 - false / len(kinds["plausible"])
    assert of("balanced accuracy", **where).value == pytest.approx(fmean(shares))
    answered = {name: [row for row in kind if row["answer"]] for name, kind in kinds.items()}
    odd = {name: sum(row["answer"] == "No" for row in kind) for name, kind in answered.items()}
    expected = sensitivity(odd["violating"], len(answered["violating"]), odd["plausible"], len(answered["plausible"]))
    assert of("d_prime", **where).value == pytest.approx(float(expected.d_prime))
    assert of("criterion", **where).value == pytest.approx(float(expected.criterion))
    rates = {name: odd[name] / len(answered[name]) for name in odd}
    for name, rate in rates.items():
        assert of("says implausible", variant=name, **where).value == pytest.approx(rate)


def test_explained_controls_are_compared_with_plausible_ones_of_their_units(rows, of):
    own = task(rows, "plausibility")
    said = {
        name: {row["unit"]: row["answer"] == "No" for row in own if row["variant"] == name and row["answer"]}
        for name in ("explained", "plausible")
    }
    shared = set(said["explained"]) & set(said["plausible"])
    assert 0 < len(shared) < len(said["plausible"])
    rates = [fmean(said[name][unit] for unit in shared) for name in ("explained", "plausible")]
    found = of("alarm at the explained")
    assert found.value == pytest.approx(100 * (rates[0] - rates[1]))
    assert 0 < found.p <= 1


@pytest.mark.parametrize("name", ["domain", "description"])
def test_choices_and_the_gap_of_the_layers(rows, of, name):
    right = {layer: [row["correct"] is True for row in task(rows, name, layer=layer)] for layer in KINDS.values()}
    for layer, each in right.items():
        assert of("accuracy", task=name, layer=layer).value == pytest.approx(fmean(each))
    assert of("accuracy", task=name).value == pytest.approx(fmean(right["ontological"] + right["causal"]))
    gap = of("layer gap", task=name)
    assert gap.value == pytest.approx(100 * (fmean(right["ontological"]) - fmean(right["causal"])))
    assert "Holm over 3" in gap.method
    assert of("chance", task=name).value == {"domain": 1 / 9, "description": 1 / 4}[name]


def test_what_chance_gives_is_computed_from_the_runs_own_clips(asked, of):
    assert of("f1 chance").value == pytest.approx(2 / 3)
    assert of("chance", task="plausibility").value == 0.5
    few = [trial for trial in asked if trial.variant != "plausible" or trial.family == "gravity"]
    own = {each.metric: each for each in ANALYSIS.estimates(run(few, at_random)) if each.slice == {}}
    assert own["f1 chance"].value == pytest.approx(2 * 36 / (2 * 36 + 2))
    always = run(few, lambda trial, _: "No" if trial.settings["task"] == "plausibility" else UNCLEAR)
    constant = {each.metric: each for each in ANALYSIS.estimates(always) if each.slice == {}}
    assert constant["f1"].value == constant["f1 chance"].value == pytest.approx(own["f1 chance"].value)


def test_f1_is_that_of_the_counts():
    for hit, missed, false, passed in product(range(4), repeat=4):
        if hit + missed and false + passed:
            expected = 2 * hit / (2 * hit + false + missed) if hit or false or missed else 0.0
            balance = (false + passed) / (hit + missed)
            assert f1(hit / (hit + missed), passed / (false + passed), balance) == pytest.approx(expected)


def test_the_index_of_the_papers_26_rows_is_the_printed_one():
    """Accuracies of II and III are whole counts of 254 and 376 clips; what is left is the rounding of F1 and scores."""
    sheet = Sheet("hocabench", "2")
    models = [row for row in sheet.rows() if row not in ("Random", "Human")]
    fits = Counter()
    for row in models:
        layers = {}
        for name in ("Task II", "Task III", "Task IV"):
            cells = [float(sheet.text(row, f"{name} / {kind}")) for kind in KINDS]
            if name != "Task IV":
                cells = [100 * round(cell * n / 100) / n for cell, n in zip(cells, PAPER_CLIPS, strict=True)]
            layers[name.split()[-1]] = tuple(cells)
        printed = float(sheet.text(row, "H-Index (Avg)"))
        for weighting in ("paper", "plain", "by clips"):
            weights = weights_of(weighting, dict.fromkeys(TASKS, PAPER_CLIPS))
            value = h_index(float(sheet.text(row, "Task I / F1")), layers, weights)
            fits[weighting] += abs(value - printed) <= 0.05 + (0.05 + 0.05) / 4 + 1e-9
    assert len(models) == fits["paper"] == 26
    assert max(fits["plain"], fits["by clips"]) <= 6
    assert source("hocabench").lists["videos"] == list(PAPER_CLIPS)


def test_the_index_is_the_mean_of_its_parts_by_each_weighting(rows, of):
    clips = {layer: len({row["stimulus"] for row in task(rows, "domain", layer=layer)}) for layer in KINDS.values()}
    assert clips == {"ontological": 14, "causal": 22}
    layers = {
        part: tuple(of("accuracy", task=name, layer=layer).value for layer in clips)
        for part, name in TASKS.items()
        if part != "IV"
    }
    layers["IV"] = tuple(of("explanation score", part="total", layer=layer, **JUDGE).value for layer in clips)
    own = {part: tuple(clips.values()) for part in TASKS}
    for weighting in ("paper", "plain", "by clips"):
        expected = h_index(of("f1").value, layers, weights_of(weighting, own))
        found = of("h_index", weighting=weighting, **JUDGE)
        assert found.value == pytest.approx(expected)
        assert 0 < found.low < found.value < found.high < 1
    parts = [of("index part", part=part).value for part in ("I", "II", "III")]
    assert (of("index part", part="I").low, of("index part", part="I").high) == (of("f1").low, of("f1").high)
    parts.append(of("index part", part="IV", **JUDGE).value)
    assert fmean(parts) == pytest.approx(of("h_index", weighting="paper", **JUDGE).value)


def test_the_indexs_interval_is_about_as_wide_as_a_bootstrap_of_units(rows, of):
    by_unit = defaultdict(lambda: np.zeros((8, 2)))
    marks = {"explanation": 1.0}
    for row in rows:
        place = _cell(row)
        if place is not None:
            value = row["correct"] is True if row["task"] not in marks else _score(row)
            by_unit[row["family"], row["unit"]][place] += (value, 1)
    strata = defaultdict(list)
    for (family, _), sums in by_unit.items():
        strata[family].append(sums)
    rng, drawn = np.random.default_rng(0), []
    for _ in range(400):
        total = sum(
            np.array(units)[rng.integers(len(units), size=len(units) - 1)].sum(0) * len(units) / (len(units) - 1)
            for units in strata.values()
        )
        rates = total[:, 0] / total[:, 1]
        layers = {part: (rates[2 + 2 * k], rates[3 + 2 * k]) for k, part in enumerate(TASKS)}
        drawn.append(h_index(f1(rates[0], rates[1], 1.0), layers, weights_of("paper")))
    found = of("h_index", weighting="paper", **JUDGE)
    ratio = (found.high - found.low) / (2 * 2.1 * np.std(drawn))
    assert 0.8 < ratio < 1.5


def _cell(row):
    layers = tuple(KINDS.values())
    if row["task"] == "plausibility":
        return {"violating": 0, "plausible": 1}.get(row["variant"])
    part = {name: part for part, name in TASKS.items()}.get(row["task"])
    return None if part is None else 2 + 2 * list(TASKS).index(part) + layers.index(row["layer"])


def _score(row):
    return every_verdict(next(t for t in planned(2, panels=20, sequences=20) if t.id == row["trial"])) * bool(
        row["answer"]
    )


def test_explanations_are_scored_by_part_and_missing_verdicts_widen_the_bounds(asked, of):
    some = {
        (each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.estimates(run(asked, at_random, mark))
    }
    own = [trial for trial in asked if trial.settings["task"] == "explanation"]
    answered = [trial for trial in own if at_random(trial) != UNCLEAR]
    marks = {trial.id: mark(trial) for trial in answered}
    known = [0.0] * (len(own) - len(answered)) + [each for each in marks.values() if each is not None]
    for part in PARTS:
        found = some["explanation score", frozenset({"part": part, **JUDGE}.items())]
        assert found.value == pytest.approx(fmean(known))
        missing = sum(each is None for each in marks.values())
        assert missing
        assert found.low < fmean(known + [0.0] * missing) < fmean(known + [1.0] * missing) < found.high
        assert (found.counts.answered, found.counts.unparsed) == (len(answered) - missing, missing)
    full = of("h_index", weighting="paper", **JUDGE)
    partly = some["h_index", frozenset({"weighting": "paper", **JUDGE}.items())]
    assert partly.high - partly.low > full.high - full.low
    gap = of("layer gap", task="explanation", **JUDGE)
    assert gap.value is not None
    assert 0 < gap.p <= 1


@pytest.mark.parametrize("factor", ["scene", "sub_type", "drawing"])
def test_explanations_are_sliced_by_the_levels_of_the_factor_and_not_by_marks(factor, asked, estimates):
    own = [trial for trial in asked if trial.settings["task"] == "explanation"]
    levels = {each.slice[factor] for each in estimates if each.metric == "explanation score" and factor in each.slice}
    assert levels == {trial.factors[factor] for trial in own}


def test_without_a_judge_the_index_and_the_scores_say_so(asked):
    own = ANALYSIS.estimates(run(asked, at_random))
    lacking = [each for each in own if each.metric in ("h_index", "explanation score")]
    assert {each.reason for each in lacking} == {"not judged"}
    assert {each.value for each in lacking} == {None}


def test_intervals_overlap_as_counted_and_a_fixed_one_is_chosen_without_its_clip(rows, of):
    own = task(rows, "interval")
    shares = [iou(intervals(row["answer"]), intervals(row["gold"])) if row["answer"] else 0.0 for row in own]
    assert of("mean iou").value == pytest.approx(fmean(shares))
    assert [of("recall at iou", iou=level).value for level in LEVELS] == pytest.approx(
        [fmean(share >= level for share in shares) for level in LEVELS]
    )
    golds = [intervals(row["gold"]) for row in own]
    assert {json.loads(row["expects"])["duration"] for row in own} == {4.0}
    ends = product(sorted({a for gold in golds for a, _ in gold}), sorted({b for gold in golds for _, b in gold}))
    fixed = [[(start, end)] for start, end in ends if end > start]
    table = np.array([[iou(each, gold) for gold in golds] for each in fixed])
    best = [float(table[np.argmax(np.delete(table, k, 1).sum(1)), k]) for k in range(len(golds))]
    assert of("mean iou chance").value == pytest.approx(fmean(best), abs=0.02)
    assert of("recall at iou chance", iou=0.5).value == pytest.approx(fmean(each >= 0.5 for each in best), abs=0.1)


@pytest.mark.parametrize("over", ["sub-types", "domains"])
def test_sets_are_scored_pooled_averaged_and_by_clip(rows, of, over):
    def names(text):
        own = members(text or "none")
        return own if over == "sub-types" else {SUB_TYPES[each].domain for each in own}

    sets = [(names(row["answer"]), names(row["gold"])) for row in task(rows, "set")]
    both, sizes = Counter(), Counter()
    for named, true in sets:
        both.update(named & true)
        sizes.update(named)
        sizes.update(true)
    assert of("set f1", over=over, average="micro").value == pytest.approx(2 * both.total() / sizes.total())
    occur = set().union(*(true for _, true in sets))
    macro = fmean(2 * both[name] / sizes[name] for name in occur)
    assert of("set f1", over=over, average="macro").value == pytest.approx(macro)
    each = [2 * len(named & true) / (len(named) + len(true)) for named, true in sets]
    assert of("set f1", over=over, average="clips").value == pytest.approx(fmean(each))
    assert of("exact match", over=over).value == pytest.approx(fmean(named == true for named, true in sets))


@pytest.mark.parametrize("control", ["plausible", "explained"])
def test_every_pair_has_one_outcome(rows, of, control):
    said = {(row["unit"], row["variant"]): row["answer"] for row in task(rows, "plausibility")}
    names = {("No", "Yes"): 0, ("No", "No"): 1, ("Yes", "Yes"): 2, ("Yes", "No"): 3}
    units = [unit for unit, variant in said if variant == control]
    kinds = Counter(names.get((said[unit, "violating"], said[unit, control]), 4) for unit in units)
    for place, outcome in enumerate(OUTCOMES):
        found = of("pair outcome", control=control, outcome=outcome)
        assert found.value == pytest.approx(kinds[place] / len(units))
        assert found.n_units == len(units)


LEVELS_OF = (
    ("task", ("plausibility", "domain", "description", "explanation")),
    ("frames", ("uniform-16", "uniform-64")),
    ("until", ("before", "event", "after-0.5", "end")),
    ("sight", ("shown", "blind")),
)


@pytest.fixture(scope="module")
def compared():
    made = run(planned(2, LEVELS_OF), at_random, every_verdict)
    rows = [row | json.loads(row["settings"]) for row in made.outcomes().iter_rows(named=True)]
    return rows, {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.estimates(made)}


@pytest.mark.parametrize("name", ["plausibility", "domain", "description"])
def test_settings_are_compared_on_the_same_clips(compared, name):
    rows, found = compared
    own = [row for row in rows if row["task"] == name and row["variant"] != "explained"]
    right = defaultdict(dict)
    for row in own:
        if row.get("until", "end") == "end":
            right[row.get("frames", "blind")][row["stimulus"]] = row["correct"] is True
    effect = found[
        "setting effect",
        frozenset({"setting": "frames", "level": "uniform-64", "against": "uniform-16", "task": name}.items()),
    ]
    assert effect.value == pytest.approx(
        100 * (fmean(right["uniform-64"].values()) - fmean(right["uniform-16"].values()))
    )
    assert "Holm over 4" in effect.method
    gain = found["gain over blind", frozenset({"task": name}.items())]
    assert gain.value == pytest.approx(100 * (fmean(right["uniform-16"].values()) - fmean(right["blind"].values())))
    for level in ("uniform-16", "uniform-64"):
        assert found["accuracy", frozenset({"task": name, "frames": level}.items())].value == pytest.approx(
            fmean(right[level].values())
        )
        index = found["h_index", frozenset({"weighting": "paper", "frames": level, **JUDGE}.items())]
        assert index.value is not None


def test_cuts_of_the_same_clips_make_a_curve(compared):
    rows, found = compared
    own = [row for row in rows if row["task"] == "plausibility" and row.get("frames") == "uniform-16" and row["answer"]]
    shares = defaultdict(list)
    for row in own:
        shares[row["variant"], row["until"]].append(row["answer"] == "No")
    assert {until for _, until in shares} == {"before", "event", "after-0.5", "end"}
    for (variant, until), each in shares.items():
        curve = found["implausible until", frozenset({"variant": variant, "until": until}.items())]
        assert curve.value == pytest.approx(fmean(each))
    for variant in ("violating", "plausible", "explained"):
        change = found["change of mind", frozenset({"variant": variant}.items())]
        assert change.value == pytest.approx(100 * (fmean(shares[variant, "end"]) - fmean(shares[variant, "before"])))


def by_rule(evidence):
    """The estimates of the same verdicts, as if the embedded rule had given them, with what it was shown."""
    items = {each.id: each for each in stimuli(2, panels=20, sequences=20)}
    rows = evidence.outcomes().select("trial", "stimulus", "unit", "family")
    verdicts = evidence.outcomes("grade").join(rows, left_on="about_trial", right_on="trial", maintain_order="left")
    shown = [json.dumps({"shown": judge_fields(items[each], next(iter(RULES)))}) for each in verdicts["stimulus"]]
    ruled = verdicts.with_columns(pl.lit("veridical/rule").alias("model"), pl.Series("expects", shown), attempt=1)
    return ANALYSIS.estimates(Evidence.of({"ask": evidence.outcomes(), "grade": ruled}))


def test_a_rule_has_a_blind_floor_beside_its_marks_and_another_judge_has_none(estimates, evidence):
    assert not [each for each in estimates if each.metric == "blind floor"]
    (floor,) = (each for each in by_rule(evidence) if each.metric == "blind floor")
    assert floor.slice["score"] == "total"
    assert 0.05 < floor.low < floor.value <= floor.high


def test_every_metric_is_explained_and_every_explanation_is_used(estimates, compared, asked, evidence):
    other = run(asked, lambda trial, repeat: at_random(trial, repeat, 1), every_verdict)
    differences = ANALYSIS.differences(evidence, other)
    used = {each.metric for each in (*estimates, *compared[1].values(), *differences, *by_rule(evidence))}
    assert used == set(ANALYSIS.measures)
    assert all(each.unit == ANALYSIS.measures[each.metric].unit for each in (*estimates, *compared[1].values()))
    assert set(ANALYSIS.headline) <= used
    for each in estimates:
        assert each.value is not None or each.reason
        if each.value is not None and each.low is not None and each.high is not None:
            assert each.low <= each.value <= each.high, each


@pytest.mark.parametrize(
    "kept",
    [
        {"plausibility"}, {"domain"}, {"description"}, {"explanation"}, {"interval"}, {"set"},
        {"plausibility", "domain"}, {"domain", "description", "explanation"}, set(),
    ],
)  # fmt: skip
def test_runs_that_lack_tasks_have_the_estimates_of_those_they_have(asked, kept):
    some = [trial for trial in asked if trial.settings["task"] in kept]
    for own in (run(some, at_random, every_verdict), Evidence.of({"ask": run(some, at_random).outcomes()})):
        found = ANALYSIS.estimates(own)
        assert all(each.value is not None or each.reason for each in found)
        assert {each.slice["task"] for each in found if "task" in each.slice} <= kept
        ANALYSIS.differences(own, own)
    nothing = ANALYSIS.estimates(run(some, lambda *_: None))
    assert all(each.value is None or "chance" in each.metric for each in nothing)


def test_runs_with_one_kind_of_clip_say_what_is_needed(asked):
    for variant in ("violating", "plausible", "explained"):
        some = [trial for trial in asked if trial.variant == variant]
        found = {each.metric: each for each in ANALYSIS.estimates(run(some, at_random)) if each.slice == {}}
        assert all(each.value is None and each.reason for name, each in found.items() if name == "f1")
    (one,) = {trial.unit for trial in asked if trial.unit == "gravity/0000"}
    lonely = [trial for trial in asked if trial.unit == one]
    assert all(each.value is not None or each.reason for each in ANALYSIS.estimates(run(lonely, at_random)))


def test_differences_are_those_of_the_shared_trials(asked, evidence, rows):
    other = run(asked[:-40], lambda trial, repeat: at_random(trial, repeat, 1), mark)
    shared = {trial.id for trial in asked[:-40]}
    found = {(e.metric, frozenset(e.slice.items())): e for e in ANALYSIS.differences(evidence, other)}
    second = [row | json.loads(row["settings"]) for row in other.outcomes().iter_rows(named=True)]
    for name in ("domain", "description"):
        rates = [
            fmean(row["correct"] is True for row in task(each, name) if row["trial"] in shared)
            for each in (rows, second)
        ]
        assert found["accuracy difference", frozenset({"task": name}.items())].value == pytest.approx(
            100 * (rates[1] - rates[0])
        )
    same = ANALYSIS.differences(evidence, evidence)
    assert {each.value for each in same} == {0.0}
    assert {each.p for each in same} == {1.0}
    own = [{e.metric: e for e in ANALYSIS.estimates(each) if e.slice == {}}["f1"].value for each in (evidence, other)]
    whole = found["f1 difference", frozenset()]
    if len(task(second, "plausibility")) == len(task(rows, "plausibility")):
        assert whole.value == pytest.approx(100 * (own[1] - own[0]))
    assert whole.low < whole.value < whole.high


def test_one_error_more_changes_no_interval_by_a_jump(asked):
    """At no error, at one and at two, intervals are no points and about as wide."""

    def errors(count):
        wrong = [t.id for t in asked if t.settings["task"] == "plausibility" and t.variant != "explained"][:count]
        right = {"violating": "No", "plausible": "Yes", "explained": "Yes"}
        flip = {"No": "Yes", "Yes": "No"}

        def reply(trial, _):
            if trial.settings["task"] != "plausibility":
                return None
            return flip[right[trial.variant]] if trial.id in wrong else right[trial.variant]

        return {each.metric: each for each in ANALYSIS.estimates(run(asked, reply)) if each.slice == {}}["f1"]

    widths = [each.high - each.low for each in map(errors, range(4))]
    assert widths[0] > 0.02
    assert all(1 <= after / before < 1.6 for before, after in pairwise(widths))


def test_the_permutation_of_layers_keeps_its_level():
    rng, small = np.random.default_rng(3), 0
    for draw in range(200):
        sums = np.zeros((60, 2))
        counts = np.zeros((60, 2))
        counts[:20, 0] = counts[20:, 1] = 2
        sums[:20, 0], sums[20:, 1] = 2 * (rng.random(20) < 0.7), 2 * (rng.random(40) < 0.7)
        small += permuted_p(sums, counts, seed=draw) <= 0.05
    assert small <= 20


def test_repeats_are_pooled_within_units(asked):
    twice = run(asked, lambda trial, _: at_random(trial), every_verdict, repeats=2)
    once = {(e.metric, frozenset(e.slice.items())): e for e in ANALYSIS.estimates(run(asked, at_random, every_verdict))}
    for each in ANALYSIS.estimates(twice):
        if each.slice in ({}, {"task": "domain"}) and each.metric not in ("d_prime", "criterion"):
            assert each.value == pytest.approx(once[each.metric, frozenset(each.slice.items())].value)
            assert each.n_units == once[each.metric, frozenset(each.slice.items())].n_units


def test_a_release_has_real_clips_without_a_layer(asked):
    """Real clips stand against violating ones of any layer, and make no slice by domain."""
    real = [trial for trial in asked if trial.variant == "plausible"]
    own = run([t for t in asked if t.variant == "violating"], at_random, every_verdict)
    table = run(real, at_random).outcomes()
    released = table.with_columns(
        family=pl.lit("real"), category=pl.lit("real"), unit="real/" + pl.col("unit"),
        **{name: pl.lit(None, pl.String) for name in ("layer", "sub_type", "drawing", "camera", "scene")},
    )  # fmt: skip
    both = (
        pl.concat([own.outcomes(), released.select(own.outcomes().columns)])
        if set(own.outcomes().columns) <= set(released.columns)
        else pl.concat([own.outcomes(), released], how="diagonal")
    )
    found = ANALYSIS.estimates(Evidence.of({"ask": both, "grade": own.outcomes("grade")}))
    of = {(each.metric, frozenset(each.slice.items())): each for each in found}
    assert of["f1", frozenset()].value is not None
    assert of["h_index", frozenset({"weighting": "paper", **JUDGE}.items())].value is not None
    assert of["f1", frozenset({"layer": "causal"}.items())].reason == "violating and plausible clips are needed"
    assert not [each for each in found if each.metric == "pair outcome"]


def test_a_plan_says_which_gap_it_can_show(asked):
    (first, *_) = lines = list(ANALYSIS.resolution([(asked, 10)]))
    assert len(lines) == 3
    assert "140 ontological and 220 causal" in first
    stated = float(re.search(r"gap of (\d+) points", first)[1])
    rng, shown = np.random.default_rng(1), 0
    for _ in range(300):
        rates = [rng.binomial(n, 0.5 + sign * stated / 200) / n for n, sign in ((140, 1), (220, -1))]
        error = np.sqrt(sum(rate * (1 - rate) / n for rate, n in zip(rates, (140, 220), strict=True)))
        shown += abs(rates[0] - rates[1]) > 1.96 * error
    assert 0.73 < shown / 300 < 0.9
    assert list(ANALYSIS.resolution([([t for t in asked if t.factors["layer"] == "causal"], 1)])) == []
