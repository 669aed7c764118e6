"""A small release as VIA-Bench's could be: items, and the same items written in each form."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from zlib import crc32

import numpy as np
import polars as pl
from PIL import Image

LETTERS = "ABCDEFGHIJKL"
CATEGORIES = ("VA", "color illusions", "mi", "Gestalt Illusions (GI)", "Geometric and Spatial Illusions", "general")
OURS = ("anomalies", "color", "motion", "gestalt", "geometric", "general")
OPTIONS = (
    ("Five", "Six", "Not sure", "Four"),
    ("Yes", "Not Sure", "No"),
    ("A is longer", "B is longer", "They are equal", "I'm not sure"),
)


def picture(k, kind="PNG", size=(24, 16)):
    """The bytes of a picture of its own for each number."""
    pixels = np.random.default_rng(k).integers(0, 256, (size[1], size[0], 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind)
    return buffer.getvalue()


def items(count=12):
    """Items with `picture` as bytes, options in a list, and the letter of the true one."""
    made = []
    for k in range(count):
        options = OPTIONS[k % 3]
        true = next(j for j in (k % len(options), (k + 1) % len(options)) if "sure" not in options[j].casefold())
        made.append(
            {
                "index": 100 + k,
                "picture": picture(k, ("PNG", "JPEG", "WEBP")[k % 3]),
                "question": f'What is shown at "place" {k}?\tSay it.' if k == 1 else f"What is shown at place {k}?",
                "options": list(options),
                "answer": LETTERS[true],
                "category": CATEGORIES[k % 6],
                "capability": ("counting", "color", None)[k % 3],
            }
        )
    return made


def flat(item):
    """An item as the cells of a table with a column for each letter, without its picture."""
    cells = {name: item[name] for name in ("index", "question")}
    cells |= dict(zip(LETTERS, [*item["options"], *[None] * 12], strict=False))
    return cells | {name: item[name] for name in ("answer", "category", "capability") if name in item}


def used(listed):
    """The columns that hold something for any item."""
    rows = [flat(item) for item in listed]
    return [name for name in rows[0] if any(row[name] is not None for row in rows) or name in "ABCDEF"]


def as_tsv(folder, listed, name="release.tsv"):
    """The items in TSV, with pictures as base64 or, where they are text, as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, ["image", *used(listed)], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for item in listed:
            cells = flat(item)
            shown = item["picture"]
            text = base64.b64encode(shown).decode() if isinstance(shown, bytes) else shown
            writer.writerow({"image": text} | {key: cells[key] for key in used(listed)})
    return folder / name


def beside(folder, item):
    """The path of an item's picture, which is written into the folder."""
    if not isinstance(item["picture"], bytes):
        return item["picture"]
    name = f"{crc32(item['picture']):08x}.jpg"
    path = folder / "images" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(item["picture"])
    return f"images/{name}"


def as_jsonl(folder, listed, name="release.jsonl", options="columns"):
    """The items in JSON Lines, with pictures in a folder beside; options in columns, a list, or an object."""
    lines = []
    folder.mkdir(parents=True, exist_ok=True)
    for item in listed:
        cells = {key: value for key, value in flat(item).items() if value is not None}
        if options != "columns":
            cells = {key: value for key, value in cells.items() if key not in LETTERS}
            texts = item["options"]
            lettered = dict(zip(LETTERS, texts, strict=False))
            cells["options"] = lettered if options == "object" else [f"{k}. {text}" for k, text in lettered.items()]
        lines.append(json.dumps({**cells, "image_path": beside(folder, item)}))
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def as_parquet(folder, listed, name="release.parquet", form="struct"):
    """The items in Parquet, with pictures as a structure of bytes and path, as bytes, as base64, or as paths."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = [item["picture"] for item in listed]
    pictures = {
        "struct": lambda: [{"bytes": each, "path": f"{k}.png"} for k, each in enumerate(shown)],
        "bytes": lambda: shown,
        "base64": lambda: [base64.b64encode(each).decode() for each in shown],
        "path": lambda: [{"bytes": None, "path": beside(folder, item)} for item in listed],
    }[form]()
    rows = [{key: flat(item)[key] for key in used(listed)} for item in listed]
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.Series("image", pictures))
    frame.write_parquet(folder / name)
    return Path(folder / name)
