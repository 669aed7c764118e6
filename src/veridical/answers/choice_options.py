"""The options of a choice, found in a reply by their own words, by synonyms and in other languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from veridical.answers.choice_words import NOT_A_PLACE, core, synonyms
from veridical.answers.settle import denied


class Named(NamedTuple):
    option: str
    start: int
    end: int
    denied: bool


@dataclass(frozen=True)
class Options:
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
            rf"(?<![A-Za-zÀ-ɏЀ-ӿ0-9_-])(?<!counter )(?<!anti )(?:{'|'.join(parts)})(?![A-Za-zÀ-ɏЀ-ӿ0-9_])",
            re.IGNORECASE,
        )

    def named(self, text: str) -> list[Named]:
        """Where options are named, with whether they are denied there."""
        return [
            Named(self.forms[core(name[0])], name.start(), name.end(), denied(text, name.start()))
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
