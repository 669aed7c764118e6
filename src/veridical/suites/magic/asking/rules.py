"""Whether a final answer is right, by rule: from the words that a question of our scenes accepts and rules out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from veridical.answers import read_yes_no
from veridical.answers.markers import CUE
from veridical.judges.language import is_foreign
from veridical.judges.rule_clauses import is_said
from veridical.judges.rule_phrases import ParsedSentence, forms, sentences
from veridical.records import Json
from veridical.suites.magic.facts import facts_of

_YES_NO = frozenset({"yes", "no"})
_OPEN = re.compile(
    r"\b(?:can ?not (?:be )?(?:tell|say|determined?|see|make)|can't (?:tell|say|determine|see)|hard to (?:say|tell)"
    r"|unclear|impossible to (?:say|tell)|(?:not|un) ?(?:sure|certain)|unknown|depends)\b|\beither\b|\?\s{0,3}\Z",
    re.IGNORECASE,
)
_HEDGED = re.compile(r"\b(?:maybe|perhaps|possibly|might|could|may be|or else|alternatively)\b", re.IGNORECASE)
_TURNED = re.compile(r"\b(?:actually|or rather|in fact|I mean|scratch that|no,|sorry,)", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|stands?|lies|sits?|looks?|seems?|appears?|shows?)\b|'s\b", re.I
)
_JOINS = r"\s{0,3}(?:/|&|,?\s(?:and|or)\b|\sas well as\b)\s{0,3}(?:also )?(?:an? |the )?"
_LISTS = r",\s{1,3}(?:an? |the )?"


class AnswerRuling(NamedTuple):
    """Whether an answer is right (`None`: the rule cannot tell), and the reason."""

    right: bool | None
    reason: str


class _Word(NamedTuple):
    """A word of an answer that is accepted or ruled out, its sentence, and where it stands there."""

    accepted: bool
    sentence: int
    place: int


def short_ruling(rule: Mapping[str, Json], answer: str) -> AnswerRuling:
    """Whether an answer says one of the accepted words and none that rules them out, and nothing against the fact.

    `rule` is that of a stimulus's truth. The first of these words that is not denied counts ("red, not blue"); another
    answer joined to it ("red and blue"), an open choice, and one put in doubt are wrong.

    >>> rule = {"accepted": ["red", "crimson"], "rivals": ["blue", "green"], "essentials": []}
    >>> short_ruling(rule, "The mug is crimson, not blue.")
    AnswerRuling(right=True, reason='says red')
    >>> short_ruling(rule, "It is red and blue."), short_ruling(rule, "It is large.").right
    (AnswerRuling(right=False, reason='joins another answer'), None)
    """
    ruling = _worded(rule, answer)
    facts = facts_of(str(rule.get("full", "")))
    said = [(fact, fact.said(answer).answer) for fact in facts]
    against = next((value for fact, value in said if value not in (None, fact.value)), None)
    if against is not None:
        return AnswerRuling(False, f"says {against}, which is not so")
    if is_foreign(answer) and len(answer.split()) > 1:
        return AnswerRuling(None, "the answer is not in English")
    polar = bool(_YES_NO & {str(each).lower() for each in rule["accepted"]})
    unclear = next((why for fact in facts if (why := fact.unclear(answer))), None) if polar else None
    if unclear is not None:
        return AnswerRuling(None, unclear)
    if polar and ruling.right is None and said and all(value is not None for _, value in said):
        return AnswerRuling(True, f"says {said[0][1]}")
    return ruling


def _worded(rule: Mapping[str, Json], answer: str) -> AnswerRuling:
    """The ruling by the accepted words and their rivals alone."""
    text = _latest(answer)
    accepted, rivals = [str(each) for each in rule["accepted"]], [str(each) for each in rule["rivals"]]
    if not any(sign.isalnum() for sign in text):
        return AnswerRuling(None, "nothing is said")
    if _YES_NO & {each.lower() for each in accepted}:
        joined = _joined(text, accepted, rivals)
        return AnswerRuling(False, "joins another answer") if joined else _yes_no(accepted, text)
    if _OPEN.search(text):
        return AnswerRuling(False, "leaves the answer open")
    parts = sentences(text)
    words = sorted((word for each in accepted for word in _said(parts, each, accepted=True)), key=lambda word: word[1:])
    against = sorted(
        (word for each in rivals for word in _said(parts, each, accepted=False)), key=lambda word: word[1:]
    )
    if not words:
        denied = any(is_said(forms(each)[0], sentence.denied) for each in accepted if forms(each) for sentence in parts)
        if against or denied:
            return AnswerRuling(False, "names another answer" if against else "denies the answer")
        return AnswerRuling(None, "says no word that is accepted or ruled out")
    if against and against[0][1:] < words[0][1:]:
        return AnswerRuling(False, "names another answer first")
    if any(_takes_back(text, each, accepted) for each in rivals):
        return AnswerRuling(False, "takes the answer back")
    if _joined(text, accepted, rivals) or (against and _HEDGED.search(text)):
        return AnswerRuling(False, "joins another answer")
    spoken = next(each for each in accepted if list(_said(parts, each, accepted=True)))
    return AnswerRuling(True, f"says {spoken}")


def full_ruling(rule: Mapping[str, Json], answer: str, question: str = "", reasoning: str = "") -> AnswerRuling:
    """Whether an answer is right in short, and has one word of each of the essentials; extra detail does not matter.

    To a question of yes or no, what is so is essential as well, unless the question says it ("Is the mug red?", yes):
    it may also stand in the last sentences of the `reasoning`. An answer without a verb need not repeat what the
    question says: "red" says all of "What color is the mug?".

    >>> rule = {"accepted": ["red"], "rivals": ["blue"], "essentials": [["red", "crimson"], ["mug"]]}
    >>> full_ruling(rule, "The mug is red.")
    AnswerRuling(right=True, reason='says all that is essential')
    >>> full_ruling(rule, "The lamp is red.")
    AnswerRuling(right=False, reason='does not say mug')
    >>> full_ruling(rule, "Red.").right, full_ruling(rule, "Red.", "What color is the mug?").right
    (False, True)
    """
    ruling = short_ruling(rule, answer)
    if not ruling.right:
        return ruling
    unsaid = _unsaid(rule, f"{reasoning}\n{answer}")
    if unsaid is not None:
        return AnswerRuling(False, f"does not say {unsaid}")
    parts = sentences(_latest(answer))
    implied = question.lower() if _VERB.search(answer) is None else ""
    for group in rule["essentials"]:
        names = [str(each) for each in group]
        if any(re.search(rf"\b{re.escape(name.lower())}\b", implied) for name in names):
            continue
        if _YES_NO & {each.lower() for each in names}:
            if not _yes_no(names, answer).right:
                return AnswerRuling(False, f"does not say {names[0]}")
        elif not any(list(_said(parts, each, accepted=True)) for each in names):
            return AnswerRuling(False, f"does not say {names[0]}")
    return AnswerRuling(True, "says all that is essential")


def _unsaid(rule: Mapping[str, Json], reply: str) -> str | None:
    """What is so, where a question of yes or no does not say it, and neither does a reply."""
    if not _YES_NO & {str(each).lower() for each in rule["accepted"]}:
        return None
    facts = facts_of(str(rule.get("full", "")))
    if "yes" in rule["accepted"] and len(facts) == 1:
        return None
    return next((fact.value for fact in facts if fact.said(reply).answer is None), None)


def _yes_no(accepted: Sequence[str], text: str) -> AnswerRuling:
    read = read_yes_no(text)
    if read.answer is None:
        return AnswerRuling(None, read.reason or "says neither yes nor no")
    right = read.answer.lower() in {each.lower() for each in accepted}
    return AnswerRuling(right, f"says {read.answer.lower()}")


def _latest(answer: str) -> str:
    """An answer from the last words of correction on, where something follows them."""
    ends = [cue.end() for cue in CUE.finditer(answer) if any(sign.isalnum() for sign in answer[cue.end() :])]
    return answer[ends[-1] :] if ends else answer


def _said(parts: Sequence[ParsedSentence], name: str, *, accepted: bool) -> Iterator[_Word]:
    """Where a name is said and not denied: its last word, with all its words in the sentence.

    A name whose words carry no content elsewhere ("picture") is looked for as it stands.
    """
    wanted = forms(name)
    literal = name.lower().split()[-1:]
    for index, sentence in enumerate(parts):
        if wanted and not all(is_said(form, sentence.asserted) for form in wanted):
            continue
        for place, word in enumerate(word for clause in sentence.clauses for word in clause):
            last = is_said(wanted[-1], frozenset({word.form})) if wanted else word.text in literal
            if last and not word.denied:
                yield _Word(accepted, index, place)


def _takes_back(text: str, rival: str, accepted: Sequence[str]) -> bool:
    """Whether another answer alone follows words that set it against the one before: "Red. Actually, it is blue."."""
    turned = [match.end() for match in _TURNED.finditer(text) if any(sign.isalnum() for sign in text[: match.start()])]
    parts = sentences(text[turned[-1] :]) if turned else []
    return bool(list(_said(parts, rival, accepted=False))) and not any(
        list(_said(parts, each, accepted=True)) for each in accepted
    )


def _joined(text: str, accepted: Sequence[str], rivals: Sequence[str]) -> bool:
    """Whether one of the rivals stands beside an accepted word, as another answer: "red and blue", "red or blue"."""
    small = text.lower()
    for one, other in product(accepted, rivals):
        for first, second in ((one, other), (other, one)):
            pair = [rf"\b{re.escape(each.lower())}\b" for each in (first, second)]
            if re.search(rf"{_JOINS}".join(pair), small) or re.search(rf"{_LISTS}".join(pair) + r"\W{0,9}\Z", small):
                return True
    return False
