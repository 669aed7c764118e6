"""The parts of a sentence that matter for what it states: boxes, things with their looks, verbs, relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from veridical.answers.region_mentions import mentions
from veridical.suites.magic.language.words import RELATION, Lexicon, phrase_pattern, relation_of

Look = tuple[str, str]
"""The kind and the value of a look, such as ("color", "red")."""

_FILLER = re.compile(
    r"\b(?:clearly|also|indeed|definitely|actually|really|simply|just|now|only|certainly|visibly|obviously|evidently"
    r"|still|both|plainly|very|quite|directly|slightly|partly|mainly|mostly|entirely|fully|completely|does|do|did"
    r"|here|itself|instead|thus|therefore|too|again|then|of course|in fact|colou?red|in colou?r|in size"
    r"|by contrast|on the other hand|for example|as well"
    r"|(?:the |a |this )?(?:red )?(?:bounding )?(?:box|region|rectangle|frame)(?= \W{0,3}R ?[0-9])"
    r"|(?:on|to|at|in) the (?:far |very )?(?:left|right|top|bottom|back|front|middle|cent(?:er|re))"
    r"(?:[ -]hand)?(?: side)?(?! (?:side )?of\b)(?: (?:edge|part|half|side))?"
    r"|(?:in|of|within) (?:the|this) (?:picture|image|photo|scene|room|foreground|background)"
    r"|(?:the |its )?(?:colou?r|material|size) of (?=(?:the|this|that|box|region|R ?[0-9])\b)"
    r"|(?:drawn|marked|outlined|enclosed|shown|visible|pictured|highlighted|labell?ed)"
    r"(?= (?:in|inside|within|as|by|at)\b))"
    r"\b|\b(?<=\w)['\u2019]s (?:colou?r|material|size)\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"\b(?:(?:(?:red|drawn) )?(?:bounding )?(?:box|rectangle|outline|border|frame|label|mark(?:ing)?)(?:e?s)?"
    r"(?: (?:of|around))?(?! (?:an?|the|one)\b)|(?:outlined|marked|drawn|framed|highlighted|boxed) in red)\b",
    re.IGNORECASE,
)
"""What is drawn into the picture, and is no thing in it."""
_GENERIC = re.compile(r"\b(?:object|thing|item|one)\b", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:the|an?|this|that|its|some|my|another|other|second)\b", re.IGNORECASE)
_PLAIN = re.compile(
    r"\b(?:bright|dark|light|deep|pale|vivid|shiny|glossy|round|tall|single|solid|plain|simple|same|clear|colou?red"
    r"|looking|sized|made)\b",
    re.IGNORECASE,
)
_BE = re.compile(
    r"\b(?P<one>is|was|appears(?: to be)?|looks(?! (?:like|at|for|as))|turns out to be|remains|being|stands|sits|lies"
    r"|rests|hangs|(?:has|with|of) (?:an? )?(?=[\w-]{3,10} (?:colou?r|hue|finish)\b)|painted)"
    r"(?: (?:made (?:out )?(?:of|from)|placed|located|positioned|situated|seen|found|standing|sitting|lying))?\b"
    r"|\b(?P<many>are|were|appear(?: to be)?|look(?! (?:like|at|for|as))|stand|sit|lie)\b"
    r"|\b(?P<adjoined>made (?:out )?(?:of|from))\b|(?<=\w)['\u2019](?P<short>s|re)\b(?! (?:colou?r|material|size))|=",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"\b(?:shows?|contains?|displays?|depicts?|encloses?|highlights?|marks?|frames?|outlines?|includes?|surrounds?"
    r"|features?|represents?|captures?|holds?|ha(?:s|ve)(?! an? [\w-]{3,10} (?:colou?r|hue|finish)\b)"
    r"|identifies|corresponds? to|points? to|belongs? to|covers?|appears? to (?:show|contain)"
    r"|(?:show|contain|depict|display|highlight|mark|enclos|fram)ing"
    r"|is (?:drawn )?around|is the (?:box|region) (?:of|for|around|with))\b",
    re.IGNORECASE,
)
_SEE = re.compile(
    r"\b(?:(?:I|we|you|one) (?:can )?(?:clearly |also |now |just )?(?:sees?|finds?|notices?|spots?|observes?)"
    r"|there(?: i|['\u2019])s)\b",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\b(?:in|inside|within|at|labell?ed(?: as| by)?|marked(?: as| by| with)?|numbered|bounded by)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:not|no|never|without|rather than|instead of|nor|isn|aren|wasn|doesn|don|didn)\b(?:['\u2019]t\b)?",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|that)\b", re.IGNORECASE)
_IT = re.compile(r"\bit\b", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|plus|but)\b|&", re.IGNORECASE)
_WORD = re.compile(r"[\w'\u2019-]+")
_FOLLOW = frozenset(
    (
        *("with", "here", "there", "i", "we", "you", "as", "for", "near", "beside", "next", "by", "from", "to", "than"),
        *("at", "so", "because", "since", "who", "whose", "before", "after", "on", "in", "among", "between", "does"),
        *("catches", "seems", "could", "would", "might"),
    )
)
"""Words that may follow a thing without making it a part of a compound, as "shade" does of a lamp."""
_OF_LOOKS = ("color", "colour", "hue", "finish", "tone", "shade")
_SUBSTANCE = re.compile(r"(?: |-)(?:colou?r|colou?red|hue|finish|tone|shade)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SentenceItem:
    """A part of a sentence: its kind, and what it says.

    Kinds: box (`numbers`), thing (`noun`, or null for "object", and its `looks`), look, be, show, see, relation, in,
    not, which, it, and, comma, open, close, colon, word. `value` is the relation, "many" for verbs in the plural, and
    "the" or "a" of a thing.
    """

    kind: str
    start: int
    end: int
    value: str = ""
    noun: str | None = None
    looks: tuple[Look, ...] = ()
    numbers: tuple[int, ...] = ()


def items(sentence: str, lexicon: Lexicon) -> list[SentenceItem]:
    """The items of a sentence in order; words that carry no claim are of the kind "word".

    >>> words = {"red": ("color", "red"), "mug": ("noun", "mug")}
    >>> [item.kind for item in items("R2 shows a red mug.", words)]
    ['box', 'show', 'thing']
    """
    return _joined(_looked(list(_raw(sentence, lexicon)), sentence))


def _raw(sentence: str, lexicon: Lexicon) -> Iterator[SentenceItem]:
    boxes = {mention.start: mention for mention in mentions(sentence, False)}
    known = phrase_pattern(frozenset(lexicon))
    at = 0
    while at < len(sentence):
        if at in boxes:
            yield SentenceItem("box", at, boxes[at].end, numbers=boxes[at].numbers)
            at = boxes[at].end
            continue
        item = _at(sentence, at, lexicon, known) if not sentence[at].isspace() else None
        if item is not None and item.kind != "skip":
            yield item
        at = item.end if item is not None else at + 1


_PUNCTUATION = {",": "comma", "(": "open", ")": "close", "[": "open", "]": "close", ":": "colon"}
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("see", _SEE),
    ("show", _SHOW),
    ("be", _BE),
    ("not", _NOT),
    ("generic", _GENERIC),
    ("in", _IN),
    ("and", _AND),
    ("it", _IT),
)


def _at(sentence: str, at: int, lexicon: Lexicon, known: re.Pattern[str]) -> SentenceItem | None:
    """The item that begins here; `None` for a sign that says nothing."""
    if kind := _PUNCTUATION.get(sentence[at]):
        return SentenceItem(kind, at, at + 1)
    if drawn := _drawn(sentence, at, lexicon):
        return drawn
    if match := RELATION.match(sentence, at):
        return SentenceItem("relation", at, match.end(), relation_of(match))
    if match := known.match(sentence, at):
        kind, name = lexicon[" ".join(match[0].lower().replace("-", " ").split())]
        return (
            SentenceItem("noun", at, match.end(), noun=name)
            if kind == "noun"
            else SentenceItem("look", at, match.end(), kind, name)
        )
    for kind, pattern in _KINDS:
        if match := pattern.match(sentence, at):
            return SentenceItem(kind, at, match.end(), _value(kind, match))
    if match := _WHICH.match(sentence, at):
        return SentenceItem("which", at, match.end(), match[0].lower())
    if match := _DETERMINER.match(sentence, at):
        return SentenceItem("determiner", at, match.end(), match[0].lower())
    if match := _PLAIN.match(sentence, at):
        return SentenceItem("plain", at, match.end())
    match = _WORD.match(sentence, at)
    return SentenceItem("word", at, match.end(), match[0].lower()) if match else None


def _drawn(sentence: str, at: int, lexicon: Lexicon) -> SentenceItem | None:
    """What is said of the boxes that are drawn, or words that say nothing."""
    filler, mark = _FILLER.match(sentence, at), _MARK.match(sentence, at)
    if mark and " in red" in mark[0].lower():
        return SentenceItem("word", at, mark.end(), "part")
    if filler:
        return SentenceItem("skip", at, filler.end())
    if mark and mark[0].lower() not in lexicon:
        return SentenceItem("word", at, mark.end(), "part")
    return None


def _value(kind: str, match: re.Match[str]) -> str:
    if kind == "be":
        return match.lastgroup or "one"
    return match[0].lower()


def _looked(raw: list[SentenceItem], sentence: str) -> list[SentenceItem]:
    """Things with the determiner and the looks before them, and looks that stand alone."""
    made: list[SentenceItem] = []
    at = 0
    while at < len(raw):
        item, end = _thing(raw, at, sentence)
        made.append(item)
        at = end
    return made


def _thing(raw: list[SentenceItem], at: int, sentence: str) -> tuple[SentenceItem, int]:
    """The item at a place, a whole noun phrase if one begins there, and the place after it."""
    first = raw[at]
    place, looks = at, []
    determiner = ""
    while place < len(raw) and raw[place].kind in ("determiner", "which", "plain", "look", "comma", "and"):
        item = raw[place]
        if item.kind in ("determiner", "which"):
            if place > at or (item.kind == "which" and item.value != "that"):
                break
            determiner = item.value
        elif item.kind == "look":
            looks.append((item.value, str(item.noun)))
        elif item.kind in ("comma", "and") and not (looks and place + 1 < len(raw) and raw[place + 1].kind == "look"):
            break
        place += 1
    if place < len(raw) and raw[place].kind in ("noun", "generic"):
        noun = raw[place]
        following = raw[place + 1] if place + 1 < len(raw) else None
        near = following is not None and not sentence[noun.end : following.start].strip(" ")
        compound = (
            near
            and following is not None
            and (following.kind == "noun" or (following.kind == "word" and following.value not in _FOLLOW))
        )
        if compound or determiner in ("another", "other", "second"):
            return SentenceItem("word", first.start, noun.end, "part"), place + 1
        name = noun.noun if noun.kind == "noun" else None
        if name is None and not looks and not determiner:
            return SentenceItem("word", first.start, noun.end, "one"), place + 1
        article = "a" if determiner in ("a", "an", "some") else "the" if determiner else ""
        return SentenceItem("thing", first.start, noun.end, article, name, tuple(looks)), place + 1
    return _alone(raw, at, sentence), at + 1


def _alone(raw: list[SentenceItem], at: int, sentence: str) -> SentenceItem:
    """An item that begins no noun phrase; a look before a word that is no color is a word of something else."""
    item = raw[at]
    if item.kind in ("determiner", "plain"):
        return replace(item, kind="filler")
    if item.kind == "generic":
        return replace(item, kind="word")
    if item.kind != "look":
        return item
    following = raw[at + 1] if at + 1 < len(raw) else None
    if (
        following is not None
        and following.kind == "word"
        and following.value not in _FOLLOW
        and not sentence[item.end : following.start].strip(" -")
        and not _SUBSTANCE.match(sentence, item.end)
    ):
        return replace(item, kind="word", value="part")
    return SentenceItem("look", item.start, item.end, looks=((item.value, str(item.noun)),))


def _joined(read: list[SentenceItem]) -> list[SentenceItem]:
    """Without fillers; the words color and hue after a look are a part of it."""
    kept: list[SentenceItem] = []
    for item in read:
        if item.kind == "filler":
            continue
        if item.kind == "word" and item.value in _OF_LOOKS and kept and kept[-1].kind == "look":
            continue
        kept.append(item)
    return kept
