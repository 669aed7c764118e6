"""Which of the answers that a reply states counts: one rule for all readers.

1. Thinking and explanation do not count, nor does an answer that is only quoted, or left open ("if", "it may be that").
   Each place that states an answer has a rank: a tag, a box or "final answer" over another marker ("Answer:", "the
   answer is"), over bold alone on the last line, over a sentence or a line of its own.
2. Of two answers that differ, the later counts if its rank is higher, or if it takes the earlier back: words of
   correction ("wait", "correction", "on second thought") stand between them, or it is itself set against the earlier
   one ("actually", "or rather"). A weaker sentence after a marked answer changes nothing without such words.
3. Otherwise the two contradict each other, and nothing is read until a place of higher rank or a correction settles it.
   A place that holds no answer (an echoed template) contradicts none that follows.
   A first impression ("at first sight C", "C seems right, but it is not") contradicts no marked answer after it.
4. An answer after which words of correction follow, or that is called wrong later, is taken back: nothing is read
   unless a new one follows.
5. A reply that states no answer in such a place is read as a whole by rules of its reader; after words of
   correction, from these on.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from veridical.answers.impression import TURNS, first_impressions, temptation_spans
from veridical.answers.markers import INSTEAD, PAUSE
from veridical.answers.places import FINAL, LAST, STATED
from veridical.answers.prepare import PreparedReply, prepare
from veridical.answers.reader import ParsedAnswer
from veridical.answers.thinking import explanation_spans, spoken_text

NOTHING = ParsedAnswer(None, None)
"""What a reading of one place gives where that place is not about the answer at all."""

_TAKEN = ParsedAnswer(None, "the answer is taken back, and none follows")
_HEDGE = re.compile(
    r"(?i)\W{0,5}(?:it |that |this )?(?:depends\b|(?:is |be )?(?:unclear|uncertain|ambiguous|unknown)\b"
    r"|(?:i )?(?:can ?not|can't) (?:be )?(?:tell|say|determine)|hard to (?:say|tell)|either\b|undecided)"
)
_DENIAL = re.compile(
    r"(?i)(?:\b(?:not|cannot|never|neither|nor|nicht|kein|keine|statt|pas|sino|ikke|inte|niet|nie|не|non|değil"
    r"|au lieu de|en lugar de|rather than|instead of|other than|as opposed to|any(?:where|thing) but)|n't|不是|而非"
    r"|而不是|并非)\s{0,2}(?:(?:a|an|the|from|be|really|exactly|option|region|between|just|is|are|equal to|usual"
    r"|expected) ){0,2}(?:(?:in|on|at|under|inside|behind|within)(?: (?:the|my|his|her|its|their"
    r"|your))? )?[\"'(\[]{0,2}$"
)
_TENTATIVE = re.compile(
    r"(?i)\b(?:initial|first|guess|tentative|provisional|preliminary|quick|intuitive|immediate|naive|usual|option)\b"
)
_ASKED = re.compile(r"[^.!?\n]{1,30}\?(?! [\w\"'(*-]{1,20}\s{0,3}\Z)")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_PLANNING = re.compile(
    r"(?i)\W{0,5}(?:let me|let's|first|looking|starting|to (?:answer|count|determine|find)|we (?:need|must|have) to"
    r"|i(?:'ll| will| need to| have to)|if|when|step)\b"
)


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """An answer that a place gives (or the reason why it gives none), with the rank of the place and its position.

    `instead`: the place is set against what was said before. `denies`: the answer that the place calls wrong.
    `announced`: the place gives the answer in so many words, so that another one after it needs a correction.
    """

    read: ParsedAnswer
    rank: int
    start: int
    end: int
    instead: bool = False
    denies: str | None = None
    announced: bool = False


Slot = Callable[[str, bool], ParsedAnswer]
"""Reads the content of one place; the flag asks for nothing but the answer there. `NOTHING` where there is none."""


def read_by_rule(
    text: str,
    slot: Slot,
    whole: Callable[[str], ParsedAnswer],
    wanted: str,
    more: Callable[[str], Iterable[AnswerClaim]] = lambda _: (),
) -> ParsedAnswer:
    """The answer that counts by the rule on top of this module, or the reason why there is none.

    `slot` reads a place, `more` finds further places in the plain text, `whole` reads a reply that has no such place.
    """
    reply = prepare(text)
    claims = _superseded([*_claims(reply, slot, wanted), *more(reply.plain)], reply.plain)
    if any(claim.denies is None for claim in claims):
        read = settle((_placed(claim, reply.plain) for claim in claims), reply.cues)
        again = read == _TAKEN and not any(claim.denies for claim in claims)
        return check_explanation(text, slot, _after_correction(reply, whole) if again else read)
    read = whole(reply.plain[reply.cues[-1] :] if reply.cues else reply.plain)
    if read == NOTHING and not reply.cues:
        read = _last_alone(reply.plain, whole)
    unread = ParsedAnswer(None, f"no {wanted} is stated" if reply.plain.strip() else "no text outside the reasoning")
    return unread if read == NOTHING else read


def _last_alone(plain: str, whole: Callable[[str], ParsedAnswer]) -> ParsedAnswer:
    """What the last paragraph says as if it were the whole reply, where none before it says anything so."""
    *before, last = [part for part in _PARAGRAPHS.split(plain[-6000:]) if part.strip()] or [""]
    if not before or len(before) > 12 or any(whole(part).answer is not None for part in before):
        return NOTHING
    return whole(last)


def _superseded(claims: list[AnswerClaim], plain: str) -> list[AnswerClaim]:
    """The claims without those of first impressions, which an answer of the reply's own after them settles.

    What is only called tempting or usual counts nowhere beside an answer that is not.
    """
    answers = [claim for claim in claims if claim.read.answer is not None]
    if not answers:
        return claims
    marked = max((claim.start for claim in answers if claim.rank >= STATED), default=0)
    settled = _outside(claims, list(first_impressions(plain[:marked])))
    seeming = list(first_impressions(plain, turned=False))
    last = max((claim.start for claim in _outside(answers, seeming)), default=0)
    settled = _outside(settled, [span for span in seeming if span[0] < last])
    own = _outside(settled, temptation_spans(plain))
    return own if any(claim.read.answer is not None for claim in own) else settled


def _outside(claims: list[AnswerClaim], spans: list[tuple[int, int]]) -> list[AnswerClaim]:
    ends = [end for _, end in spans]
    next_span = ((claim, bisect_right(ends, claim.start)) for claim in claims)
    return [claim for claim, index in next_span if index == len(spans) or claim.start < spans[index][0]]


def _after_correction(reply: PreparedReply, whole: Callable[[str], ParsedAnswer]) -> ParsedAnswer:
    """What a reply says after words that take its answer back, unless these only announce another look."""
    at = reply.cues[-1]
    read = _TAKEN if PAUSE.search(reply.plain, max(0, at - 30), at) else whole(reply.plain[at:])
    return _TAKEN if read.answer is None else read


def read_tags(text: str, slot: Slot, wanted: str) -> ParsedAnswer:
    """The answer that counts among those in answer tags, by the same rule, or the reason why there is none."""
    reply = prepare(text)
    tags = tuple(place for place in reply.statements if place.in_tag)
    claims = list(_claims(replace(reply, statements=tags), slot, wanted))
    if claims:
        read = check_explanation(text, slot, settle((_placed(claim, reply.plain) for claim in claims), reply.cues))
        announced = [
            claim
            for claim in _claims(reply, slot, wanted)
            if (claim.announced and claim.start < claims[0].start)
            or (claim.rank == FINAL and claim.start > claims[-1].end and claim.read.answer is not None)
        ]
        if read.answer is None or not announced:
            return read
        other = settle((_placed(claim, reply.plain) for claim in [*announced, *claims]), reply.cues)
        return other if other.answer is None else read
    return ParsedAnswer(None, "no answer tag" if reply.plain.strip() else "no text outside the reasoning")


def _claims(reply: PreparedReply, slot: Slot, wanted: str) -> Iterable[AnswerClaim]:
    for place in reply.statements:
        read = slot(place.content, place.rank <= LAST)
        if read == NOTHING and place.rank > LAST and _HEDGE.match(place.content):
            read = ParsedAnswer(None, "the answer is left open")
        if read.answer is not None and place.rank >= STATED and _ASKED.match(place.content):
            read = ParsedAnswer(None, "the answer is left open")
        if read == NOTHING and place.rank >= FINAL:
            read = ParsedAnswer(None, f"the stated answer is not {wanted}")
        if read != NOTHING and (read.answer is not None or place.rank >= STATED):
            before = reply.plain[max(0, place.start - 40) : place.start]
            announced = place.rank == STATED and not (_TENTATIVE.search(before) or TURNS.search(place.content))
            yield AnswerClaim(read, place.rank, place.start, place.end, announced=announced)


def _placed(claim: AnswerClaim, plain: str) -> AnswerClaim:
    """A claim that knows whether words such as "actually" set it against what was said before."""
    before = re.split(r"[.!?;\n]", plain[max(0, claim.start - 60) : claim.start])[-1]
    opening = plain[claim.start : claim.start + 30].lstrip(" ,-").lower()
    opening = re.sub(r"^(?:but|and|oh|well|hm+|no)[, ]{1,3}", "", opening)
    against = INSTEAD.search(before) is not None or INSTEAD.match(opening) is not None
    return replace(claim, instead=True) if against and not claim.instead else claim


def settle(claims: Iterable[AnswerClaim], cues: tuple[int, ...]) -> ParsedAnswer:
    """The claim that counts, by rules 2 to 4; `cues` are the positions of words of correction, ascending."""

    def corrected(start: int, end: float) -> bool:
        index = bisect_left(cues, start)
        return index < len(cues) and cues[index] <= end

    ordered = sorted(claims, key=lambda claim: (claim.start, claim.rank))
    ordered = [claim for claim in ordered if claim.denies is None] if ordered[0].denies else ordered
    current, clash = ordered[0], False
    for claim in ordered[1:]:
        if claim.denies is not None:
            if claim.denies == current.read.answer and claim.start >= current.end:
                current = replace(
                    current, read=ParsedAnswer(None, "the answer is taken back, and none follows"), rank=0
                )
            continue
        stronger, withdrawn = claim.rank > current.rank, claim.instead or corrected(current.end, claim.start)
        if claim.read.answer is not None and claim.read.answer == current.read.answer:
            clash = clash and not stronger and not withdrawn
            current = _both(current, claim)
        elif stronger or withdrawn or (current.read.answer is None and claim.rank == current.rank and not clash):
            current, clash = claim, not withdrawn and _gainsays(claim, current)
        elif claim.rank == current.rank or claim.rank >= STATED:
            clash = True
    if clash:
        return ParsedAnswer(None, "the stated answers contradict each other")
    if corrected(current.end, float("inf")):
        return _TAKEN
    return current.read


def _both(one: AnswerClaim, other: AnswerClaim) -> AnswerClaim:
    """Two claims of one answer as one."""
    announced = one.announced or other.announced
    return replace(one, rank=max(one.rank, other.rank), end=max(one.end, other.end), announced=announced)


def _gainsays(claim: AnswerClaim, announced: AnswerClaim) -> bool:
    """Whether a final answer differs from one that was announced, so that it needs words of correction."""
    pair = {claim.read.answer, announced.read.answer}
    return announced.announced and claim.rank == FINAL and len(pair - {None}) == 2


def follows_denial(text: str, start: int) -> bool:
    """Whether what stands at `start` is denied by the words just before it ("not 5", "instead of 4").

    >>> follows_denial("4 legs, not 5", 12), follows_denial("not 4 but 5", 10)
    (True, False)
    """
    return _DENIAL.search(text[max(0, start - 40) : start]) is not None


def is_short_statement(text: str) -> bool:
    """Whether a text is a short, finished statement: 40 words at most, no question, not the beginning of a plan."""
    text = text.strip()
    if not text or len(text) > 400 or len(text.split()) > 40 or text.endswith(("?", ":", ",", "...", "…")):
        return False
    finished = text[-1] in ".!。！)]}\"'" or len(text.split()) <= 12
    return finished and not _PLANNING.match(text)


_ANNOUNCES = (
    r"(?:the|my) (?:correct |final |right )?(?:answer|choice|decision|verdict)(?: to (?:the|this|your) question)?"
    r" (?:is|must be|should be|would be|has to be)(?: therefore| thus| hence| clearly| simply)?:?"
)
_INNER = re.compile(
    r"(?i)(?:^|[.!?>\n,;]\s{0,3}|,? (?:and|so|hence) )(?:so,? |thus,? |therefore,? |hence,? |consequently,? )?"
    rf"(?:{_ANNOUNCES}"
    r"|(?<=so |us |e, |s, |re |ce )(?:i(?:'d| would| will|'ll| must| have to)? (?:choose|pick|select|answer|say"
    r"|go with|conclude)(?: that)?(?: with)?:?)) (?P<content>[^<>.!?\n]{1,40})[.!]?\s{0,3}</[a-z_]{1,20}>\s{0,3}\Z"
)
_EARLIER = re.compile(
    r"(?i)(?:[.!?>\n]\s{0,3})(?:so,? |thus,? |therefore,? |hence,? |consequently,? )?"
    rf"{_ANNOUNCES} (?P<content>[^<>.!?:;,\n]{{1,20}})[.!:;,]"
)
"""An answer that an explanation announces before it goes on."""
_TAKEN_BACK = re.compile(
    r"(?i)\b(?:but|however|yet|wait|although|though|actually|no,|hm+|on second|until|correction|instead|wrong"
    r"|mistake\w*)\b|\?"
)


def check_explanation(text: str, slot: Callable[[str, bool], ParsedAnswer], read: ParsedAnswer) -> ParsedAnswer:
    """The answer, unless the explanation before it announces another one and does not take it back."""
    if read.answer is None:
        return read
    heard = spoken_text(text)
    for start, end in explanation_spans(heard)[:3]:
        last = heard[max(start, end - 200) : end]
        answer = _INNER.search(last) if "?" not in last else None
        announced = deque(_EARLIER.finditer(heard, start, end), maxlen=1)
        asks = heard.find("?", start, end) >= 0
        if answer is None and announced and not asks and not _TAKEN_BACK.search(heard, announced[0].end(), end):
            answer = announced[0]
        other = slot(answer["content"], False).answer if answer else None
        if other is not None and other != read.answer:
            return ParsedAnswer(None, "the explanation gives another answer than the one that is stated")
    return read
