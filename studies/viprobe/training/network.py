"""The network in PyTorch, with the same architecture for all arms."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from veridical.suites.viprobe.observers.learned_observers.questions import FORMS, KINDS, TOPICS

STEM = 32
BLOCKS = ((64, 2), (64, 1), (96, 2), (96, 1))
"""Channels and stride of each convolution after the stem."""
TAIL, FEATURES, HIDDEN = 32, 256, 64
_GRID = 12 * 8


def network() -> nn.ModuleDict:
    """A trunk that sees only the picture, and a head that answers the question.

    The trunk outputs FEATURES numbers. A question scales and shifts each of them; the head maps the result to one
    number, above 0 for the first allowed answer. The kind of targets is classified from the features as well.
    """
    layers: list[nn.Module] = [nn.Conv2d(2, STEM, 4, 4, bias=False), nn.BatchNorm2d(STEM), nn.ReLU(inplace=True)]
    channels = STEM
    for out, stride in BLOCKS:
        layers += [nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)]
        channels = out
    layers += [nn.Conv2d(channels, TAIL, 1, bias=False), nn.BatchNorm2d(TAIL), nn.ReLU(inplace=True), nn.Flatten()]
    layers += [nn.Linear(TAIL * _GRID, FEATURES, bias=False), nn.BatchNorm1d(FEATURES), nn.ReLU(inplace=True)]
    questions = len(TOPICS) * len(FORMS)
    parts = nn.ModuleDict(
        {
            "trunk": nn.Sequential(*layers),
            "scale": nn.Embedding(questions, FEATURES),
            "shift": nn.Embedding(questions, FEATURES),
            "hidden": nn.Linear(FEATURES, HIDDEN),
            "answer": nn.Linear(HIDDEN, 1),
            "kind": nn.Linear(FEATURES, KINDS + 1),
        }
    )
    nn.init.normal_(parts["scale"].weight, 1.0, 0.3)
    nn.init.zeros_(parts["shift"].weight)
    return parts


def answers(parts: nn.ModuleDict, features: Any, questions: Any) -> Any:  # noqa: ANN401 (torch is not installed where types are checked)
    """The outputs for questions (by number), one per row of features."""
    turned = features * parts["scale"](questions) + parts["shift"](questions)
    return parts["answer"](torch.relu(parts["hidden"](torch.relu(turned)))).squeeze(1)
