"""How the stages of a run stand: counts, cost and problems of each, stored until a file of the run changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from veridical.ask.log_archives import log_blocks
from veridical.ask.run_folder import RESPONSES, TRIALS, stage_folders
from veridical.base.files import read_json, write_whole
from veridical.base.path_checks import INSIDE, RUN
from veridical.errors import InputError
from veridical.records import Counts, canonical
from veridical.suite.record import Suite
from veridical.suite.stages import PEOPLE
from veridical.suite.unanswered_replies import UnansweredReplies, one_line
from veridical.verbs.runs.measured_sight import REGIONS
from veridical.verbs.runs.spending import Spending
from veridical.verbs.runs.stage_states import WaitingStage

STORED = "status.json"
FORMAT = 1
_SOURCES = (RUN, TRIALS, RESPONSES)


@dataclass(frozen=True, kw_only=True)
class StageResult:
    """What one model was asked in one stage: counts of its replies, what it cost, and why some cannot be asked.

    `stale` trials were asked about replies that have changed since; they are in no figure. Nor is anything of a stage
    that is not `counted`, since the same model was asked otherwise later. `connections` is how many stimuli its last
    start asked about at a time in the end. `unanswered` says why replies have no answer.
    `remarks` say which stored responses count nowhere.
    """

    stage: str
    role: str
    model: str
    folder: Path
    counts: Counts
    not_asked: Mapping[str, int]
    stale: int
    counted: bool
    spending: Spending
    unanswered: UnansweredReplies
    remarks: tuple[str, ...] = ()
    connections: int | None = None

    @property
    def complete(self) -> bool:
        """Whether every planned trial that can be asked was asked, and none ended in an error.

        Of people nobody knows what is still to come.
        """
        done = self.counts.asked + sum(self.not_asked.values()) == self.counts.planned
        return self.role == PEOPLE or (done and not self.counts.error)


@dataclass(frozen=True)
class Status:
    """All stages of a run in order, and what each stage that was not asked yet waits for.

    `analyzed` says that outcomes and tables were written as the default readers read these replies.
    """

    stages: list[StageResult]
    waiting: list[WaitingStage]
    analyzed: bool = False


_STATUS = TypeAdapter(Status)


def fingerprint(folder: Path, suite: Suite) -> str:
    """The sha256 of what a run's standing follows from: its files, the suite's readers, and the library's version."""
    families = sorted(suite.asking.readers.items())
    readers = [[name, *([each.name, each.version] for each in of_family)] for name, of_family in families]
    digest = sha256(canonical([FORMAT, version("veridical"), suite.name, readers]).encode())
    for part in (folder, *stage_folders(folder)):
        for name in _SOURCES:
            digest.update(f"\n{(part / name).relative_to(folder).as_posix()} {_content(part / name)}".encode())
    if (sight := folder / INSIDE / REGIONS).exists():
        digest.update(f"\n{REGIONS} {_content(sight)}".encode())
    return digest.hexdigest()


def read_status(folder: Path, of: str) -> Status | None:
    """The stored standing of a run whose `fingerprint` is `of`; `None` where there is none of just these files."""
    path = folder / STORED
    try:
        stored = read_json(path) if path.is_file() else None
        if not isinstance(stored, dict) or stored.get("of") != of:
            return None
        held = _STATUS.validate_python(stored.get("standing"))
    except (InputError, OSError, ValueError, ValidationError):
        return None
    stages = [_inert(replace(each, folder=folder / each.folder)) for each in held.stages]
    return replace(held, stages=stages)


def write_status(folder: Path, status: Status, of: str) -> None:
    """Stores the standing of a run whose `fingerprint` is `of`; a folder that cannot be written stays as it is."""
    stages = [{**asdict(each), "folder": each.folder.relative_to(folder).as_posix()} for each in status.stages]
    waiting = [asdict(each) for each in status.waiting]
    content = {"of": of, "standing": {"stages": stages, "waiting": waiting, "analyzed": status.analyzed}}
    try:
        write_whole(folder / STORED, (json.dumps(content, indent=1) + "\n").encode())
    except OSError:
        return


def _content(path: Path) -> str:
    """The sha256 of a file, of a packed log that of the plain one; empty where there is none, or a folder."""
    digest, empty = sha256(), True
    try:
        for block in log_blocks(path):
            digest.update(block)
            empty = False
    except IsADirectoryError:
        return ""
    return "" if empty else digest.hexdigest()


def _inert(stage: StageResult) -> StageResult:
    """A stage whose samples are in one line each again, since the file may come from anywhere."""
    trouble = stage.unanswered
    causes = tuple(replace(each, reason=one_line(each.reason)) for each in trouble.causes)
    samples = tuple(map(one_line, trouble.samples))
    return replace(stage, unanswered=replace(trouble, causes=causes, samples=samples))
