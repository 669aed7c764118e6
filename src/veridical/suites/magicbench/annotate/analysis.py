"""How many clips get a type and drafts, how far drafts agree, and what most of them have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean, median
from typing import NamedTuple, cast

import polars as pl

from veridical.records import PROPORTION, Counts, Estimate, Json, Measure
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import Slice
from veridical.suites.magicbench.annotate.asking import CLASSIFY, DRAFT
from veridical.suites.magicbench.releases.atoms import contradiction, words_of
from veridical.suites.magicbench.stimuli import Atom

LIKE = 0.6
"""The overlap of words, F1, from which on two sentences say the same."""
_SIDES = (("left", "right"), ("empty", "full"), ("open", "closed"), ("above", "below"), ("before", "after"))
Place = tuple[int, int]
"""An atom: the number of its draft, and its place there."""


class Consensus(NamedTuple):
    """What drafts of one clip come to.

    `atoms` are those of more than half of the drafts; `open` are the others, each with the number of its draft;
    `opposed` are pairs of sentences of two drafts that cannot both hold. `agreement` is the mean, over pairs of drafts,
    of twice the atoms that both have by all that they have, 0 to 1; `whole` is the number of atoms that all have.
    """

    atoms: list[Atom]
    open: list[tuple[int, Atom]]
    opposed: list[tuple[str, str]]
    agreement: float
    whole: int


def consensus(drafts: Sequence[Sequence[Atom]]) -> Consensus:
    """The consensus of two or more drafts of a clip's constraints.

    >>> from veridical.suites.magicbench.releases.atoms import atoms_of
    >>> texts = (["The coin stays in the right hand.", "No magnet is used."], ["A coin stays in the right hand."],
    ...          ["The coin stays in the left hand."])
    >>> made = consensus([atoms_of(each) for each in texts])
    >>> [atom["text"] for atom in made.atoms], len(made.open), len(made.opposed), round(made.agreement, 3)
    (['The coin stays in the right hand.'], 2, 2, 0.222)
    """
    groups = _groups(drafts)
    agreed = [group for group in groups if 2 * len(group) > len(drafts)]
    agreed.sort(key=lambda group: fmean(place / len(drafts[draft]) for draft, place in group))
    alone = [place for group in groups if 2 * len(group) <= len(drafts) for place in group]
    shared = Counter(pair for group in groups for pair in combinations(sorted(draft for draft, _ in group), 2))
    sizes = [len(draft) for draft in drafts]
    pairs = list(combinations(range(len(drafts)), 2))
    return Consensus(
        atoms=[_merged([drafts[draft][place] for draft, place in group]) for group in agreed],
        open=[(draft, drafts[draft][place]) for draft, place in sorted(alone)],
        opposed=list(_opposed(drafts)),
        agreement=fmean(2 * shared[pair] / ((sizes[pair[0]] + sizes[pair[1]]) or 1) for pair in pairs),
        whole=sum(len(group) == len(drafts) for group in groups),
    )


def overlap(one: str, two: str) -> float:
    """The F1 of the words of two sentences but for articles, 0 to 1; 0 for those of opposite sides.

    >>> overlap("The coin is in the left hand.", "A coin is in the left hand!")
    1.0
    >>> overlap("The coin is in the left hand.", "The coin is in the right hand.")
    0.0
    """
    words, others = Counter(words_of(one)), Counter(words_of(two))
    return 0.0 if _differ(words, others) else _f1(words, others)


def _f1(words: Counter[str], others: Counter[str]) -> float:
    return 2 * (words & others).total() / ((words.total() + others.total()) or 1)


def _differ(words: Mapping[str, int], others: Mapping[str, int]) -> bool:
    """Whether one has a word of a pair of opposites that the other does not have."""
    return any((word in words) != (word in others) for pair in _SIDES for word in pair)


def _groups(drafts: Sequence[Sequence[Atom]]) -> list[list[Place]]:
    """Atoms that say the same, at most one of each draft: the most alike are joined first."""
    places = [(draft, place) for draft, atoms in enumerate(drafts) for place in range(len(atoms))]
    likeness = []
    for one, two in combinations(places, 2):
        first, second = drafts[one[0]][one[1]], drafts[two[0]][two[1]]
        alike = overlap(first["text"], second["text"])
        if one[0] != two[0] and alike >= LIKE and contradiction([first, second]) is None:
            likeness.append((-alike, one, two))
    group_of = {place: [place] for place in places}
    for _, one, two in sorted(likeness):
        first_group, second_group = group_of[one], group_of[two]
        if {draft for draft, _ in first_group} & {draft for draft, _ in second_group}:
            continue
        joined = sorted([*first_group, *second_group])
        group_of |= dict.fromkeys(joined, joined)
    return list({id(group): group for group in group_of.values()}.values())


def _opposed(drafts: Sequence[Sequence[Atom]]) -> Iterator[tuple[str, str]]:
    """Pairs of sentences of two drafts that differ in a side or in a negation alone, or place one thing twice.

    A pair is there once, whichever comes first, and not where one of the drafts has both: its author holds both true.
    """
    seen: set[frozenset[str]] = set()
    for one, two in combinations(drafts, 2):
        for first, second in product(one, two):
            texts = first["text"], second["text"]
            if frozenset(texts) in seen or _says(one, second) or _says(two, first):
                continue
            words, others = (Counter(words_of(text)) for text in texts)
            sides = _f1(words, others) >= LIKE and _opposite(words, others)
            if sides or contradiction([first, second]) is not None:
                seen.add(frozenset(texts))
                yield texts


def _says(draft: Sequence[Atom], atom: Atom) -> bool:
    """Whether a draft has a constraint that says the same in words and contradicts nothing in it."""
    return any(overlap(own["text"], atom["text"]) >= LIKE and contradiction([own, atom]) is None for own in draft)


def _opposite(words: Mapping[str, int], others: Mapping[str, int]) -> bool:
    """Whether each has a word of a pair of opposites that the other does not have."""
    return any(
        (this in words) and (this not in others) and (that in others) and (that not in words)
        for pair in _SIDES
        for this, that in (pair, pair[::-1])
    )


def _merged(atoms: Sequence[Atom]) -> Atom:
    """The atom of a group: its most typical sentence, and the fields that most of the group have."""
    texts = [atom["text"] for atom in atoms]
    typical = max(texts, key=lambda text: sum(overlap(text, other) for other in texts))
    fields: dict[str, Json] = {"text": typical, "kind": Counter(atom["kind"] for atom in atoms).most_common(1)[0][0]}
    for name in ("thing", "place", "agent", "origin", "target"):
        value, count = Counter(cast("dict[str, Json]", atom)[name] for atom in atoms).most_common(1)[0]
        fields[name] = value if 2 * count > len(atoms) else None
    for name in ("start", "end"):
        times = [time for atom in atoms if (time := cast("dict[str, Json]", atom)[name]) is not None]
        fields[name] = median(times) if 2 * len(times) > len(atoms) else None
    return cast("Atom", fields)


SUITE_NAME = "magic-annotate"
_MEASURES = {
    "classified": ("Classified", "Clips whose words got a type, of those with words."),
    "drafted": ("Drafted", "Drafts of constraints that can be read, of those asked for."),
    "agreement": (
        "Agreement of drafts",
        "Twice the constraints that two drafts of a clip share, by all that both have; the mean over pairs.",
    ),
}
MEASURES = {
    name: Measure(title=title, definition=definition, unit=PROPORTION)
    for name, (title, definition) in _MEASURES.items()
}


def estimates(evidence: Evidence) -> list[Estimate]:
    """The share of each stage whose reply counts, and the agreement of clips with two drafts or more."""
    made = []
    for metric, stage in (("classified", CLASSIFY), ("drafted", DRAFT)):
        rows = evidence.outcomes(stage)
        if not rows.is_empty():
            marked = rows.with_columns((pl.col("status") == "answered").cast(pl.Float64).alias("counts"))
            made.append(Slice(SUITE_NAME, {}, marked, Counts.of(rows)).rate(metric, "counts", "of all"))
    drafts = evidence.outcomes(DRAFT)
    by_clip: dict[str, list[list[Atom]]] = {}
    for row in drafts.filter(pl.col("status") == "answered").iter_rows(named=True):
        by_clip.setdefault(row["unit"], []).append(json.loads(row["answer"])["atoms"])
    clips = [
        {"unit": unit, "family": "release", "agreement": consensus(atoms).agreement}
        for unit, atoms in by_clip.items()
        if len(atoms) > 1
    ]
    if clips:
        own = Slice(SUITE_NAME, {}, pl.DataFrame(clips), Counts.of(drafts))
        made.append(own.rate("agreement", "agreement", "clip by clip"))
    return made


ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=tuple(MEASURES), slices=())
