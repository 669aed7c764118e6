"""From a unit of a suite to training examples: prompts with their media as bytes, their solutions, and replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from veridical.media.decode import decode
from veridical.media.derive import Rule
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.rewards.solutions import solution_of
from veridical.suite.prompts import Prompt, letter_options, load
from veridical.suite.record import Suite
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suite.training import TrainingItem, TrainingRecipe, shown_above, shown_media

_PAIR = Path(__file__).parent / "prompts" / "pair.md"


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainingExample:
    """A prompt with its solution, and the replies of one who looks and of one who recalls (`None`: they are alike).

    `stimuli` are those that it is about. Media in `messages` are references.
    """

    item: TrainingItem
    messages: tuple[Message, ...]
    solution: str
    chosen: str
    rejected: str | None
    stimuli: tuple[Stimulus, ...]

    @property
    def media(self) -> tuple[Media, ...]:
        """The media of the prompt, in order."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Media))


@dataclass(frozen=True, repr=False)
class ExampleMaker:
    """What makes the examples of a suite by one of its recipes; `rules` collects the rules that derive their media."""

    suite: Suite
    recipe: TrainingRecipe
    rules: dict[str, Rule] = field(default_factory=dict)

    def examples(self, stimuli: Sequence[Stimulus]) -> Iterator[TrainingExample]:
        """The examples of a unit, in the order of its recipe."""
        asking = replace(self.suite.asked(self.recipe.settings), derivations=PlannedMedia(self.rules))
        stimuli = stimuli if self.recipe.variation is None else self.recipe.variation(stimuli)
        by_id = {stimulus.id: stimulus for stimulus in stimuli}
        for item in self.recipe.items(stimuli, self._trials(stimuli, asking)):
            yield self._example(item, tuple(by_id[trial.stimulus] for trial in item.trials))

    def _trials(self, stimuli: Sequence[Stimulus], asking: AskingOptions) -> list[Trial]:
        from veridical.suite.evidence import Evidence

        stage = self.suite.asking.ordered[0]
        return list(stage.trials(stimuli, asking.of_stage(stage), Evidence({})))

    def _example(self, item: TrainingItem, stimuli: tuple[Stimulus, ...]) -> TrainingExample:
        golds = tuple(str(trial.gold) for trial in item.trials)
        recalls = item.recalled not in (None, golds)
        return TrainingExample(
            item=item,
            messages=self._messages(item, stimuli),
            solution=solution_of(self.suite.name, item.trials),
            chosen=self._reply(item, stimuli, golds),
            rejected=self._reply(item, stimuli, item.recalled) if item.recalled and recalls else None,
            stimuli=stimuli,
        )

    def _reply(self, item: TrainingItem, stimuli: Sequence[Stimulus], answers: Sequence[str]) -> str:
        if len(answers) == 1:
            if self.recipe.reply is None:
                raise ValueError(f"{self.suite.name}: a recipe that asks one question needs `reply`")
            return self.recipe.reply(stimuli[0], item.trials[0], answers[0])
        return "\n".join(f"<answer{place}>{answer}</answer{place}>" for place, answer in enumerate(answers, start=1))

    def _messages(self, item: TrainingItem, stimuli: Sequence[Stimulus]) -> tuple[Message, ...]:
        """The trial's own messages, or those of two trials as one user turn: their media by number, then the words."""
        if len(item.trials) == 1:
            return item.trials[0].messages
        parts: list[Text | Media] = []
        pairs = list(zip(stimuli, item.trials, strict=True))
        shown = [self._above(*pair) for pair in pairs]
        if shown[0] == shown[1]:
            parts += [Text("For questions 1 and 2:"), *shown[0]]
        else:
            parts += [Text("For question 1:"), *shown[0], Text("For question 2:"), *shown[1]]
        questions = [self._question(stimulus, trial) for stimulus, trial in zip(stimuli, item.trials, strict=True)]
        words = _pair().fill(first=questions[0], second=questions[1], answers=self.recipe.answers)
        return (Message("user", (*parts, Text(words))),)

    def _above(self, stimulus: Stimulus, trial: Trial) -> tuple[Text | Media, ...]:
        if self.recipe.words_above:
            return tuple(shown_above(self.suite.asking.bare_question(stimulus, trial), trial))
        return tuple(shown_media(trial))

    def _question(self, stimulus: Stimulus, trial: Trial) -> str:
        """A trial's question without the words on how to answer it alone, and its options under their letters."""
        options = trial.expects.get("options")
        question = self.suite.asking.bare_question(stimulus, trial)
        return f"{question}\n{letter_options(options)}" if options else question


@cache
def _pair() -> Prompt:
    return load(_PAIR)


@dataclass(frozen=True, repr=False)
class UnitMedia:
    """The media of a drawn unit and those that rules derive from them, as bytes; each rule is applied once."""

    stimuli: Sequence[Stimulus]
    contents: Mapping[str, bytes]
    rules: Mapping[str, Rule]
    _derived: dict[tuple[str, str], list[bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, drawn: Iterable[tuple[Stimulus, tuple[bytes, ...]]], rules: Mapping[str, Rule]) -> UnitMedia:
        """The media of stimuli that were drawn with their bytes; `rules` may grow afterwards."""
        pairs = list(drawn)
        contents = {
            medium.file: content for stimulus, own in pairs for medium, content in zip(stimulus.media, own, strict=True)
        }
        return cls([stimulus for stimulus, _ in pairs], contents, rules)

    def read(self, media: Media) -> bytes:
        """The bytes of a medium that an example refers to."""
        if media.file in self.contents:
            return self.contents[media.file]
        _, short, inside = media.file.split("/", 2)
        identity, _, place = inside.rpartition("/")
        if (short, identity) not in self._derived:
            self._derived[short, identity] = self._make(short, identity)
        return self._derived[short, identity][int(place)]

    def _make(self, short: str, identity: str) -> list[bytes]:
        rule = next(rule for digest, rule in self.rules.items() if digest.startswith(short))
        stimulus = next(each for each in self.stimuli if each.id == identity)
        decoded = [decode(self.contents[medium.file], medium.file) for medium in stimulus.media]
        return [content for content, _ in rule.make(stimulus, decoded)]


def example_id(suite: str, recipe: str, seed: int, item: TrainingItem) -> str:
    """A name for an example that tells nothing of what it shows: 16 hexadecimal digits.

    >>> from veridical.suite.training import TrainingItem
    >>> len(example_id("viprobe", "controls", 0, TrainingItem(trials=())))
    16
    """
    told: Json = [suite, recipe, str(seed), *(trial.id for trial in item.trials)]
    return sha256("\n".join(told).encode()).hexdigest()[:16]
