"""VI-Probe's checks against other ways to compute the same, and against changed cells."""

import numpy as np
import polars as pl
import pytest

from tests.published.altered import altered
from tests.published.conftest import forget
from veridical.published.printed import table
from veridical.published.viprobe import claims, claims_of_tables, counts, figures, interventions, sampling

TYPES = list(figures.TYPES)


def of(check):
    """The findings of one check, by subject; the part that declares it is run alone."""
    parts = [
        part for part in (claims_of_tables, counts, claims, figures, interventions) if check in vars(part).values()
    ]
    found = (parts or [figures])[0].findings()
    return {finding.subject: finding for finding in found if finding.check is check}


def wide(name):
    """A table with a row per model and its columns as numbers, by another reading than the checks use."""
    frame = table("viprobe", name).pivot("column", index="row", values="value", maintain_order=True)
    return frame.with_columns(pl.exclude("row").str.strip_prefix("+").cast(pl.Float64, strict=False))


def test_the_multiplier_is_that_of_floating_point_arithmetic():
    for row in wide("2").iter_rows(named=True):
        o, p, oc, pc = (row[kind] / 100 for kind in TYPES)
        r = abs(o - p) / (abs(oc - pc) + 0.001)
        finding = of(claims_of_tables.MULTIPLIER)[row["row"]]
        low, high = finding.recomputed.split("proportion: ")[1].split(";")[0].split(" to ")
        assert float(low) <= r <= float(high)
        assert (finding.verdict == "agrees") >= (round(r, 2) == row["R"])


@pytest.mark.parametrize(("name", "label"), [("9", "original / effect"), ("11", "original control / difference")])
def test_means_over_models_are_those_of_numpy(name, label):
    values = wide(name)[label].to_numpy()
    choices = interventions._means(name, label, 1)
    for choice, expected in (("15 models", values.mean()), (list(choices)[1], values[values > 0].mean())):
        assert float(choices[choice].low) <= expected <= float(choices[choice].high)
        assert float(choices[choice].high - choices[choice].low) == pytest.approx(0.01)


def test_counts_of_models_are_those_of_polars():
    effects = wide("9")["perturbed / effect"]
    said = of(interventions.HINTS_DOWN)
    assert said["hints, main text, fall"].recomputed == f"{(effects < 0).sum()} of {len(effects)}"
    assert said["hints, main text, rise"].recomputed == f"{(effects > 0).sum()} of {len(effects)}"
    frame = wide("2")
    inverted = (frame[TYPES[1]] > frame[TYPES[0]]).sum()
    assert of(claims.UNIQUE)["models"].recomputed == f"{inverted} of {len(frame)}"


def test_the_interval_of_r_covers_r_in_95_of_100_samples_of_independent_pictures():
    rates, runs, rng = (0.85, 0.10, 0.92, 0.35), 1500, np.random.default_rng(3)
    sizes = np.array([290, 2900, 290, 2900])
    truth = (rates[0] - rates[1]) / (rates[2] - rates[3])
    hits = 0
    for cells in rng.binomial(sizes, rates, size=(runs, 4)) / sizes:
        low, high = sampling.interval(tuple(map(float, cells)), 290)
        hits += low <= truth <= high
    assert 0.93 <= hits / runs <= 0.97


CHANGES = [
    ("2", "GPT-5", "R", "2.97", claims_of_tables.MULTIPLIER, "GPT-5", "disagrees"),
    ("2", "GPT-5", "illusion / average", "48.11", claims_of_tables.AVERAGES, "GPT-5, illusion", "disagrees"),
    ("9", "GPT-5", "original / effect", "+2.65", claims_of_tables.CHANGES, "Table 9, GPT-5, original", "disagrees"),
    ("3", "GPT-5", "visual hints / original", "+1.66", claims_of_tables.COPIES, "GPT-5, hints, original", "disagrees"),
    ("8", "gpt-4o", "original", "70.31", counts.WHOLE, "Table 8, gpt-4o, original", "impossible"),
    ("8", "gpt-4o", "R", "1.05", claims_of_tables.EARLIER, "gpt-4o", "disagrees"),
    ("12", "GPT-5", "inducer", "0.91", interventions.INDUCER, "Table 12", "disagrees"),
    ("13", "Qwen2.5-VL-3B", "perturbed", "0.98", interventions.BEST, "models", "disagrees"),
    ("11", "GPT-5", "perturbed control / without prompt", "69.92", figures.prose.LENGTH, "OpenAI", "disagrees"),
]


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(("name", "row", "column", "value", "check", "subject", "verdict"), CHANGES)
def test_a_changed_cell_is_noticed(monkeypatch, name, row, column, value, check, subject, verdict):
    assert of(check)[subject].verdict == "agrees"
    altered(monkeypatch, "viprobe", name, row, column, value)
    forget()
    assert of(check)[subject].verdict == verdict


@pytest.mark.usefixtures("unread")
def test_the_digits_that_the_stated_effect_gives_are_a_whole_count(monkeypatch):
    """6.03 and a rise of 0.33 were added as rounded; the rate itself ends in another digit."""
    subject = "Table 9, Qwen2.5-VL-72B, perturbed / with hints"
    assert of(counts.WHOLE)[subject].verdict == "impossible"
    altered(monkeypatch, "viprobe", "9", "Qwen2.5-VL-72B", "perturbed / with hints", "6.36")
    forget()
    assert of(counts.WHOLE)[subject].verdict == "agrees"
    assert of(claims_of_tables.CHANGES)["Table 9, Qwen2.5-VL-72B, perturbed"].verdict == "agrees"
