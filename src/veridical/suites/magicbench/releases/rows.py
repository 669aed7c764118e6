"""What an item of a release says: its constraints, its words with their times, its type and its slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridical.records import Json
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.releases.cells import (
    BEYOND,
    NO_ID,
    SPEECH,
    UnusableError,
    first_of,
    letter_of,
    number_of,
    text_of,
)
from veridical.suites.magicbench.releases.item_files import Record
from veridical.suites.magicbench.releases.timeline import Entry, timeline_of
from veridical.suites.magicbench.stimuli import Atom, Patter

SHORT = 5
"""Fewer characters than these are no speech: the published data call such a clip silent."""
LATE = 0.5
"""How many seconds after the end of a clip speech may end, as by rounding; as where it is shown."""
UNTIMED, APART = "speech without times", "transcript and rows of speech differ"
SPOKEN, SILENT = "type D with words", "type A, B or C without words"
_LONGEST_ID, _MOST_ROWS, _SHOWN = 100, 2_000, 60
Speech = tuple[float, float | None, str]


class Row(NamedTuple):
    """An item that can be read; `doubts` are what in it does not fit together."""

    place: str
    name: str
    principle: str
    effect: str
    atoms: Sequence[Atom]
    letter: str | None
    difficulty: str | None
    tags: str | None
    video: str
    folder: str
    frames: Sequence[Entry]
    transcript: str
    speech: Sequence[Speech]
    doubts: Sequence[str]


def row_of(record: Record, number: int, *, complete: bool = True) -> Row:
    """The row of a record; raises `UnusableError` for one that cannot be used as it is.

    Constraints are needed where it has to be `complete`.
    """
    place, cells = record.place, record.cells

    def text(*names: str) -> str:
        return text_of(first_of(cells, *names), names[0], place)

    truth = first_of(cells, "ground_truth", "ground_truth_pcs", "PCS_source")
    stated = truth if isinstance(truth, Mapping) else {"principle": truth}
    held = first_of(stated, "pcs", "constraints", "atoms", "principle")
    atoms = atoms_of(held, place) if complete or held is not None else []
    principle = first_of(stated, "principle")
    speech = speech_of(cells.get("audio_timeline"), place)
    letter, transcript = letter_of(cells.get("linguistic_type"), place), text("transcript")
    said = transcript or " ".join(words for _, _, words in speech)
    return Row(
        place=place,
        name=index_of(first_of(cells, "id", "video_id"), number, place),
        principle=text_of(principle, "principle", place)
        if isinstance(principle, str)
        else " ".join(atom["text"] for atom in atoms),
        effect=text_of(first_of(stated, "effect", "effect_description"), "effect", place),
        atoms=atoms,
        letter=letter,
        difficulty=text("difficulty", "difficulty_level", "level") or None,
        tags=tags_of(first_of(cells, "challenge_tags", "challenges", "challenge", "tags"), place),
        video=text("video_filename", "video", "video_path"),
        folder=text("frames_folder", "frame_folder"),
        frames=timeline_of(cells.get("visual_timeline"), place),
        transcript=said,
        speech=speech,
        doubts=_doubts(letter, said, transcript, speech),
    )


def index_of(value: Json, number: int, place: str) -> str:
    """The id of an item, or `number` where it has none; raises `UnusableError` for one that is no name.

    >>> index_of("magic_115", 3, "item 3"), index_of(None, 3, "item 3")
    ('magic_115', '3')
    """
    text = text_of(value, "id", place) or str(number)
    if len(text) > _LONGEST_ID or not text.isprintable() or set("/\\?&") & set(text) or not text.strip("."):
        allowed = f"1 to {_LONGEST_ID} characters without / \\ ? & are allowed"
        raise UnusableError(NO_ID, f"{place}: id {text[:_SHOWN]!r}: {allowed}")
    return text


def speech_of(value: Json, place: str) -> list[Speech]:
    """Rows (start, end, words) of speech, in seconds, without rows of no words; an end that is missing is `None`.

    >>> speech_of([{"start": 0, "end": 1.5, "text": " Watch. "}, {"start": 2, "text": "Gone."}], "item 1")
    [(0.0, 1.5, 'Watch.'), (2.0, None, 'Gone.')]
    """
    rows = value if isinstance(value, list) else [] if value is None else [value]
    if len(rows) > _MOST_ROWS:
        raise UnusableError(SPEECH, f"{place}: {len(rows):,} rows of speech: at most {_MOST_ROWS:,} are read")
    made: list[Speech] = []
    for number, row in enumerate(rows, start=1):
        where = f"{place}, row {number} of speech"
        if not isinstance(row, Mapping):
            raise UnusableError(SPEECH, f"{where}: an object is needed")
        start, end = number_of(row.get("start")), number_of(row.get("end"))
        if start is None or start < 0 or (row.get("end") is not None and (end is None or end < start)):
            raise UnusableError(SPEECH, f"{where}: start and end are seconds, in this order")
        words = " ".join(text_of(row.get("text"), "text", where).split())
        if words:
            made.append((start, end, words))
    return made


def patter_of(row: Row, duration: float) -> Patter:
    """The words of an item over a clip of so many seconds; raises `UnusableError` for words beyond its end."""
    return patter_over(row.transcript, row.speech, duration, row.place)


def patter_over(transcript: str, speech: Sequence[Speech], duration: float, place: str) -> Patter:
    """Words over a clip of so many seconds; raises `UnusableError`, which names the place, for words beyond its end.

    Words whose end is missing last until the next ones begin, the last ones until the clip ends.

    >>> patter_over("Watch. Gone.", [(0.0, None, "Watch."), (2.0, None, "Gone.")], 4.0, "item 1")["timeline"]
    [(0.0, 2.0, 'Watch.'), (2.0, 4.0, 'Gone.')]
    """
    starts = [start for start, _, _ in speech]
    made: list[tuple[float, float, str]] = []
    for number, (start, end, words) in enumerate(speech, start=1):
        following = min((other for other in starts if other > start), default=max(start, duration))
        stop = following if end is None else end
        if start > duration or stop > duration + LATE:
            stated = f"row {number} of speech, {start:g} to {stop:g} s"
            raise UnusableError(BEYOND, f"{place}: {stated}, is beyond the clip of {duration:g} s")
        made.append((start, min(stop, max(start, duration)), words))
    return {"text": " ".join(transcript.split()), "timeline": made, "claims": []}


def tags_of(value: Json, place: str) -> str | None:
    """The tags of an item as one text, sorted, with commas between; `None` for none.

    >>> tags_of(["Occlusion", "Fast Motion"], "item 1")
    'Fast Motion, Occlusion'
    """
    parts = value if isinstance(value, list) else text_of(value, "tags", place).split(",")
    return ", ".join(sorted({text for part in parts if (text := text_of(part, "a tag", place))})) or None


def _doubts(letter: str | None, said: str, transcript: str, speech: Sequence[Speech]) -> tuple[str, ...]:
    spoken = " ".join(words for _, _, words in speech)
    found = {
        SPOKEN: letter == "D" and len(said) >= SHORT,
        SILENT: letter is not None and letter != "D" and not said,
        UNTIMED: bool(said) and not speech,
        APART: bool(transcript and spoken) and _letters(transcript) != _letters(spoken),
    }
    return tuple(doubt for doubt, holds in found.items() if holds)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
