"""Prompts for a user's video generator: everyday scenes that it may get wrong, and scenes in which something is odd."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from string import Template
from typing import Any, Literal, NamedTuple
from zlib import crc32

import numpy as np

from veridical.base.files import write_whole
from veridical.errors import InputError, unknown
from veridical.suites.hocabench.taxonomy import SUB_TYPES, domain_sub_types, sub_type

Way = Literal["hard", "odd"]
WAYS: dict[Way, str] = {
    "hard": "an ordinary event whose physics generators often get wrong",
    "odd": "an event that cannot be, asked for outright",
}
MOST = 500
"""The largest number of prompts per sub-type and way."""
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
_FILE = Path(__file__).parent / "everyday.toml"


class GeneratorPrompt(NamedTuple):
    """A prompt: its id, what it is to bring about, its text, and the kind of place where it happens."""

    id: str
    sub_type: str
    way: Way
    prompt: str
    theme: str
    scene_type: str


def prompts(
    sub_types: Sequence[str] | None = None, *, count: int = 10, ways: Sequence[Way] = ("hard", "odd"), seed: int = 0
) -> list[GeneratorPrompt]:
    """So many different prompts of each way for each sub-type (default: all), drawn from templates by the seed.

    A domain stands for its sub-types. Raises `InputError` for an unknown name, and for more prompts than there are.

    >>> first = prompts(["gravity"], count=2, ways=["odd"])[0]
    >>> first.id, first.sub_type, first.way
    ('gravity-odd-0000', 'gravity', 'odd')
    """
    if not 1 <= count <= MOST:
        raise InputError(f"count {count}: 1 to {MOST} prompts per sub-type are allowed")
    names = (
        list(SUB_TYPES)
        if not sub_types
        else [name for each in sub_types for name in domain_sub_types(each) or (sub_type(each).name,)]
    )
    drawn = []
    for name, way in product(dict.fromkeys(names), dict.fromkeys(ways)):
        every = _every(name, way)
        if count > len(every):
            raise InputError(f"count {count}: there are {len(every)} prompts of the way '{way}' for {name}")
        order = np.random.default_rng([seed, crc32(f"{name}/{way}".encode())]).permutation(len(every))
        for number, place in enumerate(order[:count]):
            text, theme, scene_type = every[place]
            drawn.append(GeneratorPrompt(f"{name}-{way}-{number:04d}", name, way, text, theme, scene_type))
    return drawn


def _every(name: str, way: Way) -> list[tuple[str, str, str]]:
    """All prompts of a way for a sub-type, with theme and kind of place: templates × things × places × views."""
    data = _data()
    own = data[name]
    every = []
    for template, thing, place, view in product(own[way], own["things"], own["places"], data["views"]):
        scene = data["places"][place]
        event = Template(template).substitute(thing=thing)
        event = _ARTICLE.sub(r"\1n ", event)
        every.append((f"{event[:1].upper()}{event[1:]}, {scene['text']}. {view}", thing, scene["type"]))
    return every


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def write_prompts(
    out: Path, sub_types: Sequence[str] | None, *, count: int, ways: Sequence[str] | None, seed: int
) -> int:
    """How many prompts were written to a file that ends in .csv or .jsonl; raises `InputError` for another."""
    for way in ways or ():
        if way not in WAYS:
            raise unknown("way", way, WAYS)
    if out.suffix.lower() not in (".csv", ".jsonl"):
        raise InputError(f"{out}: prompts are written to a file that ends in .csv or .jsonl")
    chosen = [way for way in WAYS if not ways or way in ways]
    drawn = prompts(sub_types, count=count, ways=chosen, seed=seed)
    try:
        write_whole(out, _text(drawn, as_csv=out.suffix.lower() == ".csv").encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return len(drawn)


def _text(drawn: Sequence[GeneratorPrompt], *, as_csv: bool) -> str:
    if not as_csv:
        return "".join(json.dumps(each._asdict(), ensure_ascii=False) + "\n" for each in drawn)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([GeneratorPrompt._fields, *drawn])
    return text.getvalue()
