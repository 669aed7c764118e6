"""Responses of a pool of models as chains: filtered, one per question, with steps that nobody has labeled yet."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.suite.nuisances import entropy
from veridical.suite.releases import LONGEST_TEXT
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.regions.rule import MASKED, boxes_of_view, relevant_of
from veridical.suites.magic.releases.annotated_files import MOST_STEPS, RIGHTS, chain_of, write_annotated
from veridical.verbs.exchange.planned_stages import set_of_run
from veridical.verbs.results.result import RunResult, open_run

STAGE = "reason"
RUN_OF_WORDS = 12
"""The length, in words, of the stretches by which repetition is measured: a template with a word that changes, such as
the number of a box, repeats shorter ones only."""
LOOPING = 0.3
"""A reply is a repetition loop if so large a share of its stretches of words stood before."""
FEWEST_WORDS = 24
"""A shorter reply is no loop."""
NO_REPLY, NO_STEPS, NO_ANSWER, LOOP, TOO_LONG = "no reply", "no steps", "no answer", "a repetition loop", "too long"
UNFIT = ("refused", "truncated")
"""Statuses of replies that are passed over as they are."""


class ChainReply(NamedTuple):
    """A reply to a question: whose it is, which repeat, and its steps without the final answer."""

    model: str
    repeat: int
    steps: tuple[str, ...]


@dataclass(frozen=True)
class CollectedChains:
    """Stimuli with the one chain that was chosen for each, and what became of all replies."""

    stimuli: list[Stimulus]
    chosen: Counter[str] = field(default_factory=Counter)
    filtered: Counter[str] = field(default_factory=Counter)
    without: int = 0

    def facts(self) -> dict[str, Json]:
        """The counts: questions with a chain and without one, chains by model, replies passed over by reason."""
        return {
            "questions": len(self.stimuli),
            "without_reply": self.without,
            "chosen": dict(sorted(self.chosen.items())),
            "filtered": dict(sorted(self.filtered.items())),
        }


def repetition(text: str) -> float:
    """How much of a text repeats itself: the share, 0 to 1, of its stretches of twelve words that stood before.

    A text of fewer than `FEWEST_WORDS` words has 0.

    >>> repetition("I look at R1 and see a red mug. " * 6), repetition("I look at R1.")
    (0.7906976744186046, 0.0)
    """
    words = text.casefold().split()
    runs = [tuple(words[k : k + RUN_OF_WORDS]) for k in range(len(words) - RUN_OF_WORDS + 1)]
    return 1 - len(set(runs)) / len(runs) if len(words) >= FEWEST_WORDS else 0.0


def steps_or_why_not(text: str | None, status: str | None = None) -> tuple[str, ...] | str:
    """The steps of a reply, or the reason why it is passed over.

    >>> steps_or_why_not("R1 shows a mug. It is red.\\nAnswer: red"), steps_or_why_not("R1 shows a mug. It is red.")
    (('R1 shows a mug.', 'It is red.'), 'no answer')
    """
    if not text or not text.strip():
        return NO_REPLY
    if status in UNFIT:
        return str(status)
    if repetition(text) >= LOOPING:
        return LOOP
    steps, conclusion = split(text)
    if conclusion is None:
        return NO_ANSWER
    if not steps:
        return NO_STEPS
    if len(steps) > MOST_STEPS or max(map(len, steps)) > LONGEST_TEXT:
        return TOO_LONG
    return tuple(steps)


def collect_chains(
    whole: StimulusSet,
    runs: Sequence[RunResult | Path | str],
    *,
    view: str = "all-boxes",
    seed: int = 0,
    **factors: Json,
) -> CollectedChains:
    """The stimuli of a set with a chain each, chosen at random by seed among the usable replies of all runs.

    The boxes are those of the `view` in which the models saw them; `factors` replace factors. A question without any
    usable reply is left out. Raises `InputError` for a masked view, a run about another set, and one that has no reply
    at this view.
    """
    if view in MASKED or view == "blind":
        raise InputError(f"view '{view}': chains are collected where the boxes are visible, such as at all-boxes")
    replies: dict[str, list[ChainReply]] = defaultdict(list)
    filtered: Counter[str] = Counter()
    for run in runs:
        result = open_run(run)
        set_of_run(result, whole)
        rows = list(_rows(result, view))
        if not rows:
            raise InputError(f"{result.folder} has no reply at the view {view}")
        for row in rows:
            steps = steps_or_why_not(row["text"], row["status"])
            if isinstance(steps, str):
                filtered[steps] += 1
            else:
                replies[row["stimulus"]].append(ChainReply(str(row["model"]), int(row["repeat"]), steps))
    chosen: Counter[str] = Counter()
    stimuli = []
    for stimulus in whole.stimuli:
        usable = sorted(replies.get(stimulus.id, ()))
        if usable:
            rng = np.random.default_rng(entropy(seed, stimulus.id, "reply"))
            reply = usable[int(rng.integers(len(usable)))]
            chosen[reply.model] += 1
            stimuli.append(with_chain(stimulus, reply, view, factors))
    return CollectedChains(stimuli, chosen, filtered, len(whole.stimuli) - len(stimuli))


def with_chain(stimulus: Stimulus, reply: ChainReply, view: str, factors: Mapping[str, Json]) -> Stimulus:
    """A stimulus with the boxes of a view and the chain of a reply, in the place of its own."""
    boxes, relevant = boxes_of_view(stimulus, view), relevant_of(stimulus, view)
    truth = {
        **stimulus.truth,
        "boxes": [list(box) for box in boxes],
        "relevant": relevant,
        "adversarial": [number for number in range(1, len(boxes) + 1) if number not in relevant],
        "chains": [chain_of(reply.model, reply.steps)],
    }
    counts = {"box_count": len(boxes), "relevant_count": len(relevant), "chain_by": reply.model}
    return replace(stimulus, truth=truth, factors={**stimulus.factors, **counts, **factors})


def write_collected(made: CollectedChains, whole: StimulusSet, out: Path, **facts: Json) -> None:
    """Writes what was collected as an annotated folder; `facts` join the counts in its `about.json`.

    Raises `InputError` where nothing was collected.
    """
    if not made.stimuli:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in made.filtered.most_common())
        raise InputError(f"no reply can be used ({reasons}): nothing is written")
    about = {key: whole.manifest.get(key) for key in RIGHTS}
    write_annotated(made.stimuli, whole.read, out, {**about, "collected": {**made.facts(), **facts}})


def _rows(result: RunResult, view: str) -> Iterator[dict[str, Json]]:
    """The replies of a run's first stage at a view."""
    table = result.outcomes(stage=STAGE)
    for row in table.select("stimulus", "model", "repeat", "status", "text", "settings").iter_rows(named=True):
        if row["status"] is not None and json.loads(row["settings"] or "{}").get("view") == view:
            yield row
