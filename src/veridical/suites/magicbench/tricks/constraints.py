"""The physical constraints of a clip: about six atoms, in words and in machine form, made from its log."""

from __future__ import annotations

from veridical.suites.magicbench.stimuli import Atom
from veridical.suites.magicbench.tricks.log import Interval, Log
from veridical.suites.magicbench.tricks.trick import Base, Trick

_STEP = 0.02


def atoms(trick: Trick, base: Base, log: Log) -> list[Atom]:
    """The atoms of a clip: where the thing starts, who holds it, the secret, the cover, the reveal, and the props.

    Times are in seconds; an agent that is `None` in "holder" means that no hand holds the thing.
    """
    first = log.ats(log.thing)[0]
    end = min(first.end, log.secret[0])
    text = f"At the start, until {end:.1f} s, the {log.thing} is {place_phrase(first.place)}."
    start = _atom(log, "start", text, (0.0, end), place=first.place)
    words = log.words["reveal"].format(start=log.reveal[0], end=log.reveal[1])
    reveal = _atom(log, "reveal", words, log.reveal, place=log.place(log.thing, log.reveal[0]))
    listed = f"Apart from the hands there is only: {', '.join(trick.present(base))}."
    props = f"{listed} There is no {', no '.join(trick.absent)}."
    move = next(m for m in log.moves(log.thing) if m.start < log.secret[1] and m.end > log.secret[0])
    text = f"{_span(*log.secret)}, {log.words['secret']}"
    secret = _atom(log, "secret", text, log.secret, agent=move.agent, origin=move.origin, target=move.target)
    place, believed = log.place(log.thing, log.cover[0]), log.belief.place
    contrast = "" if place == believed else f", not {place_phrase(believed)}"
    text = f"{_span(*log.cover)}, the {log.thing} is {place_phrase(place)}{contrast}."
    cover = _atom(log, "cover", text, log.cover, place=place)
    return [start, _holder(log), secret, cover, reveal, _atom(None, "props", props, None)]


def _atom(
    log: Log | None,
    kind: str,
    text: str,
    span: Interval | None,
    *,
    place: str | None = None,
    agent: str | None = None,
    origin: str | None = None,
    target: str | None = None,
) -> Atom:
    start, end = (None, None) if span is None else (round(span[0], 2), round(span[1], 2))
    thing = None if log is None else log.thing
    return Atom(
        text=text, kind=kind, thing=thing, place=place, agent=agent, origin=origin, target=target, start=start, end=end
    )


def place_phrase(place: str) -> str:
    """A place with its preposition.

    >>> place_phrase("left hand"), place_phrase("under cup A"), place_phrase("table")
    ('in the left hand', 'under cup A', 'on the table')
    """
    if place.startswith(("under ", "in ", "on ", "behind ", "above ", "around ", "between ")):
        return place
    if place.endswith("hand") or place in ("lap", "sleeve", "pocket"):
        return f"in the {place}"
    return f"on the {place}"


def _holder(log: Log) -> Atom:
    """Who holds the thing when the secret begins: the latest state that lasts until then."""
    end = log.secret[0]
    agent = log.holder(log.thing, end - _STEP)
    start = end - _STEP
    while start > _STEP and log.holder(log.thing, start - _STEP) == agent:
        start -= _STEP
    start = 0.0 if start <= _STEP else start
    who = f"the {agent} holds the {log.thing}" if agent else f"no hand holds the {log.thing}"
    return _atom(log, "holder", f"{_span(start, end)}, {who}.", (start, end), agent=agent)


def _span(start: float, end: float) -> str:
    return f"From {start:.1f} s to {end:.1f} s"
