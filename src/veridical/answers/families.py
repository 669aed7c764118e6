"""Readers that suites share, for trials that say what they expect, such as the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from veridical.answers.binary import lenient_binary, strict_binary
from veridical.answers.choice import lenient_choice, strict_choice
from veridical.answers.letter import letter_reader
from veridical.answers.reader import Parser, Read, Reader
from veridical.records import Json


def text_reader(parser: Parser) -> Reader:
    """A reader of replies to which nothing needs to be known beside the text.

    >>> text_reader(Parser("binary", "1", strict_binary)).name
    'binary'
    """
    return Reader(name=parser.name, version=parser.version, parse=lambda text, _: parser.read(text))


def _by_options(parser: Callable[..., Parser]) -> Callable[[str, Mapping[str, Json]], Read]:
    cached = lru_cache(maxsize=256)(parser)

    def parse(text: str, expects: Mapping[str, Json]) -> Read:
        return cached(*expects["options"]).read(text)

    return parse


LENIENT_BINARY = text_reader(Parser("lenient", "3", lenient_binary))
"""Reads 1 or 0 in an `<answer>` tag, or yes or no in prose where no tag states an answer."""

STRICT_BINARY = text_reader(Parser("strict", "3", strict_binary))
"""Reads 1 or 0 in an `<answer>` tag and nowhere else."""

LENIENT_CHOICE = Reader(name="lenient", version="3", parse=_by_options(lenient_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag, or in prose without one."""

STRICT_CHOICE = Reader(name="strict", version="3", parse=_by_options(strict_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag and nowhere else."""

OPTION_LETTER = Reader(name="option-letter", version="5", parse=_by_options(letter_reader))
"""Reads the letter of one of the trial's own `options`, by letter or by the option's text."""
