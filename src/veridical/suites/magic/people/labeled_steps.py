"""Labels and corrections of steps as records of the annotated format, split by picture into dev and test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridical.errors import InputError
from veridical.people.resolution import deciding_votes, votes_of_items
from veridical.records import Json, Stimulus
from veridical.suite.nuisances import entropy
from veridical.suite.people_tasks import ReadVotes, StudyVote, TaskChoices
from veridical.suites.magic.collect import ChainReply, with_chain
from veridical.suites.magic.people.step_fields import RIGHT, SILENT, WRONG, correction_field, step_field
from veridical.suites.magic.releases.annotated_files import RIGHTS, write_annotated
from veridical.suites.magic.stimuli import Step
from veridical.verbs.exchange.planned_stages import set_of_run
from veridical.verbs.results.result import open_run

_VIEW = "all-boxes"


def read_steps(places: Sequence[Path], votes: Sequence[StudyVote], out: Path | None, choices: TaskChoices) -> ReadVotes:
    """The labeled replies as an annotated folder, as `magic collect` writes it: `veridical import magic` reads it.

    A step has the label that more than half of the people gave it; without such a label it has none. The correction is
    that of the first of those who call it wrong. Half of the pictures, by the study's seed, are of the portion dev, the
    others of test. Raises `InputError` without a folder, and where nobody has answered.
    """
    if out is None:
        raise InputError("--out FOLDER is needed: the records are written there, for `veridical import magic`")
    items = votes_of_items(votes)
    if not items:
        raise InputError("nobody has answered yet")
    wholes = [set_of_run(open_run(place)) for place in places]
    if len({whole.digest for whole in wholes}) > 1:
        raise InputError("the runs are about several sets: records are written of one")
    stimuli = {stimulus.id: stimulus for stimulus in wholes[0].stimuli}
    made: list[Stimulus] = []
    portions = portions_of({stimuli[own[0].key["stimulus"]].unit for own in items.values()}, choices.seed)
    seen: Counter[str] = Counter()
    for own in items.values():
        stimulus = stimuli[own[0].key["stimulus"]]
        seen[stimulus.id] += 1
        record = _record(stimulus, own, portions[stimulus.unit])
        made.append(record if seen[stimulus.id] == 1 else replace(record, id=f"{record.id}-{seen[stimulus.id]}"))
    counts = Counter(str(each.factors["portion"]) for each in made)
    facts: dict[str, Json] = {"records": len(made), "people": len({vote.person for vote in votes}), **counts}
    about = {name: wholes[0].manifest.get(name) for name in RIGHTS}
    write_annotated(made, wholes[0].read, out, {**about, "labeled": facts})
    listed = ", ".join(f"{name} {counts[name]:,}" for name in sorted(counts))
    return ReadVotes(out, [f"{len(made):,} labeled replies in {out}: {listed}"], facts)


def portions_of(units: set[str], seed: int) -> dict[str, str]:
    """The portion of each picture: dev or test, half of them each (one more in test), by the seed.

    >>> sorted(portions_of({"a", "b", "c"}, 0).values())
    ['dev', 'test', 'test']
    """
    names = sorted(units)
    order = np.random.default_rng(entropy(seed, "portions")).permutation(len(names))
    return {names[index]: "dev" if place < len(names) // 2 else "test" for place, index in enumerate(order)}


def _record(stimulus: Stimulus, votes: Sequence[StudyVote], portion: str) -> Stimulus:
    key = votes[0].key
    reply = ChainReply(str(key["model"]), int(key["repeat"]), tuple(key["steps"]))
    bare = with_chain(stimulus, reply, _VIEW, {"portion": portion})
    (chain,) = bare.truth["chains"]
    steps = [_labeled(step, number, votes) for number, step in enumerate(chain["steps"], start=1)]
    return replace(bare, truth={**bare.truth, "chains": [{**chain, "steps": steps}]})


def _labeled(step: Step, number: int, votes: Sequence[StudyVote]) -> Mapping[str, Json]:
    deciding = deciding_votes(votes, lambda vote: vote.answer[step_field(number)])
    label = deciding[0].answer[step_field(number)] if deciding else SILENT
    if label == SILENT:
        return step
    correction = str(deciding[0].answer[correction_field(number)]) if label == WRONG else None
    return {**step, "correct": label == RIGHT, "correction": correction}
