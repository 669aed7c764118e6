"""A JSON object that fits a pydantic model."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import compress
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from veridical.answers.places import FINAL, LEAD
from veridical.answers.prepare import prepare_speech
from veridical.answers.reader import ParsedAnswer, Parser
from veridical.answers.settle import AnswerClaim, settle
from veridical.answers.thinking import explanation_spans, spoken_text
from veridical.records import Json, canonical

if TYPE_CHECKING:
    from pydantic import BaseModel

NO_FIT = "no JSON object fits {}"
"""The reason where no whole object of a reply fits a model."""
_DEPTH = 60
_WRAPPED = 2
"""In how many objects one may be wrapped."""
_MENDED = 50_000
"""The most signs of an object whose syntax is mended."""
_SIGN = re.compile(r'[{}"\n\\]')
_MARK = "\ue000"
_ESCAPED = re.compile(r'[^{]*\{\s{0,9}\\"')
_CURLY = re.compile(r"\{\s{0,9}[\u201c\u201d\u201e]")
_HEADLESS = re.compile(r'[^{}"]*(?="[\w -]{1,30}"\s{0,3}:)')
_BROKEN = re.compile(r'(?<=[:\[,])\s{0,9}"[^"{}\\]{1,4000}"(?=\s{0,9}[,\]}])')
"""A text as a value, perhaps of several lines."""
_EQUALS = re.compile(r'(?<=")\s{0,3}=\s{0,3}(?=["\[{0-9])')
_NEW_SENTENCE = re.compile(r"[.;\n][^\w]{0,9}[^\W\d_]")
_Model = TypeVar("_Model", bound="BaseModel")


def json_reader(model: type[BaseModel], *, repair: bool = False) -> Parser:
    """A reader of the JSON object in a reply that fits a pydantic model; the answer is the canonical JSON of the model.

    JSON is that of RFC 8259: no comments, no trailing commas, no NaN; also no key twice and no nesting beyond 60
    objects. What does not fit the model is passed over, so that an echoed template does no harm; an object may be
    wrapped twice, in objects or lists. Two that fit and differ are not resolved unless one is the stated answer or
    words of correction stand between; see `veridical.answers.settle`. The model's own validators may refuse by
    `ValueError` or `AssertionError` only. With `repair`, slips of syntax that models make (trailing commas, comments,
    single quotes, Python's words, escaped or typographic quotation marks, equals signs, a text of several lines, an
    opening brace left out) are mended in objects that are closed.

    >>> from pydantic import BaseModel
    >>> class Verdict(BaseModel):
    ...     verdict: bool
    >>> json_reader(Verdict).read('Here you are: {"verdict": true, "note": "clear"}').answer
    '{"verdict":true}'
    """

    name = title_of(model)

    def read(text: str) -> ParsedAnswer:
        parts = objects(_prose(text, repair))
        parse = _mended if repair else _parsed
        fits = [_fitting(said_object, model, parse) for said_object in compress(parts.whole, _stated(parts.around))]
        if not any(fits):
            return ParsedAnswer(None, NO_FIT.format(name) if parts.whole else "no whole JSON object")
        if parts.cut is not None and _begins(parts.cut, model):
            return ParsedAnswer(None, "a further object is cut")
        return settle(*_placed(parts.around, fits))

    return Parser(f"json: {name}", "1", read)


def title_of(model: type[BaseModel]) -> str:
    """What stored reasons and parsers call a model: its title, else the name of its class."""
    return model.model_config.get("title") or model.__name__


def plain_keys(value: Json) -> Json:
    """An object with its keys in small letters and with low lines: what a model calls "Sub-Category" is sub_category.

    >>> plain_keys({"Sub-Category": "A"})
    {'sub_category': 'A'}
    """
    if not isinstance(value, dict):
        return value
    plain = {re.sub(r"[\s-]+", "_", key.strip().casefold()): each for key, each in value.items()}
    return plain if len(plain) == len(value) else value


def parse_answer(answer: str, model: type[_Model]) -> _Model:
    """The model that an answer of its `json_reader` stands for."""
    return model.model_validate_json(answer)


class LastObject(NamedTuple):
    """The last object of a reply, and whether the reply ends with it."""

    value: dict[str, Json]
    ends: bool


_END = re.compile(r"[\s`~*.]*(?:</[a-z_]{1,20}>\s*)?")


def last_object(text: str, *, repair: bool = False) -> LastObject | None:
    """The last whole JSON object that a reply says, whatever its keys; `None` if there is none, or if it is no JSON.

    `repair` is that of `json_reader`. Code fences, punctuation and one closing tag may follow an object that ends a
    reply.

    >>> last_object('{"a": 1} is wrong, so {"a": 2}.')
    LastObject(value={'a': 2}, ends=True)
    >>> last_object('{"a": 1}, not {"a": 2') is None
    True
    """
    parts = objects(_prose(text, repair))
    if not parts.whole or parts.cut is not None:
        return None
    value = (_mended if repair else _parsed)(parts.whole[-1][0])
    return None if value is None else LastObject(value, bool(_END.fullmatch(parts.around.rpartition(_MARK)[2])))


_VALUE_ENDS = re.compile(r'(?:"|\]|\}|\b(?:true|false|null|\d{1,9}))[\s`]*\Z')


def close_braces(text: str) -> str:
    """What a reply says, with the braces that its only object lacks where it ends with a whole value.

    >>> close_braces('Here: {"a": [1, 2], "b": "c"')
    'Here: {"a": [1, 2], "b": "c"}'
    """
    prose = _prose(text, repair=True)
    starts, spans = _spans(prose)
    alone = starts and not any(span.start < starts[0] for span in spans) and len(prose) <= _MENDED
    if not alone or not _VALUE_ENDS.search(prose, max(starts[0], len(prose) - 40)):
        return text
    import json_repair

    mended = json_repair.repair_json(prose[starts[0] :].rstrip("` \n"))
    return f"{prose[: starts[0]]}{mended}" if isinstance(mended, str) else text


def _prose(text: str, repair: bool) -> str:
    """What a reply says, with wide brackets as plain ones, and quotation marks that an object opens with escaped."""
    prose = _delimited(spoken_text(text).replace(_MARK, " "), repair=repair)
    if "{" not in prose:
        return prose.translate({0xFF5B: "{", 0xFF5D: "}"})
    return prose.replace('\\"', '"') if repair and _ESCAPED.match(prose) else prose


def _delimited(prose: str, *, repair: bool) -> str:
    """A reply without the slips that hide where an object begins, and where its texts end."""
    if not repair or "}" not in prose:
        return prose
    if _CURLY.search(prose):
        prose = prose.translate(dict.fromkeys(map(ord, "\u201c\u201d\u201e"), '"'))
    if (head := _HEADLESS.match(prose)) and prose.count("}") == prose.count("{") + 1:
        prose = f"{head[0]}{{{prose[head.end() :]}"
    return _BROKEN.sub(lambda broken: broken[0].replace("\n", " "), prose)


class Objects(NamedTuple):
    """The outermost whole objects of a text, each with those just inside it; the text around; the head of a cut one."""

    whole: list[tuple[str, ...]]
    around: str
    cut: str | None


def objects(text: str) -> Objects:
    """Brace-balanced stretches of a text, found in one pass that knows JSON strings.

    A brace that is never closed holds nothing; a string ends with its line at the latest. In `around`, U+E000 stands
    for each object; `cut` is the beginning of an object that opens after the last whole one and never ends.

    >>> found = objects('a {"b": {"c": "}"}} d {"e": 1')
    >>> found.whole, found.around, found.cut
    ([('{"b": {"c": "}"}}', '{"c": "}"}')], 'a \ue000 d {"e": 1', '{"e": 1')
    """
    starts, spans = _spans(text)
    whole, parts, at = [], [], 0
    for start, end, depth, inner in spans:
        if depth <= _DEPTH:
            whole.append((text[start:end], *(text[first:last] for first, last in inner)))
        parts += [text[at:start], _MARK if depth <= _DEPTH else " "]
        at = end
    cut = starts[-1] if starts and starts[-1] >= at else None
    return Objects(whole, "".join([*parts, text[at:]]), None if cut is None else text[cut : cut + 200])


class _Span(NamedTuple):
    start: int
    end: int
    depth: int
    inner: tuple[tuple[int, int], ...]


def _spans(text: str) -> tuple[list[int], list[_Span]]:
    """Positions of braces never closed, and the outermost balanced stretches."""
    stack: list[int] = []
    spans: list[_Span] = []
    quoted, escaped = False, -1
    for sign in _SIGN.finditer(text):
        what, at = sign[0], sign.start()
        if at == escaped:
            continue
        if what == "\\":
            escaped = at + 1 if quoted else -1
        elif what == "\n":
            quoted = False
        elif what == '"':
            quoted = bool(stack) and not quoted
        elif what == "{" and not quoted:
            stack.append(at)
        elif stack and not quoted:
            _close(spans, stack.pop(), at + 1)
    return stack, spans


def _close(spans: list[_Span], start: int, end: int) -> None:
    """Puts the stretch that ends here in the place of those inside it."""
    inside: list[_Span] = []
    while spans and spans[-1].start > start:
        inside.append(spans.pop())
    depth = 1 + max((span.depth for span in inside), default=0)
    spans.append(_Span(start, end, depth, tuple((span.start, span.end) for span in reversed(inside))))


Parse = Callable[[str], dict[str, Json] | None]


def _fitting(candidates: tuple[str, ...], model: type[BaseModel], parse: Parse) -> list[str]:
    """Canonical JSON of what fits the model: the object, what it wraps, or the objects just inside what is no JSON."""
    outer = parse(candidates[0])
    if outer is None:
        return [answer for inner in candidates[1:] for answer in _valid(parse(inner), model)]
    return _within(outer, model, _WRAPPED)


def _within(value: Json, model: type[BaseModel], depth: int) -> list[str]:
    """Canonical JSON of an object that fits, or of those that it wraps."""
    fits = _valid(value, model)
    if fits or depth == 0 or not isinstance(value, dict):
        return fits
    entries = (each for entry in value.values() for each in (entry if isinstance(entry, list) else [entry]))
    return [answer for each in entries for answer in _within(each, model, depth - 1)]


def _valid(value: Json, model: type[BaseModel]) -> list[str]:
    if not isinstance(value, dict):
        return []
    try:
        answer = canonical(model.model_validate(value).model_dump(mode="json"))
        answer.encode()
    except (ValueError, AssertionError, RecursionError):
        return []
    return [answer]


def _parsed(text: str) -> dict[str, Json] | None:
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _mended(text: str) -> dict[str, Json] | None:
    """The object of a text, whose slips of syntax are mended; one that is JSON but not allowed stays refused."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        import json_repair

        mended = json_repair.repair_json(_EQUALS.sub(": ", text)) if len(text) <= _MENDED else ""
        return _parsed(mended) if isinstance(mended, str) else None
    return _parsed(text)


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError("the number is too large")
    return number


def _begins(cut: str, model: type[BaseModel]) -> bool:
    """Whether a cut object begins with a field of the model."""
    key = re.match(r'\{\s{0,20}"([^"\n]{1,100})"', cut)
    return key is not None and key[1] in model.model_fields


def _stated(around: str) -> Iterator[bool]:
    """Of each object in turn, whether it stands outside explanation."""
    spans = explanation_spans(around)
    starts = [start for start, _ in spans]
    for mark in re.finditer(_MARK, around):
        index = bisect_right(starts, mark.start()) - 1
        yield index < 0 or mark.start() >= spans[index][1]


def _placed(around: str, fits: list[list[str]]) -> tuple[list[AnswerClaim], tuple[int, ...]]:
    """What fits, with the rank of the place where it stands, and the positions of words of correction."""
    reply = prepare_speech(around)
    marks = [mark.start() for mark in re.finditer(_MARK, reply.plain)]
    ranks = dict.fromkeys(marks, LEAD)
    claims = []
    for place in reply.statements:
        held = marks[bisect_left(marks, place.start) : bisect_left(marks, place.end)]
        for index, mark in enumerate(held[:50]):
            if index and _NEW_SENTENCE.search(reply.plain, held[index - 1], mark):
                break
            ranks[mark] = max(ranks[mark], place.rank)
        if place.rank == FINAL and not held and '"' in place.content:
            claims.append(
                AnswerClaim(
                    ParsedAnswer(None, "the stated answer is no object that fits"), FINAL, place.start, place.end
                )
            )
    for mark, answers in zip(marks, fits, strict=True):
        claims += [AnswerClaim(ParsedAnswer(answer), ranks[mark], mark, mark + 1) for answer in answers]
    return claims, reply.cues
