"""Readers of the six tasks, by family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from veridical.answers import OPTION_LETTER, Marks, ParsedAnswer, Reader, Readers, intervals, read_intervals
from veridical.answers.places import LAST, LEAD, SENTENCES
from veridical.answers.settle import NOTHING, AnswerClaim, read_by_rule
from veridical.answers.thinking import spoken_text
from veridical.answers.time_intervals import NONE, interval_text, iou
from veridical.answers.truncation import block_complete, list_complete
from veridical.answers.yes_no import yes_no_claims, yes_no_slot, yes_no_whole
from veridical.records import Json, Trial
from veridical.suite.reply import object_of
from veridical.suites.hocabench.asking.explanations import EXPLANATION
from veridical.suites.hocabench.asking.sets import SET

PLAUSIBILITY, DOMAIN, DESCRIPTION = "plausibility", "domain", "description"
EXPLAINED, INTERVAL, SEVERAL = "explanation", "interval", "set"
"""The tasks, and the families of their readers."""

HIT = 0.5
"""The intersection over union from which an interval counts as correct."""
_LATE = 0.5
"""How many seconds after the end of the clip an interval may end, as by rounding; it is cut back to the clip."""

_ONE_WORD = re.compile(r"(?i)\W{0,9}(?P<word>yes|no)\W{0,9}")
_TAG = re.compile(r"(?i)<answer>([^<>]{1,200})</answer>")
_RANGE = re.compile(
    r"(?P<start>[0-9]{1,6}(?:\.[0-9]{1,6})?)\s{0,3}(?:s|seconds?)?\s{0,3}(?:to|-|\u2013|and)\s{0,3}"
    r"(?P<end>[0-9]{1,6}(?:\.[0-9]{1,6})?)\s{0,3}(?:s|seconds?)?"
)
_TO_END = re.compile(
    r"(?i)(?P<at>[0-9](?: ?(?:s|sec|seconds?))?,? {0,2})(?:to|until|till|[-\u2013\u2014]) ?(?:the )?(?:very )?end\b"
    r"(?: of (?:the )?(?:clip|video)\b|(?=\W{0,3}(?:[.,;)\n]|\Z)))"
)
_HAPPENS = re.compile(
    r"(?i)\bhappens? (?:in|from|between|during|at)\s{1,3}(?P<when>[^\n]{1,80}?)"
    r"\s{0,3}(?:seconds?|s)?\s{0,3}[.\n]?\s{0,9}\Z"
)


_PLAUSIBLE = re.compile(
    r"(?i)(?:(?P<un>\b(?:im-?|un-?|in(?:vrai)?))|\b)(?:possible|posible|plaus[ia]bles?|plausibel|realistic|möglich"
    r"|semblable|verosímil)\b(?! (?:\w+ )?(?:version|one|event|course|clip|scene|to (?:see|tell|say|know"
    r"|determine))\b)|(?P<no>\bno way\b|\b(?:violat(?:es?|ions? of)|contradict(?:s|ions? of)|breaks?|def(?:y"
    r"|ies)) [^.,;:\n]{0,24}\b(?:physics|nature|gravity|laws)\b|\b(?:physics|laws?|gravity)\b[^.,;:\n]{0,24} (?:is"
    r"|are) (?:violated|broken|defied)|\black(?:s|ing)? (?:in )?(?:plausibility|realism)\b|不可能|不合理|불가능"
    r"|(?:could|can)(?: ?not|n't|'t)(?=[.!]))|(?:\bphysically (?:consistent|sound|accurate|correct)\b|\b(?:agrees?"
    r"|consistent) with [^.,;:\n]{0,24}\b(?:physics|nature|reality)\b|\b(?:obeys?|follows?"
    r"|respects?) (?:all )?(?:the )?(?:laws|rules|physics)\b|符合|合理|可[能以]发生)"
    r"|\b(?:can|could|does|do)(?P<not> ?not| never| hardly|'t|n't)? (?:\w{4,9} ){0,2}?(?:happen|occur|exist|be real)\b"
)
_DENIED = re.compile(
    r"(?i)(?:\b(?:not|cannot|neither|nor|nothing|no|never|none|hardly|nicht|nichts|pas|rien|aucun|nada|anything but"
    r"|far from|without)\b|n't\b|没有|并不)[^.,;:!?\n]{0,36}$"
)
_SET_ASIDE = re.compile(r"(?i)\b(?:rather than|instead of|an?) [\"']?$")
"""What before a word makes it none of the reply's own: "implausible rather than plausible", "an implausible event"."""
_FALSE = re.compile(
    r"(?i)[\"']?\s{0,2}(?:[:=]\s{0,2}[\"']?(?:false|no)\b|(?:would be|is) (?:a mistake|wrong|incorrect|an error"
    r"|mistaken)\b|(?:\w+ ){0,2}(?:doesn't|does not|cannot|can't) (?:hold|stand)\b)"
)
"""What after a word takes it back: "plausible: false", "to call it plausible would be a mistake"."""
_OPEN = re.compile(
    r"(?i)\b(?:if|unless|whether|maybe|perhaps|partly|hard to|(?:could|may|might) be|can(?:not|'t) say|may take"
    r"|would(?! be (?:a mistake|wrong|incorrect|an error|mistaken))|such|often|usual(?:ly)?|normally|at first"
    r"|first (?:glance|sight)|made me|depend\w*|until|half|kann|possibly)\b|是否|无法|[0-9]\s?% \w+, [0-9]|\?"
    r"|\b(?:both|some|most|parts?|mostly|judge|take your pick|although|though|must be)\b"
)
_OWN = re.compile(
    r"(?i)(?<!anything )\bbut\b|\b(?:however|so|therefore|hence|overall|also|i(?:'d| would)? (?:therefore )?(?:choose"
    r"|judge|conclude|say))\b|—|–|但|所以"
)
_OF_CLIP = re.compile(r"(?i)\W*(?:it|this|that|(?:the|this) (?:clip|video|scene|event|footage|sequence))\b")
_VIOLATED = re.compile(r"(?i)(?:yes|no)\W{1,3}(?=(?:there|i) (?:is|are|see) (?:\w+ ){0,3}(?:violation|contradiction))")
"""A yes or no that answers whether physics is violated: what follows counts."""


_UNDECIDED = re.compile(
    r"(?i)\bi (?:would|will|do|can) ?not (?:choose|decide|judge)\b|\b(?:possibly|maybe|perhaps) not\b"
)
_PROMPT = re.compile(
    r"(?i)\bcould what this clip shows happen\b[^\n]{0,300}?\byes or no\.?|\b(?:yes|no) means that [^.\n]{0,120}\."
)
"""The question itself, repeated."""
_ECHO = re.compile(r"(?im)^\W{0,4}(?:im)?plausible ?(?:/|or) ?(?:im)?plausible\W{1,5}(?=(?:im)?plausible\b)")
"""The choice of words, repeated before the word that is chosen."""
_ASKED = re.compile(r"(?i)\b(?:implausible|impossible|unrealistic)\?\W{1,4}(?P<word>yes|no)\b(?!,? wait)")
_OTHERS = re.compile(
    r"(?i)[^.!?\n]{0,60}\b(?:often|usually|mostly|typically) (?P<un>im)?plausible[.;,] {1,2}(?:but )?this (?:one"
    r"|clip) (?P<not>is not|isn't|is)(?=[.:;,])"
)
_OF_TWO = re.compile(
    r"(?i)[\"'](?P<one>(?:im)?plausible)[\"'],? (?:and|or) [\"'](?P<two>(?:im)?plausible)[\"'],? the (?:"
    r"(?P<first>first|former)|second|latter)\b"
)
"""Words that answer by pointing to others: "Implausible? No.", "Such clips are often implausible. This one is not."."""
_BARE = re.compile(r"(?i)\W{0,6}(?:(?:so|therefore|overall),? )?(?:im)?plausible\W{0,6}")


def _resolved(text: str) -> str:
    """A reply in which what points to other words for its answer says it."""
    text = _ECHO.sub("", _VIOLATED.sub("", _PROMPT.sub("", text)))
    text = _ASKED.sub(lambda asked: "No" if asked["word"].lower() == "yes" else "Yes", text)
    text = _OF_TWO.sub(lambda pair: f"It is {pair['one' if pair['first'] else 'two']}", text)
    return _OTHERS.sub(lambda is_: f"It is {'im' if bool(is_['un']) == (len(is_['not']) == 2) else ''}plausible", text)


def _yes_no(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001 (nothing is expected)
    read = read_by_rule(_resolved(spoken_text(text)), _slot, yes_no_whole, "yes or no", _claims)
    return ParsedAnswer(read.answer and read.answer.capitalize(), read.reason)


def _slot(content: str, alone: bool) -> ParsedAnswer:
    """As `yes_no_slot`; a place may also call the clip plausible or not."""
    read = yes_no_slot(content, alone)
    if alone or read != NOTHING:
        return read
    open_ = _PLAUSIBLE.search(content) is not None and _OPEN.search(content)
    return ParsedAnswer(None, "the answer is left open") if open_ else _called(content)


def _claims(plain: str) -> Iterator[AnswerClaim]:
    """Yes and no where they answer, and sentences that call the clip plausible or not."""
    yield from yes_no_claims(plain)
    opens = yes_no_slot(plain[:300], False).answer is not None
    for place, sentence in enumerate(SENTENCES.finditer(plain)):
        own = not (opens and place) or _OF_CLIP.match(sentence[0])
        read = _called(sentence[0]) if own else NOTHING
        if read != NOTHING:
            last = _BARE.fullmatch(sentence[0]) and not plain[sentence.end() :].strip() and not _BARE.match(plain)
            yield AnswerClaim(read, LAST if last else LEAD, sentence.start(), sentence.end())


def _called(sentence: str) -> ParsedAnswer:
    """What a sentence calls the clip: "yes" for plausible, "no" for not; the part after a turn counts alone."""
    if _UNDECIDED.search(sentence):
        return ParsedAnswer(None, "the answer is left open")
    turns = [0, *(turn.end() for turn in _OWN.finditer(sentence))]
    for start, end in pairwise(reversed([*turns, len(sentence)])):
        clause = sentence[end:start]
        verdicts = set() if _OPEN.search(clause) else set(_verdicts(clause))
        if verdicts:
            both = len(verdicts) > 1
            return (
                ParsedAnswer(None, "both plausible and implausible are said") if both else ParsedAnswer(verdicts.pop())
            )
    return NOTHING


def _verdicts(clause: str) -> Iterator[str]:
    for word in _PLAUSIBLE.finditer(clause):
        before = clause[max(0, word.start() - 50) : word.start()]
        if word["no"] or not _SET_ASIDE.search(before):
            no = bool(word["un"] or word["no"] or word["not"]) != bool(_DENIED.search(before))
            no = no != bool(_FALSE.match(clause, word.end()))
            yield "no" if no else "yes"


def _one_word(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001 (nothing is expected)
    word = _ONE_WORD.fullmatch(spoken_text(text).strip())
    return (
        ParsedAnswer(word["word"].capitalize())
        if word
        else ParsedAnswer(None, "the reply is not the word Yes or No alone")
    )


def _domain(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    read = OPTION_LETTER.parse(text, expects)
    return read if read.answer is None else ParsedAnswer(expects["names"][ord(read.answer) - ord("A")])


def cut_to_clip(read: ParsedAnswer, duration: float) -> ParsedAnswer:
    """Intervals cut back to the clip; none where one begins after its end, or ends half a second or more after it.

    >>> cut_to_clip(ParsedAnswer("1.00-4.20"), 4.0).answer, cut_to_clip(ParsedAnswer("1.00-9.00"), 4.0).reason
    ('1.00-4.00', 'the interval 1-9 s lies outside the clip of 4 s')
    """
    if read.answer in (None, NONE):
        return read
    stretches = intervals(read.answer or "")
    if not any(end for _, end in stretches):
        return ParsedAnswer(None, "a stretch from 0 to 0 is none")
    for start, end in stretches:
        if start >= duration or end >= duration + _LATE:
            return ParsedAnswer(None, f"the interval {start:g}-{end:g} s lies outside the clip of {duration:g} s")
    return ParsedAnswer(interval_text((start, min(end, duration)) for start, end in stretches))


def _intervals(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    to_end = _TO_END.sub(rf"\g<at>to {expects['duration']:g} s", text)
    return cut_to_clip(read_intervals(to_end), expects["duration"])


def _tagged(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    """The pair of seconds in the last answer tag, as Time-R1 and its like give it."""
    tags = _TAG.findall(spoken_text(text))
    return _range(tags[-1], expects) if tags else ParsedAnswer(None, "no answer tag")


def _sentence(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    """The pair of seconds at the end of "The event happens in 1.2 - 3.4 seconds.", as Qwen's models give it."""
    sentence = _HAPPENS.search(spoken_text(text))
    return _range(sentence["when"], expects) if sentence else ParsedAnswer(None, "no sentence 'the event happens in …'")


def _range(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    pair = _RANGE.fullmatch(text.strip())
    if pair is None:
        clocks = read_intervals(f"<answer>{text}</answer>") if ":" in text else ParsedAnswer(None)
        return (
            ParsedAnswer(None, "no pair of times")
            if clocks.answer is None
            else cut_to_clip(clocks, expects["duration"])
        )
    start, end = float(pair["start"]), float(pair["end"])
    if start > end:
        return ParsedAnswer(None, "the end of the interval is before its start")
    return cut_to_clip(ParsedAnswer(interval_text([(start, end)])), expects["duration"])


def _overlap(answer: str, trial: Trial) -> Marks:
    if trial.gold is None:
        return Marks(None)
    share = iou(intervals(answer), intervals(trial.gold))
    return Marks(share >= HIT, {"iou": share})


_IOU = {"iou": (0.0, 1.0)}
YES_NO = Reader(name="yes-no", version="5", parse=_yes_no)
"""Reads yes or no, also in a sentence, as "Yes" or "No"."""
ONE_WORD = Reader(name="one-word", version="2", parse=_one_word)
"""Reads "Yes" or "No" where the reply is this word and nothing else."""
DOMAINS = Reader(name="domain", version="4", parse=_domain)
"""Reads the name of a domain, by letter or by title."""
_STRETCH = object_of({"start": {"type": "number"}, "end": {"type": "number"}})
INTERVALS = Reader(
    name="intervals",
    version="4",
    parse=_intervals,
    mark=_overlap,
    scores=_IOU,
    complete=list_complete,
    schema=object_of({"intervals": {"type": "array", "items": _STRETCH}}),
)
"""Reads any number of stretches in many forms, as "1.50-4.00;6.00-7.00" in seconds; `iou` is that of their unions."""
TAGGED = Reader(
    name="time-r1", version="1", parse=_tagged, mark=_overlap, scores=_IOU, complete=block_complete, special=True
)
"""Reads `<answer>1.20 to 3.40</answer>`, the form of Time-R1, and nothing else."""
SENTENCE = Reader(name="qwen-grounding", version="1", parse=_sentence, mark=_overlap, scores=_IOU, special=True)
"""Reads "… happens in 1.2 - 3.4 seconds.", the form of Qwen's models for grounding, and nothing else."""

READERS: Readers = {
    PLAUSIBILITY: (YES_NO, ONE_WORD),
    DOMAIN: (DOMAINS,),
    DESCRIPTION: (OPTION_LETTER,),
    EXPLAINED: (EXPLANATION,),
    INTERVAL: (INTERVALS, TAGGED, SENTENCE),
    SEVERAL: (SET,),
}
