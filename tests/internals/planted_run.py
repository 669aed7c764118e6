"""Readings of a run's model without a model: states with a planted signal, patched runs, answers, maps of tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tests.internals.test_patch_curve import DEPTHS, row
from veridical.internals.patch_curve import curve_svg, patch_curve
from veridical.internals.token_map import MapTable, TokenMap
from veridical.verbs.results.result import open_run

STATES = ("tower.0", "tower.1", "projector", "language.0.picture", "language.0.answer")
SIZE = 10


def plant_states(
    run: Path, carrying: dict[str, float], *, target: str = "alpha", name: str = "states", random: int | None = None
) -> Path:
    """States of a run's trials, in which those named carry a factor with some strength, beside each unit's own."""
    result, rng = open_run(run), np.random.default_rng(7 if random is None else 100 + random)
    direction = rng.normal(size=SIZE)
    own: dict[str, Any] = {}
    rows = []
    for trial in result.run.trials():
        unit = own.setdefault(trial.unit, rng.normal(size=SIZE) * 3)
        states = {
            each: unit + rng.normal(size=SIZE) * 0.5 + carrying.get(each, 0) * direction * trial.factors[target]
            for each in STATES
        }
        facts = {"trial": trial.id, "stimulus": trial.stimulus, "unit": trial.unit, "variant": trial.variant}
        facts |= {target: float(trial.factors[target]), "label": trial.gold, "problem": None}
        pixels = {"pixels": np.full(SIZE, 0.5) + unit / 100}
        rows.append(facts | {k: np.asarray(v, np.float32).tolist() for k, v in (pixels | states).items()})
    folder = run / "inside" / name
    (folder / "states").mkdir(parents=True)
    lists = dict.fromkeys(("pixels", *STATES), pl.List(pl.Float32))
    pl.DataFrame(rows, schema_overrides={**lists, "problem": pl.String, "label": pl.String}).write_parquet(
        folder / "states" / "000000.parquet"
    )
    write_identity(folder, "states", result.run.identity, {} if random is None else {"random_weights": random})
    return folder


def write_identity(folder: Path, name: str, identity: dict, more: dict | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    own = {key: identity[key] for key in ("suite", "model", "set", "trials")} | (more or {})
    (folder / f"{name}.json").write_text(json.dumps({"format": 1, "identity": own}))


def plant_patches(run: Path, group: str = "O → P") -> None:
    """A curve of patched runs with planted shares."""
    rng, folder = np.random.default_rng(0), run / "inside" / "patch"
    write_identity(folder, "patch", open_run(run).run.identity)
    rows = [row(unit, group, (1, 0.9, 0.3, 0), rng, spread=0.1) for unit in range(12)]
    curve = patch_curve(pl.DataFrame(rows))
    assert set(curve["depth"]) == set(DEPTHS)
    curve.write_parquet(folder / "curve.parquet")
    (folder / "curve.svg").write_text(curve_svg(curve))


def plant_answers(run: Path, flags: dict[str, int], agreeing: int) -> None:
    """Answers of which so many agree with the replies, and others are flagged."""
    folder = run / "inside" / "answers"
    write_identity(folder, "answers", open_run(run).run.identity)
    (folder / "answers").mkdir()
    reasons = [None] * agreeing + [reason for reason, count in flags.items() for _ in range(count)]
    columns = {"trial": [str(k) for k in range(len(reasons))], "problem": [None] * len(reasons), "flag": reasons}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    frame.write_parquet(folder / "answers" / "000000.parquet")


def plant_map(folder: Path, width: int, height: int, seen: float) -> None:
    """A map of one token that sees the left part of a picture."""
    MapTable(folder / "places.parquet").keep(TokenMap(width, height, np.array([[0.0, 0, seen * width, height]])))
