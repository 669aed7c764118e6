"""One of several options by its own words: strictly in the answer tag, or leniently where prose settles on one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from veridical.answers.impression import SEEMS, held_part
from veridical.answers.markers import DOUBT
from veridical.answers.places import LEAD, SENTENCES, STATED
from veridical.answers.reader import ParsedAnswer, Parser, Reader, options_reader
from veridical.answers.settle import NOTHING, AnswerClaim, follows_denial, is_short_statement, read_by_rule, read_tags

_TRANSLATED = {
    "left": "leftmost left-hand lefthand links linke linker linken gauche izquierda izquierdo esquerda"
    " esquerdo sinistra"
    " sinistro слева левый левая левое venstre vänster vänstra lewo lewa lewy sol kiri trái αριστερά يسار اليسار"
    " बायाँ बाएँ बायां बाएं 左 左边 左側 左侧 左邊 왼쪽",
    "right": "rightmost right-hand righthand rechts rechte rechter rechten droite derecha derecho direita"
    " direito destra"
    " destro справа правый правая правое høyre højre höger högra prawo prawa prawy sağ kanan phải δεξιά يمين اليمين"
    " दायाँ दाएँ दायां दाएं 右 右边 右側 右侧 右邊 오른쪽",
    "upper": "top topmost uppermost obere oberer oberen oben haut supérieur supérieure superior superiore"
    " arriba верхний"
    " верхняя верхняя сверху øvre øverste övre górny górna üst atas trên أعلى ऊपर ऊपरी 上 上方 上面 上边 위",
    "lower": "bottom bottommost lowermost untere unterer unteren unten bas inférieur inférieure inferior"
    " inferiore abajo"
    " нижний нижняя снизу nedre nederste dolny dolna alt bawah dưới أسفل नीचे निचली 下 下方 下面 下边 아래",
    "clockwise": "",
    "counterclockwise": "anticlockwise anti-clockwise counter-clockwise",
    "yes": "ja oui sí да 是 はい",
    "no": "nein non нет 否 いいえ",
}
_SAME = {"top": "upper", "bottom": "lower"}
_FILLER = re.compile(
    r"(?i)^(?:(?:at|in|on|to|towards?|the|à|a|la|le|il|el|die|der|das|den|an|o|en|im|del|de|du|zur?)\s|l')+"
    r"|\b(?:one|side)\b"
)
NOT_A_PLACE = {
    "right": re.compile(
        r"(?i)(?:\b(?:all|you're|you are|that's|that is|is that|not quite|just|almost) $)|^ (?:answer|choice|option"
        r"|response|now|away|angles?|above|below|at|next|under|behind|after|before|there|here|in|on top|to (?:suspect"
        r"|say|think|ask|wonder|point)|triangles?|thing|way)\b|^,? (?:but|however|so|let|now|first|i|we|okay|ok)\b"
    ),
    "left": re.compile(
        r"(?i)(?:\b(?:be|are|was|were|has|have|had|i|we|nothing|none|no \w{1,12}) $)|^ (?:out|over|open|with"
        r"|alone|behind)\b"
    ),
    "top": re.compile(r"(?i)^ of (?:that|each other|one)\b"),
}
"""What before (ending with a blank) or after a word makes it another word."""


def core(text: str) -> str:
    """An option without articles, prepositions, "one" and "side", spaces and hyphens.

    >>> core("At the top"), core("the left one"), core("counter-clockwise")
    ('top', 'left', 'counterclockwise')
    """
    plain = text.strip(" \t\r\n*_`'\".:!()[]").casefold()
    bare = _FILLER.sub("", plain).strip()
    return re.sub(r"[\s-]", "", bare or plain)


def synonyms(option: str) -> tuple[str, ...]:
    """Other words for an option that is a place, a direction, yes or no; none for another.

    >>> "links" in synonyms("left"), synonyms("purple")
    (True, ())
    """
    name = _SAME.get(core(option), core(option))
    return (name, *_TRANSLATED[name].split()) if name in _TRANSLATED else ()


class NamedOption(NamedTuple):
    option: str
    start: int
    end: int
    denied: bool


@dataclass(frozen=True)
class QuestionOptions:
    """The options of a question, with the ways to name them."""

    options: tuple[str, ...]

    @property
    def wanted(self) -> str:
        return " or ".join(self.options)

    @cached_property
    def forms(self) -> dict[str, str]:
        """Each way to name an option, in small letters without spaces and hyphens, with the option."""
        own = {core(option): option for option in self.options}
        other: dict[str, str] = {}
        for option in self.options:
            for word in synonyms(option):
                form = core(word)
                other[form] = "" if form in own or other.get(form, option) != option else option
        return {form: option for form, option in other.items() if option} | own

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        spelled = {*self.options, *(word for option in self.options for word in synonyms(option))}
        spelled |= {re.sub(r"^(?:at|in|on|to|the) (?:the )?", "", option) for option in self.options}
        kept = sorted((word for word in spelled if core(word) in self.forms), key=len, reverse=True)
        parts = [r"[\s-]{1,2}".join(re.escape(part) for part in re.split(r"[\s-]+", word)) for word in kept]
        return re.compile(
            rf"(?i)(?<![A-Za-zÀ-ɏЀ-ӿ0-9_-])(?<!counter )(?<!anti )(?:{'|'.join(parts)})(?![A-Za-zÀ-ɏЀ-ӿ0-9_])"
        )

    def named(self, text: str) -> list[NamedOption]:
        """Where options are named, with whether they are denied there."""
        return [
            NamedOption(self.forms[core(name[0])], name.start(), name.end(), follows_denial(text, name.start()))
            for name in self.pattern.finditer(text)
            if not _is_other_word(text, name)
        ]


def _is_other_word(text: str, name: re.Match[str]) -> bool:
    """Whether a word is none of place here: "the right answer", "is left"."""
    other = NOT_A_PLACE.get(name[0].casefold())
    if other is None:
        return False
    before, after = text[max(0, name.start() - 20) : name.start()], text[name.end() : name.end() + 20]
    return any(match.end() == len(before) for match in other.finditer(before)) or other.match(after) is not None


_CLOSED = re.compile(
    r"(?: (?:one|side))?[\"' )\]]{0,3}(?:[.,;!(—。，、]|:(?! ?[0-9])|-|$|\n| because\b| since\b| as\b)"
)
_SMALL = re.compile(r"(?i)\b(?:the|a|one|side|is|it|it's|my|choice|clearly|definitely|der|die|das|le|la|il|el|l)\b|\W")
_HEDGE = re.compile(
    r"(?i)\b(?:can't|cannot|can not|unable to|hard to|difficult to|impossible to) (?:tell|say|decide|determine"
    r"|be sure)\b|\b(?:maybe|perhaps|possibly|might|could|may be|not sure|unsure|unclear|depends|either|neither|both"
    r"|if|whether|vielleicht|peut-être|quizás|возможно)\b"
)
_LESS = re.compile(
    r"(?i)\b(?:smaller|shorter|darker|dimmer|less|fewer|thinner|narrower|slower|weaker|than|unlike|except"
    r"|instead|differ\w*)\b"
)
_HENCE = re.compile(
    r"(?i)\b(?:so|thus|therefore|hence|consequently|which means|that means|in conclusion|overall|ultimately|i\.e\."
    r"|donc|also|daher|por tanto)\b[,:]?|→|⇒|=>|->"
)
_SAY = re.compile(
    r"(?i)\bi(?:'d| would| will|'ll)? {0,2}(?:say|choose|pick|select|go with|answer|conclude|settle (?:on|for)"
    r"|vote for)(?: that)?(?: it's| it is)?[ :,\"']{1,4}(?:the |at the |on the )?(?=\S)|\b(?:it's|it is|that's|that is"
    r"|that leaves) (?:the (?:one )?)?(?:at the |on the |in the )?(?=\S)"
)
_NOT_SO = re.compile(
    r"(?i)(?:n't|\bnot) (?:turn|rotate|spin|wind|go|run|point|lean|tilt|curl|spiral|move)s?(?: to the| in)? $"
)
_COMPARED = re.compile(
    r"(?i)\W{0,4}(?P<one>[^.,;:!?\n]{3,60}?) (?:is|are)(?: (?:clearly|slightly|a bit|a little|much|indeed|in fact"
    r"|actually|noticeably|visibly|physically|obviously))? (?P<how>\w{2,14}er"
    r"|more \w{3,14}) than (?P<than>[^.,;:!?\n]{3,40})(?P<rest>,[^.!?\n]{3,160})?[.!]?\s{0,3}\Z"
)
_EVEN = re.compile(r"(?i), (?:even though|although|though|despite|contrary to|in spite of)\b")
_SUPERLATIVE = re.compile(
    r"(?i)\bthe (?:\w{3,14}(?:er|est)|more \w{3,14}|most \w{3,14})(?: \w{2,14})? is (?:therefore |thus |in fact "
    r"|actually )?(?:the )?(?:one )?(?:(?:at|on|in) )?(?:the )?(?=\S)"
)


def strict_choice(*options: str) -> Parser:
    """A reader of the option that stands in the `<answer>` tag; without a tag it reads nothing.

    An option may be dressed as people dress it ("the left one" for left, "top" for at the top, "links" for left).
    Raises `ValueError` unless there are two or more options that can be told apart.

    >>> read = strict_choice("left", "right").read
    >>> read("<answer>The left one.</answer>").answer, read("<answer>both</answer>").answer, read("Left.").answer
    ('left', None, None)
    """
    choice = _of(options)
    return Parser(f"strict: {', '.join(choice.options)}", "2", lambda text: read_tags(text, choice.slot, choice.wanted))


def lenient_choice(*options: str) -> Parser:
    """A reader of the option that a reply settles on: in the tag as `strict_choice`, else in prose that names one.

    >>> read = lenient_choice("left", "right").read
    >>> read("Left.").answer, read("The left one seems longer, but it is the right one.").answer
    ('left', 'right')
    >>> read("Left or right, I can't tell.").answer is None
    True
    """
    choice = _of(options)

    def read(text: str) -> ParsedAnswer:
        return read_by_rule(text, choice.slot, choice.whole, choice.wanted, choice.claims)

    return Parser(f"lenient: {', '.join(choice.options)}", "2", read)


def _of(options: tuple[str, ...]) -> _Choice:
    distinct = tuple(sorted(set(options)))
    cores = {core(option) for option in distinct}
    if len(cores) < 2 or len(cores) < len(distinct) or "" in cores:
        raise ValueError(f"the options {options} are not two or more answers that can be told apart")
    return _Choice(distinct)


@dataclass(frozen=True)
class _Choice(QuestionOptions):
    def slot(self, content: str, alone: bool) -> ParsedAnswer:
        whole = self.forms.get(core(content)) if len(content) < 200 else None
        if whole:
            return ParsedAnswer(whole)
        named = self.named(content)
        asserted = {name.option for name in named if not name.denied}
        if not asserted:
            return NOTHING
        first = named[0]
        if alone:
            rest = content[: first.start] + content[first.end :]
            bare = len(named) == 1 and len(rest.split()) <= 3 and not re.search(r"[0-9:?|/=+]", rest)
            return ParsedAnswer(first.option) if bare and not _HEDGE.search(rest) else NOTHING
        if len(asserted) == 1 and not _HEDGE.search(content):
            return ParsedAnswer(asserted.pop())
        opens = not first.denied and not _SMALL.sub("", content[: first.start]) and _CLOSED.match(content, first.end)
        if opens and not re.match(r"\W{0,4}(?:or|and|oder|und|ou|et)?\b\W{0,4}$", self._between(content, named)):
            return ParsedAnswer(first.option)
        return ParsedAnswer(None, "several options are named" if len(asserted) > 1 else "the answer is left open")

    @staticmethod
    def _between(content: str, named: list[NamedOption]) -> str:
        return content[named[0].end : named[1].start] if len(named) > 1 else "."

    def whole(self, plain: str) -> ParsedAnswer:
        compared = self._compared(plain)
        if compared:
            return ParsedAnswer(compared)
        if _HEDGE.search(plain) or not is_short_statement(plain) or _LESS.search(plain):
            return NOTHING
        named = self.named(plain)
        asserted = {name.option for name in named if not name.denied}
        turned = any(_NOT_SO.search(plain, max(0, name.start - 40), name.start) for name in named if not name.denied)
        return ParsedAnswer(asserted.pop()) if len(asserted) == 1 and not turned else NOTHING

    def _compared(self, plain: str) -> str | None:
        """The option of which a reply of one sentence says that it is longer, larger or more than another."""
        match = _COMPARED.match(plain) if len(plain) <= 400 else None
        if match is None or _HEDGE.search(plain) or _LESS.search(match["how"]) or SEEMS.search(match["one"]):
            return None
        if match["rest"] and not _EVEN.match(match["rest"]):
            return None
        sides = [{name.option for name in self.named(match[part]) if not name.denied} for part in ("one", "than")]
        return min(sides[0]) if len(sides[0]) == 1 and len(sides[1]) == 1 and sides[0] != sides[1] else None

    def claims(self, plain: str) -> Iterator[AnswerClaim]:
        """Openings ("Left, because"), conclusions ("so right"), what is set against appearance, and own words."""
        for sentence in SENTENCES.finditer(plain):
            words, start = sentence[0], sentence.start()
            named = self.named(words)
            if not named or words.endswith("?") or _HEDGE.search(words):
                continue
            first = named[0]
            if not _SMALL.sub("", words[: first.start]) and _CLOSED.match(words, first.end) and not first.denied:
                yield AnswerClaim(ParsedAnswer(first.option), LEAD, start, start + first.end)
            yield from self._concluded(words, named, start)

    def _concluded(self, words: str, named: list[NamedOption], start: int) -> Iterator[AnswerClaim]:
        hence = [match.end() for match in _HENCE.finditer(words)]
        spans = ((hence[-1], len(words)) if hence else None, STATED, False), (held_part(words), LEAD, True)
        for span, rank, instead in spans:
            at, end = span or (0, 0)
            own = {name.option for name in named if at <= name.start < end and not name.denied}
            if len(own) == 1 and not _LESS.search(words, at, end) and not SEEMS.search(words, at, end):
                yield AnswerClaim(ParsedAnswer(own.pop()), rank, start + at, start + len(words), instead=instead)
        for pattern in (_SAY, _SUPERLATIVE):
            for match in pattern.finditer(words):
                name = next((name for name in named if name.start == match.end()), None)
                if name and not name.denied and not DOUBT.search(words, 0, match.start()):
                    yield AnswerClaim(ParsedAnswer(name.option), STATED, start + match.start(), start + name.end)


LENIENT_CHOICE = Reader(name="lenient", version="4", parse=options_reader(lenient_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag, or in prose without one."""

STRICT_CHOICE = Reader(name="strict", version="3", parse=options_reader(strict_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag and nowhere else."""
