"""MagicBench's checks against other ways to compute the same, and against changed cells."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.published.altered import altered
from veridical.published.magicbench import averages, claims, counts, findings, judge, quoted
from veridical.published.magicbench.layout import METRICS, MODELS, TYPES, VISION, videos
from veridical.published.printed import Sheet


def of(check):
    return [finding for finding in findings() if finding.check is check]


def test_an_average_agrees_where_one_weighting_rounds_to_it():
    three, five = Sheet("magicbench", "3"), Sheet("magicbench", "5")
    weights = list(videos().values())
    for finding in of(averages.AVERAGE):
        table, _, name = finding.subject.partition(": ")
        group, _, row = name.rpartition(", ")
        sheet = three if table == "Table 3" else five
        cells = [float(sheet.text(row, f"Type {kind}", group)) for kind in TYPES]
        nearest = min(abs(float(finding.printed) - np.average(cells, weights=w)) for w in (None, weights))
        assert (finding.verdict == "agrees") == (nearest <= 0.1 + 1e-9)


@given(st.sampled_from(TYPES[1:]), st.data())
def test_a_mean_of_whole_scores_is_always_possible(kind, data):
    n = videos()[kind]
    scores = data.draw(st.lists(st.integers(0, 10), min_size=n, max_size=n))
    assert counts.CELLS.whole("", f"{10 * sum(scores) / n:.1f}", n, 10).verdict == "agrees"


def test_cells_are_impossible_where_no_sum_of_scores_rounds_to_them():
    cells = of(counts.CELLS)
    assert len(cells) == len(MODELS) * 5 * len(METRICS) * len(TYPES[1:])
    for finding in cells:
        n = videos()[finding.subject[-1]]
        nearest = np.abs(10 * np.arange(10 * n + 1) / n - float(finding.printed)).min()
        assert (finding.verdict == "impossible") == (nearest > 0.05 + 1e-9)


def test_interventions_are_impossible_where_no_sum_of_scores_rounds_to_them():
    text = Sheet("magicbench", "text")
    for finding in of(counts.INTERVENTIONS):
        n = int(text.text(finding.subject.rpartition(", ")[0], "cases"))
        nearest = np.abs(10 * np.arange(10 * n + 1) / n - float(finding.printed)).min()
        assert (finding.verdict == "impossible") == (nearest > 0.05 + 1e-9)


def test_the_interval_of_the_frame_audit_is_that_of_statsmodels():
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(59, 60, method="wilson")
    found = {finding.subject: float(finding.recomputed) for finding in of(counts.RECALL)}
    assert (found["interval, low"], found["interval, high"]) == pytest.approx((100 * low, 100 * high), abs=0.01)


@pytest.mark.parametrize(("check", "metric"), [(claims.MARKED, "CPA"), (claims.RESILIENCE, "CFR")])
def test_significance_is_that_of_a_normal_test(check, metric):
    sheet, three = Sheet("magicbench", "7"), Sheet("magicbench", "3")
    rows = ("Vision-Only (Probe)", "Multi-Forensic (SIA)")
    errors = {m: [float(three.text(row, "Type D / standard error", m)) for row in rows] for m in MODELS}
    least = min(min(pair) for pair in errors.values())
    for finding in of(check):
        model = finding.subject
        first, second = (float(sheet.text(row, f"{metric} / D", model)) for row in (VISION, "Multi (Forensic)"))
        pair = errors[model] if metric == "CPA" else [least, least]
        p = 2 * stats.norm.sf(abs(first - second) / np.hypot(*pair))
        assert (finding.verdict == "agrees") == (p < 0.01)


def test_claims_over_models_count_what_numpy_counts():
    sheet = Sheet("magicbench", "7")

    def cells(row, metric, kinds):
        return np.array([float(sheet.text(row, f"{metric} / {kind}", m)) for m in MODELS for kind in kinds])

    for finding in of(claims.SPOTLIGHT):
        ahead = (cells(finding.subject, "CPA", "AB") > cells(VISION, "CPA", "AB")).sum()
        assert int(finding.recomputed.split()[0]) == ahead
    for finding in of(claims.SILENCE):
        metric = finding.subject
        others = [cells(row, metric, "D") for row in ("Multi (Neutral)", "Multi (Skeptic)", "Multi (Forensic)")]
        assert int(finding.recomputed.split()[0]) == (cells(VISION, metric, "D") > np.array(others)).sum()


def test_averages_of_correlations_are_those_of_numpy_on_both_scales():
    sheet = Sheet("magicbench", "6")
    for finding in of(judge.AVERAGES):
        cells = np.array([float(sheet.text(metric, finding.subject)) for metric in METRICS])
        ends = [float(number) for number in re.findall(r"0\.\d+", finding.recomputed)]
        for (low, high), value in zip(
            (ends[:2], ends[2:4]), (cells.mean(), np.tanh(np.arctanh(cells).mean())), strict=True
        ):
            assert low <= value <= high


@pytest.mark.parametrize(
    ("check", "name", "group", "row", "column", "value"),
    [
        (averages.AVERAGE, "3", "Gemini-2.5-Pro", "Multi-Forensic (SIA)", "Avg.", "41.9"),
        (averages.SAME_CELLS, "3", "GPT-4o", "Vision-Only (Probe)", "Type B", "38.2"),
        (averages.CHANGES, "4", None, "Generic Cues", "vs. Baseline", "+0.9"),
        (averages.GAP, "5", None, "IoT (Inference)", "Type D / gap to Vision-Only", "6.5"),
        (averages.TOTAL, "text", None, "videos", "number", "403"),
        (claims.SILENCE, "7", "Qwen2.5-VL-72B", VISION, "VTG / D", "34.1"),
        (claims.LOWEST, "7", "Qwen2.5-VL-72B", "Multi (Skeptic)", "CPA / D", "36.2"),
        (claims.MARKED, "3", "GPT-4o", "Multi-Forensic (SIA)", "Type D", "27.8"),
        (counts.VETO, "2", None, "Vanilla GPT-4o (No PCS)", "FPR", "86.0"),
        (counts.ABLATION, "4", None, "Generic Cues", "CPA (%)", "33.7"),
        (quoted.QUOTED, "text", None, "GPT-4o, Type D, neutral", "CPA", "10.4"),
        (judge.FLOOR, "6", None, "CPA", "Human vs. GPT-4o", "0.8525"),
    ],
)
def test_one_wrong_cell_is_noticed(monkeypatch, check, name, group, row, column, value):
    before = [finding.verdict for finding in of(check)]
    altered(monkeypatch, "magicbench", name, row, column, value, group)
    after = [finding.verdict for finding in of(check)]
    assert after.count("agrees") < before.count("agrees")


def test_a_sample_of_its_own_would_agree(monkeypatch):
    altered(monkeypatch, "magicbench", "4", "Type C (Irrelevant Patter)", "CPA (%)", "25.8")
    verdicts = {finding.subject: finding.verdict for finding in of(averages.OWN_SAMPLE)}
    assert verdicts["Type C (Irrelevant Patter)"] == "agrees"
