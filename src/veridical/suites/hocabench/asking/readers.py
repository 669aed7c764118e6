"""Readers of the six tasks, by family."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veridical.answers import OPTION_LETTER, Marks, Read, Reader, Readers, intervals, read_intervals, read_yes_no
from veridical.answers.cut import closed
from veridical.answers.prepare import prepare
from veridical.answers.thinking import spoken
from veridical.answers.time_intervals import NONE, iou, written
from veridical.records import Json, Trial
from veridical.suites.hocabench.asking.explanations import EXPLANATION
from veridical.suites.hocabench.asking.sets import SET

PLAUSIBILITY, DOMAIN, DESCRIPTION = "plausibility", "domain", "description"
EXPLAINED, INTERVAL, SEVERAL = "explanation", "interval", "set"
"""The tasks, and the families of their readers."""

HIT = 0.5
"""The intersection over union from which an interval counts as correct."""
_LATE = 0.5
"""How many seconds after the end of the clip an interval may end, as by rounding; it is cut back to the clip."""

_ONE_WORD = re.compile(r"\W{0,9}(?P<word>yes|no)\W{0,9}", re.IGNORECASE)
_TAG = re.compile(r"<answer>([^<>]{1,200})</answer>", re.IGNORECASE)
_RANGE = re.compile(
    r"(?P<start>[0-9]{1,6}(?:\.[0-9]{1,6})?)\s{0,3}(?:s|seconds?)?\s{0,3}(?:to|-|\u2013|and)\s{0,3}"
    r"(?P<end>[0-9]{1,6}(?:\.[0-9]{1,6})?)\s{0,3}(?:s|seconds?)?"
)
_HAPPENS = re.compile(
    r"\bhappens? (?:in|from|between|during|at)\s{1,3}(?P<when>[^\n]{1,80}?)"
    r"\s{0,3}(?:seconds?|s)?\s{0,3}[.\n]?\s{0,9}\Z",
    re.IGNORECASE,
)


_PLAUSIBLE = re.compile(
    r"\W{0,3}(?:(?:it|this|that|the (?:clip|video|scene|event))(?:'s| is| looks| seems| appears)? )?(?P<denied>not )?"
    r"(?:to be )?(?:physically |entirely |completely |clearly |quite |totally |perfectly )?"
    r"(?:(?P<un>im|un|in)?(?:possible|plausible|realistic|believable|plausibel|möglich|wahrscheinlich)"
    r"|(?P<never>no way|(?:it |this |that )?(?:cannot|can't|could not|couldn't) (?:happen|be)(?: in reality)?|不可能)"
    r"|(?:it |this |that )?(?:can|could) (?:really )?happen|可能)\W{0,3}",
    re.IGNORECASE,
)


def _capital(read: Read) -> Read:
    return Read(read.answer and read.answer.capitalize(), read.reason)


def _yes_no(text: str, expects: Mapping[str, Json]) -> Read:  # noqa: ARG001 (nothing is expected)
    read = read_yes_no(text)
    return _capital(_as_plausible(text) if read.answer is None else read)


def _as_plausible(text: str) -> Read:
    """Yes for a short reply that calls the clip possible, no for one that calls it impossible, without other words."""
    plain = prepare(text).plain.strip()
    word = _PLAUSIBLE.fullmatch(plain)
    if word is None:
        return read_yes_no(text)
    return Read("no" if bool(word["un"] or word["never"]) != bool(word["denied"]) else "yes")


def _one_word(text: str, expects: Mapping[str, Json]) -> Read:  # noqa: ARG001 (nothing is expected)
    word = _ONE_WORD.fullmatch(spoken(text).strip())
    return Read(word["word"].capitalize()) if word else Read(None, "the reply is not the word Yes or No alone")


def _domain(text: str, expects: Mapping[str, Json]) -> Read:
    read = OPTION_LETTER.parse(text, expects)
    return read if read.answer is None else Read(expects["names"][ord(read.answer) - ord("A")])


def within(read: Read, duration: float) -> Read:
    """Intervals cut back to the clip; none where one begins after its end, or ends half a second or more after it.

    >>> within(Read("1.00-4.20"), 4.0).answer, within(Read("1.00-9.00"), 4.0).reason
    ('1.00-4.00', 'the interval 1-9 s lies outside the clip of 4 s')
    """
    if read.answer in (None, NONE):
        return read
    stretches = intervals(read.answer or "")
    for start, end in stretches:
        if start >= duration or end >= duration + _LATE:
            return Read(None, f"the interval {start:g}-{end:g} s lies outside the clip of {duration:g} s")
    return Read(written((start, min(end, duration)) for start, end in stretches))


def _intervals(text: str, expects: Mapping[str, Json]) -> Read:
    return within(read_intervals(text), expects["duration"])


def _tagged(text: str, expects: Mapping[str, Json]) -> Read:
    """The pair of seconds in the last answer tag, as Time-R1 and its like give it."""
    tags = _TAG.findall(spoken(text))
    return _range(tags[-1], expects) if tags else Read(None, "no answer tag")


def _sentence(text: str, expects: Mapping[str, Json]) -> Read:
    """The pair of seconds at the end of "The event happens in 1.2 - 3.4 seconds.", as Qwen's models give it."""
    sentence = _HAPPENS.search(spoken(text))
    return _range(sentence["when"], expects) if sentence else Read(None, "no sentence 'the event happens in …'")


def _range(text: str, expects: Mapping[str, Json]) -> Read:
    pair = _RANGE.fullmatch(text.strip())
    if pair is None:
        clocks = read_intervals(f"<answer>{text}</answer>") if ":" in text else Read(None)
        return Read(None, "no pair of times") if clocks.answer is None else within(clocks, expects["duration"])
    start, end = float(pair["start"]), float(pair["end"])
    if start > end:
        return Read(None, "the end of the interval is before its start")
    return within(Read(written([(start, end)])), expects["duration"])


def _overlap(answer: str, trial: Trial) -> Marks:
    if trial.gold is None:
        return Marks(None)
    share = iou(intervals(answer), intervals(trial.gold))
    return Marks(share >= HIT, {"iou": share})


_IOU = {"iou": (0.0, 1.0)}
YES_NO = Reader(name="yes-no", version="2", parse=_yes_no)
"""Reads yes or no, also in a sentence, as "Yes" or "No"."""
ONE_WORD = Reader(name="one-word", version="2", parse=_one_word)
"""Reads "Yes" or "No" where the reply is this word and nothing else."""
DOMAINS = Reader(name="domain", version="2", parse=_domain)
"""Reads the name of a domain, by letter or by title."""
INTERVALS = Reader(name="intervals", version="2", parse=_intervals, mark=_overlap, scores=_IOU)
"""Reads any number of stretches in many forms, as "1.50-4.00;6.00-7.00" in seconds; `iou` is that of their unions."""
TAGGED = Reader(name="time-r1", version="1", parse=_tagged, mark=_overlap, scores=_IOU, complete=closed, special=True)
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
