"""`python -m docs.pages.profile_picture PAGE` draws the README's picture of a profile anew, into docs/profile.png.

PAGE is the `index.html` of `veridical evaluate` on the three embedded prototypes, over all suites. Needs Chromium.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from docs.pages import FOLDER
from veridical.base.files import write_whole

WIDTH, HEIGHT = 1300, 860
"""The window in pixels: the findings, and the first of the questions."""


def picture(page: Path, browser: str) -> bytes:
    """The top of a page as a PNG of 64 colors."""
    with TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/own"]
        words = [browser, *options, f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={shot}", page.resolve().as_uri()]
        subprocess.run(words, check=True, capture_output=True)  # noqa: S603
        image = Image.open(shot).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        sys.exit("no Chromium on PATH")
    path = write_whole(FOLDER.parent / "profile.png", picture(Path(sys.argv[1]), found))
    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
