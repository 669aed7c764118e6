"""The Suite record: everything that the library knows of a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from veridical.base.files import os_errors
from veridical.base.options import Options, Recipe
from veridical.errors import InputError, unknown

if TYPE_CHECKING:
    from veridical.observers import Observer
    from veridical.suite.evaluation import EvaluationPart
    from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart, Release
    from veridical.suite.people_tasks import PeopleTask
    from veridical.suite.sequential import SequentialPart
    from veridical.suite.stages import AskingOptions
    from veridical.suite.training import TrainingRecipe

T = TypeVar("T")
PARTS = (
    *("options", "recipes", "design", "asking", "analysis", "presentation", "evaluation"),
    *("observers", "people", "releases", "training", "sequential", "commands"),
)
REQUIRED = ("options", "recipes", "design", "asking", "analysis")


@dataclass(frozen=True, kw_only=True, repr=False)
class Suite:
    """Everything that the library knows of a diagnostic.

    `parts` has the place of each part as `package.module:NAME`, which is loaded when it is first used, or the part
    itself, as in a notebook. `options` (a subclass of `Options`) and `recipes` belong in a module that imports
    pydantic alone, because help is made from them. `design`, `asking` and `analysis` are required; `presentation`,
    `evaluation`, `observers`, `people` (tasks by name), `releases`, `training` (recipes by name),
    `sequential` (how it asks until it can conclude) and `commands` (a Typer application) are optional.
    `later_stages` names the stages after the first that models are asked in, so that inspect-ai can list a task for
    each without loading anything. `group` is the word for its commands on the command line (default: its name).
    `files` are those of a user's own that its sets are made from, the one with the record first. Raises ValueError
    for an unknown or missing part.
    """

    name: str
    title: str
    citation: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    later_stages: tuple[str, ...] = ()
    group: str | None = None
    files: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        for part in self.parts:
            if part not in PARTS:
                raise ValueError(f"suite {self.name}: no part is called '{part}': {', '.join(PARTS)} are known")
        missing = [part for part in REQUIRED if part not in self.parts]
        if missing:
            raise ValueError(f"suite {self.name}: {', '.join(missing)} missing")

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {self.title}>"

    def origin(self) -> dict[str, str]:
        """The name of the user's file that the suite is in, and the hash of all its files; empty for a package's suite.

        Raises `InputError` for a file that cannot be read.
        """
        if not self.files:
            return {}
        digest = sha256()
        for path in self.files:
            with os_errors(path, "read"):
                digest.update(sha256(path.read_bytes()).digest())
        return {"suite_file": self.files[0].name, "suite_sha256": digest.hexdigest()}

    @cached_property
    def options(self) -> type[Options]:
        options: type[Options] = self._loaded("options")
        return options

    @cached_property
    def recipes(self) -> Mapping[str, Recipe]:
        recipes: Mapping[str, Recipe] = self._loaded("recipes")
        return recipes

    @cached_property
    def design(self) -> DesignPart:
        from veridical.suite.parts import DesignPart, require_free_names

        part = self._part("design", DesignPart)
        require_free_names(self.name, part.factors, self.asking.settings)
        return part

    @cached_property
    def asking(self) -> AskingPart:
        from veridical.suite.parts import AskingPart
        from veridical.suite.stages import PEOPLE

        part = self._part("asking", AskingPart)
        later = tuple(stage.name for stage in part.stages[1:] if stage.role != PEOPLE)
        if set(later) != set(self.later_stages):
            stated, actual = (", ".join(names) or "none" for names in (self.later_stages, later))
            raise InputError(f"the suite '{self.name}' cannot be loaded: later_stages are {stated}, there are {actual}")
        return part

    @cached_property
    def analysis(self) -> AnalysisPart:
        from veridical.suite.parts import AnalysisPart

        return self._part("analysis", AnalysisPart)

    @cached_property
    def presentation(self) -> PresentationPart:
        from veridical.suite.parts import PresentationPart

        return self._part("presentation", PresentationPart) if "presentation" in self.parts else PresentationPart()

    @cached_property
    def evaluation(self) -> EvaluationPart | None:
        from veridical.suite.evaluation import EvaluationPart

        return self._part("evaluation", EvaluationPart) if "evaluation" in self.parts else None

    @cached_property
    def observers(self) -> Mapping[str, Observer]:
        observers: Mapping[str, Observer] = self._loaded("observers") if "observers" in self.parts else {}
        return observers

    @cached_property
    def people(self) -> Mapping[str, PeopleTask]:
        people: Mapping[str, PeopleTask] = self._loaded("people") if "people" in self.parts else {}
        return people

    @cached_property
    def commands(self) -> Any:  # noqa: ANN401 (a Typer application, which is not imported here)
        return self._loaded("commands") if "commands" in self.parts else None

    @cached_property
    def releases(self) -> Mapping[str, Release]:
        releases: Mapping[str, Release] = self._loaded("releases") if "releases" in self.parts else {}
        return releases

    @cached_property
    def training(self) -> Mapping[str, TrainingRecipe]:
        recipes: Mapping[str, TrainingRecipe] = self._loaded("training") if "training" in self.parts else {}
        return recipes

    @cached_property
    def sequential(self) -> SequentialPart | None:
        from veridical.suite.sequential import SequentialPart

        return self._part("sequential", SequentialPart) if "sequential" in self.parts else None

    def asked(
        self, chosen: Mapping[str, str | Sequence[str]] | None = None, prompts: Path | str | None = None
    ) -> AskingOptions:
        """How to ask with the chosen levels, in the suite's own order, and the defaults of the other settings.

        Raises `InputError` for an unknown setting or level, and for prompts if the suite takes none.
        """
        from veridical.suite.stages import AskingOptions

        part = self.asking
        if prompts is not None and part.prompts is None:
            raise InputError(f"the suite {self.name} takes no other prompts")
        levels = {name: part.defaults.get(name, allowed) for name, allowed in part.settings.items()}
        for name, choice in (chosen or {}).items():
            if name not in part.settings:
                raise unknown("setting", name, part.settings)
            wanted = [choice] if isinstance(choice, str) else [str(level) for level in choice]
            for level in wanted:
                if level not in part.settings[name]:
                    raise unknown(f"level of {name}", level, part.settings[name])
            if not wanted:
                raise InputError(f"setting {name} has no level: allowed are {', '.join(part.settings[name])}")
            levels[name] = tuple(level for level in part.settings[name] if level in wanted)
        return AskingOptions(levels, None if prompts is None else Path(prompts))

    def _part(self, name: str, kind: type[T]) -> T:
        part = self._loaded(name)
        if not isinstance(part, kind):
            raise InputError(f"the suite {self.name}: its {name} is a {type(part).__name__}, no {kind.__name__}")
        return part

    def _loaded(self, name: str) -> Any:  # noqa: ANN401 (each part has a type of its own)
        place = self.parts[name]
        if not isinstance(place, str):
            return place
        module, _, attribute = place.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except InputError:
            raise
        except Exception as error:
            detail = " ".join(str(error).split()) or type(error).__name__
            where = f"its {name} ({place})"
            raise InputError(
                f"the suite '{self.name}' cannot be loaded: {where}: {type(error).__name__}: {detail}"
            ) from error
