"""Mending what is damaged in a run, or setting it aside, so that the run is readable again or goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, count
from json import JSONDecodeError, JSONDecoder
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.ask.folder import write
from veridical.ask.log_archives import stored_path
from veridical.ask.responses import (
    Writer,
    contradiction_text,
    contradictions,
    first_items,
    lines,
    lines_of,
    move_damaged_lines,
)
from veridical.ask.run_folder import RESPONSES, TRIALS, RunFolder, stage_folders
from veridical.ask.trial_table import WRITTEN_ANEW
from veridical.base.files import LOCKS, folder_lock, os_errors
from veridical.base.path_checks import COPY, DERIVED, MANIFEST, RUN, holds_run, require_run, run_of
from veridical.errors import InputError
from veridical.stimulus_set.derived_media import DerivedMedia
from veridical.stimulus_set.write import PARTS
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.places import require_stage, require_whole

_MOST_LISTED = 10
_FILES = (RUN, COPY, TRIALS, RESPONSES, "outcomes.parquet", "status.json", "report.html", "tables/*", "figures/*")
"""The files of a run or stage, in whose places folders are in the way."""
_RULE = re.compile(r"[0-9a-f]{16}")
_STARTS = re.compile(rb'\s*\{\s*"trial"\s*:\s*')


@dataclass(frozen=True, kw_only=True)
class RepairedFile:
    """A file or folder that was mended or set aside: what was `done`, or, of responses, which lines by number from 1.

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
    done: str = ""

    @property
    def lines(self) -> int:
        """The number of lines that were set aside."""
        return len(self.damaged) + len(self.contradicting) + self.torn

    def report_lines(self) -> Iterator[str]:
        """The report for people; no lines if there was nothing to repair."""
        if self.done:
            yield f"{self.file}: {self.done}"
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
    if stored_path(path) is None or (not path.exists() and not _needs_repair(path)):
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


def _needs_repair(packed: Path) -> bool:
    """Whether a packed log has a line to set aside; what has none stays packed. A log is packed without a torn line."""
    stored = list(lines_of(packed))
    return any(line.response is None for line in stored) or any(contradictions(stored))


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
    """What was mended or set aside, file by file, and as a table."""

    def frame(self) -> pl.DataFrame:
        """One row per file: how many lines were set aside and trials are asked again for them, and what was done."""
        rows = [(str(each.file), each.lines, len(each.again), each.unknown, each.done) for each in self]
        counts = dict.fromkeys(("lines", "asked_again", "unknown"), pl.Int64)
        return pl.DataFrame(rows, schema={"file": pl.String, **counts, "done": pl.String}, orient="row")

    def __repr__(self) -> str:
        return f"<Repairs: {sum(each.lines for each in self):,} lines set aside in {len(self):,} files>"


def repair_run(run: RunResult | Path | str) -> Repairs:
    """What was mended or set aside of a run, stage by stage, or of the derived media of a set; what is whole stays.

    A lost or damaged `run.json` is restored from its copy. Set aside, under names that end in `.torn`, are a stage
    without either, a folder in the place of a file, and derived media that are not those that were made. For responses
    see `repair`; of a table of trials is said what writes it anew. Nothing is thrown away and nothing is sent. Raises
    `InputError` for what is neither, for a run that cannot be restored, and while another process writes to it.
    """
    folder = run.folder if isinstance(run, RunResult) else Path(run)
    if folder.is_file() or not (holds_run(folder) or (folder / MANIFEST).exists()):
        require_run(folder)
    with folder_lock(folder), os_errors(folder, "repaired"):
        done = [*_repaired_run(folder)] if holds_run(folder) else []
        return Repairs([*done, *_derived_aside(folder), *_derived_aside(folder / "stimuli")])


def _repaired_run(folder: Path) -> Iterator[RepairedFile]:
    yield from _repaired_stage(folder, require_whole)
    root = Run.read(folder)
    for place in stage_folders(folder):
        yield from _repaired_stage(place, lambda stage: require_stage(stage, root))


def _repaired_stage(place: Path, check: Callable[[Run], None]) -> Iterator[RepairedFile]:
    """What was mended in the folder of a run or stage; `check` raises `InputError` for a run that is not its own."""
    for path in chain.from_iterable(sorted(place.glob(name)) for name in _FILES):
        if path.is_dir() and path.suffix in (".json", ".parquet", ".jsonl", ".html", ".csv", ".svg"):
            yield _set_aside(path, "a folder in the place of a file")
    stored, problem = _described(place, RUN, check)
    copied, _ = _described(place, COPY, check)
    if copied is not None and (stored is None or (stored.identity != copied.identity and copied.table_intact)):
        yield _restored(place, problem or "its identity is another run's")
        stored = copied
    if stored is None:
        if run_of(place) == place:
            raise InputError(f"{problem}; without a copy it cannot be restored: what {RESPONSES} holds stays there")
        yield _set_aside(place, problem)
        return
    if stored.trials_sha256 and not stored.table_intact:
        state = "damaged" if (place / TRIALS).exists() else "missing"
        yield RepairedFile(file=place / TRIALS, done=f"{state}: {WRITTEN_ANEW}")
    if (responses := repair(place)).lines:
        yield responses


def _described(place: Path, name: str, check: Callable[[Run], None]) -> tuple[Run | None, str]:
    """The run that a file describes, or `None` and why it cannot be the one in this place."""
    try:
        run = Run.described(place, name)
        check(run)
    except InputError as error:
        return None, str(error).split("; `veridical repair")[0]
    return run, ""


def _restored(place: Path, problem: str) -> RepairedFile:
    aside = f", and what it was is in {_moved(place / RUN).name}" if (place / RUN).exists() else ""
    write(place / RUN, (place / COPY).read_bytes())
    return RepairedFile(file=place / RUN, done=f"restored from {COPY}{aside} ({problem})")


def _derived_aside(folder: Path) -> Iterator[RepairedFile]:
    """The derived media in a set or run that are not as they were made, after they were set aside."""
    for place in sorted(folder.glob(f"{DERIVED}/*")):
        if not _RULE.fullmatch(place.name) or (not (place / MANIFEST).exists() and (place / PARTS).exists()):
            continue
        try:
            problems = DerivedMedia.open(folder, place.name).problems()
        except InputError as error:
            problems = [str(error).split("; `veridical repair")[0]]
        if problems:
            yield _set_aside(place, f"{problems[0]}; the command that made the run makes them again")


def _set_aside(path: Path, why: str) -> RepairedFile:
    return RepairedFile(file=path, done=f"set aside as {_moved(path).name} ({why})")


def _moved(path: Path) -> Path:
    """The new place of a file or folder that was set aside, beside its old one."""
    names = (path.with_name(f"{path.name}.torn{number or ''}") for number in count())
    return path.rename(next(name for name in names if not name.exists()))
