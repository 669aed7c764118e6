"""Judges beside people: samples of judged replies for people to label, and the calibration of judges on the labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

import polars as pl

from veridical.base.files import write_whole
from veridical.errors import InputError, unknown
from veridical.judges import Rubric
from veridical.judges.calibration import NOISE, Calibration
from veridical.judges.calibration import calibrate as calibrated
from veridical.judges.calibration_text import calibration_markdown
from veridical.judges.people import People, read_key, read_people
from veridical.judges.sampling import ReplySample, key_of, sample
from veridical.people.judged_replies import TYPES, JudgedReplies, judged_replies
from veridical.people.study_sheets import tables_of
from veridical.records import Json
from veridical.verbs.exchange.media_copies import MediaCopies
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.sets import reader_of, set_of

Run = RunResult | Path | str
PER_STRATUM = 5
"""How many replies of each type, band of the judge's score and model people get if nobody says otherwise."""


@dataclass(frozen=True, repr=False)
class JudgedSample:
    """A sample that was written for people: the file, its key, which people must not see, and what was drawn."""

    file: Path
    key: Path
    drawn: ReplySample

    def __repr__(self) -> str:
        return f"<JudgedSample: {len(self.drawn.rows):,} replies in {self.file}>"

    def frame(self) -> pl.DataFrame:
        """One row per stratum: type, band, model, how many replies it has, and how many were drawn."""
        return self.drawn.strata


class ReplyStrata(TypedDict, total=False):
    """Which judged replies are drawn, and how many.

    `rubric`, `score` and `judge` need a name where the runs have several. `by` is the column that has the type of a
    reply: category (default), family or variant. Of each type, band of the score and model, `per_stratum` are drawn
    (default: 5), by `seed`. The `bands` are of equal width (default: 3; of a score from 0 to 1, 2).
    """

    rubric: str | None
    score: str | None
    judge: str | None
    by: str
    per_stratum: int
    bands: int | None
    seed: int


def sample_replies(runs: Run | Sequence[Run], out: Path | str, **strata: Unpack[ReplyStrata]) -> JudgedSample:
    """A sample of the judged replies of runs, written as CSV for people: type × band of a judge's score × model.

    People see what the judge saw of each reply, in random order, and nothing of its verdict; the key of the sample is
    written beside it, and media are copied there under opaque names. `strata` are those of `ReplyStrata`: rubric,
    score, judge, by, per_stratum, bands and seed. Raises `InputError` for runs without verdicts, unknown names, numbers
    that are not allowed, and a file that exists.
    """
    chosen = draw_replies(_listed(runs), **strata)
    drawn, scores = chosen.drawn, chosen.rubric.reader.scores
    with ExitStack() as stack:
        if "media" in drawn.rows.columns:
            drawn = replace(drawn, rows=_copied(drawn.rows, chosen.runs, Path(out), stack))
        file, key = drawn.write(out, scores)
    return JudgedSample(file, key, drawn)


class ChosenReplies(NamedTuple):
    """A sample of judged replies with what their judge saw, the rubric that marked them, and the run of each item."""

    drawn: ReplySample
    rubric: Rubric
    runs: Mapping[str, str]


def draw_replies(runs: Sequence[Run], **strata: Unpack[ReplyStrata]) -> ChosenReplies:
    """The sample that `sample_replies` writes, by the same names and numbers, before it is written."""
    replies = judged_replies(runs, rubric=strata.get("rubric"), by=strata.get("by", TYPES[0]))
    chosen = _one("rubric", strata.get("rubric"), replies.rubrics)
    scores = replies.rubrics[chosen].reader.scores
    named = _one("score", strata.get("score"), scores)
    rows = replies.verdicts.filter(
        pl.col("rubric") == chosen,
        pl.col("score_name") == named,
        pl.col("judge") == _one("judge", strata.get("judge"), replies.judges),
        pl.col("status") != _NOT_JUDGED,
    )
    fields = replies.shown.filter(pl.col("rubric") == chosen)
    facts = [json.loads(each) for each in fields["shown"]]
    seen = pl.DataFrame({field: [each.get(field) for each in facts] for field in replies.rubrics[chosen].sees})
    if (fields["media"] != "").any():
        seen = seen.with_columns(fields["media"])
    texts = pl.concat(
        [fields.select("item"), seen.rename({name: shown_column(name) for name in seen.columns})],
        how="horizontal",
    )
    table = rows.select("item", "model", "type", "score").join(texts, on="item", how="left", maintain_order="left")
    low, high = scores[named]
    bands, number = strata.get("bands"), strata.get("per_stratum", PER_STRATUM)
    count = (2 if (low, high) == (0, 1) else 3) if bands is None else bands
    seed = strata.get("seed", 0)
    drawn = sample(table, score_range=(low, high), per_stratum=number, score_bands=count, seed=seed)
    return ChosenReplies(drawn, replies.rubrics[chosen], dict(fields.select("item", "run").iter_rows()))


def _copied(rows: pl.DataFrame, runs_of: Mapping[str, str], out: Path, stack: ExitStack) -> pl.DataFrame:
    """The rows with the copies of their media, whose own names may tell the answer."""
    copies: dict[str, MediaCopies] = {}
    places = []
    for item, media in rows.select("item", "media").iter_rows():
        folder = runs_of[item]
        if media and folder not in copies:
            run = open_run(folder)
            whole = set_of(run.run)
            copies[folder] = stack.enter_context(MediaCopies(out, reader_of(whole, [run.folder]), whole.opaque))
        places.append(" ".join(copies[folder].place(file) for file in media.splitlines()))
    return rows.with_columns(pl.Series("media", places))


def shown_column(field: str) -> str:
    """The column of a sample that has a field that the judge saw."""
    return f"{field}_shown" if field in _OWN else field


_NOT_JUDGED = "not judged"
_OWN = ("item", "model", "type", "score", "band", "weight", "person", "label", "score_name", "allowed")


@dataclass(frozen=True, repr=False)
class JudgeCalibration:
    """What people's labels say of judges; `key` is the file that the weights come from, if there is one."""

    calibration: Calibration
    people: People
    key: Path | None = None

    def __repr__(self) -> str:
        return f"<JudgeCalibration: {len(self.calibration.estimates):,} figures, {len(self.people.labels):,} labels>"

    def frame(self) -> pl.DataFrame:
        """One row per figure: name, what it is about, value, interval, rows, units, method and reason."""
        return self.calibration.frame()

    @property
    def text(self) -> str:
        """The figures and tables as Markdown."""
        return calibration_markdown(self.calibration, self.people)

    def facts(self) -> dict[str, Json]:
        """The figures, the tables and the counts of verdicts as JSON."""
        return {
            "labels": len(self.people.labels),
            "blank": self.people.blank,
            "key": None if self.key is None else str(self.key),
            "figures": self.frame().to_dicts(),
            "tables": self.calibration.tables_frame().to_dicts(),
            "verdicts": self.calibration.verdicts.to_dicts(),
        }

    def write(self, out: Path | str) -> Path:
        """Writes `figures.csv`, `tables.csv`, `verdicts.csv` and `calibration.md` into a folder, and returns it.

        Raises `InputError` if one of them exists already or cannot be written.
        """
        folder = Path(out)
        files = {
            "figures.csv": self.frame().write_csv(),
            "tables.csv": self.calibration.tables_frame().write_csv(),
            "verdicts.csv": self.calibration.verdicts.write_csv(),
            "calibration.md": f"{self.text}\n",
        }
        for name in files:
            if (folder / name).exists():
                raise InputError(f"{folder / name} exists: name another folder")
        try:
            for name, text in files.items():
                write_whole(folder / name, text.encode())
        except OSError as error:
            raise InputError(f"{folder} cannot be written: {error.strerror}") from error
        return folder


def calibrate_judges(
    people: Path | str | Sequence[Path | str],
    runs: Run | Sequence[Run],
    *,
    rubric: str | None = None,
    judges: Sequence[str] | None = None,
    key: Path | str | None = None,
    planted: Run | Sequence[Run] = (),
    planted_types: Sequence[str] = (),
    by: str = TYPES[0],
    noise: Sequence[float] = NOISE,
    seed: int = 0,
    database: str | None = None,
) -> JudgeCalibration:
    """The calibration of the judges of runs against people's labels, in one table or several, or in studies.

    The labels are those of a sample that `sample_replies` wrote; `key` is its key (default: the file `…-key.csv` beside
    the first table, if it is there; without a key every label stands for one reply). `rubric` and `judges` restrict
    what is calibrated. `planted` are runs whose replies cannot be right, and `planted_types` types of such replies: any
    score above 0 on them is a false positive, and they are in no other figure. `noise` is added to the reference, in
    its standard deviations. `database` is the address of a study's votes where they are in no file of its own. Raises
    `InputError` for what a user can put right.
    """
    places = [people] if isinstance(people, Path | str) else people
    tables = tables_of([Path(each) for each in places], "grade", database)
    normal, impossible = _listed(runs), _listed(planted)
    replies = judged_replies([*normal, *impossible], rubric=rubric, by=by)
    items = _planted(replies, planted_types)
    if impossible:
        items |= set(judged_replies(impossible, rubric=rubric, by=by).verdicts["item"])
    if judges is not None:
        replies = replies.of_judges(judges)
    for amount in noise:
        if not 0 < amount < float("inf"):
            raise InputError(f"noise {amount:g}: numbers above 0 are allowed")
    place = Path(key) if key is not None else key_of(tables[0])
    weights = read_key(place) if key is not None or place.exists() else None
    verdicts = replies.verdicts
    read = read_people(tables, verdicts, replies.ranges, weights)
    held = set(verdicts["item"])
    calibration = calibrated(
        verdicts,
        read,
        replies.ranges,
        vetoes=replies.vetoes,
        planted=[item for item in items if item in held],
        noise=noise,
        seed=seed,
    )
    return JudgeCalibration(calibration, read, place if weights is not None else None)


def _planted(replies: JudgedReplies, types: Sequence[str]) -> set[str]:
    types_of_replies = replies.verdicts["type"].unique(maintain_order=True).to_list()
    for name in types:
        if name not in types_of_replies:
            raise unknown("type of reply", name, types_of_replies)
    return set(replies.verdicts.filter(pl.col("type").is_in(list(types)))["item"])


def _listed(runs: Run | Sequence[Run]) -> list[Run]:
    return [runs] if isinstance(runs, RunResult | Path | str) else list(runs)


def _one(kind: str, name: str | None, accepted: Iterable[str]) -> str:
    """The name, or the only one that there is; raises `InputError` where it is unknown, or one must be named."""
    names = list(accepted)
    if name is not None and name not in names:
        raise unknown(f"{kind} of these runs", name, names)
    if name is None and len(names) > 1:
        raise InputError(f"there are the {kind}s {', '.join(names)}: name one with --{kind}")
    return name if name is not None else names[0]
