"""A set of gray pictures, light and dark, and models in the place of those on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import veridical as v
from veridical.suite import registry


@contextmanager
def tone_set(folder: Path, units: int, *, wide: bool = True) -> Iterator[Any]:
    """In each unit, two pictures of one size whose tones differ, and with `wide` one of another size."""

    def tones(_seed: int) -> Iterator[dict[str, Any]]:
        for unit in range(units):
            for group, tone in (("dark", 30), ("light", 200), ("wide", 90))[: 3 if wide else 2]:
                shape = (24, 90, 3) if group == "wide" else (60, 60, 3)
                noise = np.random.default_rng(unit).integers(0, 40, shape)
                truth = "lighter" if group == "light" else "darker"
                picture = (noise + tone).astype(np.uint8)
                yield {"id": f"{unit}_{group}", "unit": unit, "group": group, "picture": picture, "truth": truth}

    before = dict(registry._REGISTERED)
    registry.register(v.simple_suite(name="tones", items=tones, question="Which?", options=("darker", "lighter")))
    try:
        yield v.make("tones", out=folder)
    finally:
        registry._REGISTERED.clear()
        registry._REGISTERED.update(before)


@contextmanager
def in_place_of(made: Any, monkeypatch: Any) -> Iterator[None]:
    """Has a model that was made here loaded, in the place of one on disk."""
    with monkeypatch.context() as patch:
        patch.setattr("veridical.verbs.exchange.local_trials.load_model", lambda *_, **__: made)
        yield
