"""What a suite offers for training: recipes that draw stimuli, and prompts whose replies its own readers mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from veridical.records import Json, Media, Stimulus, Text, Trial, canonical


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TrainingItem:
    """One prompt: a trial, or two trials whose questions are asked together and which earn nothing one by one.

    `recalled` are the answers of one who does not look (to each trial one), where the suite knows them.
    """

    trials: tuple[Trial, ...]
    recalled: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"<TrainingItem: {' and '.join(trial.id for trial in self.trials)}>"


def asked_alike(trials: Sequence[Trial]) -> bool:
    """Whether trials have the same words and options, and different true answers: what is shown alone tells these."""
    words = {
        tuple(part.text for message in trial.messages for part in message.parts if isinstance(part, Text))
        for trial in trials
    }
    offered = {canonical(trial.expects.get("options")) for trial in trials}
    return len(words) == len(offered) == 1 and len({trial.gold for trial in trials}) == len(trials)


def shown_media(trial: Trial) -> Sequence[Text | Media]:
    """The parts of a trial's user turns up to the last medium; none where it shows nothing."""
    parts = [part for message in trial.messages if message.role == "user" for part in message.parts]
    last = max((place for place, part in enumerate(parts) if isinstance(part, Media)), default=-1)
    return parts[: last + 1]


def shown_above(question: str, trial: Trial) -> Sequence[Text | Media]:
    """All parts of a trial's user turns that stand above its question, such as media, a transcript, and their times.

    Raises ValueError where the question does not stand there.
    """
    parts = [part for message in trial.messages if message.role == "user" for part in message.parts]
    for place, part in enumerate(parts):
        if isinstance(part, Text) and question in part.text:
            above = part.text.partition(question)[0].rstrip()
            return [*parts[:place], *([Text(above)] if above else [])]
    raise ValueError(f"trial '{trial.id}' does not ask '{question}'")


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainingRecipe:
    """A kind of training prompts that a suite draws.

    `values` are options of its design and `settings` levels of its first stage. `variation` changes what is said of the
    stimuli as they are drawn, such as the words over a clip; their media stay. `items` makes the prompts of a unit from
    its stimuli and their trials. `chance` is the most that a policy without sight earns on average, from 0 to 1.
    `reply` writes an answer to a trial as a whole reply in the form that the prompt asks for, and is needed where a
    recipe asks one question. Where it asks two, `answers` says how to answer each; above each question stand its media
    and what is between them, and with `words_above` all else that stands above it in its trial, such as a transcript.
    """

    note: str
    chance: float
    items: Callable[[Sequence[Stimulus], Sequence[Trial]], Iterable[TrainingItem]]
    reply: Callable[[Stimulus, Trial, str], str] | None = None
    words_above: bool = False
    values: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: str = ""
    variation: Callable[[Sequence[Stimulus]], Sequence[Stimulus]] | None = None

    def __repr__(self) -> str:
        return f"<TrainingRecipe: {self.note}>"
