"""The weakly supervised set in one call: GQA's own objects as regions, and a chain of one of several models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from veridical.errors import IncompleteError, InputError
from veridical.media.decode import decode, hash_of
from veridical.records import Json
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports import ExcludedItem, Import, ImportItem, write_import
from veridical.stimulus_set.imports.item import content_of
from veridical.suite.nuisances import entropy
from veridical.suite.releases import UnusableItemError
from veridical.suites.magic.collect import CollectedChains, collect_chains, write_collected
from veridical.suites.magic.releases.gqa import ABOUT, Gqa
from veridical.suites.magic.releases.gqa_files import Files, GqaQuestion, files_in
from veridical.suites.magic.stimuli import FACTORS, NAME, PHOTO
from veridical.verbs.runs.model_runs import Runs, run_models

WEAK = "weak"
SET, RUNS = "set", "runs"
"""Inside the folder of a weakly supervised set: the stimuli without chains, and a run for each model."""
ALL_BOXES = "all-boxes"
LIMIT = 500
"""How many questions are chosen by default; the paper has 5,534."""


def weak(
    folder: Path,
    names: Sequence[str],
    exclude: Sequence[Path],
    out: Path,
    *,
    limit: int = LIMIT,
    seed: int = 0,
    **options: Any,  # noqa: ANN401 (those of `run_models`)
) -> CollectedChains:
    """The weakly supervised set, written to `out` as an annotated folder, with whose chain each question has.

    Of the questions in a folder with GQA's files, `limit` are chosen by seed whose pictures are in no set of `exclude`;
    their regions are the annotated objects alone. Every model of `names` reasons about each of them; one usable reply
    is chosen by seed. The same call goes on where one was stopped. Raises `InputError` for other arguments than those
    that the folder was begun with, and where a model cannot be asked, `IncompleteError` where replies are missing.
    """
    if not names:
        raise InputError("nobody is named who is to reason: give --model M, once for each model")
    whole = _begun(folder, exclude, out / SET, limit=limit, seed=seed)
    runs = run_models(whole, names, out=out / RUNS, analyze=False, settings={"view": ALL_BOXES}, repeats=1, **options)
    _require_complete(runs)
    made = collect_chains(whole, list(runs), seed=seed, portion=WEAK, taken_from=WEAK)
    write_collected(made, whole, out, models=sorted(names))
    return made


def weak_set(folder: Path, exclude: Sequence[StimulusSet], *, limit: int, seed: int) -> Import:
    """The questions of a weakly supervised set, before any model has reasoned about them.

    A question that was drawn and cannot be used is counted with its reason, and another drawn in its place.
    """
    files = files_in(folder, saliency=False)
    release = Gqa(files, lambda _: True)
    questions = sorted(release.questions, key=lambda question: question.id)
    order = np.random.default_rng(entropy(seed, WEAK)).permutation(len(questions))
    excluded = _Excluded(exclude)
    items: list[ImportItem] = []
    left_out: list[ExcludedItem] = list(release.left_out)
    for place in order:
        if len(items) == limit:
            break
        try:
            items.append(excluded.checked(questions[place], release))
        except UnusableItemError as error:
            left_out.append(ExcludedItem(questions[place].id, error.reason, error.detail))
    facts = {**release.facts(), WEAK: _arguments(files, exclude, limit=limit, seed=seed)}
    return Import(
        name=WEAK,
        title="MagiC, weakly supervised",
        suite=NAME,
        items=sorted(items, key=lambda item: item.record.id),
        about=ABOUT | {"source": "GQA (val), from a copy on disk"},
        facts=facts,
        left_out=left_out,
        factors=FACTORS,
        kinds=("image",),
    )


class _Excluded:
    """The pictures of sets that a weakly supervised set must not share, by GQA's name and by their pixels."""

    def __init__(self, sets: Sequence[StimulusSet]) -> None:
        stimuli = [stimulus for whole in sets for stimulus in whole.stimuli]
        self._units = {stimulus.unit for stimulus in stimuli}
        self._pixels = {medium.sha256 for stimulus in stimuli for medium in stimulus.media}

    def checked(self, question: GqaQuestion, release: Gqa) -> ImportItem:
        """The item of a question; raises `UnusableItemError` for an excluded picture, and for a question of no use."""
        error = UnusableItemError(
            "a picture of an excluded set", f"{question.id}: picture {question.picture} is in an excluded set"
        )
        if f"{PHOTO}/{question.picture}" in self._units:
            raise error
        item = release.item(question, portion=WEAK, taken_from=WEAK)
        (file,) = item.files
        if hash_of(decode(content_of(Path(str(file))), str(file))) in self._pixels:
            raise error
        return item


def _begun(folder: Path, exclude: Sequence[Path], place: Path, *, limit: int, seed: int) -> StimulusSet:
    """The set of questions, made anew or as an earlier call made it."""
    excluded = [StimulusSet.open(each) for each in exclude]
    if not place.exists():
        return write_import(weak_set(folder, excluded, limit=limit, seed=seed), place)
    whole = StimulusSet.open(place)
    stored = whole.manifest.get("import", {}).get(WEAK)
    if stored != _arguments(files_in(folder, saliency=False), excluded, limit=limit, seed=seed):
        raise InputError(f"{place} was begun with another folder, limit, seed or excluded set: choose another --out")
    return whole


def _arguments(files: Files, exclude: Sequence[StimulusSet], *, limit: int, seed: int) -> dict[str, Json]:
    """What determines the set of questions."""
    sizes = {path.name: path.stat().st_size for path in (files.graphs, files.questions)}
    return {"limit": limit, "seed": seed, "bytes": sizes, "excluded": sorted(whole.digest for whole in exclude)}


def _require_complete(runs: Runs) -> None:
    for name, problem in runs.problems.items():
        raise InputError(f"{name}: {problem}")
    if not runs.complete:
        missing = [each.model for each in runs if not each.complete or each.stopped] + list(runs.left)
        raise IncompleteError(f"replies of {', '.join(missing)} are missing: the same command asks for them")
