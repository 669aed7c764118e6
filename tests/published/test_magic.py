"""MagiC's checks against other ways to compute the same, and against changed cells."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.published.altered import altered
from veridical.published.magic import findings, focus, parts, reasoning
from veridical.published.printed import Sheet
from veridical.published.ranges import exact, printed


def of(check, where=None):
    return [finding for finding in (where or findings)() if finding.check is check]


def numbers(sheet, column, rows):
    return np.array([float(sheet.text(row, column)) for row in rows])


def test_correlations_and_their_intervals_are_those_of_scipy():
    sheet = Sheet("magic", "2")
    for finding in of(focus.LINEAR):
        column, answer = finding.subject.split(", ")[0].split(" with ")
        rows = [row for row in sheet.rows() if "without" not in finding.subject or row not in focus.QWEN]
        theirs = stats.pearsonr(numbers(sheet, column, rows), numbers(sheet, answer, rows))
        low, high, bottom, top = map(float, re.findall(r"-?\d\.\d+", finding.recomputed))
        assert low <= theirs.statistic <= high
        assert (bottom, top) == pytest.approx(tuple(theirs.confidence_interval()), abs=0.006)
        assert (finding.verdict == "agrees") == (theirs.statistic**2 >= 0.5)


def test_a_line_would_be_called_one(monkeypatch):
    sheet = Sheet("magic", "2")
    for row in sheet.rows():
        altered(monkeypatch, "magic", "2", row, focus.ANSWERS[0], sheet.text(row, focus.FOCUS[0]))
    verdicts = {finding.subject: finding.verdict for finding in of(focus.LINEAR)}
    assert verdicts[f"{focus.FOCUS[0]} with {focus.ANSWERS[0]}, all"] == "agrees"


@given(st.tuples(*[st.integers(1, 5000)] * 3))
def test_rounded_precision_recall_and_f1_of_the_same_counts_agree(counts):
    true, false, missed = counts
    precision, recall = 100 * true / (true + false), 100 * true / (true + missed)
    f1 = 100 * 2 * true / (2 * true + false + missed)
    finding = parts.MICRO_F1.number("", f"{f1:.2f}", parts.f1(printed(f"{precision:.2f}"), printed(f"{recall:.2f}")))
    assert finding.verdict == "agrees"


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(1, 100)), min_size=1, max_size=20))
def test_a_mean_of_f1_is_at_most_the_f1_of_means(images):
    each = [parts.f1(exact(precision), exact(recall)).high for precision, recall in images]
    precision, recall = (exact(sum(column)) / exact(len(images)) for column in zip(*images, strict=True))
    assert sum(each) / len(each) <= parts.f1(precision, recall).high


@pytest.mark.parametrize("check", [parts.RUNS_OF_ERRORS, parts.ONE_SIZE])
def test_possible_numbers_of_items_are_found_by_counting_too(check):
    (finding,) = of(check)
    if check is parts.ONE_SIZE:
        sheet, most = Sheet("magic", "2"), 1000
        rates = [sheet.text(row, answer) for row in sheet.rows() for answer in focus.ANSWERS]
    else:
        sheet, most = Sheet("magic", "4"), int(Sheet("magic", "1").text("# of Correction", "Test"))
        rates = [sheet.text(row, "Self-Heal") for row in sheet.rows()]
    steps = [(float(rate), 0.5 * 10 ** -len(rate.partition(".")[2]) + 1e-9) for rate in rates]
    fits = [
        n
        for n in range(1, most + 1)
        if all(np.abs(100 * np.arange(n + 1) / n - rate).min() <= half for rate, half in steps)
    ]
    assert [int(n) for n in finding.recomputed.split(": ")[1].split(", ")] == fits


def test_means_of_groups_are_plain_means_of_their_cells():
    sheet = Sheet("magic", "2")
    groups = {focus.MEDIUM_FOCUS: (focus.MEDIUM, focus.SMALL), focus.LARGE_FOCUS: (focus.LARGE, focus.MEDIUM)}
    for check, (upper, lower) in groups.items():
        for finding in of(check):
            column = finding.subject.removesuffix(", all models")
            high, low = (numbers(sheet, column, sheet.rows(group)).mean() for group in (upper, lower))
            assert (finding.verdict == "agrees") == (high > low)


@pytest.mark.parametrize(
    ("check", "name", "row", "column", "value"),
    [
        (parts.MICRO_F1, "2", "GPT 4.1", "MagiScore (Micro) / F1", "67.35"),
        (parts.MACRO_F1, "2", "GPT 4.1", "MagiScore (Macro) / F1", "69.00"),
        (parts.INSTANCES, "2", "GPT 4.1", "Final Answer / Full", "71.80"),
        (parts.RUNS_OF_ERRORS, "4", "Gemma 3 12B", "Self-Heal", "31.53"),
        (parts.STEPS_PER_INSTANCE, "1", "Avg. Steps/Inst.", "Dev", "12.03"),
        (focus.PERMISSIVE, "2", "GPT 4.1", "Final Answer / Full", "74.38"),
        (focus.EXHAUSTIVE, "2", "QvQ 72B", "MagiScore (Macro) / Recall", "59.35"),
        (reasoning.STEPSENSE_ORDER, "3", "Gemma 3 27B", "Accuracy / Answer", "65.1"),
        (reasoning.SELF_HEAL_STEP, "4", "Qwen2.5-VL 32B", "Self-Heal", "43.38"),
        (reasoning.SELF_HEAL_LAG, "4", "Gemma 3 12B", "Self-Heal", "35.5"),
    ],
)
def test_one_wrong_cell_is_noticed(monkeypatch, check, name, row, column, value):
    before = [finding.verdict for finding in of(check)]
    altered(monkeypatch, "magic", name, row, column, value)
    after = [finding.verdict for finding in of(check)]
    assert after.count("agrees") < before.count("agrees")


def test_a_right_cell_would_agree(monkeypatch):
    sheet = Sheet("magic", "1")
    steps, instances = (int(sheet.text(row, "WS")) for row in ("# of Steps", "# of Instances"))
    altered(monkeypatch, "magic", "1", "Avg. Steps/Inst.", "WS", f"{steps / instances:.2f}")
    (finding,) = (finding for finding in of(parts.STEPS_PER_INSTANCE) if finding.subject == "WS set")
    assert finding.verdict == "agrees"
