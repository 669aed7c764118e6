"""The table of architectures and read-outs: each is run by its verb over a set, and holds what it must hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ask import tiny
from tests.whitebox.architectures import ARCHITECTURES, loaded
from tests.whitebox.tones import in_place_of, tone_set

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
UNITS = 6


def states(stimuli: Any, model: str, out: Path) -> str:
    from veridical.whitebox.states import write_states

    table = write_states(stimuli, out / "states", model)
    assert not table.problems
    frame = table.frame().collect()
    names = [name for name in frame.columns if name.startswith(("tower.", "projector", "language."))]
    assert all(np.isfinite(frame[name].explode().to_numpy()).all() for name in names)
    (places,) = table.maps
    assert 0 <= places.unseen < 0.5
    return f"{len(names)} states, {len(places.boxes)} tokens"


def probe(_stimuli: Any, _model: str, out: Path) -> str:
    from veridical.internals.probe import probe_states

    table = probe_states(out / "states", targets=["label"], groups=[["dark", "light"]], shuffles=19).table
    tower = table.filter(state="tower.0", read="change").row(0, named=True)
    # Any network of random weights tells light from dark.
    assert tower["low"] > 0.5
    return f"R² {tower['r2']:.2f}"


def answers(stimuli: Any, model: str, out: Path) -> str:
    from veridical.whitebox.answers import write_answers

    table = write_answers(stimuli, out / "answers", model, reply_tokens=2)
    assert not table.problems
    frame = table.frame().collect()
    named = np.array([sum(json.loads(each).values()) for each in frame["probabilities"]])
    assert np.allclose(named + frame["probability_elsewhere"].to_numpy(), 1, atol=1e-5)
    return f"{len(frame)} answers"


def patch(stimuli: Any, model: str, out: Path) -> str:
    from veridical.whitebox.patch import write_patches

    table = write_patches(stimuli, out / "patch", model, pairs=["variant=dark,light"])
    assert not table.problems
    assert table.curve["share"][0] == pytest.approx(1, abs=1e-3)
    assert table.curve["share"][-1] == pytest.approx(0, abs=1e-3)
    return " ".join(f"{share:.2f}" for share in table.curve["share"])


def saliency(stimuli: Any, model: str, out: Path) -> str:
    from veridical.whitebox.saliency import KINDS, write_saliency

    table = write_saliency(stimuli, out / "saliency", model, kinds=KINDS)
    assert not table.problems
    maps = [np.load(file) for file in sorted((out / "saliency").rglob("*.npz"))]
    assert len(maps) == table.rows * len(KINDS)
    assert all(np.isfinite(each["saliency"]).all() and each["saliency"].min() >= 0 for each in maps)
    return f"{len(maps)} maps"


READ_OUTS: tuple[Callable[[Any, str, Path], str], ...] = (states, probe, answers, patch, saliency)


def test_every_read_out_works_on_every_architecture(tmp_path, monkeypatch, capsys):
    model = f"veridical-hf/{tiny.llava(tmp_path / 'llava')}"
    cells: dict[tuple[str, str], str] = {}
    with tone_set(tmp_path / "set", UNITS, wide=False) as stimuli:
        for name in ARCHITECTURES:
            with in_place_of(loaded(name), monkeypatch):
                for read in READ_OUTS:
                    try:
                        cells[name, read.__name__] = read(stimuli, model, tmp_path / name)
                    except Exception as error:  # noqa: BLE001 - the others are shown all the same
                        cells[name, read.__name__] = f"FAILED: {error}"
    lines = (
        f"{name:<12}" + "".join(f"{cells[name, each.__name__]:<28}" for each in READ_OUTS) for name in ARCHITECTURES
    )
    with capsys.disabled():
        sys.stdout.write("\n".join(["", *lines, ""]))
    assert not {place: cell for place, cell in cells.items() if cell.startswith("FAILED")}
