"""Trials of one stimulus under the same settings, named by the settings that vary, such as what is said over a clip."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Trial, canonical


class Presentation(NamedTuple):
    """The trials of a stimulus under the same settings; `name` has the settings that vary."""

    name: str
    trials: tuple[Trial, ...]


def presentations(trials: Sequence[Trial]) -> list[Presentation]:
    """The trials by stimulus and settings, in order.

    A name has the settings whose levels vary, or all if that leaves several with one name; without any, the stage.
    """
    distinct = {canonical(dict(trial.settings)): trial.settings for trial in trials}
    names = dict.fromkeys(name for settings in distinct.values() for name in settings)
    varying = [name for name in names if len({each[name] for each in distinct.values() if name in each}) > 1]

    def named(settings: Mapping[str, str], among: Sequence[str]) -> str:
        words = ",".join(f"{name}={settings[name]}" for name in among if name in settings)
        return re.sub(r"[^\w=,.+-]", "_", words).lstrip(".") or trials[0].stage

    for among in (varying, list(names)):
        labels = {key: named(settings, among) for key, settings in distinct.items()}
        if len({*labels.values()}) == len(labels):
            break
    else:
        raise InputError("levels of settings differ in signs that no folder's name can have")
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        groups.setdefault((labels[canonical(dict(trial.settings))], trial.stimulus), []).append(trial)
    return [Presentation(name, tuple(own)) for (name, _), own in groups.items()]
