"""The headings of a reply: over its final answer, over its other parts, and over what it makes up."""

from __future__ import annotations

import re

from veridical.suites.magic.asking.plain_reply import PlainReply, tidy

_WORDS = (
    r"answers?|ans|antwort|respuesta|réponse|resposta|risposta|antwoord|svar|cevap|yan\u0131t|odpowiedź|ответ"
    r"|答案|回答|答え|정답"
)
_LEAD = r"^[^\w\n]{0,12}(?:[0-9]{1,2}[.)][^\w\n]{1,4})?"
_KIND = r"(?:(?:my|the|your|final|short|full|overall|correct|concluding|最终|最終)\s{1,3}){0,3}"
_AFTER = (
    r"(?:\s{1,2}(?:to the question|here))?"
    r"(?:[^\S\n]{0,4}(?:[:=→|]|-{1,2}>|[-\u2013—] )[^\S\n]{0,4}|[^\S\n]{2,9}|[^\w\n]{0,9}$)"
)
ANSWER = re.compile(rf"{_LEAD}{_KIND}(?:{_WORDS}){_AFTER}", re.IGNORECASE | re.MULTILINE)
"""A heading "Answer" in many languages and forms, up to where the answer begins."""
LETTER = re.compile(r"^[^\w\n]{0,6}A[^\S\n]{0,3}:[^\S\n]{0,4}(?=[^\n]{1,300}\Z)", re.MULTILINE)
"""The letter A before the last line."""
CONCLUSION = re.compile(
    rf"{_LEAD}(?:final\s|my\s|in\s)?(?:conclusion|verdict|result|fazit|conclusión|结论){_AFTER}",
    re.IGNORECASE | re.MULTILINE,
)
IN_LINE = re.compile(
    r"(?<=[.!?;)])[^\w\n]{1,6}(?:final )?answer\s{0,3}:[^\S\n]{0,4}(?=[^\n]{1,200}(?:\n|\Z))", re.IGNORECASE
)
"""A heading at the end of the line of the last step: "So it is red. Answer: red"."""
NEXT_PART = re.compile(
    r"\n[^\w\n]{0,8}(?:explanation|reason(?:ing)?|rationale|justification|thought process|note|confidence|steps?"
    r"|evidence|why)\b[^\w\n]{0,6}(?::|\n)",
    re.IGNORECASE,
)
"""A heading over what follows an answer."""
PART_IN_LINE = re.compile(
    r"(?<=[.!?;)])[^\w\n]{1,9}(?:explanation|reason(?:ing)?|rationale|justification)\s{0,3}:", re.IGNORECASE
)
_OTHER_QUESTION = re.compile(
    r"^[^\w\n]{0,8}(?:next |new )?(?:question|example|image|user|human)\b[^\n:]{0,40}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"\W*(?:(?:your|the|insert|write|put|final|short|full)\W{1,3}){0,3}(?:answer|response)?(?: here| goes here)?\W*",
    re.IGNORECASE,
)
_LONGEST_PLACEHOLDER = 80


def without_made_up(plain: PlainReply) -> PlainReply:
    """A reply up to where, after an answer, it makes up another question.

    >>> without_made_up(PlainReply.of("Answer: red\\nQuestion: Is it big?\\nAnswer: no")).text
    'Answer: red\\n'
    """
    answered = next((match.end() for match in ANSWER.finditer(plain.bare) if plain.bare[match.end() :].strip()), None)
    other = None if answered is None else _OTHER_QUESTION.search(plain.bare, answered)
    if other is None or not plain.bare[answered : other.start()].strip():
        return plain
    return plain.until(other.start())


def is_placeholder(text: str) -> bool:
    """Whether a text stands in the place of an answer without being one.

    >>> is_placeholder("[your answer here]"), is_placeholder("..."), is_placeholder("red")
    (True, True, False)
    """
    text = text.strip()
    return len(text) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(text) is not None


def is_bare(line: str) -> bool:
    """Whether a line is a heading "Answer" with nothing, or with a placeholder, after it.

    >>> is_bare("Answer: [your answer]"), is_bare("Answer: red")
    (True, False)
    """
    heading = ANSWER.match(line)
    return heading is not None and is_placeholder(line[heading.end() :])


def states(line: str, conclusion: str) -> bool:
    """Whether a line states a conclusion under a heading "Answer".

    >>> states("Answer: Red", "red"), states("Answer: blue", "red")
    (True, False)
    """
    heading = ANSWER.match(line)
    return heading is not None and tidy(line[heading.end() :]).casefold() == conclusion.casefold()
