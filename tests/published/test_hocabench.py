"""HOCA-Bench's checks against other ways to compute the same, and against changed cells."""

import re

import numpy as np
import polars as pl
import pytest

from tests.published.altered import altered
from veridical.published import table
from veridical.published.hocabench import counts, gaps, index, layout, marks, quoted, scaling
from veridical.published.printed import Sheet

MAIN = Sheet("hocabench", "2")
ROWS = layout.models()


@pytest.fixture(autouse=True)
def _sizes_are_told_anew():
    layout.allowed.cache_clear()
    yield
    layout.allowed.cache_clear()


def of(check):
    (module,) = (module for module in (counts, gaps, index, marks, quoted, scaling) if check in vars(module).values())
    return [finding for finding in module.findings() if finding.check is check]


def column(name):
    return np.array([float(MAIN.text(row, name)) for row in ROWS])


def test_the_numbers_of_videos_are_found_by_counting_too():
    for kind in layout.KINDS:
        rates = np.concatenate([column(f"{task} / {kind}") for task in layout.COUNTED])
        most = layout.single_anomaly()
        fits = [
            n
            for n in range(1, most + 1)
            if all(np.abs(100 * np.arange(n + 1) / n - rate).min() <= 0.05 + 1e-9 for rate in rates)
        ]
        assert list(layout.allowed(kind)) == fits
    assert sum(layout.kind_sizes().values()) == most


@pytest.mark.parametrize(
    ("check", "subject", "by_videos"),
    [
        (index.ONE_WEIGHTING, "all tasks over videos", layout.TASKS),
        (index.ONE_WEIGHTING, "all tasks plainly", ()),
        (index.MIXED, None, ("Task IV",)),
    ],
)
def test_the_index_is_the_mean_of_four_however_a_task_is_averaged(check, subject, by_videos):
    weights = list(layout.kind_sizes().values())
    parts = [column("Task I / F1")]
    for task in layout.TASKS:
        cells = np.array([column(f"{task} / {kind}") for kind in layout.KINDS])
        parts.append(np.average(cells, axis=0, weights=weights if task in by_videos else None))
    fits = np.abs(np.mean(parts, axis=0) - column("H-Index (Avg)")) <= 0.1 + 1e-9
    if subject is None:
        assert [finding.verdict == "agrees" for finding in of(check)] == fits.tolist()
    else:
        (finding,) = (finding for finding in of(check) if finding.subject == subject)
        assert int(finding.recomputed.split()[0]) == fits.sum()
        ahead = np.mean(parts, axis=0)
        (best,) = (finding for finding in of(index.BEST_EITHER_WAY) if finding.subject.endswith(subject))
        assert (best.verdict == "agrees") == (ROWS[int(ahead.argmax())] == "Qwen3-VL-32B (T)")


def test_mean_drops_are_those_of_numpy():
    means = {
        kind: np.array([column(f"{task} / {kind}").mean() for task in layout.TASKS]) for kind in ("Onto.", "Caus.")
    }
    pairs = [*zip(means["Onto."], means["Caus."], strict=True), (means["Onto."].mean(), means["Caus."].mean())]
    for finding, (onto, causal) in zip(of(gaps.DROP), pairs, strict=True):
        low, high, bottom, top = map(float, re.findall(r"-?\d+\.\d", finding.recomputed))
        assert low <= 100 * (1 - causal / onto) <= high
        assert bottom <= onto - causal <= top
        assert (finding.verdict == "agrees") == (max(100 * (1 - causal / onto), onto - causal) > 20)


def test_rows_are_counted_as_numpy_counts_them():
    for finding in of(gaps.ALL_MODELS):
        onto, causal = (column(f"{finding.subject} / {kind}") for kind in ("Onto.", "Caus."))
        bounds = [int(n) for n in re.findall(r"\d+", finding.recomputed)][:-1]
        assert bounds[0] <= (onto > causal).sum() <= bounds[-1]
    for finding in of(gaps.DROP_EACH):
        onto, causal = (column(f"{finding.subject} / {kind}") for kind in ("Onto.", "Caus."))
        bounds = [int(n) for n in re.findall(r"\d+", finding.recomputed)][:-1]
        assert bounds[0] <= (100 * (onto - causal) / onto > 20).sum() <= bounds[-1]


def test_totals_of_marks_are_added_by_polars_too():
    cells = table("hocabench", "marks").filter(group="case study").with_columns(pl.col("value").cast(pl.Int64))
    total = pl.col("column") == "Total"
    sums = cells.group_by("row").agg(
        stated=pl.col("value").filter(total).sum(), added=pl.col("value").filter(~total).sum()
    )
    verdicts = {finding.subject: finding.verdict for finding in of(marks.TOTALS)}
    assert verdicts == {
        row: "agrees" if stated == added else "disagrees"
        for row, stated, added in sums.select("row", "stated", "added").iter_rows()
    }


def test_guessing_is_drawn_at_random_too():
    rng = np.random.default_rng(5)
    options = {"Task II": 9, "Task III": 4}
    for finding in of(counts.CHANCE):
        task = finding.subject.partition(" / ")[0]
        if task in options:
            hits = 100 * (rng.integers(options[task], size=400_000) == 0).mean()
            assert (finding.verdict == "agrees") == (abs(hits - float(finding.printed)) < 0.5)


def test_one_average_for_all_rows_would_agree(monkeypatch):
    sheet = Sheet("hocabench", "5")
    for model in sheet.groups():
        for part, task in (("T-II", "Task II"), ("T-III", "Task III")):
            cells = [float(MAIN.text(scaling.IN_MAIN[model], f"{task} / {kind}")) for kind in layout.KINDS]
            altered(monkeypatch, "hocabench", "5", "16f", part, f"{np.mean(cells):.1f}", model)
    verdicts = {finding.subject: finding.verdict for finding in of(scaling.ONE_AVERAGE)}
    assert verdicts["plain"] == "agrees"


@pytest.mark.parametrize(
    ("check", "name", "group", "row", "column", "value"),
    [
        (counts.SUMS, "text", None, "temporal grounding", "QA pairs", "201"),
        (counts.SHARES, "6", None, "Sora", "Percentage (%)", "9.8"),
        (counts.SPLIT, "2", None, "GPT-4o", "Task II / Onto.", "16.0"),
        (counts.PROBES, "4", None, "Gemini-2.5-Flash", "Acc (%)", "14.71"),
        (counts.TRIPLE, "3", None, "Time-R1-7B", "mIoU (%)", "26.3"),
        (index.MIXED, "2", None, "GPT-4o", "Task IV / Caus.", "63.2"),
        (index.BEST, "2", None, "GPT-4o", "H-Index (Avg)", "75.4"),
        (index.GROWTH, "2", None, "Qwen3-VL-8B", "H-Index (Avg)", "56.5"),
        (quoted.QUOTED, "text", None, "GLM 9B", "H-Index", "62.7"),
        (marks.RUBRIC, "marks", None, "Rubric", "Anomaly", "20"),
        (marks.TOTALS, "marks", None, "Gemini-2.5-Flash", "Scene", "25"),
        (scaling.INDEX, "5", "Qwen3-VL-8B", "64f", "H-Idx", "66.8"),
        (scaling.CHANGE, "5", "Qwen3-VL-8B", "64f", "H-Idx / change", "+0.3"),
        (scaling.POOLED, "5", "Qwen3-VL-8B", "64f", "T-II", "47.2"),
    ],
)
def test_one_wrong_cell_is_noticed(monkeypatch, check, name, group, row, column, value):
    before = [finding.verdict for finding in of(check)]
    altered(monkeypatch, "hocabench", name, row, column, value, group)
    layout.allowed.cache_clear()
    after = [finding.verdict for finding in of(check)]
    assert after.count("agrees") < before.count("agrees")


def test_an_example_that_fits_would_agree(monkeypatch):
    for kind in layout.KINDS:
        altered(monkeypatch, "hocabench", "2", f"{gaps.EXAMPLE} (T)", f"Task IV / {kind}", "99.0")
    assert [finding.verdict for finding in of(gaps.THINKING_EXAMPLE)] == ["agrees"]
