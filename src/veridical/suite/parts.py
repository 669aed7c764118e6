"""The parts of a suite: what it draws, how it asks, what it concludes, and how that is shown."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from veridical.answers import Readers
from veridical.ask import trial_table as trials
from veridical.base.processes import function_at
from veridical.errors import InputError, unknown
from veridical.records import (
    CRITICAL_SEEN,
    FORCED_ANSWERS,
    OUTCOMES,
    PROBABILITIES,
    Chunk,
    Estimate,
    FactorTypes,
    Json,
    Measure,
    Stimulus,
    Trial,
    Unit,
)
from veridical.stimulus_set import StimulusSet, Verify
from veridical.stimulus_set import stimulus_table as stimuli
from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.evidence import Evidence
from veridical.suite.opening import Opening
from veridical.suite.people_forms import text_form
from veridical.suite.people_tasks import Caption, FormField
from veridical.suite.results import Figure, ModelFacts, Passage, PublishedTable, Region, Result, Table
from veridical.suite.stages import MODEL, PEOPLE, Levels, Preset, Stage, order_stages

if TYPE_CHECKING:
    from veridical.stimulus_set.imports import ExcludedItem, Import


Progress = Callable[[int, int], None]

CriticalRegion = Sequence[Sequence[float]]
"""The boxes of one thing that must be seen (x0, y0, x1, y1, half-open): its parts, or where it is at several times."""

RESERVED = frozenset((*stimuli.RESERVED, *trials.RESERVED, *OUTCOMES, *PROBABILITIES, *FORCED_ANSWERS, CRITICAL_SEEN))


@dataclass(frozen=True, kw_only=True, repr=False)
class DesignPart:
    """What a suite draws.

    `chunks` lists the independent pieces of a set with given options, and `make` draws one of them: stimuli with the
    bytes of their media, in order. `verify` holds a stimulus against its decoded media. `factors` declares, with their
    types, the factors that become columns of the suite's tables. `outline` gives the stimuli of a piece, in any order,
    without painting them: what is asked about them is what is asked about those of `make`, which plans draw where there
    is none; the media have no hash, and what is read from pixels alone may be missing. `engine` says what besides the
    options and the library determines the pixels, by name, and refuses what cannot be drawn here. `describe` adds to
    the description of a set: facts by name, and the same in Markdown lines; `published` has a paper's counts, which
    stand beside the set's own. `adopt` makes stimuli of what a run came to, such as labels from annotation; their media
    are those of the run's stimuli, and they may be of another suite. It may also say what is left out, with the reason.
    `critical` gives the regions that must be seen to answer about a stimulus, in pixels of its first medium; none where
    the truth does not say where they are. Verdicts do not blame a model for regions that it is measured not to see.
    """

    families: tuple[str, ...]
    factors: FactorTypes
    chunks: Callable[[Any], Sequence[Chunk]]
    make: Callable[[Any, Chunk], Iterator[tuple[Stimulus, tuple[bytes, ...]]]]
    verify: Verify
    outline: Callable[[Any, Chunk], Iterable[Stimulus]] | None = None
    engine: Callable[[Any], Mapping[str, str]] = field(default=lambda _: {})
    describe: Callable[[StimulusSet], tuple[Mapping[str, Json], Sequence[str]]] | None = None
    published: PublishedCounts | None = None
    adopt: Callable[[Sequence[Stimulus], Evidence], Iterable[Stimulus | ExcludedItem]] | None = None
    critical: Callable[[Stimulus], Sequence[CriticalRegion]] = field(default=lambda _: ())

    def __repr__(self) -> str:
        return f"<DesignPart: {len(self.families)} families, {len(self.factors)} factors>"

    def outlined(self, options: Any, chunk: Chunk) -> list[Stimulus]:  # noqa: ANN401 (each suite has its own options)
        """The stimuli of a piece by its outline, or drawn where the suite has none."""
        if self.outline is None:
            return [stimulus for stimulus, _ in self.make(options, chunk)]
        return list(self.outline(options, chunk))


def _by_family_and_variant(stimulus: Stimulus) -> Hashable:
    return stimulus.family, stimulus.variant


def _own_question(stimulus: Stimulus, trial: Trial) -> str:  # noqa: ARG001 (what a suite may look at)
    return stimulus.question


def _free_text(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:  # noqa: ARG001 (what a suite may look at)
    return text_form()


@dataclass(frozen=True, kw_only=True, repr=False)
class AskingPart:
    """How a suite asks.

    `settings` has the levels that each setting may take, `defaults` those that it takes if nobody says otherwise (all,
    where it names none), and `prompts` the folder of the suite's own wordings, where a user may put others in their
    place. `defaults_for` gives other defaults for a model, from what the user's file of models states of it. `readers`
    has the readers of each family, the default first. `presets` has published ways of asking; `contrast`, the two
    picture types whose difference a design is to find, and `reply_tokens`, the length of a usual reply, are for plans.
    `repeats` is how often each trial of the first stage is asked if nobody says otherwise. `stratum` says what a sample
    for people is balanced over, `bare_question` what people are asked, without the words that tell a model how to
    answer and without options; `answer_form` has the fields that they fill (default: one text), whose values the
    readers of the trial read (see `people_forms.reply_of`), and `captions` are the words over a trial's clip.
    """

    stages: tuple[Stage, ...]
    readers: Readers
    settings: Levels = field(default_factory=dict)
    defaults: Levels = field(default_factory=dict)
    defaults_for: Callable[[ModelFacts], Levels] | None = None
    prompts: Path | None = None
    presets: Mapping[str, Preset] = field(default_factory=dict)
    contrast: tuple[str, str] | None = None
    reply_tokens: int = 200
    repeats: int = 1
    stratum: Callable[[Stimulus], Hashable] = _by_family_and_variant
    bare_question: Callable[[Stimulus, Trial], str] = _own_question
    answer_form: Callable[[Stimulus, Trial], Sequence[FormField]] = _free_text
    captions: Callable[[Stimulus, Trial], Sequence[Caption]] = field(default=lambda *_: ())

    def __post_init__(self) -> None:
        order_stages(self.stages, self.settings)
        others = [stage.role for stage in self.stages if stage.role not in (MODEL, PEOPLE)]
        for name, preset in self.presets.items():
            for role in preset.roles:
                if role not in others:
                    raise ValueError(f"preset '{name}': {unknown('role', role, others)}")

    def __repr__(self) -> str:
        return f"<AskingPart: stages {', '.join(stage.name for stage in self.stages)}>"

    @cached_property
    def ordered(self) -> tuple[Stage, ...]:
        """The stages, each after those that it needs; the first is the run folder's own."""
        return order_stages(self.stages, self.settings)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that the stages name, in their order."""
        return tuple(dict.fromkeys(stage.role for stage in self.ordered))


@dataclass(frozen=True, kw_only=True, repr=False)
class AnalysisPart:
    """What a suite concludes from the outcomes of a run's stages.

    `measures` says what each metric is, `headline` which of them open a report, most important first. `differences`
    compares two runs, `slices` names the columns by which a terminal shows the headline. `resolution` gives a plan's
    lines about what can be measured beyond rates, from trials on some units and how many of their kind there are.
    """

    measures: Mapping[str, Measure]
    estimates: Callable[[Evidence], list[Estimate]]
    headline: tuple[str, ...]
    slices: tuple[str, ...] = ("category", "case", "variant")
    differences: Callable[[Evidence, Evidence], list[Estimate]] | None = None
    resolution: Callable[[Iterable[tuple[Sequence[Trial], int]]], Iterable[str]] = field(default=lambda _: ())

    def __repr__(self) -> str:
        return f"<AnalysisPart: {len(self.measures)} measures>"


def measure(
    title: str,
    definition: str,
    unit: Unit,
    source: str = "",
    better: Literal["higher", "lower"] | None = None,
    formula: str = "",
    spelled: str = "",
) -> Measure:
    """A measure, its parts in the order in which tables of measures state them."""
    return Measure(
        title=title, definition=definition, unit=unit, source=source, better=better, formula=formula, spelled=spelled
    )


def _no_facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    both = [*stimulus.truth.items(), *stimulus.measured.items()]
    keys = dict.fromkeys(key for key, value in both if not isinstance(value, list | dict))
    return [(key, stimulus.truth.get(key), stimulus.measured.get(key)) for key in keys]


@dataclass(frozen=True, kw_only=True, repr=False)
class PresentationPart:
    """How a suite shows what came out.

    `variants` gives picture types the names that people read, in the order in which they are shown; `names` does
    the same for families, factors and settings, and `answers` for canonical answers. `terms` adds to the glossary
    what is no measure; `named_from` says of verdicts from how many units on four of five simulated runs are given
    them. `opening` is what a report says first, `tables` and `figures` are made of the results of several runs,
    `facts` are the rows (name, intended, measured) beside an item, `passages` what is marked in a reply, of its row
    of the outcomes. `regions` are drawn over an item's first picture, in place of those in its truth, and
    `mentioned` names those that a reply is about: they are lit while the reply is open. `answer` is what stands for
    a reply's canonical answer, where that is long, and `scores` names the scores that stand beside it (default:
    all). `gallery` writes a page of everything that the suite draws into a folder and returns its path; `published`
    gives published tables with the runs that were asked alike, and why each other run is left out; `demonstration`
    fills a folder and returns lines for people and facts for machines.
    """

    variants: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    named_from: Mapping[str, int] = field(default_factory=dict)
    opening: Callable[[Sequence[Result]], Opening | None] = field(default=lambda _: None)
    tables: Callable[[Sequence[Result]], list[Table]] = field(default=lambda _: [])
    figures: Callable[[Sequence[Result]], list[Figure]] = field(default=lambda _: [])
    facts: Callable[[Stimulus], Sequence[tuple[str, Json, Json]]] = _no_facts
    passages: Callable[[Mapping[str, Any]], Sequence[Passage]] = field(default=lambda _: ())
    regions: Callable[[Stimulus], Sequence[Region]] = field(default=lambda _: ())
    mentioned: Callable[[Stimulus, Mapping[str, Any]], Sequence[str]] = field(default=lambda *_: ())
    answer: Callable[[Mapping[str, Any]], str | None] = field(default=lambda row: row["answer"])
    scores: Sequence[str] | None = None
    gallery: Callable[[Path], Path] | None = None
    published: (
        Callable[[Sequence[Result], Sequence[str]], tuple[Sequence[PublishedTable], Mapping[str, str]]] | None
    ) = None
    demonstration: Callable[[Path, Progress | None], tuple[Sequence[str], Mapping[str, Json]]] | None = None

    def __repr__(self) -> str:
        return f"<PresentationPart: {len(self.variants)} picture types>"


def gallery_at(place: str) -> Callable[[Path], Path]:
    """The function at `package.module:NAME` that writes a gallery.

    It is loaded when it is called, with what draws, which takes memory from runs that draw nothing.
    """
    return lambda folder: cast(Path, function_at(place)(folder))


@dataclass(frozen=True, kw_only=True)
class Release:
    """Pictures of others that a suite imports: what they are, and how a place on disk is read."""

    help: str
    read: Callable[[Path], Import]


def require_free_names(suite: str, factors: Iterable[str], settings: Iterable[str]) -> None:
    """Raises `InputError` for a factor or setting named like a general column, or for a name that is both."""
    declared = list(factors)
    for kind, names in (("factor", declared), ("setting", settings)):
        for name in names:
            if name in RESERVED or name.startswith("score_"):
                raise InputError(f"the suite {suite} declares the {kind} '{name}', which is a general column's name")
            if kind == "setting" and name in declared:
                raise InputError(f"the suite {suite} declares '{name}' as a factor and as a setting")
