"""Weights on disk: 8-bit integers with a scale per output, and metadata on the network's training.

A file is a NumPy archive without objects: `about` (JSON as bytes), and for each layer `NAME` (int8, outputs first),
`NAME.scale` and `NAME.bias` (float32, one per output). The `sha256` in `about` covers all arrays except `about`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import replace_atomically
from veridical.errors import InputError

VERSION = 1
"""Version of the layout of the arrays and of the network that uses them."""
FOLDER = Path(__file__).parent / "data"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Weights:
    """The arrays of a network, and its metadata."""

    about: Mapping[str, Any]
    arrays: Arrays


def write_weights(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Writes a file of weights; `about` gets the version and the checksum."""
    metadata = {**about, "version": VERSION, "sha256": checksum(arrays)}
    text = np.frombuffer(json.dumps(metadata, ensure_ascii=False, sort_keys=True).encode(), np.uint8)
    with replace_atomically(path) as place, place.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, about=text, **arrays)


def read_weights(path: Path) -> Weights:
    """The weights in a file; raises `InputError` if they have another version or are damaged."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
        about = json.loads(arrays.pop("about").tobytes())
        version, stated = about["version"], about["sha256"]
    except FileNotFoundError as error:
        raise InputError(f"{path} is missing") from error
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} holds no weights of a learned observer ({type(error).__name__})") from error
    if version != VERSION:
        raise InputError(f"{path} is of version {version!r}: this code reads version {VERSION}")
    if stated != checksum(arrays):
        raise InputError(f"{path} is damaged: its checksum does not match what it holds")
    return Weights(about, arrays)


def checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """The sha256 over the arrays, sorted by name: names, dtypes, shapes and bytes."""
    digest = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def quantize(name: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> Arrays:
    """A layer as int8 with a scale per output; `weight` has the outputs first."""
    flat = weight.reshape(len(weight), -1)
    scale = np.maximum(np.abs(flat).max(axis=1), 1e-12) / 127
    small = np.rint(flat / scale[:, None]).astype(np.int8)
    return {name: small.reshape(weight.shape), f"{name}.scale": scale.astype(np.float32), f"{name}.bias": bias}


def restore_layer(arrays: Mapping[str, NDArray[Any]], name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A layer's weight, shape (inputs, outputs), and its bias."""
    weight = arrays[name].reshape(len(arrays[name]), -1).astype(np.float32) * arrays[f"{name}.scale"][:, None]
    return np.ascontiguousarray(weight.T), arrays[f"{name}.bias"]
