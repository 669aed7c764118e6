"""Training networks, several at once, with weights that NumPy reads."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from studies.viprobe.training.arms import Arm
from studies.viprobe.training.card import write_card
from studies.viprobe.training.plan import PLAN, Plan
from studies.viprobe.training.taught_pictures import OTHERS, UNITS, Pool, pool
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned_observers.network import range_of
from veridical.suites.viprobe.observers.learned_observers.questions import FORMS, KINDS, kind, number_texts, text
from veridical.suites.viprobe.observers.learned_observers.weights import write_weights

_SAMPLED = 1000
_MARGIN = 0.8
"""Margin for training pictures that are made smaller, which lowers their sharpness."""

Job = tuple[Path, str, Arm, int, Plan]


def teach(
    folder: Path,
    arms: Sequence[tuple[str, Arm]],
    seeds: Sequence[int],
    *,
    plan: Plan = PLAN,
    units: int = UNITS,
    others: int = OTHERS,
    workers: int = 2,
    tell: Callable[[str], None],
) -> list[Path]:
    """Trains each arm and seed; returns the weights, `folder/seed-S/NAME.npz`, each with a card, `NAME.md`.

    Finished networks are skipped and interrupted ones resumed. Networks are trained in parallel, each on an equal share
    of `workers` cores; shared steps are done once.
    """
    own = {seed: folder / f"seed-{seed}" for seed in seeds}
    for seed, place in own.items():
        pool(place / "pool", seed, units=units, others=others, workers=workers)
    wanted = [(own[seed], name, arm, seed, plan) for seed in seeds for name, arm in arms]
    todo = [job for job in wanted if not (job[0] / f"{job[1]}.npz").exists()]
    beginnings = {(job[0], job[2].first): (job[0], "", *job[2:]) for job in todo}
    _in_processes([[job for key, job in beginnings.items() if not _begun(*key).exists()], todo], workers, tell)
    for place, name, _, seed, _ in wanted:
        if not (place / f"{name}.md").exists():
            write_card(folder, seed, name)
    return [place / f"{name}.npz" for place, name, *_ in wanted]


def _begun(folder: Path, first: str) -> Path:
    return folder / f"first-{first}.npz"


def _in_processes(stages: Sequence[Sequence[Job]], workers: int, tell: Callable[[str], None]) -> None:
    """Trains the networks of one stage after the other, in the same processes: each loads PyTorch once."""
    most = max(map(len, stages))
    if not most:
        return
    with get_context("spawn").Pool(min(workers, most)) as processes:
        for jobs in filter(None, stages):
            taught = partial(_taught, threads=max(1, workers // len(jobs)))
            for message in processes.imap_unordered(taught, jobs, chunksize=1):
                tell(message)


def _taught(job: Job, threads: int) -> str:
    """Trains one network in its own process; an empty name stands for the shared initial steps."""
    import torch

    from studies.viprobe.training.export import arrays
    from studies.viprobe.training.network import BLOCKS
    from studies.viprobe.training.train import first_steps, trained

    folder, name, arm, seed, plan = job
    torch.set_num_threads(threads)
    taught_on = pool(folder / "pool", seed)
    log = folder / f"{name or f'first-{arm.first}'}.log"

    def tell(step: int, loss: float) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{step} {loss:.4f}\n")

    if not name:
        first_steps(arm.first, seed, taught_on, folder, plan, tell)
        return f"seed {seed}: initial steps on {arm.first}, done"
    parts = trained(arm, name, seed, taught_on, folder, plan, tell)
    about = {
        "name": name,
        "title": arm.title,
        "held": arm.then.held is not None,
        "first": arm.first,
        "seed": seed,
        "steps": [plan.first, plan.then],
        "batch": plan.batch,
        "pictures": len(taught_on.facts),
        "strides": [stride for _, stride in BLOCKS],
        "date": datetime.date.today().isoformat(),
        "questions": questions(taught_on),
    }
    write_weights(folder / f"{name}.npz", arrays(parts), about)
    return f"seed {seed}: {name}, done"


def questions(taught_on: Pool) -> dict[str, dict[str, Any]]:
    """For each question: its number, kind of targets, and lowest contrast and sharpness in training of that kind."""
    least: dict[int, dict[str, float]] = {}
    rng, facts = np.random.default_rng(0), taught_on.facts
    for number in range(KINDS):
        rows = np.flatnonzero(facts["kind"] == number)
        ranges = [
            range_of(taught_on.pictures[row]) for row in rng.choice(rows, min(_SAMPLED, len(rows)), replace=False)
        ]
        least[number] = {what: round(_MARGIN * min(each[what] for each in ranges), 3) for what in ranges[0]}
    numbers = number_texts()
    return {
        words: {"number": numbers[words], "kind": kind(case), **least[kind(case)]}
        for case in CASES.values()
        for form in FORMS
        if (words := text(case, form)) is not None
    }
