"""The training pictures: drawn once per seed, and stored as the networks see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from studies.viprobe.training.others import other_scene
from veridical.base.files import replace_atomically
from veridical.media.draw import rasterise
from veridical.suites.viprobe.illusions import CASES, Case
from veridical.suites.viprobe.observers.learned_observers.network import HEIGHT, WIDTH, retina
from veridical.suites.viprobe.observers.learned_observers.questions import KINDS, kind, topic

FIRST_SEED = 2**63
"""Smallest seed of training base items; no set can have one as large."""
UNITS = 1500
"""Base items per case, each with four pictures."""
OTHERS = 6000
FAINTEST = 0.12
_SIZES, _SIZE_SHARES = (256, 512, 1024), (0.6, 0.3, 0.1)

CONTROL, CHANGED_CONTROL, CLASSIC, CHANGED, OTHER = range(5)
"""Sorts of pictures: controls and figures, each without and with a change, and distractors."""

FACTS = np.dtype([("case", "i2"), ("sort", "i1"), ("topic", "i2"), ("kind", "i2"), ("yes", "i1"), ("first", "i1")])
"""Facts of a picture: `yes` is the answer to the forward question; `first` that to the comparison, −1 for none."""


@dataclass(frozen=True)
class Pool:
    """Pictures (uint8, shape (n, 2, HEIGHT, WIDTH)) with the facts of each."""

    pictures: NDArray[np.uint8]
    facts: NDArray[np.void]


def pool(folder: Path, seed: int, units: int = UNITS, others: int = OTHERS, workers: int = 2) -> Pool:
    """The pictures of a training seed, drawn if the folder has none; the same arguments give the same pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures, facts = folder / "pictures.npy", folder / "facts.npy"
    if not facts.exists():
        names = list(CASES)
        total = len(names) * units * 4 + others
        store = np.lib.format.open_memmap(pictures, "w+", np.uint8, (total, 2, HEIGHT, WIDTH))
        records = np.zeros(total, FACTS)
        jobs = [(name, seed, units) for name in names]
        at = 0
        for drawn, case_facts in _of_cases(jobs, workers):
            store[at : at + len(case_facts)], records[at : at + len(case_facts)] = drawn, case_facts
            at += len(case_facts)
        rng = np.random.default_rng([FIRST_SEED + seed, 0])
        for k in range(at, total):
            store[k] = retina(rasterise(other_scene(rng)))
        records[at:] = (-1, OTHER, -1, KINDS, -1, -1)
        store.flush()
        with replace_atomically(facts) as place, place.open("wb") as file:
            np.save(file, records, allow_pickle=False)
    return Pool(np.load(pictures, mmap_mode="r"), np.load(facts))


def _of_cases(
    jobs: Sequence[tuple[str, int, int]], workers: int
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.void]]]:
    """The pictures of each case, in order; a single worker is this process."""
    if workers == 1:
        yield from map(_case_pictures, jobs)
        return
    with get_context("spawn").Pool(workers) as processes:
        yield from processes.imap(_case_pictures, jobs)


def _case_pictures(job: tuple[str, int, int]) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    name, seed, units = job
    case = CASES[name]
    rows = [row for unit in range(units) for row in _unit(case, seed, unit)]
    return np.stack([picture for picture, _ in rows]), np.array([fact for _, fact in rows], FACTS)


def _unit(case: Case, seed: int, unit: int) -> Iterator[tuple[NDArray[np.uint8], tuple[int, ...]]]:
    """The four pictures of a base item: its control and its figure, each without and with a change."""
    rng = np.random.default_rng([FIRST_SEED + seed, case.number, unit])
    base = case.base(int(rng.choice(_SIZES, p=_SIZE_SHARES)), FIRST_SEED + seed, unit)
    for sort in (CONTROL, CHANGED_CONTROL, CLASSIC, CHANGED):
        changed = sort in (CHANGED_CONTROL, CHANGED)
        size = FAINTEST + (1 - FAINTEST) * rng.random() ** 1.5
        alpha = float(size * rng.choice((-1, 1))) if changed else 0.0
        picture = retina(rasterise(case.geometry(base, alpha).scene("figure" if sort >= CLASSIC else "control")))
        value = case.value(base, alpha)
        first = int(value > 0) if changed and case.comparison else -1
        yes = int(case.answer(same=not changed))
        yield picture, (case.number, sort, topic(case), kind(case), yes, first)
