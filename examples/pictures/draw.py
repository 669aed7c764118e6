"""Draws the pictures of this folder and their table: watches that show ten past ten, as in every advertisement, or not.

The control is the same two hands without the watch: whoever reads the hands there, and says "ten past ten" of every
watch, recalls watches in place of reading them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw

SIZE, FINE = 192, 4
WATCHES = (("#f4f1ea", "#22262e", 8, 25), ("#20304f", "#f2f2f2", 4, 10), ("#ffffff", "#7a2222", 10, 45))
"""Of each watch: the color of its face, that of its hands, and the hour and minute that it shows when changed."""

COLUMNS = ("unit", "original", "changed", "control", "control_changed", "forward", "reversed", "label", "case")
QUESTIONS = ("Do the hands show ten past ten?", "Do the hands show a time other than ten past ten?")


def picture(face: str, ink: str, hour: int, minute: int, *, watch: bool) -> Image.Image:
    """The two hands at a time of day, on a watch or alone."""
    whole = SIZE * FINE
    image = Image.new("RGB", (whole, whole), face)
    draw = ImageDraw.Draw(image)
    center = whole / 2

    def at(turn: float, length: float) -> tuple[float, float]:
        angle = 2 * math.pi * turn
        return center + length * whole * math.sin(angle), center - length * whole * math.cos(angle)

    if watch:
        draw.ellipse([whole * 0.06, whole * 0.06, whole * 0.94, whole * 0.94], outline=ink, width=whole // 40)
        for mark in range(12):
            width = whole // (40 if mark % 3 == 0 else 80)
            draw.line([at(mark / 12, 0.36), at(mark / 12, 0.41)], fill=ink, width=width)
    draw.line([(center, center), at((hour + minute / 60) / 12, 0.2)], fill=ink, width=whole // 32)
    draw.line([(center, center), at(minute / 60, 0.32)], fill=ink, width=whole // 52)
    return image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).quantize(32)


def draw(folder: Path) -> Iterator[dict[str, str]]:
    """The rows of the table; their pictures are written to the folder."""
    for number, (face, ink, hour, minute) in enumerate(WATCHES, start=1):
        row = {"unit": f"watch {number}", "forward": QUESTIONS[0], "reversed": QUESTIONS[1], "label": "yes"}
        for column in COLUMNS[1:5]:
            time = (hour, minute) if "changed" in column else (10, 10)
            row[column] = f"{number}-{column}.png"
            picture(face, ink, *time, watch="control" not in column).save(folder / row[column], optimize=True)
        yield {**row, "case": "clock"}


if __name__ == "__main__":
    here = Path(__file__).parent
    with (here / "pictures.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(draw(here))
