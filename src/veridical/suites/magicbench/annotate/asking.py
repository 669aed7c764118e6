"""How real clips get types of words and constraints: a classifier reads the words, an author writes three drafts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veridical.answers import ParsedAnswer, Reader, last_object
from veridical.answers.truncation import block_complete
from veridical.ask import Sampling
from veridical.judges.quotes import quote_block
from veridical.media.derive import frames_of
from veridical.records import Json, Media, Message, Stimulus, Text, Trial, canonical
from veridical.suite.evidence import Evidence
from veridical.suite.frames import clip_parts
from veridical.suite.parts import AskingPart
from veridical.suite.prompts import Prompt, load_all
from veridical.suite.releases import UnusableItemError, error_place
from veridical.suite.stages import AskingOptions, Stage
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.releases.rows import SHORT
from veridical.suites.magicbench.stimuli import OWN

FOLDER = Path(__file__).parent / "prompts"
CLASSIFY, DRAFT = "classify", "draft"
DRAFTS, TRIES = 3, 3
"""How many drafts an author writes, and types a classifier; and how often one is asked for until it can be read."""
FRAMES = "adaptive-20"
_FIELDS: Mapping[str, tuple[str, ...]] = {CLASSIFY: ("words", "principle"), DRAFT: ("words", "principle")}
_NOTHING = "nothing is stated"


def words_of(stimulus: Stimulus) -> str:
    """What is said over a clip, "" for nothing."""
    own: str = stimulus.truth["patter"][OWN]["text"]
    return own.strip()


def is_spoken(stimulus: Stimulus) -> bool:
    """Whether enough is said over a clip to have a type; others are of type D, and nobody is asked."""
    return len(words_of(stimulus)) >= SHORT


def classify_trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """The type of each clip's words; a clip without words has no trial."""
    prompt = load_all(FOLDER, asking.prompts, _FIELDS)[CLASSIFY]
    for stimulus in stimuli:
        if is_spoken(stimulus):
            yield _trial(stimulus, CLASSIFY, prompt, (), reader="words")


def draft_trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """The constraints of each clip, from its frames, its words and what is stated of its principle."""
    prompt = load_all(FOLDER, asking.prompts, _FIELDS)[DRAFT]
    for stimulus in stimuli:
        media = clip_parts(asking, stimulus, frames_of(FRAMES))
        yield _trial(stimulus, DRAFT, prompt, media, reader="constraints")


def _trial(stimulus: Stimulus, stage: str, prompt: Prompt, media: tuple[Text | Media, ...], *, reader: str) -> Trial:
    fields = {
        "words": quote_block("transcript", words_of(stimulus) or _NOTHING),
        "principle": quote_block("principle", str(stimulus.truth["principle"] or _NOTHING)),
    }
    messages = (Message("user", (*media, Text(prompt.fill(**fields)))),)
    return Trial.about(stimulus, stage, stage=stage, prompt=prompt.digest, messages=messages, reader=reader)


def read_type(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001
    """The type in a reply, A, B or C, or why there is none.

    >>> read_type('{"reason": "It denies the secret.", "type": "A"}', {}).answer, read_type("Type A", {}).answer
    ('A', None)
    """
    last = last_object(text)
    if last is None:
        return ParsedAnswer(None, "no whole JSON object")
    letter = last.value.get("type")
    return ParsedAnswer(letter) if letter in ("A", "B", "C") else ParsedAnswer(None, "type: A, B or C is needed")


def read_draft(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001
    """The constraints in a reply as canonical JSON, or why there are none.

    >>> read_draft('{"atoms": []}', {}).reason
    'atoms: there is no constraint'
    """
    last = last_object(text)
    if last is None:
        return ParsedAnswer(None, "no whole JSON object")
    try:
        with error_place("atoms"):
            atoms = atoms_of(last.value.get("atoms"))
    except UnusableItemError as error:
        return ParsedAnswer(
            None, " ".join("".join(sign if sign.isprintable() else " " for sign in error.detail).split())
        )
    return ParsedAnswer(canonical({"atoms": [dict(atom) for atom in atoms]}))


GREEDY = Sampling(temperature=0.0)
ASKING = AskingPart(
    stages=(
        Stage(name=CLASSIFY, role="classifier", settings=(), sampling=GREEDY, trials=classify_trials, most_tries=TRIES),
        Stage(name=DRAFT, role="author", settings=(), trials=draft_trials, most_tries=TRIES),
    ),
    readers={
        "words": (Reader(name="words", version="1", parse=read_type, complete=block_complete),),
        "constraints": (Reader(name="constraints", version="1", parse=read_draft, complete=block_complete),),
    },
    prompts=FOLDER,
    reply_tokens=600,
    repeats=DRAFTS,
)
