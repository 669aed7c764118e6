"""The paper's Table 4, and healing by kind of prefix, by request and by whose reasoning it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judges.judged_outcomes import COMBINED, NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.findings import valued_estimate
from veridical.suite.results import Cell, Result, Table, find
from veridical.suite.tables import P, TableSpec, Where, estimate_rows, table
from veridical.suites.magic.presentation.markers import (
    CORRECTING,
    POOLED,
    chain_owner,
    healing_estimates,
    sibling_estimate,
)

KINDS = {
    "region": "wrong region",
    "relation": "wrong relation",
    "description": "wrong description",
    "annotated": "annotated",
    "listing": "listing",
    "own": "its own",
}
_WHO = ("Judge", "Injection", "Asked to correct", "Whose")


def _who(each: Estimate) -> tuple[Cell, ...]:
    place = each.slice
    correcting = CORRECTING.get(str(place["correcting"]))
    return str(place["judge"]), str(place["injection"]), correcting, chain_owner(place["chain_by"])


def _stretches(result: Result, where: Where) -> int | None:
    """The number of wrong stretches that were continued."""
    stretches = valued_estimate(result, "wrong stretches", where)
    return int(stretches.value or 0) if stretches else None


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 4: all wrong prefixes together, with the true ones that they are told from."""
    note = (
        "Wrong reasoning is put into the model's mouth up to a wrong stretch, and continued. States: the continuation "
        "states what is right; heals: it names the mistake and corrects it, which the paper's judge is asked for; of "
        "itself where it was not asked to correct. "
        "Over-corrects: right reasoning is called wrong. d-prime: mistakes told from right reasoning. Listings, which "
        "state nothing false, and a model's own reasoning are in the next table alone."
    )
    rows = tuple((result.model, *row) for result in results for row in _healing(result) or _unjudged(result))
    heads = (*_WHO, "Wrong stretches", "States", "Heals", "Over-corrects", "d-prime", "Criterion")
    return Table("magic-heal", "Self-Heal", note, ("Model", *heads), rows)


def _healing(result: Result) -> list[tuple[Cell, ...]]:
    rows = []
    for heals in healing_estimates(result, "heals", POOLED):
        place = heals.slice
        told = {key: place[key] for key in ("judge", "injection", "correcting")}
        apart: list[Cell] = [None, None]
        if place["chain_by"] == "generator":
            apart = [find(result, f"healing {name}", told) for name in ("d_prime", "criterion")]
        outcomes = (
            sibling_estimate(result, "states", heals),
            heals,
            sibling_estimate(result, "over-correction", heals, rubric="steady"),
        )
        number = _stretches(result, {"chain_by": place["chain_by"]})
        rows.append((*_who(heals), number, *outcomes, *apart))
    return rows


def _unjudged(result: Result) -> Iterator[tuple[Cell, ...]]:
    """A row for each chain's author where wrong stretches were continued, and nobody judged."""
    for each in result.estimates:
        if each.metric == "wrong stretches" and set(each.slice) == {"chain_by"}:
            yield NOT_JUDGED, None, None, chain_owner(each.slice["chain_by"]), int(each.value or 0), *[None] * 5


@table(
    "magic-heal-kinds",
    "Self-Heal by kind of mistake",
    (*_WHO, "Prefix", "Wrong stretches", "States", "Heals"),
    "Listing: every box is gone through, nothing false is stated; healed are those of which the irrelevant boxes "
    "are dismissed later. Its own: reasoning of the model that a judge found wrong.",
)
def kinds(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Both outcomes by kind of prefix."""
    for heals in sorted(healing_estimates(result, "heals", POOLED | {"prefix"}), key=_place):
        place = heals.slice
        number = _stretches(result, {"chain_by": place["chain_by"], "prefix": place["prefix"]})
        kind = KINDS.get(str(place["prefix"]), str(place["prefix"]))
        yield *_who(heals), kind, number, sibling_estimate(result, "states", heals), heals


def _place(each: Estimate) -> tuple[str, str, bool, int]:
    place = each.slice
    kind = str(place["prefix"])
    order = list(KINDS).index(kind) if kind in KINDS else len(KINDS)
    return str(place["judge"]), str(place["injection"]), str(place["correcting"]) != "unprompted", order


_OUTCOMES = {"states": "states", "heals": "heals", "denies": "over-corrects"}
requests = TableSpec(
    name="magic-requests",
    title="Does the request to correct help?",
    note="With the request to correct mistakes − without it, on the same reasoning; p by a sign-flip test, Holm.",
    about=("Judge", "Injection", "Whose", "Outcome"),
    rows=estimate_rows(
        "request effect",
        lambda _, at: (str(at["judge"]), str(at["injection"]), chain_owner(at["chain_by"]), _OUTCOMES[str(at["of"])]),
    ),
    columns={"With − without": "request effect", "p": P},
)


def healed_by_type(result: Result, name: str) -> Estimate | None:
    """Healing of prefilled wrong prefixes in questions of a type, by the first judge, after the request if it was."""
    return _by_first_judge(result, POOLED | {"category"}, {"category": name})


def self_heal(result: Result, **where: Json) -> Estimate | None:
    """Healing of prefilled wrong prefixes by the first judge, after the request to correct if it was made."""
    return _by_first_judge(result, POOLED, where)


def _by_first_judge(result: Result, keys: set[str], where: Where) -> Estimate | None:
    every = [
        each
        for each in healing_estimates(result, "heals", keys)
        if each.slice["injection"] == "prefill"
        and each.slice["judge"] not in COMBINED
        and where.items() <= each.slice.items()
    ]
    return min(every, key=lambda each: each.slice["correcting"] != "prompted", default=None)
