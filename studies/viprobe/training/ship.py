"""Installing weights with their cards, and storing PyTorch's outputs on a few pictures as reference."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.viprobe.training.arms import SHIPPED
from veridical.base.files import replace_atomically, write_whole
from veridical.media.draw import rasterise
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.case import Context
from veridical.suites.viprobe.observers import LEARNED
from veridical.suites.viprobe.observers.learned_observers.network import SIZES, retina
from veridical.suites.viprobe.observers.learned_observers.questions import numbers, topic
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights

KEPT_UNITS, STRENGTH = 3, 0.5
CONTEXTS: tuple[Context, ...] = ("figure", "control")


def ship(folder: Path, seed: int, logits: Path, out: Path = FOLDER) -> Iterator[Path]:
    """Copies weights and cards of a seed to where they are read, and stores some of PyTorch's outputs.

    The outputs are stored with their pictures, as networks see them, since figures may be drawn differently later.
    """
    out.mkdir(parents=True, exist_ok=True)
    own = folder / f"seed-{seed}"
    taught = [set(read_weights(own / f"{name}.npz").about["questions"]) for name in SHIPPED]
    seen, questions = kept_pictures(set.intersection(*taught))
    kept: dict[str, NDArray[Any]] = {"seen": seen, "asked": questions.astype(np.int16)}
    for name in SHIPPED:
        path = own / f"{name}.npz"
        to = out / f"{LEARNED}{name}.npz"
        for suffix in (".npz", ".md"):
            write_whole(to.with_suffix(suffix), path.with_suffix(suffix).read_bytes())
        kept[name] = _outputs(path.with_name(f"{name}.state.npz"), seen, questions)
        yield to
    with replace_atomically(logits) as place, place.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **kept)


def kept_pictures(taught: Container[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The reference pictures, as networks see them, and the numbers of the questions about each (−1: no question).

    There are four per base item, of each case whose question was taught.
    """
    seen, questions = [], []
    table = numbers()
    for case in (case for case in CASES.values() if case.question in taught):
        for unit in range(KEPT_UNITS):
            base = case.base(SIZES[0], 0, unit)
            for alpha in (0.0, STRENGTH if unit % 2 else -STRENGTH):
                figure = case.geometry(base, alpha)
                for context in CONTEXTS:
                    seen.append(retina(rasterise(figure.scene(context))))
                    questions.append(table[topic(case)])
    return np.stack(seen), np.stack(questions)


def _outputs(state: Path, seen: NDArray[np.uint8], questions: NDArray[np.int64]) -> NDArray[np.float32]:
    """PyTorch's outputs for each reference picture and form of its question."""
    import torch

    from studies.viprobe.training import network as made

    parts = made.network()
    with np.load(state, allow_pickle=False) as archive:
        own = {name[6:]: torch.from_numpy(archive[name]) for name in archive.files if name.startswith("parts.")}
    parts.load_state_dict(own)
    parts.eval()
    with torch.no_grad():
        features = parts["trunk"](torch.from_numpy(seen.astype(np.float32) / 255))
        columns = [made.answers(parts, features, torch.from_numpy(np.maximum(each, 0))).numpy() for each in questions.T]
    return np.stack(columns, axis=1)
