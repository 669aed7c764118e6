"""How a study stands, in words: for the terminal, for the dashboard, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from veridical.people.rater_agreement import FieldAgreement
from veridical.people.resolution import Rule
from veridical.people.study_status import PersonStatus, StudyStatus
from veridical.records import Json

_RULES: Mapping[Rule, str] = {
    "single": "with one vote",
    "agreed": "all alike",
    "third": "decided by a third",
    "majority": "decided by most",
    "open": "open",
}


def progress_text(status: StudyStatus) -> str:
    """How many items have all their votes, and how those with a vote are decided."""
    rules = [f"{status.rules[rule]:,} {name}" for rule, name in _RULES.items() if status.rules.get(rule)]
    whole = f"{status.complete:,} of {status.items:,} items have all their votes"
    return f"{whole}; {', '.join(rules)}" if rules else whole


def remarks(person: PersonStatus) -> list[str]:
    """What whoever runs a study should know about a person."""
    stated = [
        ("third", person.third),
        ("revoked; earlier votes count", person.revoked),
        ("fast", person.fast),
        (f"constant: {person.constant}", person.constant is not None),
    ]
    return [text for text, holds in stated if holds]


def seconds_text(seconds: float | None) -> str:
    """A median time, such as "4.2 s"."""
    return "–" if seconds is None else f"{seconds:.1f} s"


def agreement_text(agreement: FieldAgreement) -> str:
    """A coefficient with its interval, or why there is none."""
    statistic, sign = agreement.statistic, "κ" if "Cohen" in agreement.statistic.method else "α"
    if statistic.value is None:
        return str(statistic.reason)
    interval = statistic.reason if statistic.low is None else f"[{statistic.low:.2f}, {statistic.high:.2f}]"
    return f"{sign} = {statistic.value:.2f} {interval}, {agreement.people} people, {statistic.n:,} ratings".replace(
        "-", "−"
    )


def status_lines(status: StudyStatus) -> Iterator[str]:
    """How a study stands, as lines for a terminal."""
    yield progress_text(status)
    width = max((len(person.name) for person in status.people), default=0)
    for person in status.people:
        checks = f", checks {person.checks_passed}/{person.checks}" if person.checks else ""
        extra = "".join(f", {text}" for text in remarks(person))
        done = f"{person.done:,}/{person.total:,}"
        yield f"{person.name:{width}}  {done:>9}  {seconds_text(person.seconds):>7} each{checks}{extra}"
    for agreement in status.agreement:
        yield f"{agreement.field}: {agreement_text(agreement)}"
    for discussion in status.discussions:
        yield f"items {discussion.first} to {discussion.last}: {len(discussion.items)} to discuss"


def status_json(status: StudyStatus) -> dict[str, Json]:
    """How a study stands, for machines."""
    return {
        "items": status.items,
        "complete": status.complete,
        "decided": {rule: status.rules.get(rule, 0) for rule in _RULES},
        "people": [person._asdict() for person in status.people],
        "agreement": [
            {"field": each.field, "people": each.people, **asdict(each.statistic)} for each in status.agreement
        ],
        "discussions": [
            {"first": each.first, "last": each.last, "items": [item._asdict() for item in each.items]}
            for each in status.discussions
        ],
    }
