"""What stands in the site as it is: the galleries of the suites, and the demo's report."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from docs.pages.gallery import PLACE, with_gallery

REPORT = "demo-report.html"
"""The demo's report in the built site."""


def write_extra(folder: Path, demo: Path) -> Iterator[Path]:
    """The pages written into a folder, anew; the report is that of the demo in the folder `demo`."""
    if folder.exists():
        shutil.rmtree(folder)
    for suite in with_gallery():
        assert suite.presentation.gallery is not None
        yield suite.presentation.gallery(folder / PLACE / suite.name)
    yield Path(shutil.copy(demo / "report.html", folder / REPORT))
