"""Where among the tokens of a reply its answer stands, and what the model held likely there.

No reader says where it found an answer; its readings do: the answer stands where another word in its place makes the
reader read another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from veridical.answers.probabilities import FORCED, AnswerForms, answer_forms, option_probabilities
from veridical.answers.reader import Reader, ReaderInput
from veridical.records import Json, Response

_MOST_WORDS = 8
"""How many words may stand before an answer; more of them are reasons, and what follows rests on them."""
_PLACES = 12
_TAG = re.compile(r"</?[A-Za-z_|]{1,20}>")
_LEAD = re.compile(r"""(?i)(?:<[a-z_]{1,20}>|["'*_]{0,3}\banswer\b|\\boxed\{)\W{0,12}\Z""")
_NEAR = 60
_USUAL_LEAD = "Answer:"
_FORCED_LEAST = 0.5
"""How likely answers together must be after the beginning of one, if the model went on with it."""
_WORD = re.compile(r"\w+")
_NEXT_WORD = re.compile(r"\s\w")
_MARKED_SPACE = str.maketrans({"\u2581": " ", "\u0120": " ", "\u010a": "\n"})

NO_ANSWER = "no answer was read"
NO_CHOICE = "the answer is none of a few options"
REASONED = "reasons stand before the answer"
THOUGHT = "the model's own reasoning stands before the answer"
NO_TOKENS = "the provider gave no log probabilities"
NOT_FOUND = "the tokens do not show where the answer stands"
NOT_CONTINUED = "what follows the beginning of an answer is mostly no answer"


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
    if response.reasoning:
        return AnswerToken(None, THOUGHT)
    if len(_WORD.findall(_TAG.sub(" ", said_before))) > _MOST_WORDS:
        return AnswerToken(None, REASONED)
    place = None if start is None else _stating(texts, start, start + span[1] - span[0], answer, forms)
    if place is None:
        return AnswerToken(None, NOT_FOUND)
    stated = response.logprobs[place]
    kept = {"logprob": stated["logprob"], "top_logprobs": stated["top_logprobs"]}
    return AnswerToken({"token": texts[place], **kept, "before": "".join(texts[:place])[start:]})


def answer_lead(reader: Reader, response: Response, expects: Mapping[str, Json]) -> str:
    """How a reply leads in its answer: the tag, or the word for "answer", right before it; else "Answer:".

    No reason is part of it, so that a model that continues it answers at once.

    >>> from veridical.answers import LENIENT_BINARY
    >>> answer_lead(LENIENT_BINARY, Response(trial="t", text="It is longer. <answer>1</answer>"), {})
    '<answer>'
    >>> answer_lead(LENIENT_BINARY, Response(trial="t", text="It is longer, so yes"), {})
    'Answer:'
    """
    answer = reader.decide(response, expects).answer
    forms = None if answer is None else answer_forms(answer, expects)
    if answer is None or forms is None:
        return _USUAL_LEAD
    span = answer_span(reader, response, expects, answer, forms)
    found = None if span is None else _LEAD.search(response.text[max(0, span[0] - _NEAR) : span[0]])
    return _USUAL_LEAD if found is None else found[0].strip()


def forced_token(
    tokens: Sequence[Mapping[str, Json]] | None, lead: str, answer: str, expects: Mapping[str, Json]
) -> AnswerToken:
    """The token with which a model continued the `lead` of an answer, as `answer_token` has it, and `forced`.

    It may state another answer than the one that the model gave after reasons. There is none where answers together
    are less likely than anything else, or another word follows, as in "A closer look": the model, or its server, did
    not go on with the lead.

    >>> tops = [{"token": "0", "logprob": -0.2}, {"token": "1", "logprob": -1.8}]
    >>> forced_token([{"token": "0", "logprob": -0.2, "top_logprobs": tops}], "<answer>", "1", {}).token["forced"]
    '<answer>'
    """
    if not tokens:
        return AnswerToken(None, NO_TOKENS)
    texts = [str(each["token"]).translate(_MARKED_SPACE) for each in tokens]
    # Some tokenizers write the space before a word as a token of its own.
    place = next((number for number, text in enumerate(texts) if text.strip()), 0)
    first, follows = tokens[place], "".join(texts[place + 1 : place + 2])
    token = {name: first[name] for name in ("token", "logprob", "top_logprobs")} | {"before": "", FORCED: lead}
    chances = option_probabilities(token, answer, expects)
    forms = answer_forms(answer, expects)
    goes_on = _NEXT_WORD.match(follows) and forms and forms.named(texts[place] + follows) is None
    if chances is None or sum(chances.options.values()) < _FORCED_LEAST or goes_on:
        return AnswerToken(None, NOT_CONTINUED)
    return AnswerToken(token)


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
