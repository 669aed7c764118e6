"""Setting aside damaged stored responses, so that a run is readable again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from pathlib import Path

import polars as pl

from veridical.ask.folder import STAGES, folder_lock, write
from veridical.ask.responses import (
    Writer,
    contradiction_text,
    contradictions,
    first_items,
    lines,
    lines_of,
    move_damaged_lines,
)
from veridical.ask.run_folder import RESPONSES, RunFolder
from veridical.base.files import LOCKS
from veridical.errors import InputError
from veridical.verbs.results.result import RunResult, open_run

_MOST_LISTED = 10
_STARTS = re.compile(rb'\s*\{\s*"trial"\s*:\s*')


@dataclass(frozen=True, kw_only=True)
class RepairedFile:
    """The lines of a file of responses that were set aside, by number from 1.

    `contradicting` has each line that contradicts an earlier line for the same attempt, with the number of that line.
    `torn` says that the last line was cut off. `again` are the trials of these lines that now have no reply and will be
    asked again. `unknown` counts the lines whose trial cannot be read.
    """

    file: Path
    damaged: tuple[int, ...] = ()
    contradicting: tuple[tuple[int, int], ...] = ()
    torn: bool = False
    again: tuple[str, ...] = ()
    unknown: int = 0

    @property
    def lines(self) -> int:
        """The number of lines that were set aside."""
        return len(self.damaged) + len(self.contradicting) + self.torn

    def report_lines(self) -> Iterator[str]:
        """The report for people; no lines if there was nothing to repair."""
        if not self.lines:
            return
        parts = [f"damaged: {lines(self.damaged)}"] if self.damaged else []
        parts += [contradiction_text(self.contradicting)] if self.contradicting else []
        parts += ["cut off: the last line"] if self.torn else []
        yield f"{self.file}: {_many(self.lines)} set aside in {self.file.with_suffix('.torn').name}; {'; '.join(parts)}"
        if self.again:
            yield f"  asked again by the command that made the run: {first_items(self.again, _MOST_LISTED)}"
        if self.unknown:
            yield f"  {_many(self.unknown)} without a readable trial"


def repair(folder: Path) -> RepairedFile:
    """Sets the damaged lines of the responses of a run or stage aside, and returns what was set aside.

    Moved to `responses.torn` beside the file are lines without a valid response, a last line that was cut off, and the
    later of two lines that contradict each other on one attempt (see `contradictions`). If the process is killed, the
    file stays as it was. Raises `InputError` if another process writes to the file, or if it cannot be written.
    """
    path = folder / RESPONSES
    if not path.exists():
        return RepairedFile(file=path)
    with ExitStack() as held:
        writer = held.enter_context(Writer(path))
        stored = list(lines_of(path))
        damaged = [line for line in stored if line.response is None]
        pairs = list(contradictions(stored))
        aside = {line.number: line.content for line in (*damaged, *(later for _, later in pairs))}
        if aside:
            move_damaged_lines(path, [aside[number] for number in sorted(aside)])
            if not LOCKS:
                held.close()  # Windows replaces no file that is open
            write(path, b"".join(line.content for line in stored if line.number not in aside))
    contents = [*aside.values(), *([writer.torn] if writer.torn else [])]
    trials = list(map(_trial_of, contents))
    return RepairedFile(
        file=path,
        damaged=tuple(line.number for line in damaged),
        contradicting=tuple((later.number, first) for first, later in pairs),
        torn=bool(writer.torn),
        again=tuple(_unanswered(folder, [trial for trial in trials if trial is not None])),
        unknown=trials.count(None),
    )


def _trial_of(content: bytes) -> str | None:
    """The trial that a line names first, even if the rest is damaged."""
    start = _STARTS.match(content)
    if start is None:
        return None
    try:
        trial, _ = JSONDecoder().raw_decode(content[start.end() :].decode("utf-8", "replace"))
    except (JSONDecodeError, RecursionError):
        return None
    return trial if isinstance(trial, str) else None


def _unanswered(folder: Path, trials: list[str]) -> list[str]:
    """The trials that are planned and lack a reply; all of them if the plan cannot be read."""
    if not trials:
        return []
    try:
        open_ones = {trial for trial, _ in RunFolder.open(folder).unanswered()}
    except InputError:
        return list(dict.fromkeys(trials))
    return [trial for trial in dict.fromkeys(trials) if trial in open_ones]


def _many(count: int) -> str:
    return f"{count:,} {'line' if count == 1 else 'lines'}"


class Repairs(list[RepairedFile]):
    """What was set aside, file by file, and as a table."""

    def frame(self) -> pl.DataFrame:
        """One row per file: how many lines were set aside, and how many trials are asked again for them."""
        rows = [(str(each.file), each.lines, len(each.again), each.unknown) for each in self]
        schema = {"file": pl.String, **dict.fromkeys(("lines", "asked_again", "unknown"), pl.Int64)}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Repairs: {sum(each.lines for each in self):,} lines set aside in {len(self):,} files>"


def repair_run(run: RunResult | Path | str) -> Repairs:
    """What was set aside of the responses of a run, stage by stage; a file in which all is whole is left alone.

    Nothing is thrown away and nothing is sent (see `repair`). Raises `InputError` for what is no run, and while another
    process writes to it.
    """
    folder = open_run(run).folder
    with folder_lock(folder):
        places = [folder, *sorted(place.parent for place in folder.glob(f"{STAGES}/*/*/responses.jsonl"))]
        return Repairs(repaired for place in places if (repaired := repair(place)).lines)
