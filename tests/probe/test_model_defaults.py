"""Levels that a suite takes for a model of which something is stated in the user's file of models."""

import json
from dataclasses import replace

import pytest

from tests.probe.staged import drawn
from tests.probe_suite import SUITE
from tests.probe_suite.asking import ASKING
from veridical.errors import InputError
from veridical.suite.stages import MODEL
from veridical.verbs.exchange.trials import write_trials
from veridical.verbs.plans.plan import plan
from veridical.verbs.runs.preparation import prepare_stage
from veridical.verbs.runs.roles import roles_of
from veridical.verbs.runs.roster import facts_about
from veridical.verbs.runs.stage_states import Ready
from veridical.verbs.sets import open_set

FILE = """
["org/eye"]
thinking = true

["slow"]
model = "org/brain"
thinking = true

["fast"]
model = "org/brain"
thinking = false
"""


def by_thinking(about):
    return {"tone": ("polite",)} if about.thinking else {}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "models.toml"
    path.write_text(FILE)
    return path


@pytest.fixture
def suite():
    return replace(SUITE, parts={**SUITE.parts, "asking": replace(ASKING, defaults_for=by_thinking)})


def settings(suite, model, **options):
    return roles_of(suite, model, options, keys=False)[MODEL].options.get("settings")


@pytest.mark.parametrize(
    ("model", "expected"),
    [("org/eye", {"tone": ("polite",)}), ("slow", {"tone": ("polite",)}), ("fast", {}), ("org/other", {})],
)
def test_a_model_has_the_defaults_of_what_is_stated_of_it_by_its_table(suite, file, model, expected):
    assert settings(suite, model, models=file) == expected


def test_the_model_under_test_may_be_named_by_its_role(suite, file):
    roles = roles_of(suite, None, {"models": file, "roles": {MODEL: "slow"}}, keys=False)
    assert roles[MODEL].options["settings"] == {"tone": ("polite",)}


def test_what_a_user_chooses_comes_before_and_other_settings_stay(suite, file):
    assert settings(suite, "slow", models=file, settings={"tone": "plain"}) == {"tone": "plain"}
    chosen = settings(suite, "slow", models=file, settings={"lens": "derived"})
    assert chosen == {"tone": ("polite",), "lens": "derived"}


def test_a_suite_without_such_defaults_leaves_the_options_as_they_are(file):
    assert settings(SUITE, "slow", models=file) is None
    assert settings(SUITE, "slow", models=file, settings={"lens": "derived"}) == {"lens": "derived"}


def test_the_usual_place_is_read_and_may_be_empty(suite, file, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert facts_about("slow", None).thinking is True
    assert facts_about("org/brain", None).thinking is False
    file.unlink()
    assert facts_about("slow", None).facts() == {}
    assert settings(suite, "org/eye") == {}


def test_a_file_that_is_none_is_an_error_in_one_line(suite, file):
    file.write_text("[m")
    with pytest.raises(InputError, match="is no list of models"):
        settings(suite, "org/eye", models=file)


def test_trials_and_plans_have_the_levels(suite, file, tmp_path, monkeypatch):
    folder = drawn(tmp_path / "set", sums=2)
    role = roles_of(suite, "org/eye", {"models": file}, keys=False)[MODEL]
    setup = prepare_stage(suite, open_set(folder), Ready(suite.asking.ordered[0]), role)
    assert {trial.settings["tone"] for trial in setup.trials} == {"polite"}
    assert "tone: polite" in str(setup)
    assert setup.identity()["settings"]["tone"] == ["polite"]
    monkeypatch.setattr("veridical.verbs.plans.plan.registry.get", lambda *_: suite)
    own, other = (plan(open_set(folder), model, models=file).text_tokens for model in ("org/eye", "org/other"))
    assert own != other


def test_a_batch_for_a_model_has_the_levels(suite, file, tmp_path, monkeypatch):
    folder = drawn(tmp_path / "set", sums=2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("veridical.verbs.sets.registry.get", lambda *_: suite)
    state = Ready(suite.asking.ordered[0])
    role = roles_of(suite, "org/eye", {}, keys=False)[MODEL]
    made = open_set(folder)
    wanted = {made.opaque(trial.id) for trial in prepare_stage(suite, made, state, role).trials}
    write_trials(folder, tmp_path / "batch.jsonl", batch=True, model="org/eye")
    assert {json.loads(line)["custom_id"] for line in (tmp_path / "batch.jsonl").read_text().splitlines()} == wanted
    write_trials(folder, tmp_path / "batch.jsonl", batch=True, model="org/other")
    assert {json.loads(line)["custom_id"] for line in (tmp_path / "batch.jsonl").read_text().splitlines()} != wanted
