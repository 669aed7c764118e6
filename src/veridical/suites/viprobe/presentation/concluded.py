"""The verdicts on a run, found once for the tables, the figures and the headline that show them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import polars as pl

from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.asking.settings import POLARITIES, with_settings
from veridical.suites.viprobe.verdicts import Verdict, comparison_verdicts, verdicts
from veridical.suites.viprobe.verdicts.names import DECIDED, kind

_COLUMNS = (
    "stimulus", "unit", "family", "category", "variant", "repeat", "settings", "factors", "expects",
    "gold", "status", "answer", "correct", "attempt", "requests", "alpha", "congruent", "side",
)  # fmt: skip
"""All that verdicts are made from."""

_KEPT = 64
_by_digest: OrderedDict[bytes, Concluded] = OrderedDict()


class Concluded(NamedTuple):
    """The verdicts on the yes-no questions and on the comparisons, each over all cases first, then by case.

    The cases are in the run's own order. Either is empty where no such question about figures and controls was asked.
    """

    yes_no: Sequence[Verdict]
    comparison: Sequence[Verdict]

    @property
    def differ(self) -> bool:
        """Whether the two kinds of questions decidedly say different things over all cases."""
        if not self.yes_no or not self.comparison:
            return False
        names = (self.yes_no[0].name, self.comparison[0].name)
        return DECIDED.issuperset(names) and kind(names[0]) != kind(names[1])


def concluded(outcomes: pl.DataFrame) -> Concluded:
    """The verdicts on the outcomes of a run; the same outcomes are not fitted again."""
    rows = outcomes.select(_COLUMNS)
    digest = sha256()
    for column in rows.iter_columns():  # all at once would copy the table
        digest.update(column.hash().to_numpy().tobytes())
    key = digest.digest()
    if key not in _by_digest:
        _by_digest[key] = _concluded(rows)
        if len(_by_digest) > _KEPT:
            _by_digest.popitem(last=False)
    _by_digest.move_to_end(key)
    return _by_digest[key]


def _concluded(rows: pl.DataFrame) -> Concluded:
    if not _paired(rows):
        return Concluded((), ())
    order = {name: place for place, name in enumerate(rows["family"].unique(maintain_order=True))}
    both = (verdicts(rows), comparison_verdicts(rows))
    return Concluded(*(sorted(each, key=lambda one: order.get(one.where.get("case"), -1)) for each in both))


def _paired(rows: pl.DataFrame) -> bool:
    """Whether pairs of yes-no questions about figures and about controls were planned."""
    yes_no = with_settings(rows.select("family", "variant", "settings").unique()).filter(pl.col("task") == "yes-no")
    pairs = set(yes_no.select("variant", "polarity").iter_rows())
    return all(
        any((variant, polarity) in pairs for variant in CONTEXTS[context])
        for context in ("figure", "control")
        for polarity in POLARITIES
    )
