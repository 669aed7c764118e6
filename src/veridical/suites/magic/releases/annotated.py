"""The annotated format: one JSON object a line, a question with its picture, boxes, and a chain of labeled steps.

`docs/files.md` states the format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Json, Stimulus, canonical
from veridical.suites.magic.stimuli import PHOTO, Chain, Step

LINES, ABOUT, PICTURES = "annotated.jsonl", "about.json", "pictures"
"""The files of an annotated folder: the records, where they are from, and the folder of pictures."""
ANNOTATED = "annotated"
"""The kind of a chain that a model wrote."""
RIGHTS = ("source", "license", "attribution", "may_be_passed_on")


def record_of(stimulus: Stimulus) -> dict[str, Json]:
    """A stimulus as a record of the annotated format, less what is null; `read_annotated` gives it back.

    Of its chains the first that a model wrote counts. Scenes of ours become pictures like any other: their graph and
    their rule are not part of the format.
    """
    truth = stimulus.truth
    relevant = set(truth["relevant"])
    chain = next((chain for chain in truth["chains"] if chain["kind"] == ANNOTATED), None)
    record = {
        "id": stimulus.id.rpartition("/")[2],
        "picture": _picture_of(stimulus),
        "type": stimulus.category,
        "question": stimulus.question,
        "short_answer": truth["short"],
        "full_answer": truth["full"],
        "boxes": [{"box": box, "relevant": number in relevant} for number, box in enumerate(truth["boxes"], 1)],
        "chain": chain and {"by": chain["by"], "steps": [_labeled(step) for step in chain["steps"]]},
        "portion": stimulus.factors.get("portion"),
        "taken_from": stimulus.factors.get("taken_from"),
    }
    return {key: value for key, value in record.items() if value is not None}


def chain_of(by: str, texts: Sequence[str]) -> Chain:
    """The chain of steps of a model's that nobody has labeled.

    >>> chain_of("model-x", ["I look at R1."])["steps"][0]["correct"] is None
    True
    """
    steps: list[Step] = [{"text": text, "correct": None, "correction": None, "claims": []} for text in texts]
    return {"kind": "annotated", "by": by, "steps": steps}


def write_annotated(
    stimuli: Sequence[Stimulus], read: Callable[[str], bytes], folder: Path, about: Mapping[str, Json]
) -> None:
    """Writes stimuli as an annotated folder; `read` gives the bytes of a medium, `about` says where they are from.

    The same stimuli give the same bytes; the records are written last. Raises `InputError` where two pictures have one
    name, or the folder cannot be written.
    """
    pictures: dict[str, bytes] = {}
    try:
        for stimulus in stimuli:
            name, content = _picture_of(stimulus), read(stimulus.media[0].file)
            if pictures.setdefault(name, content) != content:
                raise InputError(f"{stimulus.id}: another picture is '{name}' already")
        for name, content in pictures.items():
            write_whole(folder / name, content)
        text = json.dumps(dict(about), indent=2, ensure_ascii=False, sort_keys=True)
        write_whole(folder / ABOUT, f"{text}\n".encode())
        write_whole(folder / LINES, "".join(f"{canonical(record_of(each))}\n" for each in stimuli).encode())
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from error


def _labeled(step: Mapping[str, Json]) -> dict[str, Json]:
    return {"text": step["text"], "correct": step["correct"], "correction": step["correction"]}


def _picture_of(stimulus: Stimulus) -> str:
    """The path of a stimulus's picture in an annotated folder: the name of its unit."""
    suffix = PurePosixPath(stimulus.media[0].file).suffix
    return f"{PICTURES}/{stimulus.unit.removeprefix(f'{PHOTO}/')}{suffix}"
