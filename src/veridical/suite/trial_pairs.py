"""Pairs of trials of one unit that differ in a factor, of any suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veridical.errors import InputError, unknown
from veridical.records import Json, Trial, canonical

GENERAL = ("family", "category", "variant", "gold")


class PairLevels(NamedTuple):
    """Two levels of a factor or of a general column, as text, that the trials of a pair have."""

    factor: str
    first: str
    second: str

    @classmethod
    def of(cls, text: str) -> PairLevels:
        """The levels of a text such as `variant=O,P`; raises `InputError` for another form.

        >>> PairLevels.of("alpha=0, 0.5")
        PairLevels(factor='alpha', first='0', second='0.5')
        """
        factor, _, stated = text.partition("=")
        levels = [each.strip() for each in stated.split(",")]
        if not factor.strip() or len(levels) != 2 or not all(levels) or levels[0] == levels[1]:
            raise InputError(f"pair '{text}': FACTOR=FIRST,SECOND with two levels is allowed")
        return cls(factor.strip(), *levels)

    def __str__(self) -> str:
        return f"{self.first} → {self.second}"


class TrialPair(NamedTuple):
    """Two trials of one unit and one wording; `group` names the levels of the pair."""

    first: Trial
    second: Trial
    group: str


def trial_pairs(
    trials: Sequence[Trial], levels: Sequence[PairLevels], by: str | None = None
) -> tuple[list[TrialPair], int]:
    """The pairs of trials that differ in a factor, and how many trials of the second level have no partner.

    The first trial has the second one's unit, settings and prompt. If several have, it is the one with the same level
    of `by`, which also divides the groups, by the second trial's. Raises `InputError` for a factor that no trial has, a
    level without trials, several partners, or no pair at all. Levels that are stated twice count once.
    """
    levels = list(dict.fromkeys(levels))
    places: dict[tuple[str, ...], list[Trial]] = {}
    for factor in dict.fromkeys(each.factor for each in levels):
        for trial in trials:
            places.setdefault((factor, _level(trial, factor), *_wording(trial)), []).append(trial)
    trials = sorted(trials, key=lambda trial: _rank(trial, by)) if by else trials
    pairs, alone = [], 0
    for pair in levels:
        if missing := {pair.first, pair.second} - (found := {_level(trial, pair.factor) for trial in trials}):
            raise unknown(f"level of {pair.factor}", min(missing), found)
        for second in trials:
            if _level(second, pair.factor) != pair.second:
                continue
            first = _partner(places.get((pair.factor, pair.first, *_wording(second)), []), second, pair, by)
            alone += first is None
            if first is not None:
                pairs.append(TrialPair(first, second, f"{pair}{f', {by} {_level(second, by)}' if by else ''}"))
    if not pairs:
        raise InputError(f"no unit has trials of one wording with {levels[0].factor} at both levels, {levels[0]}")
    return pairs, alone


def _partner(found: Sequence[Trial], second: Trial, pair: PairLevels, by: str | None) -> Trial | None:
    if len(found) > 1 and by:
        found = [trial for trial in found if _level(trial, by) == _level(second, by)]
    if len(found) > 1:
        what = f"{len(found)} trials with {pair.factor} = {pair.first} to pair with {second.id}"
        raise InputError(f"unit {second.unit} has {what}: name what tells them apart with --by")
    return found[0] if found else None


def _wording(trial: Trial) -> tuple[str, str, str]:
    return trial.unit, canonical(dict(trial.settings)), trial.prompt


def _rank(trial: Trial, factor: str) -> tuple[float, str]:
    level = _level(trial, factor)
    value = trial.factors.get(factor)
    return (value if isinstance(value, int | float) else 0.0), level


def _level(trial: Trial, factor: str) -> str:
    """The level of a factor as text; raises `InputError` for one that the trial does not have."""
    general: dict[str, Json] = {name: getattr(trial, name) for name in GENERAL}
    values = {**trial.factors, **general}
    if factor not in values:
        raise unknown("factor of a trial", factor, values)
    value = values[factor]
    return value if isinstance(value, str) else canonical(value)
