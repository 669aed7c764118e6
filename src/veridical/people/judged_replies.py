"""The verdicts of runs as one table, and what a judge was shown of each reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from veridical.errors import InputError, unknown
from veridical.judges import Marking, Rubric, join_verdicts
from veridical.judges.judged_outcomes import COMBINED
from veridical.judges.people import Ranges
from veridical.judges.verdict_frames import VERDICTS
from veridical.records import Media, canonical
from veridical.suite.stages import JUDGE
from veridical.verbs.results.result import RunResult, open_run

TYPES = ("category", "family", "variant")
"""The columns that may say of which type a reply is."""

_ID = 12
_REPLY = ("model", "trial", "repeat", "digest")


@dataclass(frozen=True)
class JudgedReplies:
    """The `verdicts` of runs (see `judges.verdict_frames.VERDICTS`), with `unit` and `type`, and their rubrics.

    `shown` has by item and rubric the fields that the judge was shown, as JSON, and the paths of its media.
    """

    verdicts: pl.DataFrame
    shown: pl.DataFrame
    rubrics: dict[str, Rubric]

    @property
    def ranges(self) -> Ranges:
        """The range of each score; raises `InputError` for two rubrics with one name for scores of different ranges."""
        by_score: dict[str, tuple[float, float]] = {}
        for name, rubric in self.rubrics.items():
            for score, bounds in rubric.reader.scores.items():
                if by_score.setdefault(score, bounds) != bounds:
                    raise InputError(
                        f"rubric '{name}' has another range of the score '{score}': name one with --rubric"
                    )
        return by_score

    @property
    def vetoes(self) -> list[str]:
        return list(dict.fromkeys(veto for rubric in self.rubrics.values() for veto in rubric.vetoes))

    @property
    def judges(self) -> list[str]:
        return self.verdicts["judge"].unique(maintain_order=True).to_list()

    def of_judges(self, names: Sequence[str]) -> JudgedReplies:
        """Those of some judges alone; raises `InputError`, with the nearest, for one that gave no verdict."""
        for name in names:
            if name not in self.judges:
                raise unknown("judge of these runs", name, self.judges)
        return JudgedReplies(self.verdicts.filter(pl.col("judge").is_in(list(names))), self.shown, self.rubrics)


def judged_replies(
    runs: Sequence[RunResult | Path | str], *, rubric: str | None = None, by: str = TYPES[0]
) -> JudgedReplies:
    """The verdicts of judges in runs, by one rubric or by all; `by` is the column that has the type of a reply.

    Each reply has an item name of its own, a hash of model, trial, repeat and response, so a label cannot be taken for
    one of a reply that has changed since. Replies without an answer have no row; those that a judge has not marked have
    the status "not judged". Raises `InputError` for runs without verdicts, an unknown rubric, and runs with the same
    replies.
    """
    if by not in TYPES:
        raise unknown("column of types", by, TYPES)
    rubrics: dict[str, Rubric] = {}
    verdicts, shown = [], []
    for run in map(open_run, runs):
        markings = [stage for stage in run.suite.asking.ordered if isinstance(stage, Marking) and stage.role == JUDGE]
        for marking in markings:
            of_run = {each.name: each for each in marking.rubrics}
            seen = list(_shown(run, marking))
            used = {name: of_run[name] for _, name, *_ in seen if name in of_run}
            rubrics |= used
            verdicts += [_verdicts(run, marking, each, by) for each in used.values()]
            shown += seen
    if not verdicts:
        names = ", ".join(str(open_run(run).folder) for run in runs)
        raise InputError(f"{names}: no judge has given a verdict: `veridical judge RUN --judge M` asks one")
    if rubric is not None and rubric not in rubrics:
        raise unknown("rubric of these runs", rubric, rubrics)
    columns = ["item", "rubric", "shown", "media", "run"]
    fields = pl.DataFrame(shown, schema=dict.fromkeys(columns, pl.String), orient="row").unique(maintain_order=True)
    table, chosen = pl.concat(verdicts), {rubric: rubrics[rubric]} if rubric is not None else rubrics
    once = ["item", "judge", "rubric", "score_name"]
    if table.select(once).is_duplicated().any():
        raise InputError("two of the runs hold the same replies: name each run once")
    return JudgedReplies(table.filter(pl.col("rubric").is_in(list(chosen))), fields, chosen)


def _verdicts(run: RunResult, marking: Marking, rubric: Rubric, by: str) -> pl.DataFrame:
    """One row per judged reply, judge and score of a rubric."""
    named = []
    for score in rubric.reader.scores:
        each = join_verdicts(run.evidence(), marking, score).filter(
            pl.col("rubric") == rubric.name, ~pl.col("judge").is_in(COMBINED), pl.col("verdict_status").is_not_null()
        )
        named.append(
            each.select(
                pl.struct(_REPLY).map_elements(_hashed, pl.String).alias("item"),
                "model",
                "judge",
                "rubric",
                pl.lit(score).alias("score_name"),
                pl.col("verdict").alias("score"),
                pl.col("verdict_status").alias("status"),
                "unit",
                pl.col(by).alias("type"),
            )
        )
    return pl.concat(named).with_columns(pl.col(name).cast(kind) for name, kind in VERDICTS.items())


def _hashed(reply: dict[str, object]) -> str:
    return sha256(canonical([reply[name] for name in _REPLY]).encode()).hexdigest()[:_ID]


def _shown(run: RunResult, marking: Marking) -> Iterator[tuple[str, str, str, str, str]]:
    """Item, rubric, fields, media (a line each) and run folder of each verdict that was asked for."""
    replies = run.evidence().outcomes(marking.about)
    item = {(row["trial"], row["repeat"]): _hashed(row) for row in replies.iter_rows(named=True)}
    media = {
        trial.id: "\n".join(
            part.file for message in trial.messages for part in message.parts if isinstance(part, Media)
        )
        for stage in run.stages.counted[marking.name]
        for trial in stage.trials()
    }
    sent = run.evidence().outcomes(marking.name).filter(pl.col("status").is_not_null())
    for row in sent.iter_rows(named=True):
        fields = json.dumps(json.loads(row["expects"])["shown"], ensure_ascii=False)
        shown = media.get(row["trial"], "")
        yield item[row["about_trial"], row["about_repeat"]], row["reader"], fields, shown, str(run.folder)
