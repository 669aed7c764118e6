"""How long the command line takes to refuse, and how much memory: nothing heavy is loaded for a mistake. Linux only.

`python -m bench.refusals`: a line for each refusal, and exit code 1 where one misses an aim.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from veridical import make, run

AIMS = {"s": 1.5, "mb": 150}
_TIMES = 3
# The peak of this process alone: that of getrusage begins with the peak of the process that started it.
_MEASURED = """
from veridical.__main__ import main
try:
    main()
finally:
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def refusals(folder: Path) -> Iterator[tuple[str, ...]]:
    """Command lines that are refused, over a set and a run of VI-Probe in a folder."""
    stimuli, told, new = str(folder / "set"), str(folder / "run"), str(folder / "new")
    asked = ("run", "viprobe", "--set", stimuli, "--out", new)
    pixel = ("--model", "veridical/pixel")
    yield ("run", "viprobe", "--out", new, *pixel, "--judge", "rule")
    yield (*asked, *pixel, "--judge", "rule")
    yield (*asked, "--model", str(folder / "veridical-hf"), "--judge", "rule")
    yield (*asked, "--model", f"veridical-hf/{folder}/none")
    yield (*asked, "--model", "veridical/nobody")
    yield (*asked, "--model", "openai/gpt-4o")
    yield (*asked, "--model", "bare-name")
    yield asked
    yield (*asked, *pixel, "-S", "hint=loud")
    yield (*asked, *pixel, "--repeats", "0")
    yield (*asked, *pixel, "--preset", "none")
    yield (*asked, *pixel, "--logprobs", "--top-logprobs", "21")
    yield (*asked, *pixel, "--top-logprobs", "5")
    yield (*asked, *pixel, "--role", "captioner=openai/gpt-4o")
    yield ("run", "viprobe", "--set", stimuli, "--out", told, *pixel, "--temperature", "1")
    yield ("run", "viprobe", "--set", told, "--out", new, *pixel)
    yield ("run", "viabench", "--set", stimuli, "--out", new, *pixel)
    yield ("judge", told)
    yield ("judge", told, "--judge", "rule")
    yield ("judge", stimuli, "--judge", "rule")
    yield ("report", stimuli)
    yield ("report", told, "--export", "docx")
    yield ("report", told, "--trained-on", stimuli)
    yield ("export", "training", "viprobe", "--for", "tlr", "--out", new)
    yield ("export", "training", "viprobe", "--for", "trl", "--recipe", "none", "--out", new)
    yield ("export", "training", "viprobe", "--for", "trl", "--out", stimuli)
    yield ("make", "viprobe", "--recipe", "none", "--out", new)
    yield ("make", "viprobe", "--units", "0", "--out", new)
    yield ("make", "viprobe", "--out", stimuli, "--recipe", "quick")
    yield ("make", "nothing", "--out", new)
    yield ("make", "viprobe", "--out", new, "--cluster", "nowhere")
    yield ("make", "viprobe", "--out", new, "--cluster", "auto", "--workers", "2")
    yield (*asked, *pixel, "--cluster", "ray://nowhere")
    yield ("check", "s3://name:secret@bucket/set")
    yield ("make", "viprobe", "--out", "ftp://host/set")
    yield ("make", "viprobe", "--out", "hf://datasets/user/set")
    yield ("make", "viprobe", "--out", "s3://bucket/set", "--cluster", "local")
    yield (*asked, *pixel, "--mirror", new)
    yield (*asked, *pixel, "--cache", "s3://bucket/cache")
    yield ("evaluate", "s3://bucket/evaluate.toml")
    yield ("people", "invite", "s3://bucket/study", "--people", "1")
    yield (*asked, *pixel, "--gpus-per-model", "1")
    yield (*asked, *pixel, "--gpus-per-model", "1", "--cluster", "auto")
    inside = ("whitebox", "states", stimuli, "--out", new)
    yield inside
    yield (*inside, *pixel)
    yield (*inside, "--model", f"veridical-hf/{folder}/none")
    yield (*inside, "--model", "veridical-hf/some/model", "-M", "dtype=int4")
    yield ("whitebox", "states", told, "--out", new)
    yield ("whitebox", "answers", stimuli, "--out", new)
    yield ("whitebox", "saliency", stimuli, "--out", new, *pixel)
    yield ("whitebox", "saliency", stimuli, "--out", new, "--kind", "none")
    yield ("whitebox", "patch", stimuli, "--out", new, "--pair", "variant=O,P", *pixel)
    yield ("whitebox", "patch", stimuli, "--out", new, "--pair", "variant=O")
    yield ("whitebox", "states", str(folder / "nothing"), "--out", new, "--model", "veridical-hf/some/model")
    yield ("whitebox", "states", stimuli, "--out", new, "--model", "veridical-hf/some/model", "--random-weights", "-1")
    yield ("whitebox", "probe", stimuli)
    yield ("whitebox", "probe", str(folder / "nothing"))
    yield ("whitebox", "probe", stimuli, "--shuffles", "1")
    yield ("people", "serve", stimuli, "--out", new, "--task", "steps")
    yield ("people", "serve", stimuli, "--out", new, "--people", "0")
    yield ("people", "serve", stimuli)
    yield ("people", "serve", str(folder / "nothing"), "--out", new)
    yield ("people", "serve", stimuli, "--out", new, "--database", "no address")
    yield ("people", "invite", stimuli, "--people", "1")
    yield ("people", "read", stimuli)


def cost(words: tuple[str, ...]) -> tuple[float, float, str]:
    """The least seconds and the most megabytes of some starts, and what was said.

    Raises AssertionError for a command that is no refusal.
    """
    seconds, most, said = [], 0.0, ""
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    for _ in range(_TIMES):
        begun = perf_counter()
        ended = subprocess.run(  # noqa: S603
            [sys.executable, "-c", _MEASURED, *words], capture_output=True, text=True, check=False, env=environment
        )
        seconds.append(perf_counter() - begun)
        assert ended.returncode == 2, f"{words} ended with {ended.returncode}: {ended.stdout}{ended.stderr}"
        most = max(most, int(ended.stdout.split()[-1]) / 1024)
        said = ended.stderr.strip()
    return min(seconds), most, said


def main() -> None:
    """Prints the table; leaves with 1 where an aim is missed."""
    missed = 0
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        stimuli = make("viprobe", out=folder / "set", recipe="quick", units=1)
        run(stimuli, "veridical/prior", out=folder / "run", show="quiet", analyze=False)
        for words in refusals(folder):
            seconds, most, said = cost(words)
            missed += seconds > AIMS["s"] or most > AIMS["mb"]
            shown = " ".join(words).replace(scratch, "…")
            print(f"{seconds:5.2f} s {most:5.0f} MB  {shown}\n      {said.replace(scratch, '…')}")  # noqa: T201
        assert not (folder / "new").exists(), "a refusal wrote something"
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
