"""Training: initial steps that several arms of a seed share, then steps on the arm's own diet.

A step's batch depends only on the seed and the step, and the state is stored as plain arrays. An interrupted run
resumes where it stopped and, on the same machine with as many threads, ends with the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from studies.viprobe.training.arms import FIRST, OFTEN, Arm
from studies.viprobe.training.batches import Batch, Drawer
from studies.viprobe.training.network import answers, network
from studies.viprobe.training.plan import Plan
from studies.viprobe.training.taught_pictures import Pool
from veridical.base.files import replace_atomically
from veridical.suites.viprobe.observers.learned_observers.questions import numbers

KIND_WEIGHT = 0.2
"""Weight of the loss of classifying the kind of targets, relative to that of answering."""
_KEPT_EVERY = 250


Tell = Callable[[int, float], None]


class Learner:
    """A network in training: its parts, its optimizer, and the number of steps done."""

    def __init__(self, seed: int, plan: Plan) -> None:
        torch.manual_seed(seed)
        self.parts: Any = network().to(memory_format=torch.channels_last)
        self.plan = plan
        self._optimizer = torch.optim.AdamW(self.parts.parameters(), plan.rate, weight_decay=0.02)
        self.done = 0

    def learn(self, drawer: Drawer, until: int, kept: Path, tell: Tell) -> None:
        """Trains on the drawer's batches up to a step, and stores the state on the way and at the end."""
        while self.done < until:
            for group in self._optimizer.param_groups:
                group["lr"] = self.plan.rate_at(self.done)
            self.parts.train()
            loss = _loss(self.parts, drawer.batch(self.done, self.plan.batch))
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            self.done += 1
            if self.done % _KEPT_EVERY == 0 or self.done == until:
                tell(self.done, float(loss.detach()))
                self.keep(kept)

    def keep(self, path: Path) -> None:
        """Writes the whole state atomically."""
        arrays = {f"parts.{name}": tensor.numpy() for name, tensor in self.parts.state_dict().items()}
        for index, state in self._optimizer.state_dict()["state"].items():
            arrays |= {f"optimiser.{index}.{name}": tensor.numpy() for name, tensor in state.items()}
        with replace_atomically(path) as half, half.open("wb") as file:
            np.savez(file, allow_pickle=False, done=np.array(self.done), **arrays)

    def take_up(self, path: Path) -> None:
        """Reads a stored state."""
        with np.load(path, allow_pickle=False) as archive:
            arrays: Mapping[str, NDArray[Any]] = dict(archive)
        self.done = int(arrays["done"])
        parts = {name.removeprefix("parts."): torch.from_numpy(a) for name, a in arrays.items() if name[:6] == "parts."}
        self.parts.load_state_dict(parts)
        state: dict[int, dict[str, Any]] = {}
        for name, array in arrays.items():
            if name.startswith("optimiser."):
                _, index, what = name.split(".")
                state.setdefault(int(index), {})[what] = torch.from_numpy(array)
        whole = self._optimizer.state_dict()
        self._optimizer.load_state_dict({**whole, "state": state})


def first_steps(first: str, seed: int, pool: Pool, folder: Path, plan: Plan, tell: Tell) -> Learner:
    """The learner of a seed after its initial steps, resumed from a state in the folder if there is one."""
    learner, kept = Learner(seed, plan), folder / f"first-{first}.npz"
    half = kept.with_suffix(".state.npz")
    for path in (kept, half):
        if path.exists():
            learner.take_up(path)
            break
    if not kept.exists():
        learner.learn(Drawer(pool, FIRST[first], seed), plan.first, half, tell)
        half.replace(kept)
    return learner


def trained(arm: Arm, name: str, seed: int, pool: Pool, folder: Path, plan: Plan, tell: Tell) -> nn.ModuleDict:
    """The network of an arm and a seed, resumed from a state in the folder if there is one."""
    learner, own = first_steps(arm.first, seed, pool, folder, plan, tell), folder / f"{name}.state.npz"
    if own.exists():
        learner.take_up(own)
    learner.learn(Drawer(pool, arm.then, seed, OFTEN), plan.first + plan.then, own, tell)
    learner.parts.eval()
    parts: nn.ModuleDict = learner.parts
    return parts


def _loss(parts: nn.ModuleDict, batch: Batch) -> Any:  # noqa: ANN401 (a tensor)
    """The loss of the answers to all forms of the question and of the kinds; missing answers do not count."""
    pictures = torch.from_numpy(batch.pictures).to(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        features = parts["trunk"](pictures)
    features = features.float()
    topic, yes, first = (torch.from_numpy(part) for part in (batch.topic, batch.yes, batch.first))
    table = torch.from_numpy(numbers())
    loss = KIND_WEIGHT * functional.cross_entropy(parts["kind"](features), torch.from_numpy(batch.kind))
    for form, right in enumerate((yes, torch.where(yes < 0, yes, 1 - yes), first)):
        has_answer = right >= 0
        if has_answer.any():
            outputs = answers(parts, features[has_answer], table[topic[has_answer], form])
            wrong = functional.binary_cross_entropy_with_logits(outputs, right[has_answer].float(), reduction="sum")
            loss = loss + wrong / len(right)
    return loss
