"""How far a set's true answers are balanced: the rates of even guessing, and of always giving the commonest answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from veridical.records import Json, Stimulus

_MOST = 12
"""Families with more different answers than this, and no options, have open answers."""


def balance(stimuli: Sequence[Stimulus]) -> dict[str, Json]:
    """The balance of the true answers: how many are `labeled`, and the rates `chance` and `majority`, in [0, 1].

    Stimuli whose truth has the same `options` (a list of answers) are a group, and so are those of one family without
    any. Chance is an even guess among the options, or the answers that occur in the family, at least two; majority is
    always giving the commonest answer of the group. Both are means over labeled stimuli of such groups. Families with
    more than 12 different answers have open answers: these are counted in `open`, and in no rate. Without a rate, it is
    `None`.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    choices: dict[tuple[str, ...], int] = {}
    for each in stimuli:
        if each.label is not None:
            options = each.truth.get("options")
            listed = sorted(map(str, options)) if isinstance(options, list | tuple) and options else None
            key = ("options", *listed) if listed else ("family", each.family)
            groups.setdefault(key, []).append(each.label)
            choices[key] = len(listed) if listed else 0
    labeled = sum(map(len, groups.values()))
    chance = majority = 0.0
    closed = 0
    for key, labels in groups.items():
        counts = Counter(labels)
        if not choices[key] and len(counts) > _MOST:
            continue
        closed += len(labels)
        chance += len(labels) / (choices[key] or max(len(counts), 2))
        majority += max(counts.values())
    rates = (chance / closed, majority / closed) if closed else (None, None)
    return {"labeled": labeled, "open": labeled - closed, "chance": rates[0], "majority": rates[1]}


def balance_line(balance: Mapping[str, Json]) -> Iterator[str]:
    """The balance in a Markdown line, if anything is labeled.

    >>> list(balance_line({"labeled": 10, "open": 2, "chance": 0.5, "majority": 0.75}))
    ['- answers: chance 50.0%, majority 75.0%; 2 of 10 open']
    """
    parts = []
    if balance["chance"] is not None:
        parts.append(f"chance {balance['chance']:.1%}, majority {balance['majority']:.1%}")
    if balance["open"]:
        parts.append(f"{balance['open']:,} of {balance['labeled']:,} open")
    if parts:
        yield f"- answers: {'; '.join(parts)}"
