"""Setting aside what is damaged in a file of responses, so that what is whole counts again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from pathlib import Path

from veridical.ask.folder import write
from veridical.ask.response_lines import contradicting, contradictions, lines, lines_of, listed
from veridical.ask.responses import Writer, set_aside
from veridical.ask.run_folder import RESPONSES, RunFolder
from veridical.errors import InputError

_TOLD = 10
_STARTS = re.compile(rb'\s*\{\s*"trial"\s*:\s*')


@dataclass(frozen=True, kw_only=True)
class Repaired:
    """What was set aside of a file of responses: numbers of lines, from 1.

    `contradicting` has each line that told an attempt otherwise than an earlier one, with the number of that one.
    `torn` says that a last line was cut off. `again` are the trials named in what was set aside that have no reply now,
    and are asked again; of `unknown` lines nobody can tell the trial.
    """

    file: Path
    damaged: tuple[int, ...] = ()
    contradicting: tuple[tuple[int, int], ...] = ()
    torn: bool = False
    again: tuple[str, ...] = ()
    unknown: int = 0

    @property
    def lines(self) -> int:
        """How many lines were set aside."""
        return len(self.damaged) + len(self.contradicting) + self.torn

    def told(self) -> Iterator[str]:
        """What was done, for people; nothing where there was nothing to do."""
        if not self.lines:
            return
        parts = [f"damaged: {lines(self.damaged)}"] if self.damaged else []
        parts += [contradicting(self.contradicting)] if self.contradicting else []
        parts += ["cut off: the last line"] if self.torn else []
        yield f"{self.file}: {_many(self.lines)} set aside in {self.file.with_suffix('.torn').name}; {'; '.join(parts)}"
        if self.again:
            yield f"  asked again by the command that made the run: {listed(self.again, _TOLD)}"
        if self.unknown:
            yield f"  {_many(self.unknown)} cannot be told the trial of"


def repair(folder: Path) -> Repaired:
    """What was set aside of the responses in the folder of a run or a stage, after what is whole took their place.

    Set aside, in `responses.torn` beside them, are lines that hold no response, a last line that was cut off, and of
    two lines that tell one attempt otherwise the later (see `contradictions`). A kill on the way leaves the file as it
    was. Raises `InputError` where another process writes to it, and where it cannot be written.
    """
    path = folder / RESPONSES
    if not path.exists():
        return Repaired(file=path)
    with Writer(path) as writer:
        found = list(lines_of(path))
        damaged = [line for line in found if line.response is None]
        pairs = list(contradictions(found))
        aside = {line.number: line.content for line in (*damaged, *(later for _, later in pairs))}
        if aside:
            set_aside(path, [aside[number] for number in sorted(aside)])
            write(path, b"".join(line.content for line in found if line.number not in aside))
    contents = [*aside.values(), *([writer.torn] if writer.torn else [])]
    trials = list(map(_trial_of, contents))
    return Repaired(
        file=path,
        damaged=tuple(line.number for line in damaged),
        contradicting=tuple((later.number, first) for first, later in pairs),
        torn=bool(writer.torn),
        again=tuple(_unanswered(folder, [trial for trial in trials if trial is not None])),
        unknown=trials.count(None),
    )


def _trial_of(content: bytes) -> str | None:
    """The trial that a line names first, whatever follows."""
    start = _STARTS.match(content)
    if start is None:
        return None
    try:
        trial, _ = JSONDecoder().raw_decode(content[start.end() :].decode("utf-8", "replace"))
    except (JSONDecodeError, RecursionError):
        return None
    return trial if isinstance(trial, str) else None


def _unanswered(folder: Path, trials: list[str]) -> list[str]:
    """Of some trials those that are planned and lack a reply; all of them where nobody can tell what is planned."""
    if not trials:
        return []
    try:
        open_ones = {trial for trial, _ in RunFolder.open(folder).unanswered()}
    except InputError:
        return list(dict.fromkeys(trials))
    return [trial for trial in dict.fromkeys(trials) if trial in open_ones]


def _many(count: int) -> str:
    return f"{count:,} {'line' if count == 1 else 'lines'}"
