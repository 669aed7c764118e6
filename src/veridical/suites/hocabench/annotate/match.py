"""Real clips for a set of anomalies: those whose descriptions are nearest to the anomalies', one each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports import ExcludedItem, Import, ImportItem, write_import
from veridical.suite.releases import item_of
from veridical.suites.hocabench.annotate.design import DESCRIPTION, UNREAL, Rows, is_realistic, rows_by_clip
from veridical.suites.hocabench.annotate.design import NAME as ANNOTATE
from veridical.suites.hocabench.annotate.similarity import Similarity, nearest
from veridical.suites.hocabench.physics.make import DESIGN
from veridical.suites.hocabench.releases.release import LOW, LOWEST
from veridical.suites.hocabench.stimuli import NAME, VIOLATING, SourceClip, real
from veridical.verbs.exchange.planned_stages import is_run, set_of_run
from veridical.verbs.results.result import open_run
from veridical.verbs.sets import open_set

MATCHED = "matched"
"""The level of `taken_from` for real clips that were matched to anomalies."""
NO_TEXT, TOO_MANY = "no description", "farther from every anomaly than another clip"
Compare = Callable[[Sequence[str], Sequence[str]], Similarity]


class Candidate(NamedTuple):
    """A real clip that may be chosen, and what describes it."""

    stimulus: Stimulus
    text: str


def match_clips(
    anomalies: StimulusSet | Path | str, clips: Path | str, out: Path | str, compare: Compare, *, by: str
) -> StimulusSet:
    """The set of the anomalies with the real clips nearest to them, one for each clip with one anomaly.

    `clips` is a set of raw clips with descriptions, or a run that captioned them. `compare` gives the similarity of
    two lists of texts, `by` is its name. Real clips that are not realistic, too low, not described or farther than
    others are left out with the reason. Raises `InputError` where a set is of another suite, where no anomaly is
    described, and where no clip can be chosen.
    """
    first = open_set(anomalies, NAME)
    wanted = [each for each in first.stimuli if each.variant == VIOLATING and each.truth.get("reference")]
    if not wanted:
        raise InputError(f"{first.folder} holds no described anomaly")
    second, candidates, left_out = _candidates(clips)
    if not candidates:
        raise InputError(f"no real clip of {clips} can be matched{': ' + left_out[0].detail if left_out else ''}")
    references = [each.truth["reference"] for each in wanted]
    similarity = compare([f"{own['scene']} {own['anomaly']}" for own in references], [each.text for each in candidates])
    pairs = nearest(similarity)
    chosen = {column: (wanted[row], float(similarity[row, column])) for row, column in pairs}
    items = [item_of(first, stimulus) for stimulus in first.stimuli]
    for column, each in enumerate(candidates):
        if column in chosen:
            items.append(_real(second, each, *chosen[column], by=by, number=len(items) + 1))
        else:
            left_out.append(ExcludedItem(each.stimulus.id, TOO_MANY, f"{each.stimulus.id}: other clips are nearer"))
    what = Import(
        name="match",
        title="HOCA-Bench with matched real clips",
        suite=NAME,
        items=items,
        about=_about(first.manifest, second.manifest),
        facts={"anomalies": len(wanted), "real_clips": len(chosen), "similarity": by},
        left_out=left_out,
        factors=DESIGN.factors,
        kinds=("video",),
    )
    return write_import(what, Path(out))


def _candidates(place: Path | str) -> tuple[StimulusSet, list[Candidate], list[ExcludedItem]]:
    """The real clips of a set or of a run on it, with their texts, and those that cannot be chosen."""
    rows: Mapping[str, Rows] = {}
    if is_run(place):
        run = open_run(place)
        if run.suite.name != ANNOTATE:
            raise InputError(f"{place} is a run of {run.suite.name}: one of {ANNOTATE} is needed")
        whole, evidence = set_of_run(run), run.evidence()
        rows = {stage: rows_by_clip(evidence, stage) for stage in ("filter", "captions")}
    else:
        whole = open_set(place, ANNOTATE)
    candidates, left_out = [], []
    for stimulus in whole.stimuli:
        reason, detail, text = _usable(stimulus, rows)
        if reason:
            left_out.append(ExcludedItem(stimulus.id, reason, f"{stimulus.id}: {detail}"))
        else:
            candidates.append(Candidate(stimulus, text))
    return whole, candidates, left_out


def _usable(stimulus: Stimulus, rows: Mapping[str, Rows]) -> tuple[str, str, str]:
    """The kind of reason why a real clip cannot be chosen, the detail, and the text of one that can."""
    height = stimulus.media[0].height
    if height < LOWEST:
        return LOW, f"{stimulus.media[0].width}x{height}: a height of {LOWEST} px or more is needed", ""
    if rows and is_realistic(rows["filter"].get(stimulus.id, ())) is False:
        return UNREAL, "the filter calls it animation, or without color", ""
    captions = rows["captions"].get(stimulus.id, ()) if rows else ()
    texts = [row["answer"] for row in captions if row["status"] == "answered"]
    text = str(stimulus.truth.get(DESCRIPTION) or " ".join(texts))
    return ("", "", text) if text else (NO_TEXT, "a description, or a run with captions, is needed", "")


def _real(whole: StimulusSet, each: Candidate, to: Stimulus, similarity: float, *, by: str, number: int) -> ImportItem:
    stimulus = each.stimulus
    index = f"{MATCHED}-{PurePosixPath(stimulus.unit).name}"
    facts: dict[str, Json] = {
        "imported": MATCHED,
        MATCHED: {"stimulus": to.id, "similarity": round(similarity, 6), "by": by},
        "file": stimulus.truth.get("file"),
    }
    facts |= {"rights": stimulus.truth["rights"]} if "rights" in stimulus.truth else {}
    clip = SourceClip(unit=f"clip/{index}", index=index, taken_from=MATCHED, facts=facts)
    record = replace(real(clip, each.text), media=())
    return ImportItem(
        record=record, files=(whole.folder / stimulus.media[0].file,), places=(f"media/real/{number:05d}",)
    )


def _about(first: Mapping[str, Json], second: Mapping[str, Json]) -> dict[str, Json]:
    """Where both kinds of clips are from; they may be passed on where both may."""
    allowed = [manifest.get("may_be_passed_on", manifest is first) for manifest in (first, second)]
    own = {"source": "veridical", "license": "as for veridical", "attribution": "veridical"}
    stated = {
        key: f"anomalies: {first.get(key, usual)}; real clips: {second.get(key, 'not stated')}"
        for key, usual in own.items()
    }
    return {**stated, "may_be_passed_on": False if False in allowed else None if None in allowed else True}
