"""One of several options by its own words: strictly in the answer tag, or leniently where prose settles on one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.answers.choice_options import Named, Options
from veridical.answers.choice_words import core
from veridical.answers.contrast import held
from veridical.answers.markers import DOUBT
from veridical.answers.places import LEAD, STATED
from veridical.answers.reader import Parser, Read
from veridical.answers.settle import NOTHING, Claim, is_short_statement, read_by_rule, read_tags

_SENTENCE = re.compile(r"[^.!?。！？\n]{1,600}[.!?。！？]?")
_CLOSED = re.compile(
    r"(?: (?:one|side))?[\"' )\]]{0,3}(?:[.,;!(—。，、]|:(?! ?[0-9])|-|$|\n| because\b| since\b| as\b)"
)
_SMALL = re.compile(
    r"\b(?:the|a|one|side|is|it|it's|my|choice|clearly|definitely|der|die|das|le|la|il|el|l)\b|\W", re.I
)
_HEDGE = re.compile(
    r"\b(?:can't|cannot|can not|unable to|hard to|difficult to|impossible to) (?:tell|say|decide|determine|be sure)\b"
    r"|\b(?:maybe|perhaps|possibly|might|could|may be|not sure|unsure|unclear|depends|either|neither|both|if|whether"
    r"|vielleicht|peut-être|quizás|возможно)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:smaller|shorter|darker|dimmer|less|fewer|thinner|narrower|slower|weaker|than|unlike|except"
    r"|instead|differ\w*)\b",
    re.IGNORECASE,
)
_HENCE = re.compile(
    r"\b(?:so|thus|therefore|hence|consequently|which means|that means|in conclusion|overall|ultimately|i\.e\."
    r"|donc|also|daher|por tanto)\b[,:]?|→|⇒|=>|->",
    re.IGNORECASE,
)
_SEEMS = re.compile(
    r"\b(?:seem|appear|look|at first|first glance|one would expect|tempt|expect|impression|suggest|usually)\w{0,4}\b",
    re.I,
)
_BUT = re.compile(r"\b(?:but|however|yet|in reality|actually|in fact|although|though|while)\b", re.IGNORECASE)
_SAY = re.compile(
    r"\bi(?:'d| would| will|'ll)? {0,2}(?:say|choose|pick|select|go with|answer|conclude|settle (?:on|for)|vote for)"
    r"(?: that)?(?: it's| it is)?[ :,\"']{1,4}(?:the |at the |on the )?(?=\S)|\b(?:it's|it is|that's|that is"
    r"|that leaves)"
    r" (?:the (?:one )?)?(?:at the |on the |in the )?(?=\S)",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"(?:n't|\bnot) (?:turn|rotate|spin|wind|go|run|point|lean|tilt|curl|spiral|move)s?(?: to the| in)? $", re.I
)
_COMPARED = re.compile(
    r"\W{0,4}(?P<one>[^.,;:!?\n]{3,60}?) (?:is|are)(?: (?:clearly|slightly|a bit|a little|much|indeed|in fact|actually"
    r"|noticeably|visibly|physically|obviously))? (?P<how>\w{2,14}er|more \w{3,14}) than (?P<than>[^.,;:!?\n]{3,40})"
    r"(?P<rest>,[^.!?\n]{3,160})?[.!]?\s{0,3}\Z",
    re.IGNORECASE,
)
_EVEN = re.compile(r", (?:even though|although|though|despite|contrary to|in spite of)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\bthe (?:\w{3,14}(?:er|est)|more \w{3,14}|most \w{3,14})(?: \w{2,14})? is (?:therefore |thus |in fact "
    r"|actually )?"
    r"(?:the )?(?:one )?(?:(?:at|on|in) )?(?:the )?(?=\S)",
    re.IGNORECASE,
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

    def read(text: str) -> Read:
        return read_by_rule(text, choice.slot, choice.whole, choice.wanted, choice.claims)

    return Parser(f"lenient: {', '.join(choice.options)}", "2", read)


def _of(options: tuple[str, ...]) -> _Choice:
    distinct = tuple(sorted(set(options)))
    cores = {core(option) for option in distinct}
    if len(cores) < 2 or len(cores) < len(distinct) or "" in cores:
        raise ValueError(f"the options {options} are not two or more answers that can be told apart")
    return _Choice(distinct)


@dataclass(frozen=True)
class _Choice(Options):
    def slot(self, content: str, alone: bool) -> Read:
        whole = self.forms.get(core(content)) if len(content) < 200 else None
        if whole:
            return Read(whole)
        named = self.named(content)
        asserted = {name.option for name in named if not name.denied}
        if not asserted:
            return NOTHING
        first = named[0]
        if alone:
            rest = content[: first.start] + content[first.end :]
            bare = len(named) == 1 and len(rest.split()) <= 3 and not re.search(r"[0-9:?|/=+]", rest)
            return Read(first.option) if bare and not _HEDGE.search(rest) and not _BUT.search(rest) else NOTHING
        if len(asserted) == 1 and not _HEDGE.search(content):
            return Read(asserted.pop())
        opens = not first.denied and not _SMALL.sub("", content[: first.start]) and _CLOSED.match(content, first.end)
        if opens and not re.match(r"\W{0,4}(?:or|and|oder|und|ou|et)?\b\W{0,4}$", self._between(content, named)):
            return Read(first.option)
        return Read(None, "several options are named" if len(asserted) > 1 else "the answer is left open")

    @staticmethod
    def _between(content: str, named: list[Named]) -> str:
        return content[named[0].end : named[1].start] if len(named) > 1 else "."

    def whole(self, plain: str) -> Read:
        compared = self._compared(plain)
        if compared:
            return Read(compared)
        if _HEDGE.search(plain) or not is_short_statement(plain) or _LESS.search(plain):
            return NOTHING
        named = self.named(plain)
        asserted = {name.option for name in named if not name.denied}
        if any(_NOT_SO.search(plain, max(0, name.start - 40), name.start) for name in named if not name.denied):
            return NOTHING
        return Read(asserted.pop()) if len(asserted) == 1 else NOTHING

    def _compared(self, plain: str) -> str | None:
        """The option of which a reply of one sentence says that it is longer, larger or more than another."""
        match = _COMPARED.match(plain) if len(plain) <= 400 else None
        if match is None or _HEDGE.search(plain) or _LESS.search(match["how"]) or _SEEMS.search(match["one"]):
            return None
        if match["rest"] and not _EVEN.match(match["rest"]):
            return None
        sides = [{name.option for name in self.named(match[part]) if not name.denied} for part in ("one", "than")]
        return min(sides[0]) if len(sides[0]) == 1 and len(sides[1]) == 1 and sides[0] != sides[1] else None

    def claims(self, plain: str) -> Iterator[Claim]:
        """Openings ("Left, because"), conclusions ("so right"), what is set against appearance, and own words."""
        for sentence in _SENTENCE.finditer(plain):
            words, start = sentence[0], sentence.start()
            named = self.named(words)
            if not named or words.endswith("?") or _HEDGE.search(words):
                continue
            first = named[0]
            if not _SMALL.sub("", words[: first.start]) and _CLOSED.match(words, first.end) and not first.denied:
                yield Claim(Read(first.option), LEAD, start, start + first.end)
            yield from self._concluded(words, named, start)

    def _concluded(self, words: str, named: list[Named], start: int) -> Iterator[Claim]:
        hence = [match.end() for match in _HENCE.finditer(words)]
        spans = ((hence[-1], len(words)) if hence else None, STATED, False), (held(words), LEAD, True)
        for span, rank, instead in spans:
            at, end = span or (0, 0)
            own = {name.option for name in named if at <= name.start < end and not name.denied}
            if len(own) == 1 and not _LESS.search(words, at, end) and not _SEEMS.search(words, at, end):
                yield Claim(Read(own.pop()), rank, start + at, start + len(words), instead=instead)
        for pattern in (_SAY, _SUPERLATIVE):
            for match in pattern.finditer(words):
                name = next((name for name in named if name.start == match.end()), None)
                if name and not name.denied and not DOUBT.search(words, 0, match.start()):
                    yield Claim(Read(name.option), STATED, start + match.start(), start + name.end)
