"""Putting weights in their place, each with a card that tells what it is, and what PyTorch made of a few pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.draw import rasterise
from veridical.files import write_whole
from veridical.markdown import table
from veridical.observers import LEARNED
from veridical.observers.learned.eye import HEIGHT, SIZES, WIDTH, retina
from veridical.observers.learned.questions import FORMS, topic
from veridical.observers.learned.weights import FOLDER, read_weights
from veridical.records import Json
from veridical.stimuli.illusions import CASES
from veridical.suites.viprobe.pairs import TYPES
from veridical.training.arms import HELD_OUT, SHIPPED
from veridical.training.results import all_types
from veridical.training.study import LEVELS, UNITS, examined

KEPT_UNITS, STRENGTH = 3, 0.5
CARD = """\
# veridical/{name}

{title}.

| | |
| --- | --- |
| taught on | {pictures:,} pictures of our own, from training seed {seed}: {cases} cases, 256 to 1024 px |
| varied by | place, scale (0.75 to 1), inversion of lightness, noise (sigma up to 8 of 255), resampling |
| steps | {first:,} on what it begins with ({begins}), then {then:,} on its own, {batch} pictures each |
| date | {date} |
| numbers | {numbers:,}, 8 bits each |
{held}
Right in both polarities (PFA, %), on a set that anyone can draw (seed 0, {units} units a case, {levels} strengths; the
27 classic cases), with intervals:

{rates}

It declines {declined:.1f} % of these pictures, and is called by the mechanism rule: {verdict}.

It answers questions in the suite's own words, on pictures that are square or twice as wide as high, {low} to {high} px,
as sharp and as rich in contrast as those that it was taught on. It knows no other figures, no text in pictures and no
photographs; it is an instrument for testing instruments, and says nothing about people.
"""


def ship(folder: Path, seed: int, logits: Path, out: Path = FOLDER) -> Iterator[Path]:
    """Copies the weights of a seed to where they are read, writes their cards, and keeps some of PyTorch's outputs."""
    out.mkdir(parents=True, exist_ok=True)
    kept: dict[str, NDArray[Any]] = {}
    for name in SHIPPED:
        path = folder / f"seed-{seed}" / f"{name}.npz"
        weights = read_weights(path)
        to = out / f"{LEARNED}{name}.npz"
        write_whole(to, path.read_bytes())
        record = examined(str(folder), ["asked", seed, name])
        numbers = sum(array.size for key, array in weights.arrays.items() if "." not in key)
        write_whole(to.with_suffix(".md"), card(weights.about, record, numbers).encode())
        kept[name] = _outputs(path.with_name(f"{name}.state.npz"))
        yield to
    np.savez_compressed(logits, allow_pickle=False, **kept)


def card(about: Json, record: Json, numbers: int) -> str:
    """What a network is: what it was taught on, how long, when, what it gets right, and what it is not for."""
    held = f"| held out | {', '.join(HELD_OUT)} |\n" if about["held"] else ""
    return CARD.format(
        name=f"{LEARNED}{about['name']}",
        title=about["title"].capitalize(),
        pictures=about["pictures"],
        seed=about["seed"],
        cases=len(CASES),
        begins=about["first"],
        first=about["steps"][0],
        then=about["steps"][1],
        batch=about["batch"],
        date=about["date"],
        numbers=numbers,
        held=held,
        units=UNITS,
        levels=LEVELS,
        rates=table(TYPES, [all_types(record)]),
        declined=100 * record["declined"],
        verdict=record["verdicts"][""],
        low=SIZES[0],
        high=SIZES[1],
    )


def kept_pictures() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The pictures on which outputs are kept, as networks see them, and the topic of each: four of a base item."""
    seen, topics = [], []
    for case in CASES.values():
        for unit in range(KEPT_UNITS):
            base = case.base(SIZES[0], 0, unit)
            for alpha in (0.0, STRENGTH if unit % 2 else -STRENGTH):
                figure = case.geometry(base, alpha)
                for context in ("figure", "control"):
                    seen.append(retina(rasterise(figure.scene(context))))
                    topics.append(topic(case))
    return np.stack(seen).reshape(-1, 2, HEIGHT, WIDTH), np.array(topics)


def _outputs(state: Path) -> NDArray[np.float32]:
    """PyTorch's outputs for each kept picture and form of its question."""
    import torch

    from veridical.training import network as made

    parts = made.network()
    with np.load(state, allow_pickle=False) as archive:
        own = {name[6:]: torch.from_numpy(archive[name]) for name in archive.files if name.startswith("parts.")}
    parts.load_state_dict(own)
    parts.eval()
    seen, topics = kept_pictures()
    with torch.no_grad():
        features = parts["trunk"](torch.from_numpy(seen.astype(np.float32) / 255))
        columns = [
            made.answers(parts, features, torch.from_numpy(topics * len(FORMS) + form)).numpy()
            for form in range(len(FORMS))
        ]
    return np.stack(columns, axis=1)
