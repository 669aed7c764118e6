"""A board of models by questions, from stored profiles: what each model is, its cells, and what to know beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from veridical.records import Json
from veridical.report.profiles import StoredModel, StoredProfile, StoredQuestion, model_titles
from veridical.suite.evaluation import ABILITIES

QuestionKey = tuple[str, str]
"""A suite, and the name of a question in it."""


@dataclass(frozen=True, kw_only=True)
class BoardModel:
    """A model on a board: its name there, its folder in the site, what it is, and its lines by question.

    `other_sets` are the suites in which it was asked about another set than most models.
    """

    name: str
    place: str
    stored: StoredModel
    profile: StoredProfile
    about: Mapping[str, Json] = field(default_factory=dict)
    other_sets: frozenset[str] = frozenset()

    @property
    def size(self) -> float | None:
        """Billions of parameters, if that is stated."""
        size = self.about.get("size")
        return float(size) if isinstance(size, int | float) and 0 < size < math.inf else None

    @property
    def family(self) -> str:
        """Its family, else its group; empty where neither is stated."""
        return str(self.about.get("family") or self.about.get("group") or "")

    def line(self, key: QuestionKey) -> StoredQuestion | None:
        """Its line on a question."""
        return next((each for each in self.stored.questions if (each.suite, each.question) == key), None)


@dataclass(frozen=True, kw_only=True)
class ProfileBoard:
    """Models by questions; `notes` are lines on what is not alike, `folders` where each place of the site is from."""

    models: tuple[BoardModel, ...]
    version: str
    folders: Mapping[str, Path]
    notes: tuple[str, ...] = ()

    @property
    def questions(self) -> list[StoredQuestion]:
        """One line for each question that any model has, in the order of the abilities."""
        by_key: dict[QuestionKey, StoredQuestion] = {}
        for model in self.models:
            for each in model.stored.questions:
                by_key.setdefault((each.suite, each.question), each)
        order = [*ABILITIES]
        return sorted(by_key.values(), key=lambda each: order.index(each.ability))

    @property
    def families(self) -> list[str]:
        """The families, in the order of the models."""
        return list(dict.fromkeys(each.family for each in self.models if each.family))

    def facts(self) -> list[dict[str, Json]]:
        """A row for each model and question, as plain values."""
        return [
            {
                "model": model.name,
                **{key: model.about.get(key) for key in ("family", "size")},
                **each.model_dump(exclude={"means"}),
                "other_set": each.suite in model.other_sets,
                "version": model.profile.version,
                "folder": model.place,
            }
            for model in self.models
            for each in model.stored.questions
        ]


def board_of(
    profiles: Mapping[Path, StoredProfile], version: str, about: Mapping[str, Mapping[str, Json]] | None = None
) -> ProfileBoard:
    """The board of the profiles in some folders, in their order.

    A model whose name two folders have stands there with its folder's name. `about` says what models are, in place of
    what their profiles say.
    """
    places = _places(list(profiles))
    titles = model_titles([(folder, each.model) for folder, profile in profiles.items() for each in profile.models])
    usual = _usual_sets(profiles.values())
    models = [
        BoardModel(
            name=titles[folder, model.model],
            place=places[folder],
            stored=model,
            profile=profile,
            about=(about or {}).get(model.model) or model.about,
            other_sets=frozenset(each.suite for each in model.runs if each.set != usual[each.suite]),
        )
        for folder, profile in profiles.items()
        for model in profile.models
    ]
    folders = {place: folder for folder, place in places.items()}
    notes = tuple(_notes(profiles, models, version))
    return ProfileBoard(models=tuple(models), version=version, folders=folders, notes=notes)


def _places(folders: Sequence[Path]) -> dict[Path, str]:
    """A plain name in the site for each folder, none of them twice.

    >>> list(_places([Path("a/my run"), Path("b/my run")]).values())
    ['1-my-run', '2-my-run']
    """
    plain = ["".join(c if c.isascii() and c.isalnum() else "-" for c in folder.name)[:40] for folder in folders]
    return {folder: f"{place}-{name}" for place, (folder, name) in enumerate(zip(folders, plain, strict=True), start=1)}


def _usual_sets(profiles: Iterable[StoredProfile]) -> dict[str, str]:
    """The set that most models of each suite were asked about."""
    counts: dict[str, Counter[str]] = {}
    for profile in profiles:
        for model in profile.models:
            for run in model.runs:
                counts.setdefault(run.suite, Counter())[run.set] += 1
    return {suite: own.most_common(1)[0][0] for suite, own in counts.items()}


def _notes(profiles: Mapping[Path, StoredProfile], models: Sequence[BoardModel], version: str) -> Iterator[str]:
    for folder, profile in profiles.items():
        if profile.version != version:
            yield f"{folder.name} was made by veridical {profile.version}, this board by {version}"
    for model in models:
        if model.other_sets:
            suites = ", ".join(sorted(model.other_sets))
            yield f"{model.name} was asked about other sets of {suites} than most models: marked ≠"
        yield from (f"{model.name}: {problem}" for problem in model.stored.problems)
