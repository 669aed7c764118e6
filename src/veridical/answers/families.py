"""Readers that suites share, for trials that say what they expect: the options, how many regions there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from veridical.answers.binary import lenient_binary, strict_binary
from veridical.answers.choice import lenient_choice, strict_choice
from veridical.answers.letter import letter_reader
from veridical.answers.reader import Parser, Read, Reader
from veridical.answers.regions import region_reader
from veridical.records import Json


def text_reader(parser: Parser, *, grows: bool = False) -> Reader:
    """A reader of replies to which nothing needs to be known beside the text; `grows` as for `Reader`.

    >>> text_reader(Parser("binary", "1", strict_binary)).name
    'binary'
    """
    return Reader(name=parser.name, version=parser.version, parse=lambda text, _: parser.read(text), grows=grows)


_regions = lru_cache(maxsize=256)(region_reader)


def _by_options(parser: Callable[..., Parser]) -> Callable[[str, Mapping[str, Json]], Read]:
    cached = lru_cache(maxsize=256)(parser)

    def parse(text: str, expects: Mapping[str, Json]) -> Read:
        return cached(*expects["options"]).read(text)

    return parse


def _region(text: str, expects: Mapping[str, Json]) -> Read:
    return _regions(int(expects["regions"])).read(text)


LENIENT_BINARY = text_reader(Parser("lenient", "2", lenient_binary))
"""Reads 1 or 0 in an `<answer>` tag, or yes or no in prose where no tag states an answer."""

STRICT_BINARY = text_reader(Parser("strict", "2", strict_binary))
"""Reads 1 or 0 in an `<answer>` tag and nowhere else."""

LENIENT_CHOICE = Reader(name="lenient", version="2", parse=_by_options(lenient_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag, or in prose without one."""

STRICT_CHOICE = Reader(name="strict", version="2", parse=_by_options(strict_choice))
"""Reads one of the trial's own `options`, which its `expects` lists, in an `<answer>` tag and nowhere else."""

OPTION_LETTER = Reader(name="option-letter", version="4", parse=_by_options(letter_reader))
"""Reads the letter of one of the trial's own `options`, by letter or by the option's text."""

MARKED_REGIONS = Reader(name="regions", version="3", parse=_region, grows=True)
"""Reads which of the trial's numbered `regions` (their number in `expects`) a reply answers with."""
