"""People mark where and when the secret happens in clips; what they mark becomes windows and boxes of a set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.people.reply_samples import draw_items
from veridical.people.resolution import votes_of_items
from veridical.people.study_sheets import write_rows
from veridical.records import Json
from veridical.stimulus_set import StimulusSet
from veridical.suite.people_tasks import (
    Caption,
    FormField,
    MediumBlock,
    PeopleTask,
    ReadVotes,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.suites.magicbench.releases.additions import Additions, with_additions
from veridical.suites.magicbench.releases.timeline import Region, meet, quarters
from veridical.suites.magicbench.stimuli import HONEST, NAME, OWN
from veridical.verbs.exchange.line_files import place_of
from veridical.verbs.sets import open_set

CRITICAL, PLACEBO = "critical", "placebo"
_SIDES = ("left", "top", "right", "bottom")


def box_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """The clips of a set in which something is hidden, one screen each, with the words that each came with."""
    whole = _whole(places)
    clips = [
        each
        for each in whole.stimuli
        if each.variant != HONEST and any(medium.kind == "video" for medium in each.media)
    ]
    if not clips:
        raise InputError(f"{whole.folder} has no clips, so there is nothing to mark")
    for stimulus in draw_items(clips, choices):
        medium = next(medium for medium in stimulus.media if medium.kind == "video")
        path = place_of(medium.file, whole.folder)
        times = [round(float(time), 4) for time in Clip.open(whole.read(medium.file), medium.file).times]
        words = (stimulus.truth.get("patter") or {}).get(OWN) or {}
        captions = [Caption(*row) for row in words.get("timeline", ())]
        title = "From where to where each moves while the secret happens"
        yield TaskItem(
            id=stimulus.id,
            blocks=[MediumBlock(medium=medium, path=path, captions=captions), TextBlock(text=stimulus.question)],
            fields=[
                FormField(name="window", kind="intervals", title="When the secret happens"),
                FormField(name="boxes", kind="boxes", title=title, names=(CRITICAL, PLACEBO)),
            ],
            key={"id": stimulus.id, "times": times},
            stratum=stimulus.category,
        )


def _whole(places: Sequence[Path]) -> StimulusSet:
    if len(places) != 1:
        raise InputError(f"{', '.join(map(str, places))}: the clips of one set are marked in a study")
    return open_set(places[0], NAME)


def box_at(keyframes: Mapping[str, Sequence[float]], times: Sequence[float], time: float) -> Region:
    """A box at a time in seconds, by linear interpolation between the frames on which it was drawn.

    Before the first of them and after the last it stays. `times` are those of all frames.

    >>> box_at({"0": (0, 0, 0.5, 0.5), "2": (0.5, 0, 1, 0.5)}, [0, 0.5, 1], 0.5)
    (0.25, 0.0, 0.75, 0.5)
    """
    frames = sorted(map(int, keyframes))
    drawn_at = [times[frame] for frame in frames]
    sides = np.array([keyframes[str(frame)] for frame in frames], float)
    left, top, right, bottom = (float(np.interp(time, drawn_at, sides[:, side])) for side in range(4))
    return left, top, right, bottom


def window_rows(votes: Sequence[StudyVote]) -> list[dict[str, Json]]:
    """The rows of a table of windows: each clip's window in quarters of a second, with its boxes.

    Of several people, the window has the median of their starts and ends, and each side of a box the median of theirs.
    A placebo has the size of the critical box around the middle of the one that was drawn, inside the picture. It is
    stated where more than half drew one, and it meets the critical box at no time.
    """
    return [row for own in votes_of_items(votes).values() for row in _rows(own)]


def _rows(votes: Sequence[StudyVote]) -> list[dict[str, Json]]:
    spans = [vote.answer["window"][0] for vote in votes]
    start, end = (round(float(median(span[side] for span in spans)), 4) for side in range(2))
    parts = quarters_between(start, end)
    critical = [_median_box(votes, CRITICAL, time) for _, _, time in parts]
    placebo = [_median_box(votes, PLACEBO, time) for _, _, time in parts]
    moved = [_of_size(each, box) for each, box in zip(placebo, critical, strict=True) if each and box]
    if len(moved) < len(parts) or any(meet(one, two) for one, two in zip(moved, critical, strict=True) if two):
        moved = []
    made = []
    for place, (begins, ends, _) in enumerate(parts):
        row: dict[str, Json] = {"id": votes[0].key["id"], "start": begins, "end": ends}
        made.append(row | _sides("", critical[place]) | _sides("placebo_", moved[place] if moved else None))
    return made


def quarters_between(start: float, end: float) -> list[tuple[float, float, float]]:
    """A window in parts that each hold one quarter of a second, or whole: begin, end, and the time of its box.

    >>> quarters_between(1.1, 1.6), quarters_between(1.1, 1.2)
    ([(1.1, 1.5, 1.25), (1.5, 1.6, 1.5)], [(1.1, 1.2, 1.15)])
    """
    inside = [time for time in quarters(Fraction(end)) if start <= time < end]
    if not inside:
        return [(start, end, round((start + end) / 2, 4))]
    begins = [start, *inside[1:]]
    return list(zip(begins, [*begins[1:], end], inside, strict=True))


def _median_box(votes: Sequence[StudyVote], name: str, time: float) -> Region | None:
    """The median of the boxes of this name at a time; `None` where no more than half of the people drew one."""
    frames = [(own[name], vote.key["times"]) for vote in votes if name in (own := vote.answer.get("boxes") or {})]
    if 2 * len(frames) <= len(votes):
        return None
    boxes = [box_at(keyframes, times, time) for keyframes, times in frames]
    left, top, right, bottom = (round(float(median(box[side] for box in boxes)), 6) for side in range(4))
    return left, top, right, bottom


def _of_size(box: Region, other: Region) -> Region:
    """A box of the size of another around its own middle, moved into the picture."""
    made = []
    for low, high in ((0, 2), (1, 3)):
        size = other[high] - other[low]
        begins = min(max((box[low] + box[high] - size) / 2, 0.0), 1.0 - size)
        made.append((round(begins, 6), round(begins + size, 6)))
    (left, right), (top, bottom) = made
    return left, top, right, bottom


def _sides(prefix: str, box: Region | None) -> dict[str, Json]:
    return {f"{prefix}{side}": "" if box is None else box[place] for place, side in enumerate(_SIDES)}


def read_boxes(
    places: Sequence[Path],
    votes: Sequence[StudyVote],
    out: Path | None,
    choices: TaskChoices,  # noqa: ARG001 (what a task's reader gets)
) -> ReadVotes:
    """The set of real clips with the windows and boxes that people marked, in `out`, as `magicbench add` makes it.

    Raises `InputError` without a folder, where nobody has answered, and for drawn clips, whose windows are exact.
    """
    if out is None:
        raise InputError("--out SET is needed: the set with the windows and boxes is written there")
    rows = window_rows(votes)
    if not rows:
        raise InputError("nobody has answered yet")
    with TemporaryDirectory() as folder:
        table = write_rows(Path(folder) / "windows.csv", rows)
        made = with_additions(_whole(places), Additions(windows=table), out)
    facts: dict[str, Json] = {"set": str(out), "windows": made.manifest["import"]["added"]["windows"]}
    return ReadVotes(out, [f"windows of {facts['windows']:,} clips in {out}"], facts)


BOXES = PeopleTask(
    title="Mark windows and boxes",
    help="Mark when and where the secret of a trick happens.",
    instructions="Mark the window in which the secret happens. Draw the critical box around the place where it is, "
    "on as many frames as it takes to follow it; between them the box moves evenly. The placebo box is optional: a "
    "place of the same size where nothing matters. Without it, the mirror image is taken.",
    items=box_items,
    read=read_boxes,
    sheet=window_rows,
)
PEOPLE: Mapping[str, PeopleTask] = {"boxes": BOXES}
