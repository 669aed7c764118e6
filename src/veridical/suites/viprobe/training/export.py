"""From a network in PyTorch to weights that NumPy reads: normalisation folded in, 8 bits a number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import nn

from veridical.suites.viprobe.observers.learned.weights import Arrays, quantised
from veridical.suites.viprobe.training.network import BLOCKS, TAIL

Floats = NDArray[np.float32]
Layers = dict[str, tuple[Floats, Floats]]


def layers(parts: nn.ModuleDict) -> Layers:
    """Each layer's weight, outputs first and inputs in NumPy's order, and its bias; no rounding yet."""
    trunk = list(parts["trunk"])
    stem, *blocks, tail = [_folded(trunk[k], trunk[k + 1]) for k in range(0, 3 * len(BLOCKS) + 6, 3)]
    found: Layers = {"stem": (stem[0].reshape(len(stem[0]), -1), stem[1])}
    for k, (weight, bias) in enumerate(blocks):
        found[f"block{k}"] = (weight.transpose(0, 2, 3, 1).reshape(len(weight), -1), bias)
    found["tail"] = (tail[0].reshape(len(tail[0]), -1), tail[1])
    dense, bias = _folded(trunk[-3], trunk[-2])
    channels_last = dense.reshape(len(dense), TAIL, -1).transpose(0, 2, 1).reshape(len(dense), -1)
    found["dense"] = (channels_last, bias)
    for name in ("hidden", "answer", "kind"):
        found[name] = (_array(parts[name].weight), _array(parts[name].bias))
    for name in ("scale", "shift"):
        weight = _array(parts[name].weight)
        found[name] = (weight, np.zeros(len(weight), np.float32))
    return found


def arrays(parts: nn.ModuleDict) -> Arrays:
    """The layers as they are shipped."""
    found: Arrays = {}
    for name, (weight, bias) in layers(parts).items():
        found |= quantised(name, np.ascontiguousarray(weight), bias)
    return found


def _folded(layer: nn.Module, norm: nn.Module) -> tuple[Floats, Floats]:
    """A layer without bias and the normalisation after it, as one layer with a bias."""
    gain = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
    weight = _array(layer.weight)
    shaped = weight * gain.reshape(-1, *([1] * (weight.ndim - 1)))
    return shaped, _array(norm.bias) - _array(norm.running_mean) * gain


def _array(tensor: nn.Parameter) -> Floats:
    return np.asarray(tensor.detach().float().contiguous().numpy(), np.float32)
