"""Stimuli and a rule for the tests of derived media, importable by processes of their own."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from tests.media.clips import barcode
from veridical.media.clips.write import encode_clip
from veridical.media.decode import medium_of
from veridical.media.derive import Rule
from veridical.media.draw import encode_png
from veridical.records import Medium


@dataclass(frozen=True)
class Still:
    """What a rule sees of a stimulus."""

    id: str
    media: tuple
    factors: dict = field(default_factory=dict)
    truth: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """A folder of stimuli, as a stimulus set is one."""

    folder: Path
    stimuli: tuple

    def read(self, name):
        return (self.folder / name).read_bytes()


def opened(folder):
    listed = json.loads((folder / "stimuli.json").read_text())
    return Source(
        folder, tuple(Still(**one | {"media": tuple(Medium(**medium) for medium in one["media"])}) for one in listed)
    )


def stored(folder, stimuli):
    """A source of (id, files, truth) in a folder, where files are contents by name."""
    (folder / "media").mkdir(parents=True)
    stills = []
    for identity, files, truth in stimuli:
        for name, content in files.items():
            (folder / "media" / name).write_bytes(content)
        media = tuple(medium_of(f"media/{name}", content) for name, content in files.items())
        stills.append(asdict(Still(identity, media, truth=truth)))
    (folder / "stimuli.json").write_text(json.dumps(stills))
    return opened(folder)


def clip(first, count=20):
    return encode_clip([barcode(first + k) for k in range(count)], 24)


def count_shades(stimulus, arguments):
    return arguments["count"]


def make_shades(stimulus, media, arguments):
    for shade in range(arguments["count"]):
        MADE.append((stimulus.id, shade))
        yield encode_png(media[0].pixels // (shade + 1)), {"shade": shade}


MADE = []
"""What `make_shades` made in this process."""


def shades(count=2, version=1):
    return Rule(name="shades", version=version, counting=count_shades, making=make_shades, arguments={"count": count})


def pictures(folder, count):
    random = np.random.default_rng(0)
    made = [encode_png(random.integers(0, 256, (4, 6, 3), np.uint8)) for _ in range(count)]
    return stored(folder, [(f"p{k}", {f"{k}.png": content}, {}) for k, content in enumerate(made)])
