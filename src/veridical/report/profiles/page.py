"""The page of a profile: one HTML file that opens from disk, with each model's findings first, and `profile.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import write_whole
from veridical.records import Json
from veridical.report.profiles.profile import ModelProfile, Profile, ProfileLine
from veridical.report.profiles.profile_file import FILE, FORMAT
from veridical.report.view import environment_of
from veridical.suite.evaluation import ABILITIES, ABILITY_WORDS

_SCALE = 100.0
_NAMED = 3
_TICKS = (-100, -50, 0, 50, 100)


class EffectDot(NamedTuple):
    """An effect and its interval on the common scale, in percent of its length; `open` if it has one bound alone."""

    at: float
    interval: tuple[float, float] | None
    open: bool


class QuestionRow(NamedTuple):
    """A model, with its place among the models, on a question: its line, and where its effect is drawn."""

    place: int
    model: ModelProfile
    line: ProfileLine
    dot: EffectDot | None
    chance: float | None


def write_profile(profile: Profile, out: Path) -> Path:
    """The path `out`, after the page was written there, and `profile.json` beside it."""
    write_whole(out.with_name(FILE), profile_json(profile, out.name).encode())
    return write_whole(out, page(profile).encode())


def profile_json(profile: Profile, page_name: str = "index.html") -> str:
    """The profile as JSON, as `StoredProfile` has it: what was found in words and in points, and what was asked."""
    models: list[dict[str, Json]] = [
        {
            "model": model.name,
            "about": model.about.facts() if model.about else {},
            "found": model.sentence,
            "sure": model.sureness,
            "questions": [each.facts(model.name) for each in model.lines],
            "problems": list(model.problems),
            "runs": [each.model_dump() for each in model.runs],
        }
        for model in profile.models
    ]
    whole = {"format": FORMAT, "version": profile.version, "sets": dict(profile.sets), "models": models}
    whole |= {"differences": [each.facts() for each in profile.differences]}
    whole |= {"reports": dict(profile.links), "page": page_name}
    if profile.fresh is not None:
        whole["fresh"] = profile.fresh.facts()
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def page(profile: Profile) -> str:
    """The page as text: no script and no style of others, nothing that loads."""
    from markupsafe import Markup

    own = files("veridical.report").joinpath("profiles")
    sources = {each.name: each.read_text(encoding="utf-8") for each in own.iterdir() if each.name.endswith(".j2")}
    css = _resource("report.css") + _resource("profiles/profile.css")
    script = _resource("profiles/profile.js")
    return (
        environment_of(sources)
        .get_template("profile.html.j2")
        .render(
            profile=profile,
            abilities=ABILITY_WORDS,
            title=_title([each.name for each in profile.models]),
            shorts={each.suite.name: each.part.short for each in profile.questions},
            groups=[(name, words, _questions(profile, name)) for name, words in ABILITIES.items()],
            ticks=[(_place(tick), f"{tick:+d}".replace("-", "−") if tick else "0") for tick in _TICKS],
            policy=content_policy(script),
            css=Markup(css),  # noqa: S704
            script=Markup(script),  # noqa: S704
        )
    )


def _title(names: Sequence[str]) -> str:
    """The names for the head of a window: the first three of many."""
    rest = len(names) - _NAMED
    return ", ".join([*names[:_NAMED], *([f"{rest} more"] if rest > 0 else [])])


def content_policy(script: str) -> str:
    """What a page of one file may load and run: its own styles, and this script alone."""
    import base64
    import hashlib

    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _questions(profile: Profile, ability: str) -> list[tuple[ProfileLine, list[QuestionRow]]]:
    """The questions on an ability, each with a row for every model."""
    return [
        (each, [row for place, model in enumerate(profile.models) for row in _row(profile, place, model, each)])
        for each in profile.questions
        if each.question.ability == ability
    ]


def _row(profile: Profile, place: int, model: ModelProfile, like: ProfileLine) -> Sequence[QuestionRow]:
    line = profile.line(model, like)
    if line is None:
        return ()
    value, low, high = line.points
    ends = _place(-_SCALE if low is None else low), _place(_SCALE if high is None else high)
    bounds = sum(each is not None for each in (low, high))
    dot = None if value is None else EffectDot(_place(value), ends if bounds else None, bounds == 1)
    return (QuestionRow(place, model, line, dot, None if line.chance is None else _place(line.chance)),)


def _place(points: float) -> float:
    """Where a number of points stands on the scale, in percent of its length.

    >>> _place(0.0), _place(-100.0), _place(250.0)
    (50.0, 0.0, 100.0)
    """
    return round(50 + 50 * max(-1.0, min(1.0, points / _SCALE)), 2)


def _resource(name: str) -> str:
    return files("veridical.report").joinpath(name).read_text(encoding="utf-8")
