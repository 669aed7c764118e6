"""Runs that hold too little: each figure has a value or the reason why not, and no verdict has a name."""

import json
import math
from collections import Counter

import pytest

import veridical
from tests.suites.viprobe.folders import write_release
from tests.suites.viprobe.test_unanswered import without
from veridical.suite.evidence import Evidence
from veridical.suites.viprobe.analysis import ANALYSIS
from veridical.suites.viprobe.verdicts import comparison_verdicts, verdicts
from veridical.suites.viprobe.verdicts.names import DECIDED, MISSING, OPEN
from veridical.verbs.results.report import export

pytestmark = pytest.mark.usefixtures("no_figures")
SMALL = {"cases": ["muller_lyer"], "levels": 2, "size": 128}


def run_on(place, stimuli, model="veridical/simulated", **more):
    return veridical.run(stimuli, model, out=place, show="quiet", **more)


@pytest.fixture(scope="module")
def thin(tmp_path_factory):
    """A run for each thing that a set may lack, and one on a release."""
    place = tmp_path_factory.mktemp("thin")
    write_release(place / "published", [1, 12], scales=(1.0,), strengths=(1.2,))
    sets = {"release": veridical.import_release("viprobe", place / "published", place / "imported")}
    for name, variants, units in (
        ("O alone", ["O"], 2),
        ("P alone", ["P"], 2),
        ("controls alone", ["OC", "PC"], 2),
        ("figures alone", ["O", "P"], 2),
        ("one unit", ["O", "P", "OC", "PC"], 1),
    ):
        sets[name] = veridical.make("viprobe", out=place / name, variants=variants, units=units, **SMALL)
    return {name: run_on(place / f"run {name}", each) for name, each in sets.items()}


THIN = ("O alone", "P alone", "controls alone", "figures alone", "one unit", "release")


def told(found):
    """Every figure is a number or has its reason."""
    for each in found:
        assert (each.value is not None and math.isfinite(each.value)) or each.reason, each
    return found


@pytest.mark.parametrize("name", THIN)
def test_a_thin_run_has_figures_or_reasons_and_no_name(thin, name):
    run = thin[name]
    assert told(run.estimates())
    for judge in (verdicts, comparison_verdicts):
        for each in judge(run.outcomes()):
            assert each.name not in DECIDED, each
            assert each.evidence or each.needs
    page = veridical.write_report([run], run.folder / "page.html").read_text()
    assert "Traceback" not in page


def test_two_runs_of_one_model_stand_side_by_side(thin, tmp_path):
    first = thin["one unit"]
    both = [first, run_on(tmp_path / "again", first.folder.parent / "one unit")]
    assert veridical.write_report(both, tmp_path / "page.html").exists()
    rows = json.loads(export(both, "json"))
    assert set(Counter(each["model"] for each in rows).values()) == {len(first.estimates())}
    assert len({each["model"] for each in rows}) == len(both)


@pytest.mark.parametrize("kind", ["O", "P", "OC", "PC"])
def test_a_kind_of_pictures_without_any_reply_is_said_and_names_nothing(thin, kind):
    outcomes = thin["one unit"].outcomes()
    lacking = without(outcomes, [k for k, variant in enumerate(outcomes["variant"]) if variant == kind])
    found = told(ANALYSIS.estimates(Evidence.of({"ask": lacking})))
    assert all(each.value is None for each in found if dict(each.slice) == {"variant": kind} and each.metric == "PFA")
    assert {each.name for each in verdicts(lacking)} <= {OPEN, MISSING}
