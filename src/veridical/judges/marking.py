"""From rubrics to a stage: a marking pass over the answered replies of another stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from veridical.answers import Readers, split_thinking
from veridical.ask import Sampling
from veridical.errors import unknown
from veridical.judges.rubric import REPLY, Rubric, Shown
from veridical.records import Json, Media, Message, Source, Status, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AskingPart
from veridical.suite.prompts import Prompt
from veridical.suite.stages import JUDGE, AskingOptions, Stage, StageBounds

RUBRIC = "rubric"
"""The usual name of the setting that has the rubrics of a marking pass."""

GREEDY = Sampling(temperature=0.0)
_TOKENS_PER_CHARACTER = 0.3
_REPLY_TOKENS = 300

ANSWERED: tuple[Status, ...] = ("answered",)

Facts = Callable[[Stimulus, Mapping[str, Json]], Mapping[str, str] | None]
"""What a judge sees of a reply besides its text: from the stimulus and the reply's row of the outcome table.

`None` leaves the reply out of the marking pass.
"""


def question_and_gold(stimulus: Stimulus, row: Mapping[str, Json]) -> Shown | None:  # noqa: ARG001 (other facts use it)
    """The question and the true answer; replies to stimuli without a true answer are not judged."""
    return None if stimulus.label is None else {"question": stimulus.question, "gold": stimulus.label}


AtMostReplies = Callable[[Sequence[Stimulus], AskingOptions], int]
"""The largest number of replies to mark, from the stimuli and the levels of all settings."""


@dataclass(frozen=True, kw_only=True)
class Marking(Stage):
    """A stage whose judge marks the replies of the stage `about` by each of the `rubrics`, levels of a `setting`.

    Only replies of a status in `judges` are marked.
    """

    about: str
    rubrics: tuple[Rubric, ...]
    setting: str = RUBRIC
    judges: tuple[Status, ...] = ANSWERED


def marking(
    name: str,
    about: str,
    rubrics: Sequence[Rubric],
    *,
    facts: Facts | Mapping[str, Facts] = question_and_gold,
    at_most: AtMostReplies | Mapping[str, AtMostReplies] | None = None,
    sampling: Sampling = GREEDY,
    setting: str = RUBRIC,
    judges: tuple[Status, ...] = ANSWERED,
) -> Marking:
    """A stage in which a judge marks every answered reply of the stage `about`, once by each rubric.

    The suite declares the setting with the names of the rubrics, and has `readers(rubrics)` among its readers.
    `facts` gives the fields that the rubrics see besides the reply, or what they see in its place, such as a part of
    it; `at_most` is the largest number of replies, for plans. Where rubrics differ in these, both are given by the
    rubric's name.
    An unreadable verdict is asked for at most three times. `judges` names the statuses of the replies that a judge
    sees: with "unparsed", also those in which the suite's own reader found no answer.
    """
    by_name = {rubric.name: rubric for rubric in rubrics}
    most = at_most if at_most is None or isinstance(at_most, Mapping) else dict.fromkeys(by_name, at_most)
    of_rubric = facts if isinstance(facts, Mapping) else dict.fromkeys(by_name, facts)
    return Marking(
        name=name,
        role=JUDGE,
        needs=(about,),
        settings=(setting,),
        sampling=sampling,
        trials=partial(_trials, name, about, setting, judges, by_name, of_rubric),
        at_most=partial(_at_most, setting, by_name, most) if most else None,
        most_tries=3,
        shares_replies=True,
        about=about,
        rubrics=tuple(rubrics),
        setting=setting,
        judges=judges,
    )


def readers(rubrics: Sequence[Rubric]) -> Readers:
    """The readers of the verdicts by each rubric, for the `readers` of a suite."""
    return {rubric.name: (rubric.reader,) for rubric in rubrics}


def rubrics_of(asking: AskingPart) -> dict[str, Rubric]:
    """The rubrics of a suite's marking stages, by name."""
    marked = (stage.rubrics for stage in asking.stages if isinstance(stage, Marking))
    return {rubric.name: rubric for rubrics in marked for rubric in rubrics}


def _chosen(setting: str, by_name: Mapping[str, Rubric], asking: AskingOptions) -> dict[Rubric, Prompt]:
    """The rubrics that a run asks for, with their prompts; raises `InputError` for one that does not exist."""
    chosen = {}
    for name in asking.levels[setting]:
        if name not in by_name:
            raise unknown("rubric", name, by_name)
        chosen[by_name[name]] = by_name[name].prompt(asking.prompts)
    return chosen


def _trials(
    name: str,
    about: str,
    setting: str,
    judges: Sequence[Status],
    by_name: Mapping[str, Rubric],
    facts: Mapping[str, Facts],
    stimuli: Sequence[Stimulus],
    asking: AskingOptions,
    evidence: Evidence,
) -> Iterator[Trial]:
    chosen = _chosen(setting, by_name, asking)
    stimulus_of = {stimulus.id: stimulus for stimulus in stimuli}
    for row in evidence.outcomes(about).filter(pl.col("status").is_in(judges)).iter_rows(named=True):
        stimulus = stimulus_of[row["stimulus"]]
        reply = split_thinking(row["text"]).text.strip()
        for rubric, prompt in chosen.items():
            item = facts[rubric.name](stimulus, row)
            if item is None:
                continue
            yield verdict_trial(
                stimulus,
                rubric,
                prompt,
                {REPLY: reply, **item},
                stage=name,
                form=f"{name},{rubric.name},{row['trial']},{row['repeat']}",
                settings={setting: rubric.name},
                sources=(Source.of(row),),
            )


def verdict_trial(
    stimulus: Stimulus,
    rubric: Rubric,
    prompt: Prompt,
    shown: Shown,
    *,
    stage: str,
    form: str,
    settings: Mapping[str, str],
    sources: tuple[Source, ...] = (),
) -> Trial:
    """The trial that asks a judge for one verdict; `shown` is kept in `expects`, for rule judges and the report."""
    media = tuple(Media.of(medium) for medium in stimulus.media) if rubric.media else ()
    return Trial.about(
        stimulus,
        form,
        stage=stage,
        messages=(Message("user", (*media, Text(rubric.filled(prompt, shown)))),),
        gold=None,
        reader=rubric.name,
        prompt=prompt.digest,
        settings=settings,
        expects={"shown": rubric.kept(shown)},
        sources=sources,
    )


def _at_most(
    setting: str,
    by_name: Mapping[str, Rubric],
    most: Mapping[str, AtMostReplies],
    stimuli: Sequence[Stimulus],
    asking: AskingOptions,
) -> StageBounds:
    """Every reply is answered and judged by each rubric, and is as long as a usual one."""
    tokens = {
        rubric: _TOKENS_PER_CHARACTER * len(prompt.text) + _REPLY_TOKENS
        for rubric, prompt in _chosen(setting, by_name, asking).items()
    }
    counts = {rubric: most[rubric.name](stimuli, asking) for rubric in tokens}
    assumed = f"every reply is answered, with question and answer of about {_REPLY_TOKENS} tokens"
    input_tokens = round(sum(counts[rubric] * each for rubric, each in tokens.items()))
    return StageBounds(trials=sum(counts.values()), input_tokens=input_tokens, assumed=assumed)
