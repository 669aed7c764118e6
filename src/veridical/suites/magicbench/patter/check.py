"""Whether the patter of a unit keeps what its types promise, proven from the words and the truths of both clips alone.

How the words were made is not looked at: nouns and claims are read from the text, and claims are held against the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from veridical.suites.magicbench.patter.reading import claims_in, denials_in, shared_words, words_of
from veridical.suites.magicbench.patter.scene import PatterClip, decides, holds
from veridical.suites.magicbench.stimuli import COMPONENTS, TYPES, Patter, PatterClaim

_VERBS = (
    "watch look keep follow find study stare give focus observe notice do mind take let try squint forget catch listen"
)
_COMMANDS = frozenset(_VERBS.split())
_BEFORE = frozenset(["now", "just", "then", "please", "and", "only", "first", "quick", "go", "on", "so"])
_EVENTS = (
    "am is are was were isnt arent wasnt has have had hasnt holds held contains does did goes went gone going comes "
    "came stays stayed remains moves moved moving leaves left takes took taken puts put drops dropped falls fell slips "
    "hides hid hidden vanishes vanished disappears disappeared melts melted jumps jumped floats floated breaks broke "
    "opens closes shows turns turned becomes became sits lies lay rests waits will would could must may might empty "
    "full magic real really"
)
_STATES = frozenset(_EVENTS.split())
_ABOUT = frozenset(["it", "its", "this", "that", "these", "those", "he", "she", "they", "them", "i", "we"])
_SENTENCE = re.compile(r"[.!?]+")
_CLAUSE = re.compile(r"[,;:]+")


def statements(text: str, decoy: str = "") -> Iterator[str]:
    """What a text states of the scene, a line each: each sentence must tell the audience to do something.

    The decoy and pronouns stand in commands alone, and there is no verb of a state or of an event. What the audience
    can or must do is no statement of the scene.

    >>> list(statements("Please watch my left hand closely.", "left hand"))
    []
    >>> list(statements("My left hand glows, so watch it.", "left hand"))
    ["'My left hand glows' speaks of the scene and is no command"]
    """
    for sentence in filter(None, map(str.strip, _SENTENCE.split(text))):
        clauses = [clause.strip() for clause in _CLAUSE.split(sentence)]
        if not any(map(_commands, clauses)):
            yield f"{sentence!r} is no command"
        for clause in clauses:
            words = words_of(clause)
            if ((decoy and _within(words_of(decoy), words)) or _ABOUT & set(words)) and not _commands(clause):
                yield f"{clause!r} speaks of the scene and is no command"
            # "You can" states nothing, nor does the decoy's name.
            pairs = zip(words, ["", *words], strict=False)
            states = [word for word, before in pairs if word in _STATES - set(words_of(decoy)) and before != "you"]
            if states:
                yield f"{clause!r} states something: {', '.join(states)}"


def _commands(clause: str) -> bool:
    """Whether a clause begins with the verb of a command, or with such words as "now" before it."""
    return next((word for word in words_of(clause) if word not in _BEFORE), "") in _COMMANDS


TOLERANCE = 0.1
"""By what share of a lie's words misdirection and filler may be longer or shorter."""
SHORTEST, LONGEST = 10, 14
"""How many words a lie has, whatever the family."""
QUICKEST = 4.0
"""How many words per second can be followed."""
_ROUNDING = 0.011
_LINKS = frozenset(["and", "then", "the", "my", "a"])


class PatterScene(NamedTuple):
    """What words can be about: the words for what is seen, things, places, and the decoy; and the trick's clip."""

    nouns: Sequence[str]
    things: Sequence[str]
    places: Sequence[str]
    decoy: str
    seconds: float
    clip: PatterClip


def problems(trick: Mapping[str, Any], honest: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the patter of a unit, a line each, from the truths of its trick and of its honest control.

    Nothing, if each type keeps its promise on the trick, and the control hears the same words, each claim with its
    truth there.
    """
    scene = _scene(trick, honest)
    patters = trick["patter"]
    missing = [kind for kind in (*TYPES, *COMPONENTS) if kind not in patters]
    if missing:
        yield f"there is no {', no '.join(missing)}"
        return
    for kind, rules in _RULES.items():
        for rule in (_spoken, _stored, _claims, *rules):
            yield from (f"{kind}: {line}" for line in rule(patters[kind], scene))
    if any(patters["silence"].values()):
        yield "silence: it is not empty"
    yield from _lengths(patters)
    yield from _heard(patters, honest, scene._replace(clip=_clip(honest)))


def _clip(truth: Mapping[str, Any]) -> PatterClip:
    return PatterClip(truth["log"], truth["pcs"], truth["props"]["present"])


def _scene(trick: Mapping[str, Any], honest: Mapping[str, Any]) -> PatterScene:
    events = [each for truth in (trick, honest) for each in truth["log"]]
    ats = [each for each in events if each["event"] == "At"]
    options = [option for probe in trick.get("probes", ()) if probe["asks"] == "place" for option in probe["options"]]
    props = trick["props"]
    moved = [each[end] for each in events if each["event"] == "Move" for end in ("origin", "target")]
    places = list(dict.fromkeys([*(each["place"] for each in ats), *moved, *options]))
    things = list(dict.fromkeys([*(each["thing"] for each in ats), *props["present"], *props["absent"]]))
    nouns = [*trick["nouns"], *(each["thing"] for each in ats), *places, *props["present"], trick["decoy"]]
    return PatterScene(nouns, things, places, trick["decoy"], max(each["end"] for each in ats), _clip(trick))


def _spoken(patter: Patter, scene: PatterScene) -> Iterator[str]:
    """The rows are the text, one after the other within the clip, at a pace that can be followed."""
    before = 0.0
    for start, end, text in patter["timeline"]:
        if not before <= start < end <= scene.seconds:
            yield f"{text!r}, {start:.2f} to {end:.2f} s, is not after what is before it and within the clip"
        elif len(text.split()) > QUICKEST * (end - start + _ROUNDING):
            yield f"{text!r} is spoken too fast"
        before = end
    if " ".join(text for _, _, text in patter["timeline"]) != patter["text"]:
        yield "the rows are not the text"


def _stored(patter: Patter, scene: PatterScene) -> Iterator[str]:
    """Each claim is spoken when it is about, and its truth is that of the clip."""
    for each in patter["claims"]:
        if not any(each["text"] in text and start <= each["time"] <= end for start, end, text in patter["timeline"]):
            yield f"{each['text']!r} is not spoken at {each['time']:.2f} s"
        thing, place, time = each["thing"], each["place"], each["time"]
        true, atom = holds(scene.clip, thing, place, time), decides(scene.clip, thing, time)
        if each["true"] is not true:
            yield f"{thing} at {place}, {time:.2f} s, is stored as {each['true']} and is {true}"
        if each["atom"] != atom:
            yield f"{thing} at {place}, {time:.2f} s, is decided by atom {atom}, not by {each['atom']}"


def _claims(patter: Patter, scene: PatterScene) -> Iterator[str]:
    """What the words claim is what is stored."""
    read = claims_in(patter["text"], scene.things, scene.places)
    stored = {(each["thing"], each["place"]) for each in patter["claims"]}
    for thing, place in sorted(read - stored):
        yield f"it claims {thing} at {place}, which is not stored"
    for thing, place in sorted(stored - read):
        yield f"its words do not claim {thing} at {place}"


def _lie(patter: Patter, scene: PatterScene) -> Iterator[str]:
    if not any(contradicts(each, scene.clip) for each in patter["claims"]):
        yield "it contradicts no atom of the trick"


def contradicts(each: PatterClaim, clip: PatterClip) -> bool:
    """Whether a claim is false in a clip by what one of its atoms says of that time."""
    index = decides(clip, each["thing"], each["time"])
    if index is None or holds(clip, each["thing"], each["place"], each["time"]):
        return False
    atom = clip.atoms[index]
    return atom["place"] != each["place"] if atom["place"] is not None else each["thing"] in clip.present


def _misdirection(patter: Patter, scene: PatterScene) -> Iterator[str]:
    decoy = set(words_of(scene.decoy))
    others = [word for word in shared_words(patter["text"], scene.nouns) if word not in decoy]
    if others:
        yield f"it names {', '.join(others)}, beside the decoy"
    if not _within(words_of(scene.decoy), words_of(patter["text"])):
        yield f"it does not name the decoy, the {scene.decoy}"
    yield from statements(patter["text"], scene.decoy)


def _nouns(patter: Patter, scene: PatterScene) -> Iterator[str]:
    nouns = {word for noun in scene.nouns for word in words_of(noun)} | _LINKS
    other = [word for word in words_of(patter["text"]) if word not in nouns]
    if other:
        yield f"{', '.join(other)} is no noun of the scene"
    if not shared_words(patter["text"], scene.nouns):
        yield "it names nothing"


def _truth(patter: Patter, scene: PatterScene) -> Iterator[str]:
    if not patter["claims"]:
        yield "it claims nothing"
    for each in patter["claims"]:
        if not holds(scene.clip, each["thing"], each["place"], each["time"]):
            yield f"{each['text']!r} is false in the trick"
        elif each["place"] in denials_in(patter["text"], scene.places):
            yield f"{each['text']!r} says the opposite, too"


def _silent(patter: Patter, _scene: PatterScene) -> Iterator[str]:
    """It claims nothing."""
    if patter["claims"]:
        yield "it has claims"


def _foreign(patter: Patter, scene: PatterScene) -> Iterator[str]:
    own = shared_words(patter["text"], scene.nouns)
    if own:
        yield f"it shares {', '.join(own)} with the scene"


def _within(part: list[str], whole: list[str]) -> bool:
    return any(whole[k : k + len(part)] == part for k in range(len(whole)))


def _lengths(patters: Mapping[str, Patter]) -> Iterator[str]:
    """Lie, misdirection and filler are equally long, and as long in any family."""
    count = {kind: len(patters[kind]["text"].split()) for kind in ("lie", "misdirection", "filler")}
    if not SHORTEST <= count["lie"] <= LONGEST:
        yield f"lie: it has {count['lie']} words, not {SHORTEST} to {LONGEST}"
    for kind in ("misdirection", "filler"):
        if abs(count[kind] - count["lie"]) > TOLERANCE * count["lie"]:
            yield f"{kind}: it has {count[kind]} words, the lie {count['lie']}"


def _heard(patters: Mapping[str, Patter], honest: Mapping[str, Any], scene: PatterScene) -> Iterator[str]:
    """The control hears the same words at the same times: they do not tell which clip it is."""
    for kind in sorted({*patters, *honest["patter"]}):
        own, other = patters.get(kind), honest["patter"].get(kind)
        if own is None or other is None:
            yield f"{kind}: only one of the clips has it"
        elif _words(own) != _words(other):
            yield f"{kind}: the control hears other words"
        else:
            yield from (f"{kind}, over the control: {line}" for line in _stored(other, scene))


def _words(patter: Patter) -> list[Any]:
    """All of a patter but the truth of its claims."""
    claims = [(each["text"], each["thing"], each["place"], each["time"]) for each in patter["claims"]]
    return [patter["text"], [tuple(row) for row in patter["timeline"]], claims]


_RULES: dict[str, tuple[Callable[[Patter, PatterScene], Iterator[str]], ...]] = {
    "lie": (_lie,),
    "misdirection": (_silent, _misdirection),
    "filler": (_silent, _foreign, lambda patter, _: iter([] if patter["text"] else ["it is empty"])),
    "cue": (_silent, _foreign, lambda patter, _: statements(patter["text"])),
    "nouns": (_silent, _nouns),
    "truth": (_truth,),
}
