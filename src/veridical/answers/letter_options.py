"""The texts of the options that a question offers, found in a reply."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_ELSEWHERE = {
    "right": r"(?<!you're right)(?<!you are right)(?<!that's right)(?<!all right)"
    r"(?! (?:answer|choice|option|to (?:wonder|ask|suspect|think|say|point)|that|about))",
    "left": r"(?<!are left)(?<!is left)(?! (?:over|out))",
}
"""What around a word makes it no place."""


@dataclass(frozen=True)
class Options:
    """The options' texts in order, in small letters and without a closing period."""

    texts: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All option texts, the longest first, each between word boundaries where it begins or ends with a word."""
        parts = []
        for text in sorted(self.texts, key=len, reverse=True):
            body = r"\s{1,3}".join(re.escape(word) for word in text.split())
            left = r"(?<![A-Za-z0-9_à-ÿ])" if text[0].isalnum() else ""
            body += _ELSEWHERE.get(text, "")
            right = r"(?![A-Za-z0-9_à-ÿ])(?![.,][0-9])" if text[-1].isalnum() else ""
            parts.append(f"{left}{body}{right}")
        return re.compile("|".join(parts), re.IGNORECASE)

    @cached_property
    def plain_words(self) -> bool:
        """Whether no option is a number, or a word for yes or no."""
        return not any(
            text in {"yes", "no"}
            or re.search(r"[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|none)\b", text)
            for text in self.texts
        )

    def letter(self, match: re.Match[str]) -> str:
        """The letter of the option whose text was found."""
        return chr(ord("A") + self.texts.index(" ".join(match[0].split()).casefold()))

    def has(self, letter: str) -> bool:
        """Whether an option has this letter."""
        return 0 <= ord(letter) - ord("A") < len(self.texts)
