"""A board over many profiles, and whether stored profiles are what their runs come to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from veridical.base.path_checks import RUN, STAGES
from veridical.errors import InputError
from veridical.records import Json
from veridical.report.boards import ProfileBoard, board_of, write_site
from veridical.report.profiles import ModelProfile, Profile, StoredModel, StoredProfile, read_profile
from veridical.verbs.evaluation.profile import evaluated_folder, profile
from veridical.verbs.runs.roster import read_roster

_NUMBERS = ("value", "low", "high", "chance")
_COMPARED = (*_NUMBERS, "n", "verdict", "decided")


def board(folders: Sequence[Path | str], out: Path | str, *, models: Path | str | None = None) -> Path:
    """The page of a board over the profiles in some folders, after its site was written to the folder `out`.

    `models` is a file that states what the models are, in place of what their profiles say. Raises `InputError` where
    a folder holds no profile, is named twice, or would be written to.
    """
    whole = open_board(folders, models=models)
    place = Path(out).resolve()
    for folder in whole.folders.values():
        if place == folder or place in folder.parents:
            raise InputError(f"{out} holds {folder}, whose profile is shown: name another folder for the site")
    return write_site(whole, Path(out))


def open_board(folders: Sequence[Path | str], *, models: Path | str | None = None) -> ProfileBoard:
    """The board over the profiles in some folders (see `board`)."""
    profiles = _profiles(folders)
    roster = None if models is None else read_roster(Path(models))
    about: dict[str, Mapping[str, Json]] = {}
    for each in profiles.values() if roster else ():
        for model in each.models:
            facts = roster.of(model.model) if roster else None
            if facts:
                about[model.model] = facts.facts()
    return board_of(profiles, version("veridical"), about)


def _profiles(folders: Sequence[Path | str]) -> dict[Path, StoredProfile]:
    found: dict[Path, StoredProfile] = {}
    for each in folders:
        place = Path(each).resolve()
        if place in found:
            raise InputError(f"{each} is named twice: once is allowed")
        found[place] = read_profile(place)
    if not found:
        raise InputError("board: there is no folder to make one from")
    return found


def profile_mismatches(folder: Path | str) -> list[str]:
    """What of a stored profile is not what the runs in its folder come to: a line each, nothing where all is.

    The runs are those of an evaluation, or all that lie in the folder. Every effect, interval, chance, number of units,
    verdict and difference is computed anew from the replies, and the hashes of sets and replies are compared. Raises
    `InputError` where there is no profile, or no run.
    """
    place = Path(folder)
    stored = read_profile(place)
    runs = [place] if evaluated_folder(place) else run_folders(place)
    if not runs:
        raise InputError(f"{folder} holds no run: its profile cannot be computed anew")
    return list(_differing(stored, profile(runs)))


def run_folders(folder: Path) -> list[Path]:
    """The folders of all runs below a folder, without those of their later stages."""
    places = sorted(path.parent for path in folder.rglob(RUN))
    return [place for place in places if STAGES not in place.relative_to(folder).parts]


def _differing(stored: StoredProfile, anew: Profile) -> Iterator[str]:
    now = version("veridical")
    by_name = {model.name: model for model in anew.models}
    lines: list[str] = []
    for each in stored.models:
        if each.model in by_name:
            lines += _of_model(each, by_name[each.model])
        else:
            lines.append(f"{each.model}: there is no run of it here")
    lines += [f"{name}: is in the runs, and not in the profile" for name in by_name if name not in _names(stored)]
    if _differ([each.facts() for each in anew.differences], stored.differences):
        lines.append("the differences between models are others")
    if lines and stored.version != now:
        yield f"the profile was made by veridical {stored.version}, and is computed anew by {now}"
    yield from lines


def _names(stored: StoredProfile) -> set[str]:
    return {each.model for each in stored.models}


def _of_model(stored: StoredModel, anew: ModelProfile) -> Iterator[str]:
    """What differs in the lines of a model, and in the runs that they are from."""
    facts = {(line.suite.name, line.question.name): line.facts(anew.name) for line in anew.lines}
    for each in stored.questions:
        now = facts.pop((each.suite, each.question), None)
        where = f"{stored.model}, {each.suite} {each.question}"
        if now is None:
            yield f"{where}: there is no such question"
            continue
        for name in _COMPARED:
            if _differ(now[name], getattr(each, name)):
                yield f"{where}: {name} is {now[name]}, the profile says {getattr(each, name)}"
    yield from (f"{stored.model}, {' '.join(key)}: is not in the profile" for key in facts)
    runs = {each.suite: each for each in anew.runs}
    said = {each.suite for each in stored.runs}
    yield from (f"{stored.model}, {suite}: the profile states no hashes of it" for suite in runs if suite not in said)
    for run in stored.runs:
        own = runs.get(run.suite)
        if own is None:
            yield f"{stored.model}, {run.suite}: there is no run of it here"
        elif own.set != run.set:
            yield f"{stored.model}, {run.suite}: the run asked about another set"
        elif own.responses != run.responses:
            files = sorted(set(own.responses.items()) ^ set(run.responses.items()))
            yield f"{stored.model}, {run.suite}: other replies in {', '.join(dict.fromkeys(name for name, _ in files))}"


def _differ(one: Json, other: Json) -> bool:
    """Whether two plain values differ by more than rounding does."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() != other.keys() or any(_differ(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) != len(other) or any(_differ(*each) for each in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, int | float):
        return not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one != other)
