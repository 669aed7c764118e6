"""`python -m bench.learned`: how long a learned observer looks at a picture, and how long PyTorch would for the same.

One core, one picture at a time, 512 px. A look is all from the file's bytes to an answer; the race is of the network
alone, on the same retinas, in NumPy and in PyTorch in float32. With `--side-by-side`, two processes look at the same
time, with as many threads as the linear algebra likes and with one.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from veridical.media.draw import decode_png, encode_png, rasterise
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned_observers import NAMES, LearnedObserver
from veridical.suites.viprobe.observers.learned_observers.network import Network, retina
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights

AIM_MS = 5.0
_SIZE, _ROUNDS = 512, 9


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints lines for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.learned", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    parser.add_argument("--side-by-side", action="store_true", help="two processes at a time, with and without threads")
    asked = parser.parse_args(arguments)
    if asked.side_by_side:
        sys.stdout.write(json.dumps(side_by_side(), indent=2) + "\n")
        return
    found = measured()
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return
    reached = "reached" if found["look_ms"] <= AIM_MS else "missed"
    lines = [f"a look, from bytes to answer: {found['look_ms']:.1f} ms (aim {AIM_MS:g}: {reached})"]
    lines.append(f"of it the network: {found['network_ms']:.1f} ms")
    if found["torch_ms"]:
        lines.append(f"PyTorch for the network: {found['torch_ms']:.1f} ms, {found['times']:.2f} times as long")
    sys.stdout.write("\n".join(lines) + "\n")


def measured() -> dict[str, Any]:
    """Milliseconds a picture: medians over rounds of one picture of each case."""
    network = Network(read_weights(FOLDER / f"{NAMES[0]}.npz"))
    files = []
    for case in CASES.values():
        base = case.base(_SIZE, 0, 0)
        files.append((encode_png(rasterise(case.geometry(base, 0.5).scene())), case.fill(base, case.question)))
    retinas = [retina(decode_png(file))[None] for file, _ in files]
    look = _each(lambda: [LearnedObserver(network).reply(*each) for each in files], len(files))
    own = _each(lambda: [network.features(each) for each in retinas], len(files))
    torch = _torch(retinas)
    return {"look_ms": look, "network_ms": own, "torch_ms": torch, "times": torch / own if torch else None}


_LOOKS = """
import sys
from contextlib import nullcontext
from time import perf_counter
import numpy as np
from bench.learned import NAMES, FOLDER, Network, read_weights
from veridical.base.threads import one_thread
network = Network(read_weights(FOLDER / f"{NAMES[0]}.npz"))
seen = np.random.default_rng(0).integers(0, 256, (1, 2, 128, 192), dtype=np.uint8)
network.looked(seen)
begun = perf_counter()
with one_thread() if sys.argv[1] == "one" else nullcontext():
    for _ in range(100):
        network.looked(seen)
print(perf_counter() - begun)
"""


def side_by_side() -> dict[str, float]:
    """Seconds that two processes take for 100 looks each, at the same time, and how many times as long with threads."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    seconds = {}
    for threads in ("many", "one"):
        words = [sys.executable, "-c", _LOOKS, threads]
        both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]  # noqa: S603
        seconds[threads] = max(float(process.communicate()[0]) for process in both)
    return {**seconds, "times": seconds["many"] / seconds["one"]}


def _torch(retinas: Sequence[np.ndarray[Any, np.dtype[np.uint8]]]) -> float | None:
    """The time of the same network in PyTorch, or `None` where that is not installed."""
    try:
        import torch

        from studies.viprobe.training.network import network
    except ModuleNotFoundError:
        return None
    torch.set_num_threads(1)
    trunk: Any = network()["trunk"].eval().to(memory_format=torch.channels_last)
    pictures = [torch.from_numpy(each.astype(np.float32) / 255) for each in retinas]
    with torch.no_grad():
        return _each(lambda: [trunk(each) for each in pictures], len(pictures))


def _each(work: Callable[[], object], count: int) -> float:
    times = []
    for _ in range(_ROUNDS):
        start = perf_counter()
        work()
        times.append(1000 * (perf_counter() - start) / count)
    return median(times)


if __name__ == "__main__":
    main()
