"""Putting weights in their place with their cards, and keeping what PyTorch made of a few pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.draw import rasterise
from veridical.files import write_whole
from veridical.observers import LEARNED
from veridical.observers.learned.eye import SIZES, retina
from veridical.observers.learned.questions import FORMS
from veridical.observers.learned.weights import FOLDER, read_weights
from veridical.stimuli.illusions import CASES
from veridical.training.arms import SHIPPED

KEPT_UNITS, STRENGTH = 3, 0.5


def ship(folder: Path, seed: int, logits: Path, out: Path = FOLDER) -> Iterator[Path]:
    """Copies weights and cards of a seed to where they are read, and keeps some of PyTorch's outputs."""
    out.mkdir(parents=True, exist_ok=True)
    kept: dict[str, NDArray[Any]] = {}
    for name in SHIPPED:
        path = folder / f"seed-{seed}" / f"{name}.npz"
        topics = read_weights(path).about["topics"]
        to = out / f"{LEARNED}{name}.npz"
        for suffix in (".npz", ".md"):
            write_whole(to.with_suffix(suffix), path.with_suffix(suffix).read_bytes())
        kept[name] = _outputs(path.with_name(f"{name}.state.npz"), topics)
        yield to
    np.savez_compressed(logits, allow_pickle=False, **kept)


def kept_pictures(topics: Mapping[str, Mapping[str, float]]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The pictures on which outputs are kept, as networks see them, and the number of the topic of each.

    There are four of a base item, of each case among the topics that a network was taught.
    """
    seen, numbers = [], []
    for case in (case for case in CASES.values() if case.question in topics):
        for unit in range(KEPT_UNITS):
            base = case.base(SIZES[0], 0, unit)
            for alpha in (0.0, STRENGTH if unit % 2 else -STRENGTH):
                figure = case.geometry(base, alpha)
                for context in ("figure", "control"):
                    seen.append(retina(rasterise(figure.scene(context))))
                    numbers.append(int(topics[case.question]["number"]))
    return np.stack(seen), np.array(numbers)


def _outputs(state: Path, known: Mapping[str, Mapping[str, float]]) -> NDArray[np.float32]:
    """PyTorch's outputs for each kept picture and form of its question."""
    import torch

    from veridical.training import network as made

    parts = made.network()
    with np.load(state, allow_pickle=False) as archive:
        own = {name[6:]: torch.from_numpy(archive[name]) for name in archive.files if name.startswith("parts.")}
    parts.load_state_dict(own)
    parts.eval()
    seen, topics = kept_pictures(known)
    with torch.no_grad():
        features = parts["trunk"](torch.from_numpy(seen.astype(np.float32) / 255))
        columns = [
            made.answers(parts, features, torch.from_numpy(topics * len(FORMS) + form)).numpy()
            for form in range(len(FORMS))
        ]
    return np.stack(columns, axis=1)
