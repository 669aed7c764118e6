"""Pages that are made from the library's records, so that they say what the code says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.pages.api import python_pages
from docs.pages.commands import command_pages
from docs.pages.gallery import gallery_pages
from docs.pages.glossary import glossary_pages
from docs.pages.suites import suite_pages
from veridical.base.files import write_whole

FOLDER = Path(__file__).parents[1] / "generated"
"""Where the pages stand beside those that are written by hand."""

SOURCES: tuple[Callable[[], Mapping[str, str]], ...] = (
    suite_pages,
    glossary_pages,
    command_pages,
    python_pages,
    gallery_pages,
)


def pages() -> dict[str, str]:
    """Every page that is made, by its path in `FOLDER`."""
    return {name: text for source in SOURCES for name, text in source().items()}


def write_pages(folder: Path = FOLDER) -> list[Path]:
    """The pages written to a folder."""
    return [write_whole(folder / name, text.encode()) for name, text in pages().items()]
