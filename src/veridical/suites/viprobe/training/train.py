"""Training: steps that several arms of a seed begin with, then steps on what the arm is taught.

A step's batch depends on the seed and the step alone, and the state is kept as plain arrays: a run that was stopped
goes on where it was, and ends, on the same machine with as many threads, with the same weights as one that was not.
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

from veridical.base.files import replacing
from veridical.suites.viprobe.observers.learned.questions import numbers
from veridical.suites.viprobe.training.arms import FIRST, OFTEN, Arm
from veridical.suites.viprobe.training.batches import Batch, Drawer
from veridical.suites.viprobe.training.network import answers, network
from veridical.suites.viprobe.training.plan import Plan
from veridical.suites.viprobe.training.taught_pictures import Pool

KIND_WEIGHT = 0.2
"""Of the loss of telling the kind of targets, against that of answering."""
_KEPT_EVERY = 250


Tell = Callable[[int, float], None]


class Learner:
    """A network in training: its parts, its optimiser, and how many steps it has done."""

    def __init__(self, seed: int, plan: Plan) -> None:
        torch.manual_seed(seed)
        self.parts: Any = network().to(memory_format=torch.channels_last)
        self.plan = plan
        self._optimiser = torch.optim.AdamW(self.parts.parameters(), plan.rate, weight_decay=0.02)
        self.done = 0

    def learn(self, drawer: Drawer, until: int, kept: Path, tell: Tell) -> None:
        """Steps on the drawer's batches up to a step; the state is kept in a file on the way and at the end."""
        while self.done < until:
            for group in self._optimiser.param_groups:
                group["lr"] = self.plan.rate_at(self.done)
            self.parts.train()
            loss = _loss(self.parts, drawer.batch(self.done, self.plan.batch))
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()
            self.done += 1
            if self.done % _KEPT_EVERY == 0 or self.done == until:
                tell(self.done, float(loss.detach()))
                self.keep(kept)

    def keep(self, path: Path) -> None:
        """Writes the whole state, at once or not at all."""
        found = {f"parts.{name}": tensor.numpy() for name, tensor in self.parts.state_dict().items()}
        for index, state in self._optimiser.state_dict()["state"].items():
            found |= {f"optimiser.{index}.{name}": tensor.numpy() for name, tensor in state.items()}
        with replacing(path) as half, half.open("wb") as file:
            np.savez(file, allow_pickle=False, done=np.array(self.done), **found)

    def take_up(self, path: Path) -> None:
        """Reads a state that was kept."""
        with np.load(path, allow_pickle=False) as archive:
            found: Mapping[str, NDArray[Any]] = dict(archive)
        self.done = int(found["done"])
        parts = {name.removeprefix("parts."): torch.from_numpy(a) for name, a in found.items() if name[:6] == "parts."}
        self.parts.load_state_dict(parts)
        state: dict[int, dict[str, Any]] = {}
        for name, array in found.items():
            if name.startswith("optimiser."):
                _, index, what = name.split(".")
                state.setdefault(int(index), {})[what] = torch.from_numpy(array)
        whole = self._optimiser.state_dict()
        self._optimiser.load_state_dict({**whole, "state": state})


def first_steps(first: str, seed: int, pool: Pool, folder: Path, plan: Plan, tell: Tell) -> Learner:
    """The learner of a seed after the steps that it begins with; what was kept in the folder is taken up."""
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
    """The network of an arm and a seed; what was kept in the folder is taken up."""
    learner, own = first_steps(arm.first, seed, pool, folder, plan, tell), folder / f"{name}.state.npz"
    if own.exists():
        learner.take_up(own)
    learner.learn(Drawer(pool, arm.then, seed, OFTEN), plan.first + plan.then, own, tell)
    learner.parts.eval()
    parts: nn.ModuleDict = learner.parts
    return parts


def _loss(parts: nn.ModuleDict, batch: Batch) -> Any:  # noqa: ANN401 (a tensor)
    """How wrong the answers to all forms of the question are, and the kinds; an answer that is none does not count."""
    pictures = torch.from_numpy(batch.pictures).to(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        features = parts["trunk"](pictures)
    features = features.float()
    topic, yes, first = (torch.from_numpy(part) for part in (batch.topic, batch.yes, batch.first))
    table = torch.from_numpy(numbers())
    loss = KIND_WEIGHT * functional.cross_entropy(parts["kind"](features), torch.from_numpy(batch.kind))
    for form, right in enumerate((yes, torch.where(yes < 0, yes, 1 - yes), first)):
        asked = right >= 0
        if asked.any():
            outputs = answers(parts, features[asked], table[topic[asked], form])
            wrong = functional.binary_cross_entropy_with_logits(outputs, right[asked].float(), reduction="sum")
            loss = loss + wrong / len(right)
    return loss
