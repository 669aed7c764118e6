"""Replies put into the form "R2: ..." that give regions as headings, as records of JSON or by their order."""

from __future__ import annotations

import re

from veridical.answers.region_mentions import MENTION
from veridical.answers.region_words import (
    ASKED,
    COUNTS,
    FIRST_FEW,
    LISTED_BY_ORDINAL,
    ONE_BY_ORDINAL,
    ORDINAL,
    ORDINALS,
)

_RECORD = re.compile(
    r"\{\s{0,20}\"(?:id|region|label|name|box|number)\"\s{0,4}:\s{0,4}\"?(?:R"
    r"|Region )? ?([0-9]{1,2})\"?\s{0,4},\s{0,20}"
    r"\"([\w -]{1,30})\"\s{0,4}:\s{0,4}\"?([^\"{}\n,]{1,60})\"?[^{}]{0,400}\}",
    re.IGNORECASE,
)
_BULLETS = re.compile(
    r"(?:^[ \t]{0,4}(?:[-*•]|[0-9]{1,2}[.)]) {1,3}(?:\*\*)?R[ _]?[0-9]{1,2}(?:\*\*)?[,;.]?[ \t]{0,4}(?:\n|\Z)){2,}",
    re.MULTILINE | re.IGNORECASE,
)
"""A list of labels and nothing else, one on each line."""
_HEADING = re.compile(
    r"^([#* \t]{0,8}(?:Region )?R ?[0-9]{1,2}[*]{0,3}):?[*]{0,3}[ \t]{0,4}\n{1,3}"
    r"(?=[ \t]{0,4}(?![#*\s-]{0,8}(?:Region )?R ?[0-9])[\w*(\"'])",
    re.MULTILINE | re.IGNORECASE,
)


def _on_one_line(match: re.Match[str]) -> str:
    return ", ".join(f"R{number}" for number in re.findall(r"R[ _]?([0-9]{1,2})", match[0], re.IGNORECASE)) + "\n"


def headed(text: str) -> str:
    """A text in which labels open what is said of them that stand over it as headings, or in records of JSON."""
    records = list(_RECORD.finditer(text))
    if len(records) > 1 and not MENTION.search(_RECORD.sub(" ", text)):
        text = "\n".join(f"R{match[1]}: {match[2]}: {match[3]}" for match in records)
    text = _BULLETS.sub(_on_one_line, text)
    return _HEADING.sub(r"\1: ", text) if len(_HEADING.findall(text)) > 1 else text


def spelled(plain: str) -> str:
    """A text in which regions given by their order are given by number, without the questions that it repeats."""
    plain = ASKED.sub(" ", plain)
    plain = ONE_BY_ORDINAL.sub(_by_number, plain)
    plain = FIRST_FEW.sub(
        lambda match: f"regions {' and '.join(str(n + 1) for n in range(COUNTS[match[1].lower()]))}", plain
    )
    return LISTED_BY_ORDINAL.sub(_by_number, plain)


def _by_number(match: re.Match[str]) -> str:
    return " and ".join(f"R{ORDINALS[word.lower()]}" for word in re.findall(ORDINAL, match[1], re.IGNORECASE))
