"""What a task of lmms-eval does with a row of its table; this file is copied beside the task and stands by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


def doc_to_visual(doc: Row) -> list[Any]:
    """The media of a question in order: pictures opened, clips as paths."""
    return [_opened(part) for message in json.loads(doc["messages"]) for part in message["content"] if _is_medium(part)]


def doc_to_text(doc: Row, lmms_eval_specific_kwargs: Mapping[str, str] | None = None) -> str:
    """The text of a question, for a model that takes its media first; it is the same for every model."""
    del lmms_eval_specific_kwargs
    return str(doc["question"])


def doc_to_messages(doc: Row, lmms_eval_specific_kwargs: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """The turns of a question as planned, for a model that takes turns."""
    del lmms_eval_specific_kwargs
    turns = json.loads(doc["messages"])
    for turn in turns:
        turn["content"] = [{**part, "url": _opened(part)} if _is_medium(part) else part for part in turn["content"]]
    return list(turns)


def doc_to_target(doc: Row) -> str:
    """The true answer; empty where nothing can be right."""
    return str(doc["answer"])


def process_results(doc: Row, results: list[Any]) -> dict[str, str]:
    """The question's id, by which its reply is found again: it is stored with each reply. Nothing is marked here."""
    del results
    return {"item": str(doc["id"])}


def count_items(items: list[str]) -> int:
    """How many questions were asked."""
    return len(items)


def _is_medium(part: Mapping[str, str]) -> bool:
    return part["type"] != "text"


def _opened(part: Mapping[str, str]) -> Any:  # noqa: ANN401 (a picture, or the path of a clip)
    place = Path(__file__).parent / part["url"]
    if part["type"] == "video":
        return str(place)
    from PIL import Image

    with Image.open(place) as picture:
        return picture.convert("RGB")
