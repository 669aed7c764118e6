"""Readers that suites share, for trials that say what they expect: the options, how many regions there are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from veridical.answers.letter import letter_reader
from veridical.answers.reader import Parser, Read, Reader
from veridical.answers.regions import region_reader
from veridical.answers.tags import choice_reader, read_binary
from veridical.records import Json


def text_reader(parser: Parser) -> Reader:
    """A reader of replies to which nothing needs to be known beside the text.

    >>> text_reader(Parser("binary", "1", read_binary)).name
    'binary'
    """
    return Reader(name=parser.name, version=parser.version, parse=lambda text, _: parser.read(text))


_choices = lru_cache(maxsize=256)(choice_reader)
_letters = lru_cache(maxsize=256)(letter_reader)
_regions = lru_cache(maxsize=256)(region_reader)


def _choice(text: str, expects: Mapping[str, Json]) -> Read:
    return _choices(*expects["options"]).read(text)


def _letter(text: str, expects: Mapping[str, Json]) -> Read:
    return _letters(*expects["options"]).read(text)


def _region(text: str, expects: Mapping[str, Json]) -> Read:
    return _regions(int(expects["regions"])).read(text)


TAGGED_BINARY = text_reader(Parser("answer-tag-binary", "1", read_binary))
"""Reads 1 or 0 in an `<answer>` tag."""

TAGGED_CHOICE = Reader(name="answer-tag-choice", version="1", parse=_choice)
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag."""

OPTION_LETTER = Reader(name="option-letter", version="1", parse=_letter)
"""Reads the letter of one of the trial's own `options`, by letter or by the option's text."""

MARKED_REGIONS = Reader(name="regions", version="1", parse=_region)
"""Reads which of the trial's numbered `regions` (their number in `expects`) a reply answers with."""
