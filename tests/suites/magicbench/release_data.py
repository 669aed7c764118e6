"""A small release as MagicBench's is: items in JSON beside videos and folders of frames, and files of results."""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from veridical.media.clips.write import encode_clip
from veridical.media.pictures import encode_jpeg

WIDTH, HEIGHT, RATE, SECONDS = 48, 32, 8, 4


def picture(k, shade=0):
    pixels = np.full((HEIGHT, WIDTH, 3), 80 + 9 * (shade % 16), np.uint8)
    x = k % (WIDTH - 8)
    pixels[4:12, x : x + 8] = (200, 40, 40)
    return pixels


@cache
def video(shade):
    """The bytes of a clip of four seconds, one of its own for each shade."""
    return encode_clip((picture(k, shade) for k in range(RATE * SECONDS)), RATE)


def frames(name, count=8, every=0.5, region=None):
    """A timeline of frames, those of the second and third second with a region."""
    made = []
    for k in range(count):
        row = {"frame_idx": k, "timestamp": k * every, "filename": f"{name}_{k:02}.jpg"}
        if region and 1 <= k * every < 3:
            row["roi_normalized"] = region
        made.append(row)
    return made


def items():
    """Four items, one of each type: two videos, one with regions, and two that have frames alone."""
    lines = "1. The coin stays in the right hand.\n2. The left hand closes on nothing.\n3. The left hand opens empty."
    lie = [
        {"start": 0.5, "end": 2.0, "text": "The coin is in my left hand,"},
        {"start": 2.0, "end": 3.5, "text": "gone!"},
    ]
    return [
        {
            "id": "magic_1",
            "video_filename": "one.mp4",
            "frames_folder": "final_clips_dataset\\one",
            "ground_truth": {"principle": lines, "effect": "A coin vanishes."},
            "transcript": "The coin is in my left hand, gone!",
            "audio_timeline": lie,
            "visual_timeline": frames("a", region=[0.125, 0.25, 0.375, 0.75]),
            "linguistic_type": "Type A: Direct Lie",
            "difficulty": "Basic",
            "challenges": ["Occlusion", "Fast Motion"],
        },
        {
            "id": "magic_2",
            "video_filename": "two.mp4",
            "ground_truth": {"principle": "A second card is turned with the first."},
            "transcript": "Watch the deck.",
            "audio_timeline": [{"start": 1.0, "text": "Watch the deck."}],
            "visual_timeline": [],
            "linguistic_type": "Type B: Misdirection",
            "difficulty": "Intermediate",
        },
        {
            "id": "magic_3",
            "frames_folder": "D:\\clips\\frames\\three",
            "ground_truth": {"principle": "The rope that is cut is a short piece."},
            "transcript": "My uncle had a boat.",
            "audio_timeline": [{"start": 0.0, "end": 1.5, "text": "My uncle had a boat."}],
            "visual_timeline": frames("c"),
            "linguistic_type": "Type C: Patter",
            "difficulty": "Beginner",
        },
        {
            "id": "magic_4",
            "frames_folder": "frames/four",
            "ground_truth": {"principle": "The band lies round all four fingers."},
            "transcript": "",
            "audio_timeline": [],
            "visual_timeline": frames("d", count=16, every=0.25),
            "linguistic_type": "Type D: No Audio",
            "difficulty": "Basic",
        },
    ]


def write(folder, listed=None, name="magic_bench_dataset_with_timestamps.json"):
    """The release as a folder; items that name no video get their frames."""
    listed = items() if listed is None else listed
    (folder / "final_clips_dataset").mkdir(parents=True, exist_ok=True)
    for shade, (file, place) in enumerate((("one.mp4", ""), ("two.mp4", "")), start=1):
        (folder / "final_clips_dataset" / place / file).write_bytes(video(shade))
    for place, own in (("three", frames("c")), ("four", frames("d", count=16, every=0.25))):
        (folder / "frames" / place).mkdir(parents=True, exist_ok=True)
        for k, row in enumerate(own):
            (folder / "frames" / place / row["filename"]).write_bytes(encode_jpeg(picture(k, len(place)), 95))
    (folder / name).write_text(json.dumps(listed, ensure_ascii=False))
    return folder
