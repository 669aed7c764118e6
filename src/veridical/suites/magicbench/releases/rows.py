"""The files of a release, and what an item of one says: its constraints, its words with their times, its type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from veridical.records import Json
from veridical.suite.releases import (
    SHOWN,
    UnusableItemError,
    error_place,
    name_of,
    number_of,
    readable,
    strict_json,
    text_of,
)
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.releases.timeline import TimelineEntry, first_of, timeline_of
from veridical.suites.magicbench.stimuli import Atom, Patter

ITEMS, RESULTS, OTHER = "items", "results", "neither items nor results"
SHORT = 5
"""Fewer characters than these are no speech: the published data call such a clip silent."""
LATE = 0.5
"""How many seconds after the end of a clip speech may end, as by rounding; as where it is shown."""
_SPEECH, _MOST_ROWS = "a transcript that cannot be read", 2_000
_LETTER = re.compile(r"(?:type\s*)?([A-D])(?![\w'])", re.IGNORECASE)
_NAMES = {
    "direct lie": "A",
    "lie": "A",
    "misdirection": "B",
    "patter": "C",
    "filler": "C",
    "no audio": "D",
    "silence": "D",
}
Speech = tuple[float, float | None, str]


def json_in(path: Path) -> Json:
    """What a JSON file holds; raises `InputError`, which names it, for one that is too large or no JSON."""
    with readable(path, 256 * 2**20):
        return strict_json(path.read_bytes())


def rows_of(content: Json) -> Sequence[Json]:
    """The rows of a file: those of a list, or the values of an object, or of the list that it holds."""
    if isinstance(content, dict):
        inner = next((content[key] for key in ("data", "items", "samples") if isinstance(content.get(key), list)), None)
        return inner if inner is not None else list(content.values())
    return content if isinstance(content, list) else []


def kind_of(content: Json) -> str:
    """What a JSON file holds, by the keys of its objects.

    >>> kind_of([{"id": "a", "visual_timeline": []}]), kind_of({"Total": {"count": 302}})
    ('items', 'neither items nor results')
    """
    keys = {key for row in rows_of(content) if isinstance(row, dict) for key in row}
    if keys & {"model_output", "model_prediction", "raw_output", "judge_result"}:
        return RESULTS
    return ITEMS if keys & {"video_filename", "visual_timeline", "frames_folder"} else OTHER


class ReleasedClip(NamedTuple):
    """An item that can be read; `doubts` are what in it does not fit together."""

    name: str
    principle: str
    effect: str
    atoms: Sequence[Atom]
    letter: str | None
    difficulty: str | None
    tags: str | None
    video: str
    folder: str
    frames: Sequence[TimelineEntry]
    transcript: str
    speech: Sequence[Speech]
    doubts: Sequence[str]


def clip_of(cells: Mapping[str, Json], number: int, *, complete: bool = True) -> ReleasedClip:
    """The clip of an item; raises `UnusableItemError` for one that cannot be used as it is.

    Constraints are needed where it has to be `complete`. An item without an id has its number for one.
    """

    def text(*names: str) -> str:
        return text_of(first_of(cells, *names), names[0])

    truth = first_of(cells, "ground_truth", "ground_truth_pcs", "PCS_source")
    stated = truth if isinstance(truth, Mapping) else {"principle": truth}
    held = first_of(stated, "pcs", "constraints", "atoms", "principle")
    atoms = atoms_of(held) if complete or held is not None else []
    principle = first_of(stated, "principle")
    whole = text_of(principle, "principle") if isinstance(principle, str) else " ".join(atom["text"] for atom in atoms)
    speech = speech_of(cells.get("audio_timeline"))
    letter, transcript = letter_of(cells.get("linguistic_type")), text("transcript")
    said = transcript or " ".join(words for _, _, words in speech)
    return ReleasedClip(
        name=name_of(text("id", "video_id") or str(number), "id", reason="no id", refused="/\\?&", dots=False),
        principle=whole,
        effect=text_of(first_of(stated, "effect", "effect_description"), "effect"),
        atoms=atoms,
        letter=letter,
        difficulty=text("difficulty", "difficulty_level", "level") or None,
        tags=tags_of(first_of(cells, "challenge_tags", "challenges", "challenge", "tags")),
        video=text("video_filename", "video", "video_path"),
        folder=text("frames_folder", "frame_folder"),
        frames=timeline_of(cells.get("visual_timeline")),
        transcript=said,
        speech=speech,
        doubts=_doubts(letter, said, transcript, speech),
    )


def letter_of(value: Json) -> str | None:
    """The type of words, A to D, by its letter or its name; `None` where none is stated.

    >>> letter_of("Type A: Direct Lie"), letter_of("silence"), letter_of(None)
    ('A', 'D', None)
    """
    text = text_of(value, "linguistic_type")
    if not text or text.casefold() in ("unknown", "none"):
        return None
    match = _LETTER.match(text)
    letter = match[1].upper() if match else _NAMES.get(text.casefold())
    if letter is None:
        raise UnusableItemError("an unknown type of words", f"linguistic_type '{text[:SHOWN]}': A, B, C or D is needed")
    return letter


def speech_of(value: Json) -> list[Speech]:
    """Rows (start, end, words) of speech, in seconds, without rows of no words; an end that is missing is `None`.

    >>> speech_of([{"start": 0, "end": 1.5, "text": " Watch. "}, {"start": 2, "text": "Gone."}])
    [(0.0, 1.5, 'Watch.'), (2.0, None, 'Gone.')]
    """
    rows = value if isinstance(value, list) else [] if value is None else [value]
    if len(rows) > _MOST_ROWS:
        raise UnusableItemError(_SPEECH, f"{len(rows):,} rows of speech: at most {_MOST_ROWS:,} are read")
    made: list[Speech] = []
    for number, row in enumerate(rows, start=1):
        with error_place(f"row {number} of speech"):
            if not isinstance(row, Mapping):
                raise UnusableItemError(_SPEECH, "an object is needed")
            start, end = number_of(row.get("start")), number_of(row.get("end"))
            if start is None or start < 0 or (row.get("end") is not None and (end is None or end < start)):
                raise UnusableItemError(_SPEECH, "start and end are seconds, in this order")
            words = " ".join(text_of(row.get("text"), "text").split())
            made += [(start, end, words)] if words else []
    return made


def patter_of(transcript: str, speech: Sequence[Speech], duration: float) -> Patter:
    """Words over a clip of so many seconds; raises `UnusableItemError` for words beyond its end.

    Words whose end is missing last until the next ones begin, the last ones until the clip ends.

    >>> patter_of("Watch. Gone.", [(0.0, None, "Watch."), (2.0, None, "Gone.")], 4.0)["timeline"]
    [(0.0, 2.0, 'Watch.'), (2.0, 4.0, 'Gone.')]
    """
    starts = [start for start, _, _ in speech]
    made: list[tuple[float, float, str]] = []
    for number, (start, end, words) in enumerate(speech, start=1):
        following = min((other for other in starts if other > start), default=max(start, duration))
        stop = following if end is None else end
        if start > duration or stop > duration + LATE:
            stated = f"row {number} of speech, {start:g} to {stop:g} s"
            raise UnusableItemError("a transcript beyond the clip", f"{stated}, is beyond the clip of {duration:g} s")
        made.append((start, min(stop, max(start, duration)), words))
    return {"text": " ".join(transcript.split()), "timeline": made, "claims": []}


def tags_of(value: Json) -> str | None:
    """The tags of an item as one text, sorted, with commas between; `None` for none.

    >>> tags_of(["Occlusion", "Fast Motion"])
    'Fast Motion, Occlusion'
    """
    parts = value if isinstance(value, list) else text_of(value, "tags").split(",")
    return ", ".join(sorted({text for part in parts if (text := text_of(part, "a tag"))})) or None


def _doubts(letter: str | None, said: str, transcript: str, speech: Sequence[Speech]) -> tuple[str, ...]:
    spoken = " ".join(words for _, _, words in speech)
    apart = bool(transcript and spoken) and _letters(transcript) != _letters(spoken)
    doubts = {
        "type D with words": letter == "D" and len(said) >= SHORT,
        "type A, B or C without words": letter is not None and letter != "D" and not said,
        "speech without times": bool(said) and not speech,
        "transcript and rows of speech differ": apart,
    }
    return tuple(doubt for doubt, holds in doubts.items() if holds)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
