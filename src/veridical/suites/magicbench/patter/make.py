"""What the magician says over a clip: a patter of each type, made from the trick's log and few words.

`patter_of(trick, base, unit=..., seed=..., wording=...)` gives `{"trick": {type: Patter}, "honest": {type: Patter}}`.
Both variants have the same words at the same times; each claim has its own truth in either. `wording_of(index, seed)`
is the value of the factor `wording` of a unit.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from veridical.suite.nuisances import entropy
from veridical.suites.magicbench.patter.reading import scenery, shared_words, words_of
from veridical.suites.magicbench.patter.scene import PatterClip, Slot, SlotWords, claim, noun_of, scene_of
from veridical.suites.magicbench.patter.wordings import (
    CUES,
    FILLER,
    LIES,
    MISDIRECTION,
    NOUNS,
    TRUTHS,
    VOICES,
    breaths,
    expansions,
    length,
)
from veridical.suites.magicbench.stimuli import HONEST, TRICK, Patter, PatterClaim, PatterType
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.log import Log
from veridical.suites.magicbench.tricks.trick import Base, Trick

Row = tuple[float, float, str]
EDGE = 0.1
"""How long, in seconds, nothing is spoken at the beginning and at the end of a clip."""
FASTEST = 3.4
"""How many words are spoken per second at most."""
_PAUSE = 0.12


class Delivery(NamedTuple):
    """How words are spoken: from when, in seconds, and how many per second."""

    start: float
    rate: float


def duration(rows: list[str], rate: float) -> float:
    """How long the rows take with the pauses between them, in seconds.

    >>> duration(["one two three", "four five six"], 3.0)
    2.12
    """
    return sum(len(row.split()) for row in rows) / rate + _PAUSE * (len(rows) - 1)


def fits(rows: list[str], seconds: float) -> bool:
    """Whether the rows can be spoken within a clip of that length."""
    return duration(rows, FASTEST) <= seconds - 2 * EDGE


def delivery(rows: list[str], seconds: float, rate: float, key: int, time: float) -> Delivery:
    """A delivery in which the middle of row `key` is at a time, or as near to it as the clip's length permits.

    The rate is raised, up to `FASTEST`, where the rows would not fit into the clip otherwise.
    """
    room = seconds - 2 * EDGE - _PAUSE * (len(rows) - 1)
    rate = min(FASTEST, max(rate, sum(len(row.split()) for row in rows) / room))
    middle = duration(rows[: key + 1], rate) - len(rows[key].split()) / rate / 2
    return Delivery(_within(time - middle, rows, seconds, rate), rate)


def timeline_of(rows: list[str], seconds: float, how: Delivery) -> list[Row]:
    """The rows with start and end in seconds, to the hundredth; begun earlier where they would end after the clip.

    >>> timeline_of(["one two three", "four five six"], 5.0, Delivery(1.0, 3.0))
    [(1.0, 2.0, 'one two three'), (2.12, 3.12, 'four five six')]
    """
    time = _within(how.start, rows, seconds, how.rate)
    made = []
    for row in rows:
        end = time + len(row.split()) / how.rate
        made.append((round(time, 2), round(end, 2), row))
        time = end + _PAUSE
    return made


def _within(start: float, rows: list[str], seconds: float, rate: float) -> float:
    return max(EDGE, min(start, seconds - EDGE - duration(rows, rate)))


WORDS = (11, 12, 13)
"""How many words a lie, a misdirection or filler talk has: drawn for the unit, whatever the family."""
_OVERLAP = 0.15
_SLOT = re.compile(r"\{(\w+)\}")


def wording_of(index: int, seed: int) -> int:
    """The wording of the unit with that number in its family: the voices take turns from unit to unit.

    >>> [wording_of(index, 0) for index in range(8)]
    [0, 1, 2, 3, 4, 5, 6, 0]
    """
    return (index + entropy(seed, "wording") % len(VOICES)) % len(VOICES)


def patter_of(trick: Trick, base: Base, *, unit: str, seed: int, wording: int) -> dict[str, dict[PatterType, Patter]]:
    """What is said over a unit's two clips, by variant ("trick", "honest") and type; times are in seconds.

    `wording` is one of `VOICES` by number, see `wording_of`. Lie, misdirection and filler have the same number of
    words, one of `WORDS`, and are spoken from the same time on at the same rate. Both variants have the same words;
    each claim has its truth in the clip. ValueError where the words do not fit into the clip, or no filler is without
    the nouns of the scene.
    """
    logs = {TRICK: trick.log(base, False), HONEST: trick.log(base, True)}
    present = trick.present(base)
    clips = {name: PatterClip(log.stored(), atoms(trick, base, log), present) for name, log in logs.items()}
    words = _spoken(trick, base, logs[TRICK], clips[TRICK], entropy(seed, unit, "patter"), wording)
    return {name: {kind: _heard(patter, clip) for kind, patter in words.items()} for name, clip in clips.items()}


def _heard(patter: Patter, clip: PatterClip) -> Patter:
    """The same words over a clip: each claim with its truth there."""
    claims = [claim(clip, each["text"], each["thing"], each["place"], each["time"]) for each in patter["claims"]]
    return {"text": patter["text"], "timeline": list(patter["timeline"]), "claims": claims}


def _spoken(trick: Trick, base: Base, log: Log, clip: PatterClip, draw: int, wording: int) -> dict[PatterType, Patter]:
    """The patters over the trick, in the order of `stimuli.TYPES` and `stimuli.COMPONENTS`."""
    speaker = _Speaker(scene_of(trick, base, log), clip, log.seconds, 2.9 + draw // 7 % 40 / 100, draw)
    seen = scenery([*trick.nouns, *log.things, *log.places, *trick.present(base)])
    lie, how = speaker.claiming(LIES[wording], WORDS[draw % len(WORDS)])
    words = length([lie["text"]])[0]
    truth, _ = speaker.claiming(TRUTHS[wording], words + 2 + draw // 3 % 3)
    story = _story([text for text in FILLER if not shared_words(text, seen)], wording, draw)
    early = Delivery(max(0.1, log.secret[0] - 0.4), speaker.rate)
    nouns = NOUNS[wording].format(log.belief.thing, noun_of(log.belief.place))
    return {
        "lie": lie,
        "misdirection": speaker.like(how, words, MISDIRECTION[wording], seen.difference(words_of(log.decoy))),
        "filler": speaker.like(how, words, story, seen),
        "silence": {"text": "", "timeline": [], "claims": []},
        "cue": _patter(breaths(CUES[wording]), log.seconds, early),
        "nouns": _patter(breaths(nouns), log.seconds, early),
        "truth": truth,
    }


def _story(free: list[str], wording: int, draw: int) -> str:
    """Unrelated talk out of what shares no noun with the scene: one of the voice's own two, else any."""
    if not free:
        raise ValueError("all unrelated talk shares a noun with the scene")
    own = [text for text in (FILLER[wording], FILLER[wording + len(VOICES)]) if text in free]
    return own[draw // 11 % len(own)] if own else free[wording % len(free)]


def _patter(rows: list[str], seconds: float, how: Delivery) -> Patter:
    return {"text": " ".join(rows), "timeline": timeline_of(rows, seconds, how), "claims": []}


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Who speaks of a scene over a clip of that many seconds, at that many words per second; `draw` decides ties."""

    scene: SlotWords
    clip: PatterClip
    seconds: float
    rate: float
    draw: int

    def claiming(self, template: str, words: int) -> tuple[Patter, Delivery]:
        """A patter that claims something, spoken when it is about: as near to a number of words as can be."""
        made = []
        for raw, rows in self._options(template):
            slots = [self._claims(row) for row in raw]
            key = next((k for k, own in enumerate(slots) if own), None)
            if key is None:
                continue
            how = delivery(rows, self.seconds, self.rate, key, slots[key][0].time)
            timeline = timeline_of(rows, self.seconds, how)
            pairs = [(slot, row) for own, row in zip(slots, timeline, strict=True) for slot in own]
            late = sum(_together(slot, row) < _OVERLAP for slot, row in pairs)
            unexplained = "method" in self.scene.slots and "{method}" in template and "{method}" not in "".join(raw)
            order = late, unexplained, abs(length(rows)[0] - words), entropy(self.draw, *rows)
            made.append((order, timeline, how, pairs))
        (late, *_), timeline, how, pairs = min(made, key=lambda each: each[0])
        text = " ".join(row for *_, row in timeline)
        if late:
            raise ValueError(f"{text!r} cannot be spoken at the time that it is about")
        claims: dict[tuple[str, str], PatterClaim] = {}
        for slot, (start, end, row) in pairs:
            time = round((max(start, slot.within[0]) + min(end, slot.within[1])) / 2, 2)
            claims.setdefault((slot.thing, slot.place), claim(self.clip, row, slot.thing, slot.place, time))
        return {"text": text, "timeline": timeline, "claims": list(claims.values())}, how

    def like(self, how: Delivery, words: int, template: str, avoided: Collection[str]) -> Patter:
        """A patter that claims nothing, with that number of words and spoken alike, without words to be avoided."""

        def order(rows: list[str]) -> tuple[int, int, int]:
            return len(shared_words(" ".join(rows), avoided)), abs(length(rows)[0] - words), entropy(self.draw, *rows)

        return _patter(min((rows for _, rows in self._options(template)), key=order), self.seconds, how)

    def _claims(self, row: str) -> list[Slot]:
        """The slots of a row that claim something."""
        return [self.scene.slots[name] for name in _SLOT.findall(row) if self.scene.slots[name].place]

    def _options(self, template: str) -> list[tuple[list[str], list[str]]]:
        """The texts of a template that fit into the clip: the rows with slots, and the rows as spoken."""
        texts = [text for text in expansions(template) if set(_SLOT.findall(text)) <= set(self.scene.slots)]
        both = [(breaths(text), breaths(self.scene.filled(text))) for text in texts]
        made = [(raw, rows) for raw, rows in both if fits(rows, self.seconds)]
        if not made:
            raise ValueError(f"a clip of {self.seconds:.2f} s is too short for the words {template!r}")
        return made


def _together(slot: Slot, row: Row) -> float:
    """For how many seconds a row is spoken while its claim is about the clip."""
    return min(row[1], slot.within[1]) - max(row[0], slot.within[0])
