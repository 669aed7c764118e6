"""What textbooks say, asked without a picture, and what is recalled where that is known."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import veridical
from veridical.records import Media, Text
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.viprobe.asking.trials import trials
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.presentation.more_tables import more_tables

pytestmark = pytest.mark.usefixtures("no_figures")
SIGHTS = {"sight": ["shown", "prior"]}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("priors") / "set"
    return veridical.make("viprobe", out=folder, cases=["muller_lyer", "zollner"], units=12, levels=2, size=96)


def asked(stimuli, **levels):
    return list(trials(stimuli, AskingOptions(levels, None, PlannedMedia())))


def ran(small, out, settings=SIGHTS, **model_args):
    return veridical.run(
        small, "veridical/simulated", out=out, settings=settings, model_args=model_args, show="quiet", analyze=False
    )


def found(run):
    return {(each.metric, frozenset(each.slice.items())): each for each in run.estimates()}


def at(table, metric, **where):
    return table[metric, frozenset(where.items())]


def test_textbooks_are_asked_about_once_a_base_item_and_polarity_without_a_picture(small):
    made = [trial for trial in asked(small.stimuli, **SIGHTS) if trial.settings.get("sight") == "prior"]
    units = list(dict.fromkeys(each.unit for each in small.stimuli))
    assert [(trial.unit, trial.settings["polarity"]) for trial in made] == [
        (unit, polarity) for unit in units for polarity in ("forward", "reversed")
    ]
    originals = {each.unit: each.label for each in small.stimuli if each.variant == "O"}
    for trial in made:
        (message,) = trial.messages
        (part,) = message.parts
        assert isinstance(part, Text)
        assert f"“{CASES[trial.family].title}”" in part.text
        label = originals[trial.unit]
        assert trial.gold == (label if trial.settings["polarity"] == "forward" else str(1 - int(label)))


def test_all_other_trials_are_those_of_a_run_without_the_arm(small):
    plain, with_arm = asked(small.stimuli), asked(small.stimuli, **SIGHTS)
    assert plain == [trial for trial in with_arm if "sight" not in trial.settings]
    assert all(any(isinstance(part, Media) for part in trial.messages[-1].parts) for trial in plain)
    only = asked(small.stimuli, sight=("prior",), task=("yes-no", "comparison"), instruction=("none", "weigh"))
    assert {(trial.settings["sight"], trial.settings["task"], trial.settings["instruction"]) for trial in only} == {
        ("prior", "yes-no", "none")
    }


def test_a_figure_that_is_not_ours_is_not_asked_for(small):
    strange = [replace(each, family="own", unit=f"own/{k}") for k, each in enumerate(small.stimuli[:9])]
    assert not [trial for trial in asked(strange, **SIGHTS) if trial.settings.get("sight") == "prior"]


def test_figures_about_pictures_are_those_of_a_run_without_the_arm(small, tmp_path):
    plain = found(ran(small, tmp_path / "plain", settings=None, mechanism="veridical"))
    both = found(ran(small, tmp_path / "both", mechanism="veridical"))
    own = {"knows_textbook", "textbook_rate"}
    assert {key for key in both if key not in plain} == {
        key for key in both if key[0] in own or dict(key[1]).get("prior")
    }
    exact = ("PFA", "CbW", "TFI", "no_pair", "accuracy")
    for key, each in plain.items():
        if key[0] in exact:
            assert (both[key].n_units, both[key].counts) == (each.n_units, each.counts)


def test_one_that_recalls_what_it_knows_gives_the_textbooks_answer_where_it_states_it(small, tmp_path):
    run = ran(small, tmp_path / "run", mechanism="memory_override", recognition=0.5, jnd=0.001)
    table = found(run)
    knows = at(table, "knows_textbook")
    assert 0.2 < knows.value < 0.8
    assert at(table, "textbook_rate", context="figure", prior="stated").value == 1.0
    assert at(table, "textbook_rate", context="figure").value == pytest.approx(knows.value)
    assert at(table, "textbook_rate", context="control", prior="stated").value < 0.5
    assert at(table, "response", context="figure", prior="stated").value == 0.0
    assert at(table, "response", context="figure", prior="stated").n_units == round(knows.value * 24)
    (shown,) = [each for each in more_tables([run.result()]) if each.name == "textbook"]
    assert [row[1] for row in shown.rows] == ["all", "muller_lyer", "zollner"]
    kept = [json.loads(text) for text in run.outcomes()["settings"].unique()]
    assert sum("sight" in each for each in kept) == 2


def test_without_the_arm_there_is_no_such_table(small, tmp_path):
    run = ran(small, tmp_path / "run", settings=None, mechanism="veridical")
    assert not [key for key in found(run) if key[0] in {"knows_textbook", "textbook_rate"}]
    (shown,) = [each for each in more_tables([run.result()]) if each.name == "textbook"]
    assert not shown.rows
