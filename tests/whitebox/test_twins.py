"""Models whose insides are known are told apart: one sees and recites on figures, another has nothing to see."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from studies.inside.lessons import ASKED, OPENING, planned, question_of, reply_of
from studies.inside.model import build
from studies.inside.study import Amounts, drawn, teach_twins
from studies.inside.twins import GROUPS, TWINS

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
SMALL = Amounts(taught=48, tower_steps=130, answer_steps=280, read=6)
READ = {"settings": {**ASKED, "polarity": "forward"}}
EASY = "mach_band"
"""A case that a tower learns in fewer steps than that of the study."""


def read(stimuli, model, out):
    """R² of the change in the tower's last layer by group, and the curve of patched runs."""
    from veridical.internals.probe import probe_states
    from veridical.whitebox.patch import write_patches
    from veridical.whitebox.states import write_states

    name, groups = f"veridical-hf/{model}", [group.split(",") for group in GROUPS]
    states = write_states(stimuli, out / "states", name, places=False, **READ)
    table = probe_states(states.folder, targets=["label"], groups=groups, shuffles=19).table
    pairs = [f"variant={group}" for group in GROUPS]
    curve = write_patches(stimuli, out / "patch", name, pairs=pairs, opening=OPENING, **READ).curve
    tower = table.filter(~pl.col("group").str.contains(" − "), state="tower.2", read="change", source="model")
    return tower, curve.filter(depth="projector")


def test_a_model_that_sees_and_recites_has_the_change_in_its_tower_and_answers_it_on_controls_alone(tmp_path):
    (override,) = (twin for twin in TWINS if twin.name == "override")
    teach_twins(tmp_path, [override], drawn(tmp_path / "taught", 1, SMALL.taught, EASY), 0, SMALL)
    tower, curve = read(drawn(tmp_path / "read", 2, SMALL.read, EASY), tmp_path / "override", tmp_path / "out")
    figures, controls = tower.filter(group=GROUPS[0]), tower.filter(group=GROUPS[1])
    assert min(figures["r2"][0], controls["r2"][0]) > 0.5
    on_figures, on_controls = curve.rows(named=True)
    assert on_figures["changed"] <= 0.1 * on_figures["pairs"]
    assert on_controls["changed"] >= 0.9 * on_controls["pairs"]
    assert on_controls["effect_low"] > on_figures["effect_high"]


def test_a_model_whose_pictures_are_cropped_has_the_change_nowhere(tmp_path):
    stimuli = drawn(tmp_path / "read", 2, SMALL.read)
    texts = [question_of(trial) for trial in planned(stimuli).trials]
    found = {}
    for cropped in (True, False):
        model = build(tmp_path / f"model-{cropped}", texts, [reply_of(0), reply_of(1)], 0, cropped=cropped)
        found[cropped] = read(stimuli, model, tmp_path / f"out-{cropped}")
    tower, curve = found[True]
    assert tower["r2"].null_count() == len(tower)
    assert np.allclose(curve["effect"], 0, atol=1e-4)
    assert curve["reason"].null_count() == 0
    tower, curve = found[False]
    assert tower["r2"].null_count() == 0
    assert curve["effect"].min() > 1e-3
