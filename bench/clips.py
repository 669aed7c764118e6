"""`python -m bench.clips`: what reading and sampling of clips costs, as a multiple of decoding them, and whether the
frames are right.

The floor is `ffmpeg -f null` on one thread: the static program of imageio-ffmpeg, or else a plain loop over PyAV's
decoder. A second is one of the processor's time; the best of some passes counts. Every frame carries its number, so a
wrong frame is counted as one. Correctness is measured on clips of a constant and a varying rate, with B-frames, an edit
list and a rotation.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import av
import numpy as np

from bench.clip_peers import Reader, installed
from bench.numbered import cut_before, encoded, number_in, numbered, repeated
from veridical.media.clips.read import Clip
from veridical.media.clips.sample import times_of
from veridical.records import Json

AIMS = {"uniform-16": 1.4, "4fps": 1.5}
"""The most CPU time of our reader as a multiple of the floor, by rule of sampling."""
_FRAMES, _REPEATS = 600, 9
_SMALL = 240


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints tables for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.clips", description="How fast clips are read and sampled.")
    parser.add_argument("--passes", type=int, default=2, help="the best pass counts (%(default)s)")
    parser.add_argument("--size", nargs=2, type=int, default=(1280, 720), metavar=("W", "H"))
    parser.add_argument("--json", action="store_true", help="one JSON document instead of tables")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        speed = _speed(Path(folder), chosen.size, chosen.passes)
        wrong = _wrong(Path(folder))
    measured = {"floor": _floor()[0], "speed": speed, "wrong": wrong}
    sys.stdout.write((json.dumps(measured, indent=1) if chosen.json else _text(measured)) + "\n")


def _speed(folder: Path, size: tuple[int, int], passes: int) -> list[Json]:
    """For a clip of 20 s and one of 3 min: seconds of the floor, and of each reader as a multiple of it."""
    short, long = folder / "20 s.mp4", folder / "3 min.mp4"
    short.write_bytes(encoded(numbered(_FRAMES, *size)))
    long.write_bytes(repeated(short.read_bytes(), _REPEATS))
    rows = []
    for path in (short, long):
        clip = Clip.open(path.read_bytes(), path.name)
        floor = min(_floor()[1](path) for _ in range(passes))
        for rule in AIMS:
            times = times_of(rule, clip.span)
            due = [number % _FRAMES for number in _on_display(clip.times, times)]
            for name, read in installed().items():
                taken = [_timed(read, path, times, due) for _ in range(passes)]
                seconds, wrong = min(taken)
                ratio = round(seconds / floor, 2)
                row = {"clip": path.stem, "rule": rule, "reader": name, "frames": len(times), "wrong": wrong}
                rows.append(row | {"floor_s": round(floor, 2), "cpu_s": round(seconds, 2), "ratio": ratio})
    return rows


def _wrong(folder: Path) -> list[Json]:
    """Wrong frames of each reader in files that readers get wrong; every rule of sampling counts."""
    gaps = np.random.default_rng(3).integers(17, 134, _SMALL)
    moments = [int(each) for each in np.cumsum(gaps) - gaps[0]]
    plain = encoded(numbered(_SMALL, 320, 192))
    even = [Fraction(k, 30) for k in range(_SMALL)]
    varying = encoded(numbered(_SMALL, 320, 192), container="matroska", times=moments)
    files: dict[str, tuple[bytes, list[Fraction], int]] = {
        "constant rate, B-frames": (plain, even, 0),
        "varying rate": (varying, [Fraction(each, 1000) for each in moments], 0),
        "edit list": (cut_before(plain, 65), even[:-65], 65),
        "rotated": (encoded(numbered(_SMALL, 320, 192), turn=90), even, 0),
    }
    rows = []
    for kind, (content, starts, first) in files.items():
        path = folder / f"{kind}.mp4"
        path.write_bytes(content)
        span = Clip.open(content, kind).span
        for name, read in installed().items():
            wrong = sampled = 0
            for rule in ("uniform-16", "uniform-16-ends", "4fps", "adaptive-20"):
                times = times_of(rule, span)
                due = [first + number for number in _on_display(starts, times)]
                try:
                    wrong += _timed(read, path, times, due, turned=kind == "rotated")[1]
                except Exception:  # noqa: BLE001 - whatever another reader raises counts
                    wrong += len(times)
                sampled += len(times)
            rows.append({"clip": kind, "reader": name, "frames": sampled, "wrong": wrong})
    return rows


def _on_display(starts: Sequence[Fraction], times: Sequence[Fraction]) -> list[int]:
    """The index of the last frame that begins no later than each time."""
    return [max(index for index, start in enumerate(starts) if start <= time) for time in times]


def _timed(
    read: Reader, path: Path, times: Sequence[Fraction], due: Sequence[int], *, turned: bool = False
) -> tuple[float, int]:
    """CPU seconds for the frames at these times, and how many of them are not the ones that are due.

    The numbers are read from copies of the frames' bars, after the clock has stopped.
    """
    kept = []
    begun = process_time()
    for pixels in read(path, times):
        upright = np.rot90(pixels, -1) if turned else pixels
        kept.append((upright[: upright.shape[0] // 8].copy(), upright.shape))
    taken = process_time() - begun
    numbers = [number_in(np.pad(bars, ((0, shape[0] - len(bars)), (0, 0), (0, 0)))) for bars, shape in kept]
    missing = abs(len(due) - len(numbers))
    return taken, missing + sum(number != wanted for number, wanted in zip(numbers, due, strict=False))


def _floor() -> tuple[str, Callable[[Path], float]]:
    """What decodes a clip and drops its frames, and the CPU seconds that it takes for a clip."""
    return ("ffmpeg -f null", _by_program) if find_spec("imageio_ffmpeg") else ("PyAV's decoder", _by_loop)


def _by_program(path: Path) -> float:
    from imageio_ffmpeg import get_ffmpeg_exe

    words = [get_ffmpeg_exe(), "-v", "error", "-threads", "1", "-i", str(path), "-map", "0:v:0", "-f", "null", "-"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True)  # noqa: S603 - the program and the file are our own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _by_loop(path: Path) -> float:
    begun = process_time()
    with av.open(str(path)) as file:
        file.streams.video[0].codec_context.thread_count = 1
        for _ in file.decode(video=0):
            pass
    return process_time() - begun


def _text(measured: dict[str, Json]) -> str:
    lines = [f"The floor is {measured['floor']}.", "", "| clip | rule | reader | CPU s | × floor | aim | wrong |"]
    lines.append("|---|---|---|---:|---:|---|---:|")
    for row in measured["speed"]:
        aim = AIMS[row["rule"]]
        reached = f"{aim}: {'reached' if row['ratio'] <= aim else 'missed'}" if row["reader"] == "veridical" else ""
        words = [row["clip"], row["rule"], row["reader"], f"{row['cpu_s']:.2f}", f"{row['ratio']:.2f}", reached]
        lines.append(f"| {' | '.join(words)} | {row['wrong']} of {row['frames']} |")
    lines += ["", "| clip | reader | wrong frames |", "|---|---|---:|"]
    lines += [f"| {row['clip']} | {row['reader']} | {row['wrong']} of {row['frames']} |" for row in measured["wrong"]]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
