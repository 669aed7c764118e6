"""Replies without an answer: how many, why, and what a few of them say; of any suite and any stage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import polars as pl

from veridical.base.format import visible
from veridical.records import Json

MANY = 0.05
"""From more than this share of unanswered replies on, a run is warned about."""
SAMPLES = 3
LONGEST = 100
_CAUSES = 3
_READ = 4_000
_UNDECIDED = "cannot tell"
_COMMAND = re.compile(r"##(?=\w*\[)")


@dataclass(frozen=True, slots=True)
class Cause:
    """Why replies have no answer: their status, the reader's or the failure's reason, and how many they are."""

    status: str
    reason: str
    count: int

    def __str__(self) -> str:
        reason = f"'{self.reason}'" if self.reason else ""
        text = reason if self.status == "unparsed" and reason else f"{self.status}, {reason}" if reason else self.status
        return f"{text} ({self.count:,})"


@dataclass(frozen=True, slots=True)
class UnansweredReplies:
    """The replies of `asked` ones that have no answer: their causes, the most frequent first, and what a few say.

    `samples` are at most three different texts, the most frequent first, each in one line of at most 100 characters
    without control characters. They are a model's words, and no more to be trusted than those.
    """

    asked: int
    causes: tuple[Cause, ...]
    samples: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many replies have no answer."""
        return sum(each.count for each in self.causes)

    @property
    def share(self) -> float:
        """The share of the replies that have no answer, in [0, 1]; 0 where nothing was asked."""
        return self.count / self.asked if self.asked else 0.0

    @property
    def many(self) -> bool:
        """Whether so many replies have no answer that figures rest on a part of the trials: more than 5 %."""
        return self.share > MANY

    @property
    def kind(self) -> str:
        """What these replies are: "undecided" if each says that it cannot tell, "unreadable" if a reader could not read
        any of them, else "unanswered"."""
        if self.causes and all(each.reason.startswith(_UNDECIDED) for each in self.causes):
            return "undecided"
        return "unreadable" if {each.status for each in self.causes} == {"unparsed"} else "unanswered"

    def line(self) -> str:
        """The share and the reasons in one line; empty where every reply has an answer.

        >>> UnansweredReplies(1075, (Cause("unparsed", "no answer tag", 925),), ("They look alike.",)).line()
        "86 % unreadable: 'no answer tag' (925)"
        """
        if not self.count:
            return ""
        causes = [str(each) for each in self.causes[:_CAUSES]]
        rest = sum(each.count for each in self.causes[_CAUSES:])
        listed = ", ".join([*causes, *([f"other reasons ({rest:,})"] if rest else [])])
        return f"{_percent(self.share)} {self.kind}: {listed}"

    def lines(self) -> Iterator[str]:
        """`line`, and below it the samples in quotation marks, one a line; nothing where every reply has an answer.

        What is undecided has no samples, since its reason is what it says.
        """
        if line := self.line():
            samples = () if self.kind == "undecided" else self.samples
            yield f"{line}{', for example' if samples else ''}"
            yield from (f"  “{text}”" for text in samples)

    def facts(self) -> dict[str, Json]:
        """The same for machines: `asked`, `count`, `share`, `causes` and `samples`."""
        causes = [asdict(each) for each in self.causes]
        return {
            "asked": self.asked,
            "count": self.count,
            "share": self.share,
            "causes": causes,
            "samples": list(self.samples),
        }


def unanswered_by_reason(outcomes: pl.DataFrame) -> UnansweredReplies:
    """What an outcome table says of the replies without an answer.

    Trials that were not asked are not among them. The samples are of the most frequent cause that left any text.

    >>> rows = {"status": ["answered", "unparsed", "unparsed"], "reason": [None, "no tag", "no tag"],
    ...         "text": ["<answer>1</answer>", "Alike.", "Alike."]}
    >>> found = unanswered_by_reason(pl.DataFrame(rows))
    >>> found.asked, found.count, found.causes, found.samples
    (3, 2, (Cause(status='unparsed', reason='no tag', count=2),), ('Alike.',))
    """
    n_asked = len(outcomes) - outcomes["status"].null_count()
    gone = outcomes.lazy().filter(pl.col("status") != "answered").select("status", "reason", "text").collect()
    if gone.is_empty():
        return UnansweredReplies(n_asked, (), ())
    groups = _frequent(gone, "status", "reason")
    causes = tuple(Cause(status, one_line(reason or ""), count) for status, reason, count in groups.iter_rows())
    with_text = gone.filter(pl.col("text").str.contains(r"\S")).with_columns(pl.col("text").str.slice(0, _READ))
    for status, reason, _ in groups.iter_rows():
        texts = with_text.filter((pl.col("status") == status) & pl.col("reason").eq_missing(reason))
        if not texts.is_empty():
            return UnansweredReplies(n_asked, causes, tuple(_different(_frequent(texts, "text")["text"])))
    return UnansweredReplies(n_asked, causes, ())


def _frequent(rows: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """The different values of some columns with their counts, the most frequent first, else as they come."""
    return rows.group_by(columns, maintain_order=True).len().sort("len", descending=True, maintain_order=True)


def _different(texts: pl.Series) -> list[str]:
    """The first texts that differ once they are cut."""
    lines: dict[str, None] = {}
    for text in texts:
        lines.setdefault(one_line(text))
        if len(lines) == SAMPLES:
            break
    return list(lines)


def one_line(text: str) -> str:
    """A text of others in one line of at most 100 characters, with what hides or reorders characters written out.

    What a build server would take for a command (`##vso[…]`) is broken up.

    >>> one_line("Both  look\\nalike \\x1b[31m ##vso[task.complete]")
    'Both look alike ␛[31m # #vso[task.complete]'
    """
    plain = _COMMAND.sub("# #", visible(" ".join(text[:_READ].split())))
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1].rstrip() + "…"


def _percent(share: float) -> str:
    """A share that is never quite none or all, in percent.

    >>> _percent(0.8605), _percent(0.0004), _percent(0.9999), _percent(1.0)
    ('86 %', 'under 1 %', 'over 99 %', '100 %')
    """
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"
