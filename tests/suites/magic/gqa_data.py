"""A small folder with the files of GQA's val split and of AiR-D, in their formats, with pictures drawn here."""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from veridical.media.draw import encode_png
from veridical.media.pictures import encode_jpeg

COLORS = {"red": (200, 40, 40), "blue": (40, 80, 200), "green": (40, 150, 70), "yellow": (230, 200, 40)}
NAMES = ("mug", "lamp", "vase", "book", "table")
PLACES = ((40, 60, 60, 70), (170, 50, 50, 80), (290, 70, 60, 60), (400, 60, 60, 70), (20, 180, 460, 100))
"""The things' places as x, y, width, height."""
WIDTH, HEIGHT = 500, 375


def picture_of(k):
    """The id of picture `k`."""
    return f"{2400000 + k}"


def object_of(k, thing):
    """The id of a thing in picture `k`."""
    return f"{10 * (70000 + k) + thing}"


def colors_of(k):
    names = tuple(COLORS)
    return names[k % 4], names[(k // 2) % 4], names[(k + 1) % 4], names[(k + 3) % 4]


@cache
def jpeg(k, width=WIDTH, height=HEIGHT):
    """The bytes of picture `k`: a mug, a lamp, a vase and a book as blocks over a brown table."""
    pixels = np.full((height, width, 3), 225 - 3 * k, np.uint8)
    for color, (x, y, w, h) in zip((*colors_of(k), None), PLACES, strict=True):
        pixels[y : y + h, x : x + w] = COLORS.get(color, (120, 80, 50))
    return encode_jpeg(pixels, 90)


def graphs(pictures):
    """The scene graphs of so many pictures, as in `val_sceneGraphs.json`."""
    return {
        picture_of(k): {
            "width": WIDTH,
            "height": HEIGHT,
            "location": "indoors",
            "objects": {
                object_of(k, thing): {
                    "name": NAMES[thing],
                    **dict(zip("xywh", PLACES[thing], strict=True)),
                    "attributes": [color] if color else [],
                    "relations": [{"name": "on", "object": object_of(k, 4)}] if thing < 4 else [],
                }
                for thing, color in enumerate((*colors_of(k), None))
            },
        }
        for k in range(pictures)
    }


def question(k, kind, text, short, full, *things):
    """A question as in `val_balanced_questions.json`; `things` are its annotated objects."""
    ids = [object_of(k, thing) for thing in things]
    return {
        "semantic": [{"operation": "select", "dependencies": [], "argument": f"{NAMES[things[0]]} ({ids[0]})"}],
        "entailed": [],
        "equivalent": [],
        "question": text,
        "imageId": picture_of(k),
        "isBalanced": True,
        "groups": {"global": None, "local": f"{kind}-{NAMES[things[0]]}"},
        "answer": short,
        "semanticStr": f"select: {NAMES[things[0]]} ({ids[0]})",
        "annotations": {
            "answer": {},
            "question": {str(2 + at): name for at, name in enumerate(ids)},
            "fullAnswer": {"1": ids[0]},
        },
        "types": {"detailed": f"{kind}Attr", "semantic": "attr", "structural": kind},
        "fullAnswer": full,
    }


def questions(pictures):
    """Five questions about each picture, a structural type each, by id."""
    made = {}
    for k in range(pictures):
        mug, lamp, *_ = colors_of(k)
        other = "blue" if mug != "blue" else "red"
        both = "yes" if mug == lamp else "no"
        made |= {
            f"0{k:03}1": question(k, "query", "What color is the mug?", mug, f"The mug is {mug}.", 0),
            f"0{k:03}2": question(
                k, "verify", "Is the lamp red?", "yes" if lamp == "red" else "no", "See the lamp.", 1
            ),
            f"0{k:03}3": question(k, "choose", f"Is the mug {mug} or {other}?", mug, f"The mug is {mug}.", 0),
            f"0{k:03}4": question(k, "logical", "Are the mug and the lamp alike?", both, f"{both.title()}.", 0, 1),
            f"0{k:03}5": question(k, "compare", "What is on the table, vase or book?", "vase", "The vase.", 2, 3, 4),
        }
    return made


def saliency(*things, width=WIDTH, height=HEIGHT):
    """The bytes of a saliency map that is hot in the middle of some things."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for thing in things:
        x, y, w, h = PLACES[thing]
        pixels[y + 15 : y + h - 15, x + 10 : x + w - 10] = 230
    rows, columns = np.arange(height) * HEIGHT // height, np.arange(width) * WIDTH // width
    return encode_png(pixels[rows][:, columns])


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def write_gqa(folder, pictures=12, with_maps=True):
    """The folder; three questions of each picture have saliency maps: query, choose, compare."""
    write_json(folder / "sceneGraphs" / "val_sceneGraphs.json", graphs(pictures))
    write_json(folder / "questions1.2" / "val_balanced_questions.json", questions(pictures))
    (folder / "images").mkdir(parents=True)
    for k in range(pictures):
        (folder / "images" / f"{picture_of(k)}.jpg").write_bytes(jpeg(k))
    if with_maps:
        maps = folder / "AiR-D" / "aggregated_maps" / "fixmaps_corr"
        maps.mkdir(parents=True)
        for k in range(pictures):
            (maps / f"0{k:03}1.png").write_bytes(saliency(0))
            (maps / f"0{k:03}3.png").write_bytes(saliency(0, 3))
            (maps / f"0{k:03}5.png").write_bytes(saliency())
    return folder
