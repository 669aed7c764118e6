"""The paper's Table 4, and healing by kind of prefix, by request and by whose reasoning it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judges.judged import COMBINED, NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magic.presentation.markers import CORRECTING, POOLED, beside, healed, whose

KINDS = {
    "region": "wrong region",
    "relation": "wrong relation",
    "description": "wrong description",
    "annotated": "annotated",
    "listing": "listing",
    "own": "its own",
}
NAMES = ("Model", "Judge", "Injection", "Asked to correct", "Whose")


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 4: all wrong prefixes together, with the true ones that they are told from."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for heals in healed(result, "heals", POOLED):
            place = heals.slice
            told = {key: place[key] for key in ("judge", "injection", "correcting")}
            apart = [find(result, f"healing {name}", told) for name in ("d_prime", "criterion")]
            if place["chain_by"] != "generator":
                apart = [None, None]
            alarms = beside(result, "over-correction", heals, rubric="steady")
            stretches = find(result, "wrong stretches", {"chain_by": place["chain_by"]})
            number = int(stretches.value) if stretches and stretches.value is not None else None
            cells = (number, beside(result, "states", heals), heals, alarms, *apart)
            rows.append((*_who(result, heals), *cells))
        rows += _unjudged(result)
    note = (
        "Wrong reasoning is put into the model's mouth up to a wrong stretch, and continued. States: the continuation "
        "states what is right; heals: it names the mistake and corrects it, which the paper's judge is asked for. "
        "Over-corrects: right reasoning is called wrong. d-prime: mistakes told from right reasoning. Listings, which "
        "state nothing false, and a model's own reasoning are in the next table alone."
    )
    heads = (*NAMES, "Wrong stretches", "States", "Heals", "Over-corrects", "d-prime", "Criterion")
    return Table("magic-heal", "Self-Heal", note, heads, tuple(rows))


def _who(result: Result, each: Estimate) -> tuple[Cell, ...]:
    place = each.slice
    correcting = CORRECTING.get(str(place["correcting"]))
    return result.model, str(place["judge"]), str(place["injection"]), correcting, whose(place["chain_by"])


def _unjudged(result: Result) -> Iterator[tuple[Cell, ...]]:
    """A row for each chain's author where wrong stretches were continued, and nobody judged."""
    if any(True for _ in healed(result, "heals", POOLED)):
        return
    for each in result.estimates:
        if each.metric == "wrong stretches" and set(each.slice) == {"chain_by"}:
            number = int(each.value or 0)
            yield result.model, NOT_JUDGED, None, None, whose(each.slice["chain_by"]), number, *[None] * 5


def kinds(results: Sequence[Result]) -> Table:
    """Both outcomes by kind of prefix."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for heals in sorted(healed(result, "heals", POOLED | {"prefix"}), key=_place):
            place = heals.slice
            where = {"chain_by": place["chain_by"], "prefix": place["prefix"]}
            stretches = find(result, "wrong stretches", where)
            number = int(stretches.value) if stretches and stretches.value is not None else None
            kind = KINDS.get(str(place["prefix"]), str(place["prefix"]))
            rows.append((*_who(result, heals), kind, number, beside(result, "states", heals), heals))
    note = (
        "Listing: every box is gone through, nothing false is stated; healed are those of which the irrelevant boxes "
        "are dismissed later. Its own: reasoning of the model that a judge found wrong."
    )
    heads = (*NAMES, "Prefix", "Wrong stretches", "States", "Heals")
    return Table("magic-heal-kinds", "Self-Heal by kind of mistake", note, heads, tuple(rows))


def _place(each: Estimate) -> tuple[str, str, bool, int]:
    place = each.slice
    kind = str(place["prefix"])
    order = list(KINDS).index(kind) if kind in KINDS else len(KINDS)
    return str(place["judge"]), str(place["injection"]), str(place["correcting"]) != "unprompted", order


def requests(results: Sequence[Result]) -> Table:
    """What the request to correct changes, on the same reasoning."""
    rows: list[tuple[Cell, ...]] = []
    words = {"states": "states", "heals": "heals", "denies": "over-corrects"}
    for result in results:
        for each in result.estimates:
            if each.metric == "request effect":
                place = each.slice
                who = (str(place["judge"]), str(place["injection"]), whose(place["chain_by"]))
                rows.append((result.model, *who, words[str(place["of"])], each, each.p))
    note = "With the request to correct mistakes − without it, on the same reasoning; p by a sign-flip test, Holm."
    heads = ("Model", "Judge", "Injection", "Whose", "Outcome", "With − without", "p")
    return Table("magic-requests", "Does the request to correct help?", note, heads, tuple(rows))


def by_type(result: Result, name: str) -> Estimate | None:
    """Healing of prefilled wrong prefixes in questions of a type, by the first judge, after the request if it was."""
    every = [
        each
        for each in healed(result, "heals", POOLED | {"category"})
        if each.slice["category"] == name
        and each.slice["injection"] == "prefill"
        and each.slice["judge"] not in COMBINED
    ]
    return min(every, key=lambda each: each.slice["correcting"] != "prompted", default=None)


def self_heal(result: Result, correcting: str = "prompted", **where: Json) -> Estimate | None:
    """Healing of prefilled wrong prefixes by the first judge, at a level of the request or at the other one."""
    every = [
        each
        for each in healed(result, "heals", POOLED)
        if each.slice["injection"] == "prefill"
        and each.slice["judge"] not in COMBINED
        and where.items() <= each.slice.items()
    ]
    return min(every, key=lambda each: each.slice["correcting"] != correcting, default=None)
