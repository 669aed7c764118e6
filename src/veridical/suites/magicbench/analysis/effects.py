"""What words change in explanations on the same clips, and what another level of a setting changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import POINTS, Estimate, Json
from veridical.suite.contrasts import doubled_rows, mean_score
from veridical.suite.rates import CONTRAST_METHOD, Slice, clustered, contrast
from veridical.suite.reply import REPLY
from veridical.suites.magicbench.analysis.marks import (
    MARKS,
    OF_ALL,
    SCORE,
    judges,
    marked_pieces,
    readable_alone,
    verdict_counts,
)
from veridical.suites.magicbench.analysis.rows import Sides, holm_by, paired_difference, plain, sent, tricks
from veridical.suites.magicbench.asking.cells import (
    DEFAULTS,
    EXPLAIN,
    FORENSIC,
    NEUTRAL,
    PROBE,
    SETTINGS,
    SKEPTIC,
    TEXT_ONLY,
    THOUGHT,
    VISION_ONLY,
)
from veridical.suites.magicbench.stimuli import COMPONENTS, NAME, REAL, TYPES

WORDED = (NEUTRAL, SKEPTIC, FORENSIC, THOUGHT)
"""The stances with pictures and words."""
LIE, MISDIRECTION, FILLER, SILENCE = TYPES
CUE, NOUNS, TRUTH = COMPONENTS
SPOTLIGHT = (LIE, MISDIRECTION)
_FAMILY = ("judge", "rubric", "score", "stance", "of")


def effects(marks: pl.DataFrame) -> Iterator[Estimate]:
    """All contrasts of marks between words and stances, by judge and rubric; nothing without verdicts."""
    for where, rows in judges(marks):
        if where["judge"] == NOT_JUDGED:
            continue
        chosen, note = plain(rows, EXPLAIN)
        own = tricks(chosen)
        yield from _paradox(own, where, note)
        yield from _components(own, where, note)
        yield from _type_gaps(own, where, note)
        yield from _thought(own, where, note)
        yield from _ceiling(own, where, note)
        yield from _over_text(own, where, note)


def cell(stance: str, kind: str | None = None) -> pl.Expr:
    """The rows of a stance, under words of a type."""
    own = pl.col("stance") == stance
    return own if kind is None else own & (pl.col("type") == kind)


def compared(
    rows: pl.DataFrame, metric: str, sides: Sides, where: dict[str, Json], note: str, marks: tuple[str, ...] = MARKS
) -> Iterator[Estimate]:
    """A paired difference of each mark; nothing where one of the sides was not asked."""
    asked = sent(rows)
    if not all(len(asked.filter(side)) for side in (sides.plus, sides.minus)):
        return
    for mark in marks:
        either = rows.filter(sides.plus | sides.minus)
        missing = sent(either)[mark].null_count()
        left = f"; pairs without both verdicts are left out: {missing:,} marks are missing" if missing else ""
        found = paired_difference(rows, metric, mark, sides, {"score": mark, **where}, note + left)
        yield replace(found, counts=verdict_counts(either))


def _paradox(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`spotlight gain` and `agency loss` of each stance, over all items and over readable verdicts; p by Holm."""
    readable = rows.filter((pl.col("status") == "answered") & (pl.col("verdict_status") == "answered"))
    tested: list[Estimate] = []
    for own, of in ((rows, {}), (readable, {"of": "readable"})):
        for stance in WORDED:
            for kind in SPOTLIGHT:
                sides = Sides(cell(stance, kind), cell(VISION_ONLY), f"{stance} under {kind} − {VISION_ONLY}")
                inside: dict[str, Json] = {"stance": stance, "type": kind, **where, **of}
                tested += compared(own, "spotlight gain", sides, inside, note)
            sides = Sides(cell(VISION_ONLY), cell(stance, SILENCE), f"{VISION_ONLY} − {stance} in silence")
            tested += compared(own, "agency loss", sides, {"stance": stance, **where, **of}, note)
    yield from holm_by(tested, _FAMILY)


def _components(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`component effect`: parts of a patter and the whole lie against vision-only, and what the false claim adds."""
    tested: list[Estimate] = []
    for stance in WORDED:
        for kind in (CUE, NOUNS, FILLER, LIE):
            sides = Sides(cell(stance, kind), cell(VISION_ONLY), f"{stance} under {kind} − {VISION_ONLY}")
            inside: dict[str, Json] = {"stance": stance, "words": kind, "against": VISION_ONLY, **where}
            tested += compared(rows, "component effect", sides, inside, note)
        for kind, base in ((LIE, NOUNS), (NOUNS, CUE), (NOUNS, SILENCE), (CUE, SILENCE)):
            sides = Sides(cell(stance, kind), cell(stance, base), f"{stance}: {kind} − {base}")
            inside = {"stance": stance, "words": kind, "against": base, **where}
            tested += compared(rows, "component effect", sides, inside, note)
    yield from holm_by(tested, _FAMILY)


def _type_gaps(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`type gap`: each type − silence at the same stance, on the same clips where types are crossed with them.

    On released clips a type has clips of its own: such gaps are marked with `clips` "different".
    """
    crossed = rows.filter(pl.col("variant") != REAL)
    released = rows.filter(pl.col("variant") == REAL)
    tested: list[Estimate] = []
    for stance in WORDED:
        for kind in (LIE, MISDIRECTION, FILLER):
            plus, minus = cell(stance, kind), cell(stance, SILENCE)
            inside: dict[str, Json] = {"stance": stance, "type": kind, "clips": "same", **where}
            sides = Sides(plus, minus, f"{stance}: {kind} − {SILENCE}")
            tested += compared(crossed, "type gap", sides, inside, note)
            inside = {"stance": stance, "type": kind, "clips": "different", **where}
            tested += _between(released, plus, minus, inside, note)
    yield from holm_by(tested, (*_FAMILY, "clips"))


def _between(
    rows: pl.DataFrame, plus: pl.Expr, minus: pl.Expr, where: dict[str, Json], note: str
) -> Iterator[Estimate]:
    """A difference of marks between clips of two types, without a pair and without a test."""
    for mark in MARKS:
        side = pl.when(plus).then(0).when(minus).then(1).alias("side")
        own = sent(rows).with_columns(side).drop_nulls(("side", mark))
        if own["side"].n_unique() < 2:
            return
        every = doubled_rows(own)
        data = clustered(every, (mark,), every["side"].to_numpy(), 2)
        value, bounds = contrast(data, (1.0, -1.0))
        counts = verdict_counts(rows.filter(plus | minus))
        piece = Slice(NAME, {"score": mark, **where}, own, counts, note)
        method = f"between different clips: words and clips are confounded; {CONTRAST_METHOD}"
        yield piece.estimate("type gap", POINTS, method, value, bounds)


def _thought(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`iot gain` over the forensic stance by type, and `iot residual`: what silence still costs with it."""
    gains: list[Estimate] = []
    for kind in TYPES:
        sides = Sides(cell(THOUGHT, kind), cell(FORENSIC, kind), f"{kind}: {THOUGHT} − {FORENSIC}")
        gains += compared(rows, "iot gain", sides, {"type": kind, **where}, note)
    yield from holm_by(gains, _FAMILY)
    left: list[Estimate] = []
    for kind in TYPES:
        sides = Sides(cell(VISION_ONLY), cell(THOUGHT, kind), f"{VISION_ONLY} − {THOUGHT} under {kind}")
        left += compared(rows, "iot residual", sides, {"type": kind, **where}, note)
    yield from holm_by(left, _FAMILY)


def _ceiling(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`truth ceiling`: the marks with the true principle in place of the patter."""
    for piece in marked_pieces(rows.filter(pl.col("type") == TRUTH), ("stance",), where, note):
        for own in (piece, readable_alone(piece)):
            for mark in MARKS:
                at = replace(own, where={"score": mark, **own.where})
                yield mean_score(at, "truth ceiling", mark, SCORE, OF_ALL)


def _over_text(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`gain over text-only`: what the frames add to the same words; of vision-only, to silence."""
    tested: list[Estimate] = []
    for stance, kind in [(stance, kind) for stance in WORDED for kind in TYPES] + [(VISION_ONLY, None)]:
        words = kind or SILENCE
        sides = Sides(cell(stance, kind), cell(TEXT_ONLY, words), f"{stance} − {TEXT_ONLY} under {words}")
        inside: dict[str, Json] = {"stance": stance, "type": words, **where}
        tested += compared(rows, "gain over text-only", sides, inside, note)
    yield from holm_by(tested, _FAMILY)


CHANGED = ("hush", "frames", "video", REPLY)
_ALIKE = ("stimulus", "repeat", "stance", "words", "probe")
"""What a pair has in common; `probe` is null for explanations."""


def setting_effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` on probes and on CPA of each further level of a setting; nothing where all have one level."""
    for name in CHANGED:
        chosen, note = plain(rows, PROBE, (name,))
        yield from _of(tricks(chosen), name, "right", {"of": "probes"}, note)
        for where, own in judges(marks):
            if where["judge"] != NOT_JUDGED:
                chosen, note = plain(own, EXPLAIN, (name,))
                for found in _of(tricks(chosen), name, "cpa", {"of": "cpa", **where}, note):
                    yield replace(found, counts=verdict_counts(chosen.filter(pl.col(name).is_not_null())))


def _of(rows: pl.DataFrame, name: str, column: str, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    present = [level for level in SETTINGS[name] if level in set(rows[name].drop_nulls())]
    if len(present) < 2:
        return
    usual = DEFAULTS[name][0]
    base = usual if usual in present else present[0]
    tested = []
    for level in present:
        if level != base:
            words = f"{name} {level} − {base}, all words alike"
            sides = Sides(pl.col(name) == level, pl.col(name) == base, words, _ALIKE)
            inside: dict[str, Json] = {"setting": name, "level": level, "against": base, **where}
            tested.append(paired_difference(rows, "setting effect", column, sides, inside, note))
    yield from holm_by(tested, ("setting", "of", "judge", "rubric"))
