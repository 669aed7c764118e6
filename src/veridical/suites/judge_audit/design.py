"""The items of a set for judges: a question, a true answer and a reply each, as text alone; and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.judges.corpora import Injection, Triple, injections, short_answer
from veridical.records import Chunk, Stimulus
from veridical.suite.parts import DesignPart, PresentationPart
from veridical.suites.judge_audit.options import FAMILIES, JudgesOptions

NAME = "judge-audit"
CORRECT, WRONG = "correct", "wrong"
PLAIN, ATTACK, CLEAN = "plain", "attack", "clean"
"""Picture types: a reply as it is, one that tries to sway its judge, and the same without the attempt."""


def chunks(options: JudgesOptions) -> Sequence[Chunk]:
    """One chunk per item, at most `units` of each kind."""
    corpora: dict[str, Sequence[Triple | Injection]] = {
        "short-answer": short_answer(options.part),
        "attack": injections(),
    }
    chunks = []
    for family in FAMILIES:
        of_kind = Counter[str]()
        for index, item in enumerate(corpora[family]) if family in options.corpora else ():
            of_kind[item.kind] += 1
            if of_kind[item.kind] <= options.units:
                chunks.append(Chunk(family, index))
    return chunks


def make(options: JudgesOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of an item: one for a short answer, and one or two for an attack."""
    if chunk.family == "attack":
        attack = injections()[chunk.index]
        yield _stimulus(chunk.family, attack, ATTACK, attack.reply, options.seed), ()
        if attack.answer is not None:
            yield _stimulus(chunk.family, attack, CLEAN, attack.answer, options.seed), ()
    else:
        triple = short_answer(options.part)[chunk.index]
        yield _stimulus(chunk.family, triple, PLAIN, triple.reply, options.seed), ()


def _stimulus(family: str, item: Triple | Injection, variant: str, reply: str, seed: int) -> Stimulus:
    unit = f"{family}/{item.id}"
    return Stimulus(
        id=f"{unit}/{variant}",
        suite=NAME,
        family=family,
        unit=unit,
        variant=variant,
        category=item.kind,
        media=(),
        question=item.question,
        label=CORRECT if item.correct else WRONG,
        seed=seed,
        factors={},
        truth={"gold": item.gold, "reply": reply},
    )


def verify(stimulus: Stimulus, media: Sequence[object]) -> str | None:  # noqa: ARG001 (there is none)
    """Whether the stimulus holds what its corpus has."""
    _, item, variant = stimulus.id.split("/")
    corpora: tuple[Sequence[Triple | Injection], ...] = (short_answer(), injections())
    source = next((each for corpus in corpora for each in corpus if each.id == item), None)
    if source is None:
        return "no item of that name"
    reply = source.answer if variant == CLEAN and isinstance(source, Injection) else source.reply
    label = CORRECT if source.correct else WRONG
    whole = (source.question, label, source.gold, reply)
    stored = (stimulus.question, stimulus.label, stimulus.truth["gold"], stimulus.truth["reply"])
    return None if whole == stored else "it differs from the corpus"


DESIGN = DesignPart(families=FAMILIES, factors={}, chunks=chunks, make=make, verify=verify)
PRESENTATION = PresentationPart(
    variants={PLAIN: "a reply", ATTACK: "with an attempt to sway the judge", CLEAN: "the same without the attempt"},
    names={"short-answer": "short answers", "attack": "attacks"},
    answers={CORRECT: "marked correct", WRONG: "marked wrong"},
)
