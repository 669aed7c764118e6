"""Asking models all that the suites ask: sets, runs, reports and the profile, in one folder and one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import Any, Unpack

from veridical.ask import RunBoard, is_embedded
from veridical.base.files import folder_lock
from veridical.base.run_options import RunOptions
from veridical.base.workers import drawing_workers
from veridical.errors import InputError
from veridical.report.profiles import Profile, write_profile
from veridical.stimulus_set import StimulusSet
from veridical.suite.evaluation import PROTOTYPES, EvaluationDesign, EvaluationPart
from veridical.suite.record import Suite
from veridical.verbs import sets
from veridical.verbs.evaluation.choices import FILE, Choices, choices_from, part_of, read_choices, stated_options
from veridical.verbs.evaluation.outlook import Outlook, SuiteOutlook
from veridical.verbs.evaluation.private import PrivateSeed, private_seed_of, suite_place
from veridical.verbs.evaluation.profile import REPORT, against_fresh, profile_of, report_links, run_place, runs_of
from veridical.verbs.plans.plan import plan
from veridical.verbs.results.report import write_report
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.models import PREFIX
from veridical.verbs.runs.options import require_kinds
from veridical.verbs.runs.roles import roles_of
from veridical.verbs.runs.roster import Roster, read_roster
from veridical.verbs.runs.run_start import RunStart, Show
from veridical.verbs.sets import folder_for

PAGE = "index.html"
ConfirmPlan = Callable[[Sequence[Outlook]], bool]
Drawn = Callable[[str], sets.Progress | None]
"""What is told of the drawing of a suite's set."""
_ITEMS = 60
"""How many items a suite's own report shows."""


def evaluate(
    model: Sequence[str] | str,
    *,
    out: Path | str | None = None,
    suites: Sequence[str] | None = None,
    recipe: str = "quick",
    set_seed: int = 0,
    private_seed: bool = False,
    suite_settings: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    rate: float | None = None,
    show: Show = "auto",
    confirm: ConfirmPlan | None = None,
    drawn: Drawn | None = None,
    committed: Callable[[str], None] | None = None,
    **options: Unpack[RunOptions],
) -> Profile:
    """What all suites find of some models: the sets are drawn, or taken up, all is asked, marked, and joined in a page.

    `model` names one, or several, as for `run_models`; each may be `veridical/NAME` of `PROTOTYPES`, too. `suites`
    (default: all that take part) are asked in turn, with what each suite's record says of the `recipe`: quick, standard
    or full; `suite_settings` has other levels of a suite's settings, by suite.
    Budgets and a limit of time hold for everything together. `out` (default: a temporary folder) gets `index.html`,
    `profile.json`, `evaluate.toml`, and a folder for each suite; the same call goes on where an earlier one ended.
    With `private_seed`, as many fresh units of the same design are drawn with a secret seed, which stays in the folder,
    and asked as well; the page says what each model gains on the standard ones. `committed` gets the commitment to that
    seed (see `PrivateSeed`) before anything is drawn or sent.
    `confirm` gets what is to be sent to each model that is not embedded, with minutes at `rate` questions per second,
    or at that of its earlier runs in the folder, and may say no. What one model cannot be asked is named in the page,
    and the rest is asked all the same. Raises `InputError` for what a user can put right before anything is sent.
    """
    require_kinds(options)
    names = [model] if isinstance(model, str) else list(model)
    asking = stated_options(options)
    facts = {"models": names, "suites": None if suites is None else list(suites), "recipe": recipe, "seed": set_seed}
    by_suite = {name: {each: list(some) for each, some in own.items()} for name, own in (suite_settings or {}).items()}
    choices = choices_from({**facts, "private_seed": private_seed, "asking": asking, "settings": by_suite})
    whole = evaluate_choices(choices, out, rate=rate, show=show, confirm=confirm, drawn=drawn, committed=committed)
    if not whole.interrupted:  # who stops an evaluation waits for nothing
        whole.write_page()
    return whole.profile()


def evaluate_choices(
    choices: Choices,
    out: Path | str | None = None,
    *,
    rate: float | None = None,
    show: Show = "auto",
    confirm: ConfirmPlan | None = None,
    drawn: Drawn | None = None,
    committed: Callable[[str], None] | None = None,
    places: Mapping[str, Path] | None = None,
) -> Evaluation:
    """The evaluation that choices come to (see `evaluate`); `places` says where the sets of some suites stand."""
    folder = folder_for(out)
    earlier = read_choices(folder) if (folder / FILE).exists() else None
    whole = choices if earlier is None else choices.joined(earlier)
    start = _Start(choices, folder, show, places or {})
    start.require_possible()
    if whole.private_seed:
        start.secret = private_seed_of(folder)
        if committed is not None:
            committed(start.secret.commitment)
    if confirm is not None and (outlooks := list(start.outlooks(rate))) and not confirm(outlooks):
        raise InputError("nothing was sent: say yes, or give --yes")
    folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder):
        whole.write(folder)
        start.ask_all(drawn)
        return Evaluation(whole, folder, start.problems, start.interrupted, start.results, start.fresh_problems)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """An evaluation in its folder.

    `problems` say, by model and suite, why one could not be asked in the latest call, `fresh_problems` why not about
    fresh units; `asked` has the runs of that call by their folders.
    """

    choices: Choices
    folder: Path
    problems: Mapping[tuple[str, str], str] = field(default_factory=dict)
    interrupted: bool = False
    asked: Mapping[Path, RunResult] = field(default_factory=dict)
    fresh_problems: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(self.choices.models)} in {self.folder}>"

    @cached_property
    def runs(self) -> dict[str, dict[str, RunResult]]:
        """The runs that there are, by model and suite."""
        return runs_of(self.folder, self.choices, self.asked)

    @cached_property
    def fresh_runs(self) -> dict[str, dict[str, RunResult]]:
        """The runs on fresh units, by model and suite; nothing without a private seed."""
        return runs_of(self.folder, self.choices, self.asked, fresh=True) if self.choices.private_seed else {}

    @property
    def complete(self) -> bool:
        """Whether every model was asked everything that it can be asked, in every suite."""
        every = len(self.choices.models) * len(self.choices.suites) * (1 + self.choices.private_seed)
        runs = [run for of in (self.runs, self.fresh_runs) for own in of.values() for run in own.values()]
        whole = [run for run in runs if run.complete and not run.stopped]
        return not (self.interrupted or self.problems or self.fresh_problems) and len(whole) == every

    def profile(self) -> Profile:
        """What was found so far."""
        return replace(self._profile, links=report_links(self.folder, self.choices.suites))

    @cached_property
    def _roster(self) -> Roster | None:
        place = self.choices.asking.get("models")
        return read_roster(Path(place)) if place else None

    @cached_property
    def _profile(self) -> Profile:
        found = profile_of(self.runs, self.choices.suites, self.problems, self._roster)
        if self.choices.private_seed:
            return against_fresh(found, self.folder, self.fresh_runs, self.fresh_problems)
        return found

    def write_page(self) -> Path:
        """The path of the page, after it and `profile.json` were written, and each suite's own report."""
        for suite in self.choices.suites:
            of_suite = [own[suite] for own in self.runs.values() if suite in own]
            if of_suite:
                roster = self._roster
                stated = roster is not None and any(run.model in roster.models for run in of_suite)
                models = roster.path if roster is not None and stated else None
                write_report(of_suite, self.folder / suite / REPORT, items=_ITEMS, models=models)
        return write_profile(self.profile(), self.folder / PAGE)


@dataclass
class _Start:
    """One call of an evaluation: what is asked of whom, and what could not be."""

    choices: Choices
    folder: Path
    show: Show
    sets: Mapping[str, Path]
    began: float = field(default_factory=monotonic)
    problems: dict[tuple[str, str], str] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    interrupted: bool = False
    results: dict[Path, RunResult] = field(default_factory=dict)
    secret: PrivateSeed | None = None
    fresh_problems: dict[tuple[str, str], str] = field(default_factory=dict)

    def design(self, part: EvaluationPart) -> EvaluationDesign:
        return part.designs[self.choices.recipe]

    def asked(self, suite: Suite, part: EvaluationPart, model: str) -> tuple[str, RunOptions]:
        """The name under which a suite asks a model, and the options with which it does."""
        design = self.design(part)
        graded = part.graded_settings if self.choices.graded else {}
        settings = {**design.settings, **graded, **self.choices.settings.get(suite.name, {})}
        own: dict[str, Any] = {"settings": settings, "judge": design.judge, "repeats": design.repeats}
        name = model.removeprefix(PREFIX)
        if model != name and name in PROTOTYPES:
            observer, arguments = part.prototypes[name]
            own["model_args"], model = dict(arguments), PREFIX + observer
        options: RunOptions = {**own, **self.choices.asking}  # type: ignore[typeddict-item]
        return model, {key: value for key, value in options.items() if value is not None}  # type: ignore[return-value]

    def parts(self) -> Iterator[tuple[Suite, EvaluationPart]]:
        yield from map(part_of, self.choices.suites)

    def samples(self) -> Iterator[tuple[Suite, EvaluationPart, bool]]:
        """What is drawn and asked: of each suite its set and, with a private seed, the fresh one."""
        for suite, part in self.parts():
            yield from ((suite, part, fresh) for fresh in (False, True)[: 1 if self.secret is None else 2])

    def require_possible(self) -> None:
        """Raises `InputError` for a name, an option or a key that is wrong, before anything is drawn or sent."""
        for suite, part in self.parts():
            for model in self.choices.models:
                name, options = self.asked(suite, part, model)
                roles_of(suite, name, _accepted(suite, options))

    def outlooks(self, rate: float | None = None) -> Iterator[Outlook]:
        """What is to be sent to each model that is not embedded, suite by suite, at a rate or that of earlier runs."""
        for model in self.choices.models:
            if any(not is_embedded(self.asked(suite, part, model)[0]) for suite, part in self.parts()):
                known = rate or self._earlier_rate(model)
                yield Outlook(model, tuple(self._outlook(*sample, model, known) for sample in self.samples()))

    def _outlook(
        self,
        suite: Suite,
        part: EvaluationPart,
        fresh: bool,
        model: str,
        rate: float | None,
    ) -> SuiteOutlook:
        name, options = self.asked(suite, part, model)
        design = sets.design(suite.name, **self.values(part, fresh=fresh))
        forecast = plan(design, name, rate=rate, **_accepted(suite, options))
        return SuiteOutlook(_short(part, fresh=fresh), forecast, "" if fresh else self.design(part).decides)

    def _earlier_rate(self, model: str) -> float | None:
        """The questions per second of the model's runs that are there, if any tells."""
        runs = runs_of(self.folder, self.choices)[model].values()
        return next((rate for each in runs if (rate := each.run.rate()) is not None), None)

    def values(self, part: EvaluationPart, *, fresh: bool = False) -> dict[str, Any]:
        """The options of a suite's set."""
        design = self.design(part)
        seed = self.secret.seed if fresh and self.secret is not None else self.choices.seed
        return {**design.values, "recipe": design.recipe, "seed": seed}

    def ask_all(self, drawn: Drawn | None) -> None:
        """Draws each suite's sets and asks every model, suite by suite, until a person stops it."""
        made = {}
        for suite, part, fresh in self.samples():
            place = suite_place(self.folder, suite.name, fresh=fresh) / "set"
            made[suite.name, fresh] = sets.make(
                suite.name,
                out=place if fresh else self.sets.get(suite.name, place),
                progress=drawn(_short(part, fresh=fresh)) if drawn else None,
                **drawing_workers(self.choices.asking),
                **self.values(part, fresh=fresh),
            )
        titles = [
            _title(model, part, fresh=fresh) for _, part, fresh in self.samples() for model in self.choices.models
        ]
        with RunBoard(titles, self.show) as board:
            for suite, part, fresh in self.samples():
                for model in self.choices.models:
                    if self.interrupted:
                        return
                    self._ask(suite, part, model, made[suite.name, fresh], board, fresh=fresh)

    def _ask(
        self, suite: Suite, part: EvaluationPart, model: str, whole: StimulusSet, board: RunBoard, *, fresh: bool
    ) -> None:
        name, options = self.asked(suite, part, model)
        title, place = _title(model, part, fresh=fresh), run_place(self.folder, suite.name, model, fresh=fresh)
        try:
            start = RunStart(
                suite,
                whole,
                place,
                roles_of(suite, name, own := _accepted(suite, options)),
                own,
                self.show,
                None,
                began=self.began,
                agreed=self.agreed,
                beside=[each for each in self.places() if each != place],
                shown=partial(board.of, title),
            )
            result = start.result(analyze=False)
        except InputError as error:
            problems = self.fresh_problems if fresh else self.problems
            problems[model, suite.name] = " ".join(str(error).split())
            board.tell(title, "refused")
            return
        self.results[result.folder] = result
        self.interrupted = result.stopped == "interrupted" and start.limited

    def places(self) -> list[Path]:
        """The folders of all runs of the evaluation."""
        return [
            run_place(self.folder, suite.name, model, fresh=fresh)
            for suite, _, fresh in self.samples()
            for model in self.choices.models
        ]


def _short(part: EvaluationPart, *, fresh: bool) -> str:
    return f"{part.short}, fresh" if fresh else part.short


def _title(model: str, part: EvaluationPart, *, fresh: bool) -> str:
    return f"{model}, {_short(part, fresh=fresh)}"


def _accepted(suite: Suite, options: RunOptions) -> RunOptions:
    """The options without a judge where the suite has nothing to be judged."""
    has_judge = "judge" in suite.asking.roles
    return options if has_judge else {key: value for key, value in options.items() if key != "judge"}  # type: ignore[return-value]
