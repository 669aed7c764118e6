"""Claims about a clip's things, and whether they are true of a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from veridical.suites.magicbench.stimuli import Atom, Claim

Events = Sequence[Mapping[str, Any]]
"""The events of a log as a truth stores them."""
NOWHERE = "nowhere"
"""The place of what is claimed to be gone, or not to be in the scene at all."""
_SLACK = 1e-6


class Clip(NamedTuple):
    """What is true in a clip: its events, its atoms, and the props that are present."""

    log: Events
    atoms: Sequence[Atom]
    present: Sequence[str]


def place_at(log: Events, thing: str, time: float) -> str:
    """Where a thing is; at the instant of a change, where it comes to. `NOWHERE` for a thing without a place.

    >>> rows = [{"event": "At", "thing": "coin", "place": "table", "start": 0.0, "end": 5.0}]
    >>> place_at(rows, "coin", 2.0), place_at(rows, "thread", 2.0)
    ('table', 'nowhere')
    """
    ats = [each for each in log if each["event"] == "At" and each["thing"] == thing and each["start"] <= time + _SLACK]
    return str(max(ats, key=lambda each: each["start"])["place"]) if ats else NOWHERE


def holds(clip: Clip, thing: str, place: str, time: float) -> bool:
    """Whether it is true in a clip that a thing is at a place at a time."""
    if place == NOWHERE:
        return thing not in clip.present and place_at(clip.log, thing, time) == NOWHERE
    return place_at(clip.log, thing, time) == place


def decides(clip: Clip, thing: str, time: float) -> int | None:
    """The atom that says where a thing is at a time; the list of props for what no atom is about; `None` if none does.

    Between the times of two atoms none decides.
    """
    about = [k for k, atom in enumerate(clip.atoms) if atom["thing"] == thing and atom["place"] is not None]
    for index in about:
        start, end = clip.atoms[index]["start"], clip.atoms[index]["end"]
        if start is not None and end is not None and start <= time <= end:
            return index
    return None if about else next((k for k, atom in enumerate(clip.atoms) if atom["kind"] == "props"), None)


def claim(clip: Clip, text: str, thing: str, place: str, time: float) -> Claim:
    """A claim with its truth in a clip, and the place of the atom that decides it."""
    true, atom = holds(clip, thing, place, time), decides(clip, thing, time)
    return {"text": text, "thing": thing, "place": place, "time": time, "true": true, "atom": atom}
