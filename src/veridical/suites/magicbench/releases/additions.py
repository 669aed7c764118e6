"""A set of real clips with what was added to it: windows and boxes, constraints, words, types."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imported import Import, Item, write_import
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.make import DESIGN
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.releases.cells import UnusableError, letter_of, loaded, text_of
from veridical.suites.magicbench.releases.release import ABOUT
from veridical.suites.magicbench.releases.rows import patter_over, speech_of
from veridical.suites.magicbench.releases.windows import stretches_of, with_windows
from veridical.suites.magicbench.stimuli import NAME, OWN, REAL

_Value = TypeVar("_Value")
Change = Callable[[Stimulus], Stimulus]


class Additions(NamedTuple):
    """Files to add: windows as a table, and constraints, words and types as JSON objects by the id of a clip."""

    windows: Path | None = None
    pcs: Path | None = None
    words: Path | None = None
    types: Path | None = None


def added(whole: StimulusSet, what: Additions, out: Path) -> StimulusSet:
    """The set in the folder `out`: the clips of a set with the additions to them, media copied byte for byte.

    Clips that a file does not name stay as they are. Raises `InputError` for a set without real clips, where nothing is
    added, for a file that names another clip, and for what cannot be read.
    """
    real = [each for each in whole.stimuli if each.suite == NAME and each.variant == REAL]
    if not real:
        raise InputError(f"{whole.folder} has no real clips of {NAME}: `veridical import {NAME}` makes such a set")
    names = {name: each.id for each in real for name in (each.id, each.unit, str(each.truth.get("index", each.id)))}
    changes: dict[str, list[Change]] = {}
    counts: dict[str, int] = {}
    for key, path, read in (
        ("windows", what.windows, _windows),
        ("pcs", what.pcs, _constraints),
        ("words", what.words, _words),
        ("types", what.types, _types),
    ):
        if path is None:
            continue
        for name, change in read(path).items():
            if name not in names:
                raise InputError(f"{path}: '{name[:60]}' is no real clip of {whole.folder}")
            changes.setdefault(names[name], []).append(change)
            counts[key] = counts.get(key, 0) + 1
    if not changes:
        raise InputError("nothing is added: name a file of windows, constraints, words or types that has a clip")
    items = [_item(whole, _changed(each, changes.get(each.id, ()))) for each in whole.stimuli]
    return write_import(_import(whole, items, counts), out)


def _import(whole: StimulusSet, items: Sequence[Item], counts: Mapping[str, int]) -> Import:
    return Import(
        name="add",
        title="MagicBench, released clips with additions",
        suite=NAME,
        items=items,
        about={key: whole.manifest.get(key, usual) for key, usual in ABOUT.items()},
        facts={"added": dict(counts), "to": whole.digest, "before": _before(whole)},
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )


def _before(whole: StimulusSet) -> Json:
    """What the manifest says of the import of the set, but for the comparison with a paper, which is made anew."""
    facts: Mapping[str, Json] = whole.manifest.get("import") or {}
    return {key: value for key, value in facts.items() if key != "published"}


def _changed(stimulus: Stimulus, changes: Sequence[Change]) -> Stimulus:
    for change in changes:
        stimulus = change(stimulus)
    return stimulus


def _item(whole: StimulusSet, stimulus: Stimulus) -> Item:
    files = tuple(whole.folder / medium.file for medium in stimulus.media)
    places = tuple(str(PurePosixPath(medium.file).with_suffix("")) for medium in stimulus.media)
    return Item(record=stimulus, files=files, places=places)


def _with(stimulus: Stimulus, truth: Mapping[str, Json], factors: Mapping[str, Json] | None = None) -> Stimulus:
    return replace(stimulus, truth={**stimulus.truth, **truth}, factors={**stimulus.factors, **(factors or {})})


def _windows(path: Path) -> dict[str, Change]:
    def change(name: str) -> Change:
        def changed(stimulus: Stimulus) -> Stimulus:
            truth = with_windows(stimulus, rows[name])
            start, end = truth["window"]
            return _with(stimulus, truth, {"window_length": round(end - start, 3)})

        return changed

    rows = stretches_of(path)
    return {name: change(name) for name in rows}


def _constraints(path: Path) -> dict[str, Change]:
    def change(name: str, value: Json) -> Change:
        atoms = _read(lambda: atoms_of(value.get("atoms") if isinstance(value, dict) else value, _place(path, name)))
        return lambda stimulus: _with(stimulus, {"pcs": [dict(atom) for atom in atoms]})

    return {name: change(name, value) for name, value in by_clip(path).items()}


def _words(path: Path) -> dict[str, Change]:
    def change(name: str, value: Json) -> Change:
        place = _place(path, name)
        rows = value.get("timeline") if isinstance(value, dict) else value
        speech = _read(lambda: speech_of(rows, place))
        text = value.get("text") if isinstance(value, dict) else None
        whole = _read(lambda: text_of(text, "text", place)) or " ".join(words for _, _, words in speech)

        def changed(stimulus: Stimulus) -> Stimulus:
            own = _read(lambda: patter_over(whole, speech, duration_of(stimulus), place))
            return _with(stimulus, {"patter": {**stimulus.truth["patter"], OWN: own}})

        return changed

    return {name: change(name, value) for name, value in by_clip(path).items()}


def _types(path: Path) -> dict[str, Change]:
    def change(name: str, value: Json) -> Change:
        letter = _read(lambda: letter_of(value, _place(path, name)))
        return lambda stimulus: _with(stimulus, {}, {"linguistic_type": letter})

    return {name: change(name, value) for name, value in by_clip(path).items()}


def by_clip(path: Path) -> dict[str, Json]:
    """What a JSON file has for each clip: an object by id, which may be the value of its key `clips`."""
    content = loaded(path)
    if isinstance(content, dict) and isinstance(content.get("clips"), dict):
        content = content["clips"]
    if not isinstance(content, dict) or not content:
        raise InputError(f"{path}: an object with a value for the id of each clip is needed")
    return content


def _place(path: Path, name: str) -> str:
    return f"{path}, {json.dumps(name[:60], ensure_ascii=False)}"


def _read(read: Callable[[], _Value]) -> _Value:
    """A value that is read; what makes an item of a release unusable ends an addition, in the same line."""
    try:
        return read()
    except UnusableError as error:
        raise InputError(error.detail) from None
