"""What the library reads from a model of this study: its verdict, its states, its answers and its patched runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import veridical
from studies.inside.lessons import ASKED, OPENING
from studies.inside.twins import CONTROLS, FIGURES, GROUPS, Twin
from veridical.base.files import write_whole
from veridical.internals.probe import probe_states
from veridical.suites.viprobe.verdicts.conclude import verdicts
from veridical.whitebox.answers import write_answers
from veridical.whitebox.patch import write_patches
from veridical.whitebox.states import write_states

if TYPE_CHECKING:
    from veridical.internals.token_map import TokenMap
    from veridical.stimulus_set import StimulusSet

TARGET = "label"
ENCODED, NOT_ENCODED = 0.5, 0.1
"""A change is encoded if the whole interval of R² is above the one, and not if it is below the other."""
FOLLOWED, NOT_FOLLOWED = 0.9, 0.05
"""Answers follow the change if at least this share of pairs changes them, and not if at most the other does."""
_FORWARD = {**ASKED, "polarity": "forward"}
_WEIGHTS = 1
"""The seed of the control of random weights."""


def read_model(stimuli: StimulusSet, model: Path, out: Path) -> dict[str, Any]:
    """The results of all readings of a model, which are kept in `out`."""
    kept = out / "results.json"
    if not kept.exists():
        name = f"veridical-hf/{model}"
        run: dict[str, Any] = {"max_tokens": 8, "temperature": 0.0, "analyze": False, "show": "quiet"}
        outcomes = veridical.run(stimuli, name, out=out / "run", settings=ASKED, **run).outcomes()
        found = {"verdict": verdicts(outcomes)[0].name, "right": _right(outcomes), **_inside(stimuli, name, out)}
        write_whole(kept, json.dumps(found, indent=1).encode())
    read: dict[str, Any] = json.loads(kept.read_text())
    return read


def _inside(stimuli: StimulusSet, name: str, out: Path) -> dict[str, Any]:
    states = write_states(stimuli, out / "states", name, settings=_FORWARD)
    random = write_states(stimuli, out / "random", name, settings=_FORWARD, random_weights=_WEIGHTS, places=False)
    groups = [group.split(",") for group in GROUPS]
    probed = probe_states(states.folder, targets=[TARGET], groups=groups, random=random.folder).table
    pairs = [f"variant={group}" for group in GROUPS]
    patched = write_patches(stimuli, out / "patch", name, pairs=pairs, opening=OPENING, settings=_FORWARD)
    answered = write_answers(stimuli, out / "answers", name, opening=OPENING, settings=_FORWARD)
    return {
        "read-outs": probed.filter(read="change").to_dicts(),
        "curve": patched.curve.to_dicts(),
        "answers": {"trials": answered.rows, "flagged": sum(answered.flags().values())},
        "seen": _seen(stimuli, states.maps[0]),
    }


def _right(outcomes: pl.DataFrame) -> dict[str, float]:
    rows = outcomes.group_by("variant").agg(pl.col("correct").cast(pl.Float64).fill_null(0.0).mean())
    return {name: share for name, share in rows.iter_rows() if name != "I"}


def _seen(stimuli: StimulusSet, tokens: TokenMap) -> dict[str, float]:
    """The part of the picture that is in any token, and that of the targets which may change."""
    inside, whole = 0.0, 0
    for each in stimuli.stimuli:
        for x0, y0, x1, y1 in each.truth["regions"]:
            part = tokens.seen[y0:y1, x0:x1]
            inside, whole = inside + float(part.sum()), whole + part.size
    return {"picture": 1 - tokens.unseen, "targets": inside / whole}


def readout(found: Mapping[str, Any], group: str, state: str, source: str = "model") -> Mapping[str, Any]:
    """The read-out of a state of a group, as a row of the table of `probe_states`."""
    where = {"group": group, "state": state, "source": source}
    return next(row for row in found["read-outs"] if where.items() <= row.items())


def last_of(found: Mapping[str, Any], part: str) -> str:
    """The last state whose name begins with a part."""
    names = [row["state"] for row in found["read-outs"] if row["source"] == "model"]
    return str([name for name in names if name.startswith(part)][-1])


def curve_of(found: Mapping[str, Any], group: str) -> list[Mapping[str, Any]]:
    """The rows of the curve of patched runs of a group, from the projector on."""
    names = list(dict.fromkeys(row["group"] for row in found["curve"]))
    return [row for row in found["curve"] if row["group"] == names[GROUPS.index(group)]]


def encodes(found: Mapping[str, Any], group: str) -> bool | None:
    """Whether the last layer of the tower has a group's change: beyond random weights, or not; `None`: undecided."""
    state = last_of(found, "tower.")
    row, beyond = readout(found, group, state), readout(found, group, state, "model − random weights")
    if row["r2"] is None or row["high"] < NOT_ENCODED:
        return False
    return True if row["low"] > ENCODED and beyond["low"] is not None and beyond["low"] > 0 else None


def follows(found: Mapping[str, Any], group: str) -> bool | None:
    """Whether the answers to a group of pictures follow their change; `None`: undecided."""
    row = curve_of(found, group)[0]
    share = row["changed"] / row["pairs"]
    return True if share >= FOLLOWED else False if share <= NOT_FOLLOWED else None


def promises(twin: Twin, found: Mapping[str, Any]) -> dict[str, bool]:
    """What was written down about a model, and whether it was found."""
    told = {FIGURES: "figures", CONTROLS: "controls"}
    kept = {
        f"encoded on {told[group]}: {_word(group in twin.encoded)}": encodes(found, group) is (group in twin.encoded)
        for group in GROUPS
    }
    kept |= {
        f"followed on {told[group]}: {_word(group in twin.followed)}": follows(found, group) is (group in twin.followed)
        for group in GROUPS
    }
    return {**kept, f"verdict: {' or '.join(twin.verdicts)}": found["verdict"] in twin.verdicts}


def _word(yes: bool) -> str:
    return "yes" if yes else "no"
