"""Export of a PyTorch network to weights that NumPy reads: normalization folded in, 8 bits per weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import nn

from studies.viprobe.training.network import BLOCKS, TAIL
from veridical.suites.viprobe.observers.learned_observers.weights import Arrays, quantize

Floats = NDArray[np.float32]
Layers = dict[str, tuple[Floats, Floats]]


def layers(parts: nn.ModuleDict) -> Layers:
    """Each layer's weight, outputs first and inputs in NumPy's order, and its bias; not quantized."""
    trunk = list(parts["trunk"])
    stem, *blocks, tail = [_folded(trunk[k], trunk[k + 1]) for k in range(0, 3 * len(BLOCKS) + 6, 3)]
    by_name: Layers = {"stem": (stem[0].reshape(len(stem[0]), -1), stem[1])}
    for k, (weight, bias) in enumerate(blocks):
        by_name[f"block{k}"] = (weight.transpose(0, 2, 3, 1).reshape(len(weight), -1), bias)
    by_name["tail"] = (tail[0].reshape(len(tail[0]), -1), tail[1])
    dense, bias = _folded(trunk[-3], trunk[-2])
    channels_last = dense.reshape(len(dense), TAIL, -1).transpose(0, 2, 1).reshape(len(dense), -1)
    by_name["dense"] = (channels_last, bias)
    for name in ("hidden", "answer", "kind"):
        by_name[name] = (_array(parts[name].weight), _array(parts[name].bias))
    for name in ("scale", "shift"):
        weight = _array(parts[name].weight)
        by_name[name] = (weight, np.zeros(len(weight), np.float32))
    return by_name


def arrays(parts: nn.ModuleDict) -> Arrays:
    """The quantized layers, as they are shipped."""
    shipped: Arrays = {}
    for name, (weight, bias) in layers(parts).items():
        shipped |= quantize(name, np.ascontiguousarray(weight), bias)
    return shipped


def _folded(layer: nn.Module, norm: nn.Module) -> tuple[Floats, Floats]:
    """A layer without bias, and the normalization after it, as one layer with a bias."""
    gain = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
    weight = _array(layer.weight)
    shaped = weight * gain.reshape(-1, *([1] * (weight.ndim - 1)))
    return shaped, _array(norm.bias) - _array(norm.running_mean) * gain


def _array(tensor: nn.Parameter) -> Floats:
    return np.asarray(tensor.detach().float().contiguous().numpy(), np.float32)
