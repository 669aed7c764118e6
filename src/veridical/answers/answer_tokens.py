"""Where among the tokens of a reply its answer stands, and what the model held likely there.

No reader says where it found an answer; its readings do: the answer stands where another word in its place makes the
reader read another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from veridical.answers.probabilities import AnswerForms, answer_forms
from veridical.answers.reader import Reader, ReaderInput
from veridical.records import Json, Response

_MOST_WORDS = 8
"""How many words may stand before an answer; more of them are reasons, and what follows rests on them."""
_PLACES = 12
_TAG = re.compile(r"</?[A-Za-z_|]{1,20}>")
_WORD = re.compile(r"\w+")
_MARKED_SPACE = str.maketrans({"\u2581": " ", "\u0120": " ", "\u010a": "\n"})

NO_ANSWER = "no answer was read"
NO_CHOICE = "the answer is none of a few options"
REASONED = "reasons or reasoning stand before the answer"
NO_TOKENS = "the provider gave no log probabilities"
NOT_FOUND = "the tokens do not show where the answer stands"


class AnswerToken(NamedTuple):
    """The token that states an answer, with its alternatives, or `None` and the reason.

    `before` in it is the part of the answer in the tokens before it.
    """

    token: dict[str, Json] | None
    reason: str | None = None


def answer_token(reader: Reader, response: Response, expects: Mapping[str, Json]) -> AnswerToken:
    """The token of a response at which its answer is decided, of those in its `logprobs`.

    There is none if more than eight words stand before the answer, such as reasons or thinking: the answer rests on
    them then, and its probability says little of what was seen.

    >>> from veridical.answers import LENIENT_BINARY
    >>> tokens = [{"token": text, "logprob": -0.5, "top_logprobs": []} for text in ("<answer>", "1", "</answer>")]
    >>> response = Response(trial="t", text="<answer>1</answer>", logprobs=tokens)
    >>> answer_token(LENIENT_BINARY, response, {}).token
    {'token': '1', 'logprob': -0.5, 'top_logprobs': [], 'before': ''}
    """
    answer = reader.decide(response, expects).answer
    if answer is None:
        return AnswerToken(None, NO_ANSWER)
    forms = answer_forms(answer, expects)
    if forms is None:
        return AnswerToken(None, NO_CHOICE)
    if not response.logprobs:
        return AnswerToken(None, NO_TOKENS)
    span = answer_span(reader, response, expects, answer, forms)
    if span is None:
        return AnswerToken(None, NOT_FOUND)
    texts = [str(each["token"]).translate(_MARKED_SPACE) for each in response.logprobs]
    start = _begin(texts, response.text, span)
    said_before = response.text[: span[0]] if start is None else "".join(texts)[:start]
    if response.reasoning or len(_WORD.findall(_TAG.sub(" ", said_before))) > _MOST_WORDS:
        return AnswerToken(None, REASONED)
    place = None if start is None else _stating(texts, start, start + span[1] - span[0], answer, forms)
    if place is None:
        return AnswerToken(None, NOT_FOUND)
    stated = response.logprobs[place]
    kept = {"logprob": stated["logprob"], "top_logprobs": stated["top_logprobs"]}
    return AnswerToken({"token": texts[place], **kept, "before": "".join(texts[:place])[start:]})


def answer_span(
    reader: Reader, response: Response, expects: Mapping[str, Json], answer: str, forms: AnswerForms
) -> tuple[int, int] | None:
    """Where in a reply the word stands that makes a reader read this answer; `None` if no single word does.

    >>> from veridical.answers import LENIENT_BINARY
    >>> response = Response(trial="t", text="Not 1 line differs. <answer>1</answer>")
    >>> answer_span(LENIENT_BINARY, response, {}, "1", answer_forms("1", {}))
    (28, 29)
    """
    text, weaker = response.text, None
    for start, end in islice(_places(text, forms.words[answer]), _PLACES):
        other = f"{text[:start]}{forms.swapped(text[start:end], answer)}{text[end:]}"
        read = reader.decide(ReaderInput(other, stop_reason=response.stop_reason), expects).answer
        if read is not None and read != answer:
            return start, end
        if read is None and weaker is None:
            weaker = start, end
    return weaker


def _places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    spelled = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return (match.span() for match in re.finditer(rf"(?i)(?<!\w)(?:{spelled})(?!\w)", text))


def _stating(texts: Sequence[str], start: int, end: int, answer: str, forms: AnswerForms) -> int | None:
    """Which token within an answer, from `start` to `end`, is the first that says this answer and no other."""
    at, joined = 0, "".join(texts)
    for place, text in enumerate(texts):
        if start < at + len(text) and at < end and forms.named(joined[start:at] + text) == answer:
            return place
        at += len(text)
    return None


def _begin(texts: Sequence[str], text: str, span: tuple[int, int]) -> int | None:
    """Where an answer begins in the joined tokens, which may have more than the reply, or only its beginning."""
    joined, whole = "".join(texts), text.strip()
    lead = len(text) - len(text.lstrip())
    at = joined.rfind(whole)
    if at < 0 and joined.strip() and whole.startswith(joined.strip()):
        at = joined.find(joined.strip())
    start = at + span[0] - lead
    return start if at >= 0 and start + span[1] - span[0] <= len(joined) else None
