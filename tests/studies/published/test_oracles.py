"""What the claims compute, against other ways to compute the same."""

import re
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studies.published.functions import mover, ratio_of_drops
from studies.published.printed import sheet
from studies.published.ranges import exact, printed
from studies.published.relations import f1, fisher, fisher_mean, pearson, pooled, spread
from tests.studies.published.altered import result
from veridical.published import table


def wide(paper, name):
    """A table with a row per label and its columns as numbers, by another reading than the claims use."""
    frame = table(paper, name).pivot("column", index="row", values="value", maintain_order=True)
    return frame.with_columns(pl.exclude("row").str.strip_prefix("+").cast(pl.Float64, strict=False))


def ends(text):
    low, _, high = text.partition(" to ")
    return float(low), float(high or low)


def given_by(item, reading=""):
    return ends(item.outcomes[reading].computed)


def test_the_multiplier_is_that_of_floating_point_arithmetic():
    items = {item.subject: item for item in result("viprobe-multiplier").items}
    for row in wide("viprobe", "2").iter_rows(named=True):
        kinds = [f"{context} / {kind}" for context in ("illusion", "control") for kind in ("original", "perturbed")]
        o, p, oc, pc = (row[kind] / 100 for kind in kinds)
        low, high = given_by(items[row["row"]], "ε as a proportion")
        assert low <= abs(o - p) / (abs(oc - pc) + 0.001) <= high


@pytest.mark.parametrize(
    ("claim_id", "name", "label", "sign"),
    [
        ("viprobe-hints-mean-original", "9", "original / effect", 1),
        ("viprobe-hints-mean-perturbed", "9", "perturbed / effect", -1),
        ("viprobe-prompt-mean-perturbed", "11", "perturbed control / difference", 1),
    ],
)
def test_means_over_models_are_those_of_numpy(claim_id, name, label, sign):
    values = wide("viprobe", name)[label].to_numpy()
    moved = values[sign * values > 0]
    expected = [values.mean(), moved.mean(), np.sort(values)[:12].mean()]
    shown = [ends(outcome.computed) for outcome in result(claim_id).items[0].outcomes.values()]
    for (low, high), value in zip(shown, expected[: len(shown)], strict=True):
        assert low <= value <= high


def test_the_interval_of_r_covers_r_in_95_of_100_samples_of_independent_pictures():
    rates, runs, rng = (0.85, 0.10, 0.92, 0.35), 1500, np.random.default_rng(3)
    sizes = np.array([290, 2900, 290, 2900])
    truth, hits = (rates[0] - rates[1]) / (rates[2] - rates[3]), 0
    for cells in rng.binomial(sizes, rates, size=(runs, 4)) / sizes:
        o, p, oc, pc = (exact(Fraction(float(100 * each))) for each in cells)
        bounds = ratio_of_drops([o, p], [oc, pc], [290, 2900])
        hits += bounds.low <= truth <= bounds.high
    assert 0.93 <= hits / runs <= 0.97


def test_the_interval_of_a_difference_is_near_that_of_the_normal_approximation():
    rates, sizes = (0.4, 0.6, 0.55, 0.3), [200, 150, 200, 150]
    weights = [0.5, 0.5, -0.5, -0.5]
    found = mover(weights, [exact(Fraction(str(100 * rate))) for rate in rates], sizes)
    half = 196 * np.sqrt(sum(w * w * r * (1 - r) / n for w, r, n in zip(weights, rates, sizes, strict=True)))
    middle = 100 * sum(w * r for w, r in zip(weights, rates, strict=True))
    assert (float(found.low), float(found.high)) == pytest.approx((middle - half, middle + half), abs=0.3)


@pytest.mark.parametrize("row", sheet("viabench", "main").rows())
def test_averages_are_those_of_numpy(row):
    frame = table("viabench", "main").filter(pl.col("row") == row, pl.col("column").str.contains(r" / (Match|Judge)$"))
    cells = frame["value"].cast(pl.Float64).to_numpy()
    weights = np.repeat([239, 201, 156, 117, 162, 129], 2)
    expected = [cells.mean(), np.average(cells, weights=weights), cells[::2].mean(), cells[1::2].mean()]
    (item,) = (item for item in result("viabench-averages").items if item.subject == row)
    for outcome, value in zip(item.outcomes.values(), expected, strict=True):
        low, high = ends(outcome.computed)
        assert low <= value <= high


def test_every_single_run_but_the_mistyped_is_a_whole_count_by_another_search():
    questions = dict(zip(("VA", "CI", "MI", "GI", "GSI", "VI"), (239, 201, 156, 117, 162, 129), strict=True))
    frame = table("viabench", "runs").with_columns(pl.col("value").str.replace(",", ".").cast(pl.Float64))
    failed = set()
    for group, run, column, value in frame.select("group", "row", "column", "value").iter_rows():
        n = questions[column.split(" / ")[0]]
        if not np.isclose(np.arange(n + 1) * 100 / n, value, rtol=0, atol=0.005 + 1e-9).any():
            failed.add(f"{group}, run {run}, {column}")
    assert failed == {item.subject for item in result("viabench-run-counts").failing}


def test_correlations_and_their_intervals_are_those_of_scipy():
    frame = wide("magic", "2")
    x, y = "MagiScore (Macro) / Recall", "Final Answer / Full"
    cells = [[printed(f"{value:.2f}") for value in frame[column]] for column in (x, y)]
    theirs = stats.pearsonr(frame[x].to_numpy(), frame[y].to_numpy())
    found, bounds = pearson(*cells), fisher(*cells)
    assert found.low <= theirs.statistic <= found.high
    interval = theirs.confidence_interval()
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(tuple(interval), abs=0.006)


def test_recall_alone_goes_with_the_answers():
    frame, cause = wide("magic", "2"), result("magic-recall-alone").cause
    mean = {
        part: np.mean(
            [
                stats.pearsonr(frame[f"MagiScore ({kind}) / {part}"], frame[f"Final Answer / {answer}"]).statistic
                for kind in ("Macro", "Micro")
                for answer in ("Full", "Short")
            ]
        )
        for part in ("Recall", "Precision")
    }
    stated = [float(number) for number in re.findall(r"-?0\.\d\d", cause)]
    assert stated == pytest.approx([mean["Recall"], mean["Precision"]], abs=0.006)
    assert mean["Recall"] > 0 > mean["Precision"]


@given(st.tuples(*[st.integers(1, 5000)] * 3))
def test_rounded_precision_recall_and_f1_of_the_same_counts_agree(counts):
    true, false, missed = counts
    precision, recall = 100 * true / (true + false), 100 * true / (true + missed)
    score = 100 * 2 * true / (2 * true + false + missed)
    assert printed(f"{score:.2f}").meets(f1(printed(f"{precision:.2f}"), printed(f"{recall:.2f}")))


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(1, 100)), min_size=1, max_size=20))
def test_a_mean_of_f1_is_at_most_the_f1_of_means(images):
    each = [f1(exact(precision), exact(recall)).high for precision, recall in images]
    precision, recall = (exact(sum(column)) / exact(len(images)) for column in zip(*images, strict=True))
    assert sum(each) / len(each) <= f1(precision, recall).high


@given(st.lists(st.integers(0, 10), min_size=2, max_size=60))
def test_the_standard_error_of_whole_scores_is_among_those_a_mean_allows(scores):
    n = len(scores)
    found = spread(exact(Fraction(sum(scores), n)), n)
    assert float(found.low) - 1e-9 <= np.std(scores) / np.sqrt(n) <= float(found.high) + 1e-9


def test_the_least_and_the_greatest_standard_error_are_reached():
    for scores in ([3, 3, 3, 4], [0, 0, 10, 10]):
        found = spread(exact(Fraction(sum(scores), 4)), 4)
        assert np.std(scores) / 2 == pytest.approx(float(found.low if scores[0] == 3 else found.high))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.integers(1, 9)), min_size=1, max_size=6))
def test_the_pooled_mean_lies_where_the_plain_mean_and_the_least_values_allow(rows):
    values, slack, weights = zip(*rows, strict=True)
    least = [exact(Fraction(value * (100 - less), 100)) for value, less in zip(values, slack, strict=True)]
    reach = pooled(least, exact(Fraction(sum(values), len(values))), weights)
    true = Fraction(sum(v * w for v, w in zip(values, weights, strict=True)), sum(weights))
    assert reach.low <= true <= reach.high


def test_the_pooled_mean_reaches_both_ends_of_a_search():
    grid, least, weights = range(0, 101, 5), (20, 0, 40), (1, 10, 1)
    sums = [
        Fraction(sum(v * w for v, w in zip((a, b, 150 - a - b), weights, strict=True)), sum(weights))
        for a in grid
        for b in grid
        if a >= least[0] and b >= least[1] and least[2] <= 150 - a - b <= 100
    ]
    reach = pooled([exact(value) for value in least], exact(50), weights)
    assert (reach.low, reach.high) == (min(sums), max(sums))
    with pytest.raises(ValueError, match="that mean"):
        pooled([exact(80), exact(80)], exact(50), [1, 1])


def test_significance_is_that_of_a_normal_test():
    three = sheet("magicbench", "3")
    for item in result("magicbench-marks").items:
        rows = ("Vision-Only (Probe)", "Multi-Forensic (SIA)")
        first, second = (float(three.text(row, "Type D", item.subject)) for row in rows)
        errors = [float(three.text(row, "Type D / standard error", item.subject)) for row in rows]
        p = 2 * stats.norm.sf(abs(first - second) / np.hypot(*errors))
        assert (item.verdict == "holds") == (p < 0.01)


def test_averages_of_correlations_are_those_of_numpy_on_both_scales():
    cells = wide("magicbench", "6").head(3)
    for item in result("magicbench-correlation-averages").items:
        values = cells[item.subject].to_numpy()
        for reading, value in (("plain", values.mean()), ("on Fisher's scale", np.tanh(np.arctanh(values).mean()))):
            low, high = given_by(item, reading)
            assert low <= value <= high
    middle = fisher_mean([exact("0.9"), exact("0.5")])
    assert float(middle.low) == pytest.approx(np.tanh(np.arctanh([0.9, 0.5]).mean()))


def test_the_interval_of_the_frame_audit_is_that_of_statsmodels():
    from statsmodels.stats.proportion import proportion_confint

    bounds = proportion_confint(59, 60, method="wilson")
    for item, bound in zip(result("magicbench-frame-recall").items[1:], bounds, strict=True):
        assert float(item.outcomes[""].computed) == pytest.approx(100 * bound, abs=0.01)


def test_the_index_is_the_mean_of_four_however_a_task_is_averaged():
    rows = {row["row"]: row for row in wide("hocabench", "2").iter_rows(named=True)}
    weights = {"kinds averaged plainly": None, "kinds averaged by videos": [254, 376]}
    for item in result("hocabench-index").items:
        row = rows[item.subject]
        for reading, weight in weights.items():
            parts = [np.average([row[f"{t} / Onto."], row[f"{t} / Caus."]], weights=weight) for t in
                     ("Task II", "Task III", "Task IV")]  # fmt: skip
            low, high = given_by(item, reading)
            assert low <= np.mean([row["Task I / F1"], *parts]) <= high


def test_totals_of_marks_are_added_by_polars_too():
    cells = table("hocabench", "marks").filter(group="case study").with_columns(pl.col("value").cast(pl.Int64))
    total = pl.col("column") == "Total"
    sums = cells.group_by("row").agg(
        stated=pl.col("value").filter(total).sum(), added=pl.col("value").filter(~total).sum()
    )
    wrong = {row for row, stated, added in sums.select("row", "stated", "added").iter_rows() if stated != added}
    assert wrong == {item.subject for item in result("hocabench-totals").failing}


def test_guessing_is_drawn_at_random_too():
    rng, options = np.random.default_rng(5), {"Task II": 9, "Task III": 4}
    for item in result("hocabench-chance").items[:4]:
        hits = 100 * (rng.integers(options[item.subject.partition(",")[0]], size=400_000) == 0).mean()
        assert (item.verdict == "holds") == (abs(hits - float(item.stated)) < 0.5)
