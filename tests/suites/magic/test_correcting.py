"""Observers that correct mistakes by themselves, when asked, silently or never: each has its name and its rate."""

from __future__ import annotations

import polars as pl
import pytest

import veridical
from veridical.suites.magic.analysis import ANALYSIS
from veridical.suites.magic.analysis.verdict import ITSELF, PERSISTS, TERMS, WHEN_ASKED, verdict

UNPROMPTED, PROMPTED = "unprompted", "prompted"
SETTINGS = {"view": ["all-boxes"], "prefix": ["region", "relation", "description", "true"]}
MECHANISMS = {
    "unasked": ({}, ITSELF),
    "when asked": ({"unprompted": 0.0}, WHEN_ASKED),
    "seldom unless asked": ({"unprompted": 0.2}, WHEN_ASKED),
    "never": ({"heals": 0.0}, PERSISTS),
    "silently": ({"heals": 0.0, "states": 1.0}, PERSISTS),
    "half, and half of the rest silently": ({"heals": 0.5, "states": 0.5}, None),
}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    return veridical.make("magic", out=tmp_path_factory.mktemp("scenes") / "set", units=4)


@pytest.fixture(scope="module", params=MECHANISMS)
def asked(request, scenes, tmp_path_factory):
    args, name = MECHANISMS[request.param]
    out = tmp_path_factory.mktemp("run") / "run"
    quiet = {"show": "quiet", "analyze": False}
    made = veridical.run(
        scenes, "veridical/simulated", out=out, model_args=args, settings=SETTINGS, judge="rule", **quiet
    )
    return args, name, made


def rates(estimates, metric):
    """The figures over all kinds of wrong prefixes, by whether the request to correct was made."""
    keys = {"judge", "rubric", "injection", "correcting", "chain_by"}
    return {each.slice["correcting"]: each for each in estimates if each.metric == metric and set(each.slice) == keys}


def test_who_corrects_has_a_name_that_says_whether_it_was_asked_to(asked):
    _, name, made = asked
    found = verdict(made.evidence(), made.estimates()).parts[2]
    assert found.name == name or (name is None and found.tone == "open")


def test_the_measured_rate_is_that_of_the_mechanism(asked):
    args, _, made = asked
    healing, stated = args.get("heals", 1.0), args.get("states", 0.0)
    true = {PROMPTED: healing, UNPROMPTED: healing * args.get("unprompted", 1.0)}
    estimates = made.estimates()
    for metric, of in (("heals", lambda share: share), ("states", lambda share: share + (1 - share) * stated)):
        found = rates(estimates, metric)
        assert set(found) == {PROMPTED, UNPROMPTED}
        for correcting, each in found.items():
            assert each.low <= of(true[correcting]) <= each.high, (metric, correcting, each.value)


def test_what_is_stated_silently_names_no_mistake(asked):
    args, _, made = asked
    rows = made.evidence().outcomes("heal-grade")
    silent = rows.filter((pl.col("score_states") == 1) & (pl.col("score_heals") == 0))
    assert set(silent["score_names"]) <= {0.0}
    assert bool(len(silent)) == bool(args.get("states"))


def test_every_name_is_explained():
    assert {ITSELF, WHEN_ASKED, PERSISTS} <= set(TERMS)
    assert "unprompted" in ANALYSIS.measures["heals"].definition
