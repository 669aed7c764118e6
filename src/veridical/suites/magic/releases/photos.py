"""The record of a question about a picture of others, whatever release it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Json, Stimulus
from veridical.suites.magic.regions.choose import Numbering
from veridical.suites.magic.stimuli import FACTORS, NAME, PHOTO, Chain, Truth

SEED = 0
"""The seed of what an importer chooses; every choice depends on the id of the question beside it."""


def photo(
    *,
    picture: str,
    identity: str,
    kind: str,
    question: str,
    short: str,
    full: str,
    numbering: Numbering,
    chains: Sequence[Chain] = (),
    factors: Mapping[str, Json],
) -> Stimulus:
    """The stimulus, less its medium: its unit is the picture, its category the type of the question.

    >>> from veridical.records import Box
    >>> boxes = Numbering([Box(0, 0, 9, 9)], [1], [])
    >>> words = dict(kind="query", question="What is it?", short="mug", full="It is a mug.")
    >>> made = photo(picture="12", identity="3", numbering=boxes, factors={"portion": "test"}, **words)
    >>> made.id, made.factors["relevant_count"], made.factors["portion"]
    ('photo/12/3', 1, 'test')
    """
    truth: Truth = {
        "short": short,
        "full": full,
        "boxes": [list(map(int, box)) for box in numbering.boxes],
        "relevant": list(numbering.relevant),
        "adversarial": list(numbering.adversarial),
        "chains": list(chains),
        "graph": None,
        "rule": None,
    }
    counted = {"box_count": len(numbering.boxes), "relevant_count": len(numbering.relevant)}
    by = {"chain_by": chains[0]["by"]} if chains else {}
    return Stimulus(
        id=f"{PHOTO}/{picture}/{identity}",
        suite=NAME,
        family=PHOTO,
        unit=f"{PHOTO}/{picture}",
        variant=PHOTO,
        category=kind,
        question=question,
        label=short,
        seed=SEED,
        factors={**dict.fromkeys(FACTORS), **counted, **by, **factors},
        truth=dict(truth),
    )
