"""Drafts from files and from runs, and the file of their consensus."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.releases import SHOWN, error_place
from veridical.suites.magicbench.annotate.analysis import Consensus, consensus
from veridical.suites.magicbench.releases.additions import clip_objects
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.stimuli import Atom
from veridical.verbs.exchange.planned_stages import is_run
from veridical.verbs.results.result import open_run

FEWEST = 2


class ConstraintDraft(NamedTuple):
    """The constraints of each clip by its id, and what messages call them."""

    name: str
    clips: Mapping[str, Sequence[Atom]]


class DraftConsensus(NamedTuple):
    """The consensus of each clip that two drafts or more have, the names of its drafts, and the clips that one has."""

    names: Sequence[str]
    clips: Mapping[str, tuple[Consensus, Sequence[str]]]
    alone: Sequence[str]

    @property
    def agreement(self) -> float:
        """The mean agreement of clips, 0 to 1."""
        return fmean(each.agreement for each, _ in self.clips.values())


def drafts_of(place: Path) -> list[ConstraintDraft]:
    """The drafts of a file, which are one, or of a run, of which each model and repeat has one.

    Raises `InputError`, which names the file and the clip, for constraints that cannot be used.
    """
    if not is_run(place):
        clips = {name: _atoms(value, f"{place}, '{name[:SHOWN]}'") for name, value in clip_objects(place).items()}
        return [ConstraintDraft(str(place), clips)]
    run = open_run(place)
    made: dict[str, dict[str, Sequence[Atom]]] = {}
    if "draft" not in {stage.name for stage in run.suite.asking.stages}:
        raise InputError(f"{place} is a run of {run.suite.name}, which drafts no constraints")
    for row in run.evidence().outcomes("draft").iter_rows(named=True):
        if row["status"] == "answered":
            own = made.setdefault(f"{row['model']}, draft {row['repeat']}", {})
            own[row["unit"].rpartition("/")[2]] = _atoms(json.loads(row["answer"]), row["stimulus"])
    if not made:
        raise InputError(f"{place} has no draft that can be read: ask a model in the role author")
    return [ConstraintDraft(name, clips) for name, clips in made.items()]


def consensus_of_drafts(drafts: Sequence[ConstraintDraft]) -> DraftConsensus:
    """The consensus of all drafts, clip by clip; raises `InputError` where no clip has two."""
    if len(drafts) < FEWEST:
        raise InputError(f"{len(drafts)} draft: a consensus needs {FEWEST} or more, such as three")
    names = dict.fromkeys(name for draft in drafts for name in draft.clips)
    made, alone = {}, []
    for name in names:
        held = [draft for draft in drafts if name in draft.clips]
        if len(held) < FEWEST:
            alone.append(name)
        else:
            made[name] = consensus([draft.clips[name] for draft in held]), [draft.name for draft in held]
    if not made:
        raise InputError(f"no clip has {FEWEST} drafts: the drafts are of different clips")
    return DraftConsensus([draft.name for draft in drafts], made, alone)


def write_consensus(found: DraftConsensus, out: Path) -> None:
    """Writes a consensus as JSON: of each clip the atoms, what is open, what is opposed, and the agreement."""
    content = {
        "drafts": list(found.names),
        "agreement": round(found.agreement, 6),
        "alone": list(found.alone),
        "clips": {name: _facts(each, names) for name, (each, names) in found.clips.items()},
    }
    write_whole(out, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())


def _facts(each: Consensus, names: Sequence[str]) -> dict[str, Json]:
    return {
        "agreement": round(each.agreement, 6),
        "atoms": [dict(atom) for atom in each.atoms],
        "open": [{"draft": names[draft], **atom} for draft, atom in each.open],
        "opposed": [list(pair) for pair in each.opposed],
    }


def _atoms(value: Json, place: str) -> Sequence[Atom]:
    with error_place(place):
        return atoms_of(value.get("atoms") if isinstance(value, dict) else value)
