"""The reference with noise: every time and place of an atom is off by up to a tenth, seeded by stimulus and atom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256

from veridical.records import Json

SHARE = 0.1
"""How far a number may be from the true one, as a share of it; the noise is uniform."""
_TIME = re.compile(r"(?<![\w.:])(\d+(?:\.\d+)?)(?=\s?(?:s|sec|seconds?)\b)")
_CLOCK = re.compile(r"(?<![\w:.])(\d{1,2}):([0-5]\d)(?![\w:])")


def jitter_atoms(atoms: Sequence[Mapping[str, Json]], key: str) -> tuple[list[dict[str, Json]], list[int]]:
    """Atoms whose times are off, in their fields and alike in their words, and the places of those without any time.

    `key` names the stimulus: the noise is the same each time. A time that stands in a field and in the words is off by
    the same share in both. A time of 0 stays 0; such an atom counts as one with a time.

    >>> atom = {"text": "It is hidden from 2.0 s on.", "kind": "cover", "start": 2.0, "end": 4.0}
    >>> (noisy,), without = jitter_atoms([atom], "coin/0001/trick")
    >>> noisy["start"] != 2.0, abs(noisy["start"] - 2.0) <= 0.2, without
    (True, True, [])
    >>> f"from {noisy['start']:.1f} s" in noisy["text"]
    True
    """
    made, without = [], []
    for place, atom in enumerate(atoms):
        own = partial(_off, f"{key}/{place}")
        noisy = dict(atom)
        for name in ("start", "end"):
            if atom.get(name) is not None:
                noisy[name] = round(own(float(atom[name])), 2)
        if atom.get("start") is not None and atom.get("end") is not None:
            noisy["start"], noisy["end"] = sorted((noisy["start"], noisy["end"]))
        noisy["text"] = _in_words(str(atom["text"]), own)
        made.append(noisy)
        if noisy["text"] == atom["text"] and all(atom.get(name) is None for name in ("start", "end")):
            without.append(place)
    return made, without


def place_off(place: tuple[float, float] | None, key: str) -> tuple[float, float] | None:
    """A place in shares of the picture, each coordinate off by up to a tenth of itself, within the picture.

    >>> place_off((0.5, 0.5), "a") != (0.5, 0.5), place_off(None, "a")
    (True, None)
    """
    if place is None:
        return None
    x, y = (min(1.0, _off(f"{key}/{axis}", value)) for axis, value in zip("xy", place, strict=True))
    return round(x, 3), round(y, 3)


def _in_words(text: str, off: partial[float]) -> str:
    def clock(match: re.Match[str]) -> str:
        seconds = round(off(60.0 * int(match[1]) + int(match[2])))
        return f"{seconds // 60}:{seconds % 60:02}"

    text = _TIME.sub(lambda match: f"{off(float(match[1])):.{len(match[1].partition('.')[2])}f}", text)
    return _CLOCK.sub(clock, text)


def _off(key: str, value: float) -> float:
    """A number with its noise; equal to a tenth, equal noise, so that a rounded time is off like the exact one."""
    digest = sha256(f"{key}/{value:.1f}".encode()).digest()
    share = int.from_bytes(digest[:8]) / 2**63 - 1
    return value * (1 + SHARE * share)
