"""Weights on disk: whole numbers of 8 bits with a scale for each output, and what the network was taught.

A file is a NumPy archive without objects: `about` (JSON as bytes), and for each layer `NAME` (int8, outputs first),
`NAME.scale` and `NAME.bias` (float32, one each output). Its `sha256` in `about` is over all arrays but `about`.
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

from veridical.base.files import replacing
from veridical.errors import InputError

VERSION = 1
"""Of the layout of the arrays and of what the network makes of them."""
FOLDER = Path(__file__).parent / "data"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Weights:
    """The arrays of a network, and what is told about it."""

    about: Mapping[str, Any]
    arrays: Arrays


def write_weights(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """A file of weights; `about` gets the version and the checksum."""
    told = {**about, "version": VERSION, "sha256": checksum(arrays)}
    text = np.frombuffer(json.dumps(told, ensure_ascii=False, sort_keys=True).encode(), np.uint8)
    with replacing(path) as place, place.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, about=text, **arrays)


def read_weights(path: Path) -> Weights:
    """The weights in a file; raises `InputError` where they are of another version or not as they were written."""
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
    """The sha256 over the arrays by name: names, kinds, shapes and bytes."""
    digest = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def quantised(name: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> Arrays:
    """A layer as int8 with a scale for each output: `weight` has the outputs first."""
    flat = weight.reshape(len(weight), -1)
    scale = np.maximum(np.abs(flat).max(axis=1), 1e-12) / 127
    small = np.rint(flat / scale[:, None]).astype(np.int8)
    return {name: small.reshape(weight.shape), f"{name}.scale": scale.astype(np.float32), f"{name}.bias": bias}


def restored(arrays: Mapping[str, NDArray[Any]], name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A layer's weight, its inputs first and its outputs last, flat over the inputs, and its bias."""
    weight = arrays[name].reshape(len(arrays[name]), -1).astype(np.float32) * arrays[f"{name}.scale"][:, None]
    return np.ascontiguousarray(weight.T), arrays[f"{name}.bias"]
