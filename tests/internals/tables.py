"""Tables of states without a model: signals planted in some layers and lost in others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl

UNITS, STRENGTHS = 40, (-1.0, -0.5, 0.0, 0.5, 1.0)


def planted_states(folder: Path, seed: int = 0, *, random: bool = False) -> Path:
    """A folder of states in which group "figure" has a strength in the tower that its text model loses.

    In group "control" both have it. Each unit has a state of its own, ten times as large. Random weights, and the first
    layer of the tower, have noise alone; pooled pixels show the strength in one cell.
    """
    rng, rows = np.random.default_rng(seed + random), []
    direction, own = rng.normal(size=12), np.random.default_rng(99).normal(size=(UNITS, 12)) * 10
    for unit in range(UNITS):
        for variant in ("figure", "control"):
            for strength in STRENGTHS:
                kept = {"tower.0": 0, "tower.1": 1, "projector": 1, "language.0.picture": variant == "control"}
                states = {
                    name: own[unit] + rng.normal(size=12) * 0.5 + has * strength * direction * (not random)
                    for name, has in {**kept, "language.0.answer": 0}.items()
                }
                pixels = np.full(12, 0.5) + unit / 100 + np.eye(12)[3] * strength / 4
                name = f"u{unit}-{variant}-{strength}"
                facts = {"trial": f"{name}?form", "stimulus": name, "unit": f"u{unit}", "variant": variant}
                facts |= {"strength": strength, "label": "yes" if strength > 0 else "no", "problem": None}
                rows.append(
                    {
                        **facts,
                        **{k: each.astype(np.float32).tolist() for k, each in {"pixels": pixels, **states}.items()},
                    }
                )
    (folder / "states").mkdir(parents=True)
    lists = {name: pl.List(pl.Float32) for name in ("pixels", *states)}
    frame = pl.DataFrame(rows, schema_overrides={**lists, "problem": pl.String})
    for part in range(2):
        half = len(frame) // 2
        frame.slice(part * half, half).write_parquet(folder / "states" / f"{part:06d}.parquet")
    identity = {"model": "veridical-hf/m", "set": "s", "trials": "t", "random_weights": 3 if random else None}
    (folder / "states.json").write_text(json.dumps({"format": 1, "identity": identity}))
    return folder
