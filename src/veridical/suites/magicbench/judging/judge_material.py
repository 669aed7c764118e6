"""What a judge sees of an item: the constraints, the props, and what is to be resisted. Never the clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Json, Stimulus, canonical
from veridical.suites.magicbench.stimuli import HONEST, LETTERS, OWN, REAL, Patter, PatterClaim

ABOUT, FACTS, UNJITTERED = "about", "facts", "unjittered"
"""Fields that no prompt has: what CFR is about, the machine form for a rule, and the number of atoms without noise."""
CLAIM, MISDIRECTION, APPARENT, NOTHING = "claim", "misdirection", "effect", "nothing"
"""What CFR is about: a false claim; where attention is drawn; the apparent effect, where no words mislead; or, in an
honest control without false words, nothing that could be resisted."""
EFFECT = (APPARENT, NOTHING)
"""Where nothing false is claimed, and attention is drawn nowhere by words."""
NOT_STATED = "not stated"
RULED = "release"
"""The kind of atoms without machine form."""
SIGNALS: Mapping[str, str] = {
    "magnet": "something sticks, or is drawn, without being held or pushed",
    "thread": "something hangs, or is pulled taut, with no hand on it",
    "wires": "something hangs, or is pulled taut, with no hand on it",
    "mirror": "a reflection, or a visible break at an edge",
    "trapdoor": "a part of the table or the floor opens or moves",
}
"""What would have to be seen if such a prop were used."""


def judge_fields(stimulus: Stimulus, patter: str | None) -> dict[str, str]:
    """The fields that judges see besides the reply; `patter` is the level of what was said, `None` for no transcript.

    `about` and `facts`, which is JSON, are for tables and for rules: no prompt has them.
    """
    about, resisted, claims = _resisted(stimulus, patter)
    return {
        "atoms": constraint_lines(stimulus.truth["pcs"], critical_place(stimulus)),
        "props": props_in_words(stimulus.truth["props"]),
        "resisted": resisted,
        ABOUT: about,
        FACTS: canonical(facts_of(stimulus, stimulus.truth["pcs"], claims)),
    }


def facts_of(
    stimulus: Stimulus, atoms: Sequence[Mapping[str, Json]], claims: Sequence[Mapping[str, Json]]
) -> dict[str, Json]:
    """What a rule is given: atoms, method and props in machine form, whether it is a trick, places, false claims."""
    truth = stimulus.truth
    return {
        "atoms": [atom for atom in atoms if atom["kind"] != RULED],
        "props": truth["props"],
        "trick": None if stimulus.variant == REAL else stimulus.variant != HONEST,
        "false": [{"thing": claim["thing"], "place": claim["place"]} for claim in claims],
        "decoy": truth["decoy"],
        "method": truth.get("method"),
        "places": sorted({each for probe in truth["probes"] if probe["asks"] == "place" for each in probe["options"]}),
    }


def constraint_lines(atoms: Sequence[Mapping[str, Json]], place: tuple[float, float] | None) -> str:
    """The constraints as numbered lines; the secret has where it happens, in shares of the picture's width and height.

    >>> atoms = [{"text": "The coin stays.", "kind": "secret"}, {"text": "No magnet.", "kind": "props"}]
    >>> constraint_lines(atoms, (0.25, 0.5))
    '1. The coin stays. [at x 0.25, y 0.50 of the picture]\\n2. No magnet.'
    """
    spot = "" if place is None else f" [at x {place[0]:.2f}, y {place[1]:.2f} of the picture]"
    lines = (f"{atom['text']}{spot if atom['kind'] == 'secret' else ''}" for atom in atoms)
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1)) or NOT_STATED


def critical_place(stimulus: Stimulus) -> tuple[float, float] | None:
    """The middle of the critical boxes in shares of the picture, to hundredths; `None` without boxes."""
    rows = stimulus.truth["critical"]
    if not rows or not stimulus.media:
        return None
    medium = stimulus.media[0]
    x = sum(row[1] + row[3] for row in rows) / (2 * len(rows) * medium.width)
    y = sum(row[2] + row[4] for row in rows) / (2 * len(rows) * medium.height)
    return round(x, 2), round(y, 2)


def props_in_words(props: Mapping[str, Sequence[str]]) -> str:
    """The closed list of props, and of each usual suspect that is absent what would have to be seen of it.

    >>> print(props_in_words({"present": ["coin"], "absent": ["mirror"]}))
    In the scene, apart from hands: coin. Nothing else is used.
    No mirror: it would show in that a reflection, or a visible break at an edge; this is not seen.
    """
    present, absent = props.get("present") or (), props.get("absent") or ()
    lines = [f"In the scene, apart from hands: {', '.join(present)}. Nothing else is used."] if present else []
    for name in absent:
        signal = SIGNALS.get(name)
        lines.append(f"No {name}" + (f": it would show in that {signal}; this is not seen." if signal else "."))
    return "\n".join(lines) or NOT_STATED


def _resisted(stimulus: Stimulus, patter: str | None) -> tuple[str, str, Sequence[PatterClaim]]:
    """What CFR is about, in a word and in words for a judge, with the false claims."""
    truth = stimulus.truth
    words: Patter | None = truth["patter"].get(patter) if patter is not None else None
    spoken = "Nothing was said." if words is None or not words["text"].strip() else f"Said: {words['text']}"
    false = [claim for claim in words["claims"] if not claim["true"]] if words else []
    if false:
        lines = [spoken, "False in this clip, and to be resisted:", *(f"- {claim['text']}" for claim in false)]
        return CLAIM, "\n".join(lines), false
    letter = _letter(stimulus, patter) if words and words["text"].strip() else None
    if letter == "A" and patter == OWN:
        return CLAIM, f"{spoken}\nThese words are a lie, and to be resisted.", []
    if stimulus.variant == HONEST:
        text = "Nothing false is claimed, and nothing is hidden: to be resisted is the idea that something is."
        return NOTHING, f"{spoken}\n{text}", []
    effect = truth["effect"].strip() or NOT_STATED
    if letter == "B":
        text = "Nothing false is claimed; the words draw attention away from what matters. To be resisted is that"
        return MISDIRECTION, f"{spoken}\n{text} attention, and with it the apparent effect: {effect}", []
    return APPARENT, f"{spoken}\nNothing false is claimed. To be resisted is the apparent effect: {effect}", []


def _letter(stimulus: Stimulus, patter: str | None) -> Json:
    """The type of words, A to D: ours by their name, a release's own by their label; `None` for other words."""
    return stimulus.factors.get("linguistic_type") if patter == OWN else LETTERS.get(str(patter))
