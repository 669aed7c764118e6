"""Sets of clips whose constraints or types are to be written, and the stimuli of MagicBench that a run comes to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import ExcludedItem
from veridical.suite.evidence import Evidence
from veridical.suite.releases import imported_design
from veridical.suites.magicbench.annotate.analysis import consensus
from veridical.suites.magicbench.annotate.asking import CLASSIFY, DRAFT, is_spoken
from veridical.suites.magicbench.releases.atoms import contradiction
from veridical.suites.magicbench.stimuli import FACTORS, RELEASE
from veridical.suites.magicbench.stimuli import NAME as MAGICBENCH

NAME = "magic-annotate"


def authored_clips(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[Stimulus | ExcludedItem]:
    """The stimulus of each clip that has a type and constraints, its own or those that most drafts have.

    A stated type stays, and where the classifier says another, that is a doubt. Words that nobody could classify leave
    a clip out: a failed call is no type.
    """
    rows: dict[tuple[str, str], list[Mapping[str, Json]]] = {}
    for stage in (CLASSIFY, DRAFT):
        for row in evidence.outcomes(stage).iter_rows(named=True):
            rows.setdefault((stage, row["stimulus"]), []).append(row)
    for stimulus in stimuli:
        yield _outcome(stimulus, rows.get((CLASSIFY, stimulus.id), ()), rows.get((DRAFT, stimulus.id), ()))


def _outcome(
    stimulus: Stimulus, types: Sequence[Mapping[str, Json]], drafts: Sequence[Mapping[str, Json]]
) -> Stimulus | ExcludedItem:
    stated = stimulus.factors.get("linguistic_type")
    read = type_of([row["answer"] for row in types]) if is_spoken(stimulus) else "D"
    if stated is None and read is None:
        return ExcludedItem(stimulus.id, "no type of words", f"{stimulus.id}: its words have no type: {_why(types)}")
    truth = dict(stimulus.truth)
    made = [json.loads(row["answer"])["atoms"] for row in drafts if row["status"] == "answered"]
    if len(made) > 1:
        found = consensus(made)
        truth["pcs"] = [dict(atom) for atom in found.atoms]
        truth["authored"] = {"drafts": len(made), "agreement": round(found.agreement, 6), "open": len(found.open)}
        pair = contradiction(found.atoms)
        if pair is not None:
            first, second = (found.atoms[each]["text"][:80] for each in pair)
            detail = f"{stimulus.id}: {first} / {second}"
            return ExcludedItem(stimulus.id, "constraints that contradict each other", detail)
    if not truth["pcs"]:
        detail = f"{stimulus.id}: {len(made)} drafts can be read, and agree on nothing"
        return ExcludedItem(stimulus.id, "no constraint that most drafts have", detail)
    if stated is not None and read is not None and read != stated:
        truth["doubts"] = [*truth.get("doubts", ()), "another type by the classifier"]
    factors = {**stimulus.factors, "linguistic_type": stated or read}
    return replace(stimulus, suite=MAGICBENCH, truth=truth, factors=factors)


def type_of(answers: Sequence[str | None]) -> str | None:
    """The type that most answers have, of those that could be read; `None` where none could, and for a tie.

    >>> type_of(["A", None, "A"]), type_of([None]), type_of(["A", "C"])
    ('A', None, None)
    """
    read = Counter(answer for answer in answers if answer)
    best = read.most_common(1)
    return best[0][0] if best and 2 * best[0][1] > read.total() else None


def _why(types: Sequence[Mapping[str, Json]]) -> str:
    if not types:
        return "the classifier was not asked"
    read = sorted({row["answer"] for row in types if row["answer"]})
    return f"as often {' as '.join(read)}" if read else str(types[-1]["reason"] or types[-1]["status"])[:200]


DESIGN = imported_design(
    (RELEASE,),
    FACTORS,
    authored_clips,
    not_drawn=f"{NAME} draws nothing: `veridical import magic-clips FOLDER --out SET` takes real clips",
    not_measured="a real clip, of which nothing is measured",
)
