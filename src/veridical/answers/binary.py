"""Yes or no as a suite asks for it, by the digits 1 and 0: strictly in the answer tag, or leniently anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.places import LEAD, SENTENCES
from veridical.answers.reader import ParsedAnswer, Parser, text_reader
from veridical.answers.settle import NOTHING, AnswerClaim, is_short_statement, read_by_rule, read_tags
from veridical.answers.yes_no import is_own, yes_no_claims, yes_no_slot, yes_no_whole

_DIGIT = re.compile(
    r"(?is)[^\w+-]{0,12}(?:(?:the )?(?:final )?(?:answer|digit|value|output|response|decision"
    r"|label)(?: is)?[\s\"'=:]{1,5})?[^\w+-]{0,4}(?P<digit>[01]|one|zero|un|uno|eins)(?P<rest>(?![\w%]"
    r"|[.,:/][0-9]| ?[-/|~] ?[0-9]).{0,200})"
)
_DIGITS = {"1": "yes", "0": "no", "one": "yes", "zero": "no", "un": "yes", "uno": "yes", "eins": "yes"}
_CLOSED = re.compile(
    r"(?i)[\"')\]}]{0,3}\s{0,3}(?:[.,;:!()\[\]{}=→\n—]|-|$|(?:because|since|as|for|\(?(?:yes|no|true|false"
    r"|equal)\b))|\s{2,}\S"
)
_OTHER_DIGIT = re.compile(r"(?i)\W{0,4}(?:\b(?:or|and|to|oder|ou|o)\b|[,;|/])?\W{0,4}(?:[0-9]|yes\b|no\b)")
_WHY = re.compile(r"(?i)\s{0,2}(?:[,:(=]|- |— |because\b|since\b|as\b)")
_GLOSSED = re.compile(r"(?i)\W{0,4}\((?P<digit>[01])\)[\s:.-]{0,3}(?P<word>yes|no)\b(?=[.,;:!]|$)")
_LEGEND = re.compile(r"(?i)\b[01]\b\s{0,2}(?:[=:(]|-|means|stands for|for)\s{0,2}(?:yes|no|true|false)\b")
_SO_DIGIT = re.compile(
    r"(?i)(?:\b(?:so|thus|therefore|hence|then|i(?:'d| would| will|'ll)? (?:say|answer|go with|choose|conclude|pick"
    r"|respond with)|(?:digit|decision|answer|output) (?:is|would be|must be))\b,?|→|⇒|=>|->"
    r"|: ) {0,4}(?:(?:the answer (?:is|would be)|it's|it is) )?(?P<digit>[01])(?=[\s\"')]{0,4}(?:[.!,\n(]|$)(?![0-9]))"
)
_PLAIN_TAG = re.compile(
    r"\s{0,9}(?:<(?P<name>reasons?|reasoning|rationale|explanation)>(?P<why>[^<&\[\uff1c\u25c1]*)</(?P=name)>\s{0,9})?"
    r"<answer>\s{0,3}(?P<digit>[01])\s{0,3}</answer>\s{0,9}"
)
"""The form that prompts ask for, and nothing else: there is no other place that could state an answer."""
_ANSWERING = ("answer", "choice", "decision", "verdict", "choose", "pick", "select", "say", "go with", "conclude")
"""What an explanation that gives an answer of its own holds, in small letters."""


def strict_binary(text: str) -> ParsedAnswer:
    """The answer "1" or "0" in the `<answer>` tag of a reply, or the reason why none can be read there.

    The answer may be dressed ("**1**", "(1)", "1 (yes)", "Yes, they match", "True"); a tag of another name
    (`<final_answer>`, the box of a served model) counts as the tag. Without a tag nothing is read.

    >>> strict_binary("<reasons>They match.</reasons><answer> **1** </answer>").answer
    '1'
    >>> strict_binary("<answer>1</answer> ... <answer>0</answer>").reason
    'the stated answers contradict each other'
    >>> strict_binary("Yes, they match.").reason
    'no answer tag'
    """
    return _plainly(text) or search_tags(text)


def search_tags(text: str) -> ParsedAnswer:
    """What `strict_binary` reads, by a search for all tags, whatever the form of the reply.

    >>> search_tags("<answer>1</answer>").answer
    '1'
    """
    return _digit(read_tags(text, _slot, "1 or 0"))


def lenient_binary(text: str) -> ParsedAnswer:
    """The answer "1" or "0" that a reply states, in the tag or in prose, or the reason why none can be read.

    What the tag states counts as for `strict_binary`, unless it is taken back afterwards; where no tag states an
    answer, prose is read as by `veridical.answers.read_yes_no`.

    >>> lenient_binary("Yes, they match.").answer, lenient_binary("The decision is 0.").answer
    ('1', '0')
    >>> lenient_binary("4 legs, not 5").answer is None
    True
    """
    return _plainly(text) or search_binary(text)


def search_binary(text: str) -> ParsedAnswer:
    """What `lenient_binary` reads, by a search of the whole reply, whatever its form.

    >>> search_binary("<answer>1</answer>").answer
    '1'
    """
    return _digit(read_by_rule(text, _slot, _whole, "1 or 0", _claims))


def _plainly(text: str) -> ParsedAnswer | None:
    """The answer of a reply in the form that prompts ask for, if it holds nothing else that could be one."""
    plain = _PLAIN_TAG.fullmatch(text)
    return ParsedAnswer(plain["digit"]) if plain and not _may_answer(plain["why"] or "") else None


def _may_answer(explanation: str) -> bool:
    small = explanation.lower()
    return not small.isascii() or any(word in small for word in _ANSWERING)


def _digit(read: ParsedAnswer) -> ParsedAnswer:
    return read if read.answer is None else ParsedAnswer("1" if read.answer == "yes" else "0")


def _slot(content: str, alone: bool) -> ParsedAnswer:
    """As `yes_no_slot`, with 1 for yes and 0 for no, dressed as people dress them: "1 (yes)", "Answer: 0"."""
    content = content.rstrip()
    match = _DIGIT.match(content)
    if match is None:
        label = _LABELLED.match(content)
        return yes_no_slot(content[label.end() :] if label and not alone else content, alone)
    answer, rest = _DIGITS[match["digit"].lower()], match["rest"]
    if alone:
        lone = len(match["digit"]) == 1 and not any(sign.isalnum() or sign in "+=~" for sign in rest)
        return ParsedAnswer(answer) if lone else NOTHING
    gloss = yes_no_slot(rest.lstrip(" \t\n\"'()[]{}=:;,.-—→*/"), False).answer
    if _LEGEND.search(rest):
        return ParsedAnswer(None, "both digits are explained")
    if gloss is not None and gloss != answer:
        return ParsedAnswer(None, "a digit and a word contradict each other")
    if gloss is None and (_OTHER_DIGIT.match(rest) or not _CLOSED.match(rest)):
        return ParsedAnswer(None, "several digits are given") if _OTHER_DIGIT.match(rest) else NOTHING
    return ParsedAnswer(answer)


_LABELLED = re.compile(r"(?i)\W{0,5}(?:the )?(?:final )?(?:answer|output|response|decision)(?: is)?[\s\"'=:]{1,5}")


def _whole(plain: str) -> ParsedAnswer:
    """As `yes_no_whole`; a short reply may also open with the digit and say why ("0, because they differ")."""
    match = _DIGIT.match(plain)
    glossed = _GLOSSED.match(plain)
    if glossed and is_short_statement(plain):
        return _slot(f"{glossed['digit']} ({glossed['word']})", False)
    if match and is_short_statement(plain) and _WHY.match(match["rest"]):
        return _slot(plain, False)
    return yes_no_whole(plain)


def _claims(plain: str) -> Iterator[AnswerClaim]:
    yield from yes_no_claims(plain)
    for sentence in SENTENCES.finditer(plain):
        for match in _SO_DIGIT.finditer(sentence[0]):
            if is_own(sentence[0], match.start()):
                at = sentence.start()
                yield AnswerClaim(ParsedAnswer(_DIGITS[match["digit"]]), LEAD, at + match.start(), at + match.end())


LENIENT_BINARY = text_reader(Parser("lenient", "6", lenient_binary))
"""Reads 1 or 0 in an `<answer>` tag, or yes or no in prose where no tag states an answer."""

STRICT_BINARY = text_reader(Parser("strict", "4", strict_binary))
"""Reads 1 or 0 in an `<answer>` tag and nowhere else."""
