"""The rule judge of explanations: words for the things, the action, the anomaly, the law and the normal course.

It knows the words that a generated clip comes with. Releases have none: there it cannot tell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from veridical.judges.language import is_foreign, lists
from veridical.judges.rubric import FixedReply, Shown
from veridical.records import Json
from veridical.suites.hocabench.asking.attribution import LABELS
from veridical.suites.hocabench.asking.explanations import label_of, parts

LAWS: Mapping[str, tuple[str, ...]] = {
    "shape": ("geometr",),
    "material_appearance": ("opacity",),
    "permanence": ("permanence",),
    "mutation": ("color constancy", "colour constancy"),
    "bio_behavior": ("anatom", "biolog"),
    "gravity": ("gravity", "gravitation", "free fall"),
    "buoyancy": ("buoyan", "archimedes"),
    "friction": ("friction", "traction"),
    "collision": ("impenetrab", "momentum", "newton's third"),
    "inertia": ("inertia", "momentum", "newton's first", "first law of motion"),
    "rigidity": ("rigidity", "stiffness", "elasticity"),
    "fluidity": ("viscosity", "surface tension", "fluid dynamics"),
    "mass_volume": ("conservation of mass", "mass conservation", "conservation of volume", "conservation of matter"),
    "thermodynamics": ("thermodynamic", "heat transfer"),
    "chemistry": ("combustion", "oxidation", "chemistry"),
    "optics": ("optics", "refraction", "law of reflection"),
}
"""Names that are those of a law and of nothing else, by sub-type: one of another sub-type alone is a wrong law."""

_MANY = 3
"""From how many laws on a reply names laws at large, and not the one that is broken."""
_NOTHING = re.compile(
    r"\b(?:no|not an?|without any) (?:\w{1,12} ){0,2}(?:anomal|violation|impossib)"
    r"|(?<!that )\bnothing (?:\w{1,12} ){0,2}(?:odd|strange|unusual|wrong|impossible|anomalous)"
    r"(?! (?:with|about|else)\b)"
    r"|\b(?:is|are|seems?|appears?) (?:\w{1,12} ){0,2}plausible\b"
    r"|\b(?:can(?:no|')?t|can not|unable to|not able to) (?:tell|say|determine|identify|answer)\b"
    r"|\b(?:all|everything) (?:is|looks) (?:\w{1,12} )?(?:normal|fine|ordinary)\b(?! (?:until|except|but|up to))",
    re.IGNORECASE,
)
_NORMALLY = re.compile(
    r"\b(?:should|would|must|ought|normal(?:ly)?|expect\w*|usual(?:ly)?|real(?:ity| life| world)"
    r"|supposed|instead|needs?)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:(?:laws? of )?(?:physics|nature)|physical laws?|common sense|(?:im|not )possible|unrealistic|not realistic"
    r"|unphysical|cannot happen)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:(?:not|n't) (?:the case|true|so|that|as if|(?:see|find|notice|think|believe)(?= that| any))"
    r"|no (?:sign|trace|moment)|would be (?:impossible|odd|strange|a violation)"
    r"|(?:one|you|i) (?:might|may|could) (?:think|believe|say)|i (?:first )?(?:thought|suspected)"
    r"|although it looks as if"
    r"|at first (?:sight|glance)|(?<!as )if(?! i (?:see|am|read)))\b",
    re.IGNORECASE,
)
_NOT_HERE = re.compile(
    r"\A[^.!?\n]{0,100}\b(?:does not happen|doesn't happen|did not happen|is not what happens"
    r"|is (?:wrong|not so|ruled out))\b"
    r"|\A[^.!?\n]{0,60}[.!]\s{0,2}(?:no|but no|that is not|this is not|that is (?:only |just |a mere )"
    r"|that is an? (?:mere )?(?:illusion|artifact))\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s{0,4}[-*\u2022]\s", re.MULTILINE)
_BULLETS = 3
_KINDS, _SCENES = 9, 4
"""From how many kinds of anomaly whose signs it has, or scenes whose things it names, on a text says none of them. The
library's own anomalies have the signs of 6 kinds at most, and its own descriptions the things of 2 scenes."""
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|none|without|nor|neither|cannot|fails? to|failed to|instead of|rather than)\b|n't\b)"
    r"(?:[ ,]{1,2}[\w'-]{1,20}){0,4}[ ,]{1,2}\Z",
    re.IGNORECASE,
)
_TURN = re.compile(r"[.;:!?\n]|,? \b(?:but|yet|while|whereas|instead it|and it)\b", re.IGNORECASE)
_REACH = 120


def rule_verdict(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict on an explanation by its words, or the reason why there is none."""
    words: Mapping[str, Json] = json.loads(shown["words"])
    if not words.get("entities") or not words.get("signs"):
        return "the item has no words by which a rule could tell"
    explanation = parts(shown["reply"])
    if is_foreign(explanation.whole):
        return "the reply is not in English"
    scene = f"{explanation.scene}. {explanation.anomaly}" if explanation.names else explanation.whole
    anomaly = explanation.anomaly if explanation.names else explanation.whole
    reasoning = explanation.reasoning if explanation.names else explanation.whole
    listed = lists(scene, long=not explanation.names) or _shows_all(scene)
    things = [holds(scene, names) and not listed for names in words["entities"]]
    bullets = not explanation.names and len(_BULLET.findall(shown["reply"])) >= _BULLETS
    nothing = bullets or _NOTHING.search(anomaly) or lists(anomaly, long=not explanation.names) or _says_all(anomaly)
    sign = holds(anomaly, words["signs"]) and not nothing
    if not explanation.names and not (sign or nothing or _known(anomaly, words)):
        return "the reply is in words that the rule does not know, and not in the four parts"
    law, wrong = _law(reasoning, str(words["kind"]), words.get("law", ()))
    normal = any(
        holds(sentence, words.get("expected", ()))
        for sentence in re.split(r"(?<=[.!?;])\s|\n", reasoning)
        if _NORMALLY.search(sentence)
    )
    tautology = bool(not law and not wrong and not normal and _GENERIC.search(reasoning))
    label = label_of(explanation)
    verdict = {
        "entity": 10 if things[0] else 5 if any(things) else 0,
        "action": 10 * (holds(scene, words.get("actions", ())) and not listed),
        "outcome": 5 * bool(sign),
        "anomaly": 25 * bool(sign),
        "process": 15 * (label == shown["attribution"]),
        "reasoning": 0 if wrong else 35 if tautology or (law and normal) else 25 if law or normal else 0,
        "law": law,
        "normal_course": normal,
        "wrong_law": wrong,
        "tautology": tautology,
    }
    return {"justification": _because(verdict), **verdict}


def _because(verdict: Mapping[str, Json]) -> str:
    held = [name for name in ("entity", "action", "anomaly", "process", "law", "normal_course") if verdict[name]]
    against = [name.replace("_", " ") for name in ("wrong_law", "tautology") if verdict[name]]
    return f"has words of: {', '.join(held).replace('_', ' ') or 'nothing'}" + "".join(f"; {each}" for each in against)


def _law(reasoning: str, kind: str, names: Iterable[str]) -> tuple[bool, bool]:
    """Whether the broken law is named, and whether other laws are named in its place, or many beside it."""
    own = holds(reasoning, names)
    others = {each for each, laws in LAWS.items() if each != kind and holds(reasoning, laws)}
    shared = {each for each in others if set(LAWS[each]) & set(LAWS.get(kind, ()))}
    wrong = (bool(others) and not own) or len(others - shared) >= _MANY
    return own and not wrong, wrong


def holds(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of these words, in some form and not denied.

    >>> holds("the ball rises", ["rise"]), holds("it does not rise", ["rise"]), holds("it is rising", ["rise"])
    (True, False, True)
    """
    for match in _pattern(tuple(words)).finditer(text):
        before = _TURN.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
        if match[0].strip() and not (
            _NEGATED.search(before)
            or _NOT_SO.search(before)
            or _NOT_HERE.match(text[match.end() : match.end() + _REACH])
        ):
            return True
    return False


def _known(anomaly: str, words: Mapping[str, Json]) -> bool:
    """Whether a text has words for the anomaly, if denied ones, or for another one that its scene hosts."""
    from veridical.suites.hocabench.physics.scene_index import EVERY_SCENE

    hosts = (scene for scene in EVERY_SCENE.values() if [list(names) for names in scene.entities] == words["entities"])
    signs = [words["signs"], *(event.signs for scene in hosts for event in scene.events)]
    return any(_pattern(tuple(each)).search(anomaly) for each in signs)


def _shows_all(scene: str) -> bool:
    """Whether a text names all things of so many scenes that it describes none."""
    _, things = _own()
    return sum(all(holds(scene, names) for names in every) for every in things) >= _SCENES


def _says_all(anomaly: str) -> bool:
    """Whether a text has signs of so many kinds of anomaly that it names none."""
    signs, _ = _own()
    return sum(holds(anomaly, words) for words in signs.values()) >= _KINDS


@lru_cache(maxsize=1)
def _own() -> tuple[dict[str, list[str]], list[Sequence[Sequence[str]]]]:
    """The signs of the library's own anomalies by sub-type, and the names of the things of each of its scenes."""
    from veridical.suites.hocabench.physics.scenes import SCENES

    found: dict[str, set[str]] = {}
    for scene in SCENES.values():
        for event in scene.events:
            found.setdefault(event.sub_type, set()).update(event.signs)
    return {name: sorted(signs) for name, signs in found.items()}, [scene.entities for scene in SCENES.values()]


@lru_cache(maxsize=512)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Words of up to three letters as they are, or with an s; longer ones, or beginnings of such, with any ending.

    "n't" stands within a word, everything else begins one.
    """
    forms = [_form(word.strip()) for word in words if word.strip()]
    return re.compile(rf"(?:\b|(?=n't))(?:{'|'.join(forms)})\b" if forms else r"(?!)", re.IGNORECASE)


def _form(word: str) -> str:
    whole = r"\s{1,3}".join(re.escape(part) for part in word.split())
    if len(word) <= 3:
        return rf"{whole}s?"
    return rf"(?:{whole}\w*|{whole[:-1]}ing)" if word.endswith("e") else rf"{whole}\w*"


_HEADINGS = {"scene": "Scene", "anomaly": "Anomaly", "attribution": "Attribution", "reasoning": "Reasoning"}


def fixed_pieces(shown: Sequence[Shown]) -> FixedReply:
    """From the words of each item: its things and action, a sign of its anomaly with its law; and both attributions."""
    pieces = [f"attribution: {label}" for label in LABELS.values()]
    for each in shown:
        words = json.loads(each["words"])
        if not words.get("entities") or not words.get("signs"):
            continue
        things = [names[0] for names in words["entities"]]
        pieces.append(f"scene: {' '.join([*things, *words.get('actions', ())[:1]])}")
        expected, law = " ".join(words.get("expected", ())[:1]), " ".join(words.get("law", ())[:1])
        pieces.append(f"anomaly: {words['signs'][0]}\nreasoning: by the law of {law} it should {expected}")
    return FixedReply(tuple(dict.fromkeys(pieces)), _reply)


def _reply(pieces: Sequence[str]) -> str:
    """The pieces under their headings, those of one part as one sentence."""
    lines = []
    for part, heading in _HEADINGS.items():
        every = (line for piece in pieces for line in piece.splitlines())
        own = [line.partition(": ")[2] for line in every if line.startswith(f"{part}: ")]
        lines += [f"{heading}: {' '.join(own)}."] if own else []
    return "\n".join(lines)
