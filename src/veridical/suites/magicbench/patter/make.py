"""What the magician says over a clip: a patter of each type, made from the trick's log and few words.

`patter_of(trick, base, unit=..., seed=..., wording=...)` gives `{"trick": {type: Patter}, "honest": {type: Patter}}`.
Both variants have the same words at the same times; each claim has its own truth in either. `wording_of(index, seed)`
is the value of the factor `wording` of a unit.
"""

from __future__ import annotations

import re

from veridical.suite.nuisances import entropy
from veridical.suites.magicbench.patter.brackets import breaths, expanded, length
from veridical.suites.magicbench.patter.claims import Clip, claim
from veridical.suites.magicbench.patter.reading import shared
from veridical.suites.magicbench.patter.scene import Slot, Spoken, scene_of
from veridical.suites.magicbench.patter.spoken import noun_of
from veridical.suites.magicbench.patter.timing import Delivery, delivery, fits, spoken
from veridical.suites.magicbench.patter.wordings import CUES, FILLER, LIES, MISDIRECTION, NOUNS, TRUTHS, VOICES
from veridical.suites.magicbench.stimuli import HONEST, TRICK, Claim, Patter, PatterType
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.log import Log
from veridical.suites.magicbench.tricks.trick import Base, Trick

WORDS = (11, 12, 13)
"""How many words a lie, a misdirection or filler talk has: drawn for the unit, whatever the family."""
_OVERLAP = 0.15
_ANY = re.compile(r"\{(\w+)\}")
_SLOT = re.compile(r"(?<!not )\{(\w+)\}")


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
    clips = {name: Clip(log.stored(), atoms(trick, base, log), present) for name, log in logs.items()}
    said = _said(trick, base, logs[TRICK], clips[TRICK], entropy(seed, unit, "patter"), wording)
    return {name: {kind: _heard(patter, clip) for kind, patter in said.items()} for name, clip in clips.items()}


def _heard(patter: Patter, clip: Clip) -> Patter:
    """The same words over a clip: each claim with its truth there."""
    claims = [claim(clip, each["text"], each["thing"], each["place"], each["time"]) for each in patter["claims"]]
    return {"text": patter["text"], "timeline": list(patter["timeline"]), "claims": claims}


def _said(trick: Trick, base: Base, log: Log, clip: Clip, draw: int, wording: int) -> dict[PatterType, Patter]:
    scene, seconds = scene_of(trick, base, log), log.seconds
    words, rate = WORDS[draw % len(WORDS)], 2.9 + draw // 7 % 40 / 100
    lie, how = _claimed(scene, clip, LIES[wording], seconds, rate, draw, words)
    words = length([lie["text"]])[0]
    truth, _ = _claimed(scene, clip, TRUTHS[wording], seconds, rate, draw, words + 2 + draw // 3 % 3)
    scenery = (*trick.nouns, *log.things, *log.places, *trick.present(base))
    story = _story([text for text in FILLER if not shared(text, scenery)], wording, draw)
    early = Delivery(max(0.1, log.secret[0] - 0.4), rate)
    things = log.belief.thing, noun_of(log.belief.place)
    return {
        "lie": lie,
        "misdirection": _unclaimed(scene, MISDIRECTION[wording], seconds, how, words, draw),
        "filler": _unclaimed(scene, story, seconds, how, words, draw),
        "silence": {"text": "", "timeline": [], "claims": []},
        "cue": _patter(breaths(CUES[wording]), seconds, early),
        "nouns": _patter(breaths(NOUNS[wording].format(*things)), seconds, early),
        "truth": truth,
    }


def _story(free: list[str], wording: int, draw: int) -> str:
    """Unrelated talk out of what shares no noun with the scene: one of the voice's own two, else any."""
    if not free:
        raise ValueError("all unrelated talk shares a noun with the scene")
    own = [text for text in (FILLER[wording], FILLER[wording + len(VOICES)]) if text in free]
    return own[draw // 11 % len(own)] if own else free[wording % len(free)]


def _claimed(
    scene: Spoken, clip: Clip, template: str, seconds: float, rate: float, draw: int, words: int
) -> tuple[Patter, Delivery]:
    """A patter that claims something, spoken when it is about: as near to a number of words as can be."""
    made = []
    for raw, rows in _options(scene, template, seconds):
        slots = [_claims(scene, row) for row in raw]
        key = next((k for k, own in enumerate(slots) if own), None)
        if key is None:
            continue
        how = delivery(rows, seconds, rate, key, slots[key][0].time)
        timeline = spoken(rows, seconds, how)
        pairs = [(slot, row) for own, row in zip(slots, timeline, strict=True) for slot in own]
        late = sum(_together(slot, row[:2]) < _OVERLAP for slot, row in pairs)
        unexplained = "method" in scene.slots and "{method}" in template and "{method}" not in "".join(raw)
        order = late, unexplained, abs(length(rows)[0] - words), entropy(draw, *rows)
        made.append((order, rows, timeline, how, pairs))
    (late, *_), rows, timeline, how, pairs = min(made, key=lambda each: each[0])
    if late:
        raise ValueError(f"{' '.join(rows)!r} cannot be spoken at the time that it is about")
    claims: dict[tuple[str, str], Claim] = {}
    for slot, (start, end, text) in pairs:
        time = round((max(start, slot.within[0]) + min(end, slot.within[1])) / 2, 2)
        claims.setdefault((slot.thing, slot.place), claim(clip, text, slot.thing, slot.place, time))
    return {"text": " ".join(rows), "timeline": timeline, "claims": list(claims.values())}, how


def _together(slot: Slot, row: tuple[float, float]) -> float:
    """For how many seconds a row is spoken while its claim is about the clip."""
    return min(row[1], slot.within[1]) - max(row[0], slot.within[0])


def _claims(scene: Spoken, row: str) -> list[Slot]:
    """The slots of a row that claim something."""
    return [scene.slots[name] for name in _SLOT.findall(row) if scene.slots[name].place]


def _unclaimed(scene: Spoken, template: str, seconds: float, how: Delivery, words: int, draw: int) -> Patter:
    """A patter that claims nothing, with that number of words and spoken alike."""
    options = [rows for _, rows in _options(scene, template, seconds)]
    rows = min(options, key=lambda each: (abs(length(each)[0] - words), entropy(draw, *each)))
    return _patter(rows, seconds, how)


def _patter(rows: list[str], seconds: float, how: Delivery) -> Patter:
    return {"text": " ".join(rows), "timeline": spoken(rows, seconds, how), "claims": []}


def _options(scene: Spoken, template: str, seconds: float) -> list[tuple[list[str], list[str]]]:
    """The texts of a template that fit into the clip: the rows with slots, and the rows as spoken."""
    texts = [text for text in expanded(template) if set(_ANY.findall(text)) <= set(scene.slots)]
    both = [(breaths(text), breaths(scene.filled(text))) for text in texts]
    made = [(raw, rows) for raw, rows in both if fits(rows, seconds)]
    if not made:
        raise ValueError(f"a clip of {seconds:.2f} s is too short for the words {template!r}")
    return made
