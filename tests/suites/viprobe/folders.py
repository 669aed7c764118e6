"""Folders laid out as VI-Probe's release is, with our own drawings in them."""

import csv

from veridical.media.draw import encode_png, rasterise
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.drawing import VARIANTS
from veridical.suites.viprobe.releases.published_cases import CASES, TYPES

COLUMNS = ("class_name", "type", "base_scale", "strength", "image_path", "prompt")
ANSWER_FORMAT = "\nGive 1 or 0 as the answer.\n- nothing else"


def drawn(case, variant, alpha, unit=0, size=512):
    """The PNG of a picture: at size 512, pictures of lines and discs are 512x256 as the published ones."""
    base = case.base(size, 0, unit)
    return encode_png(rasterise(case.geometry(base, alpha).scene(VARIANTS[variant])))


def write_release(root, numbers, scales=(0.5, 1.0), strengths=(0.5, 1.2)):
    """Class folders for the cases of these numbers; returns the rows of the tables by folder."""
    tables = {}
    for number in numbers:
        published = CASES[number]
        case = illusions.get(published.name)
        folder = root / f"{number}_{published.name.title().replace('_', '')}"
        rows = []
        for unit, scale in enumerate(scales):
            question = case.fill(case.base(512, 0, unit), case.question)
            for kind, variant in TYPES.items():
                for strength in strengths if variant.startswith("P") else (1.0,):
                    changed = f"_strength_{strength:.2f}" if variant.startswith("P") else ""
                    name = f"{kind}/base_scale_{scale:.2f}{changed}.png"
                    (folder / kind).mkdir(parents=True, exist_ok=True)
                    (folder / name).write_bytes(drawn(case, variant, published.alpha(variant, strength), unit))
                    rows.append([folder.name, kind, f"{scale:.2f}", f"{strength:.2f}", name, question + ANSWER_FORMAT])
        write_table(folder, rows)
        tables[folder] = rows
    return tables


def write_table(folder, rows, columns=COLUMNS):
    with (folder / "class_generation_metadata.csv").open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
