"""Signs folded to their plain form, and what only dresses a text: Markdown, LaTeX, tags of HTML, special tokens."""

from __future__ import annotations

import re

_ZEROS = (
    *(0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50, 0x0ED0, 0x0F20),
    *(0x1040, 0x17E0, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6),
)
"""The zeros of other scripts (Arabic, Persian, the Indic ones, Thai and more) and of mathematical type."""
_FOLD = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | {0x2080 + digit: ord("0") + digit for digit in range(10)}
    | {zero + digit: ord("0") + digit for zero in _ZEROS for digit in range(10)}
    | dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2060, 0xFE0F, 0xFEFF])
    | {0x20E3: None, 0xAD: None}
    | dict.fromkeys([*range(0x2000, 0x200B), 0xA0, 0x202F, 0x3000], " ")
    | dict.fromkeys([0x2010, 0x2011, 0x2012, 0x2013, 0x2212], "-")
    | dict.fromkeys([0x201C, 0x201D, 0x201E, 0xAB, 0xBB, 0x300C, 0x300D, 0x300E, 0x300F], '"')
    | {0x2018: "'", 0x2019: "'", 0x301C: "~", 0x2028: "\n", 0x2029: "\n", 0x0D: "\n"}
    | {0x060C: ",", 0x061B: ";", 0x061F: "?", 0x06D4: ".", 0x0964: ".", 0x0965: "."}
)
_ESCAPED = re.compile(r"(?i)&(lt|gt|amp|quot|nbsp|#39);")
_MEANT = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "nbsp": " ", "#39": "'"}
_BRACKETED = re.compile(r"(?i)\[(/?(?:final_)?(?:answer|ans))\]")
_DRESSING = re.compile(
    r"(?im)```[a-z]{0,12}|~~[^~\n]{1,200}~~|\*+|`+|(?<![a-z0-9_])_{1,3}|_{1,3}(?![a-z0-9_])"
    r"|^[ \t]{0,8}(?:#{1,6} |>{1,3})"
    r'|</?(?:[a-z][a-z_-]{0,20}|h[1-6])(?: [a-z0-9_-]{1,20}="[^"<>\n]{0,80}"){0,12} ?/?>|<\|[^<>'
    r"|\n]{1,30}\|>|</?[a-z_]{0,12}\Z|\\(?:boxed|text(?:bf|it|rm)?|mathrm|mathbf|quad|[,;!\[\](){} ])|[${}]+"
)
DRESSED = frozenset("`~*_#><\\${}")
"""What dressing begins with, or on a line of its own is: a text without any of these has none."""


def fold_signs(text: str) -> str:
    r"""A text in plain signs: wide, Arabic and Indic digits as 0 to 9, one kind of quotation mark, escapes resolved.

    >>> fold_signs("\uff11 \u201c\u0663\u201d &lt;answer&gt;")
    '1 "3" <answer>'
    """
    text = text.replace("\r\n", "\n").translate(_FOLD)
    text = _ESCAPED.sub(lambda sign: _MEANT[sign[1].lower()], text)
    return _BRACKETED.sub(r"<\1>", text)


def strip_dressing(text: str) -> str:
    """A folded text in which each sign of dressing is a space, so that a position means the same in both.

    >>> strip_dressing("**Yes** ~~no~~")
    '  Yes         '
    """
    return _DRESSING.sub(lambda sign: " " * len(sign[0]), text)
