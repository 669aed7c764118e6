"""Which beginnings of a chain of steps are given to a model: those that end with a contiguous wrong stretch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.answers.region_mentions import mentions
from veridical.records import Json
from veridical.suites.magic.stimuli import Chain, Step, StepClaim

TRUE, LISTING, ANNOTATED = "true", "listing", "annotated"


@dataclass(frozen=True, slots=True)
class Prefix:
    """The steps of a chain up to the end of a stretch, `first` to `last`, counted from 1; one of so many `stretches`.

    `mistaken` are the texts of the stretch and `corrections` what stands for them; both are empty for a true chain.
    `claims` are those of the stretch; of a true chain, of all steps that are given.
    """

    kind: str
    by: str | None
    steps: tuple[str, ...]
    first: int
    last: int
    stretches: int
    mistaken: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    claims: tuple[StepClaim, ...] = ()

    def expects(self, **more: Json) -> dict[str, Json]:
        """What a trial keeps of it for its reader and its judges."""
        return {
            "kind": self.kind,
            "chain_by": self.by,
            "stretch": [self.first, self.last],
            "stretches": self.stretches,
            "prefix": list(self.steps),
            "mistaken": list(self.mistaken),
            "corrections": list(self.corrections),
            "claims": [dict(claim) for claim in self.claims],
            **more,
        }


def wrong_stretches(correct: Sequence[bool | None]) -> list[tuple[int, int]]:
    """The first and the last step of each contiguous run of wrong ones, counted from 1; unlabeled steps are not wrong.

    >>> wrong_stretches([True, False, False, None, False])
    [(2, 3), (5, 5)]
    """
    stretches: list[tuple[int, int]] = []
    for number, right in enumerate(correct, start=1):
        if right is not False:
            continue
        if stretches and stretches[-1][1] == number - 1:
            stretches[-1] = (stretches[-1][0], number)
        else:
            stretches.append((number, number))
    return stretches


def prefixes_of(chain: Chain, relevant: Sequence[int], boxes: int) -> Iterator[Prefix]:
    """The prefixes of a chain: one for each wrong stretch; one of a true chain, and one of a listing.

    Of a true chain, about half of the steps are given, at least up to the first that claims something, and one is left.
    A listing is given whole: its stretch begins with the first step that mentions an irrelevant box.
    """
    if chain["kind"] == TRUE:
        yield from _true(chain)
    elif chain["kind"] == LISTING:
        yield from _listing(chain, relevant, boxes)
    else:
        stretches = wrong_stretches([step["correct"] for step in chain["steps"]])
        for first, last in stretches:
            wrong = chain["steps"][first - 1 : last]
            yield Prefix(
                chain["kind"],
                chain["by"],
                _texts(chain["steps"][:last]),
                first,
                last,
                len(stretches),
                _texts(wrong),
                tuple(step["correction"] for step in wrong if step["correction"]),
                tuple(claim for step in wrong for claim in step["claims"]),
            )


def _true(chain: Chain) -> Iterator[Prefix]:
    steps = chain["steps"]
    if not steps:
        return
    claimed = next((number for number, step in enumerate(steps, start=1) if step["claims"]), 1)
    last = max(claimed, min((len(steps) + 1) // 2, len(steps) - 1), 1)
    claims = tuple(claim for step in steps[:last] for claim in step["claims"])
    yield Prefix(TRUE, chain["by"], _texts(steps[:last]), 1, last, 0, claims=claims)


def _listing(chain: Chain, relevant: Sequence[int], boxes: int) -> Iterator[Prefix]:
    texts = _texts(chain["steps"])
    listed = [sorted(_named(text, boxes) - set(relevant)) for text in texts]
    first = next((number for number, own in enumerate(listed, start=1) if own), None)
    if first is None:
        return
    aside = sorted({number for own in listed for number in own})
    named = " and ".join(filter(None, (", ".join(f"R{number}" for number in aside[:-1]), f"R{aside[-1]}")))
    correction = f"{named} {'do' if len(aside) > 1 else 'does'} not matter for the question."
    mistaken = tuple(text for text, own in zip(texts, listed, strict=True) if own)
    claims = tuple(_matters(number) for number in aside)
    yield Prefix(LISTING, chain["by"], texts, first, len(texts), 1, mistaken, (correction,), claims)


def _matters(number: int) -> StepClaim:
    return {"kind": "dismissed", "thing": "", "box": number, "value": "matters", "true": "dismissed", "other": None}


def _named(text: str, boxes: int) -> set[int]:
    return {number for each in mentions(text, False) for number in each.numbers if 1 <= number <= boxes}


def _texts(steps: Sequence[Step] | Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    return tuple(str(step["text"]) for step in steps)
