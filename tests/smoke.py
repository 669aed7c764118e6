"""What a user gets: the built wheel, installed away from the source, asks and reports with every suite.

`python -m tests.smoke newest` takes the newest Python that starts and the newest versions that the pins allow,
`python -m tests.smoke lowest` this Python and the lowest ones. Further words name the suites; default: all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
NEWER = ("3.14", "3.13", "3.12")
EXTRAS = "[scenes]"
"""What the tests of `media/` need of the library's extras."""
TESTED = ("pytest>=8.4", "pytest-xdist>=3.6", "hypothesis>=6.130")
UNWANTED = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
"""Variables that a user need not have set; without bytecode each command would compile the library again."""
CLIPS = ("--units", "1", "--height", "180", "--rate", "10")
SUITES = {
    "hocabench": ([*CLIPS, "--panels", "1", "--sequences", "1"], ["--judge", "rule"]),
    "magic": (["--units", "2"], ["--judge", "rule"]),
    "magicbench": (CLIPS, ["--judge", "rule"]),
    "viabench": (["--units", "1"], []),
    "viprobe": (["--units", "1"], []),
}
"""By suite, what keeps its quick set small, and what its run is given besides."""


def main(pins: str, suites: list[str]) -> int:
    """Runs the smoke run; 0 if everything in it passed, and also where there is no newer Python, which is said."""
    python = newest_python() if pins == "newest" else sys.executable
    if python is None:
        print(f"\n!!! NO SMOKE RUN ON A NEWER PYTHON: none of {', '.join(NEWER)} starts here !!!\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        smoke(Path(folder), python, pins, suites)
    return 0


def smoke(folder: Path, python: str, pins: str, suites: list[str]) -> None:
    begun = time.monotonic()
    wheel = built(folder)
    own = installed(folder / "env", python, wheel, pins)
    print(f"Python {stated(own, folder, pins)}", flush=True)
    called("uv", "tool", "run", "--python", python, "--from", wheel, "veridical", "--version", cwd=folder)
    script = Path(own).with_name("veridical.exe" if os.name == "nt" else "veridical")
    told(script, "suites", cwd=folder)
    for suite in suites:
        asked(own, folder, suite)
    refused(own, folder, suites[0])
    called("uv", "pip", "install", "--quiet", "--python", own, f"{wheel}{EXTRAS}", *TESTED)
    told(own, "-m", "pytest", "tests/media", "-n", "0", cwd=ROOT)
    where = told(own, "-c", "import veridical; print(veridical.__file__)", cwd=ROOT)
    assert "site-packages" in where, f"the tests took {where}, not the wheel"
    print(f"smoke run, {pins} versions: passed in {time.monotonic() - begun:.0f} s", flush=True)


def newest_python() -> str | None:
    """The newest Python above this one's minor version that starts: from the PATH, or of pyenv."""
    for minor in NEWER:
        for candidate in (shutil.which(f"python{minor}"), *of_pyenv(minor)):
            if candidate and f"Python {minor}." in output(candidate, "--version"):
                return candidate
    return None


def of_pyenv(minor: str) -> Iterator[str]:
    if pyenv := shutil.which("pyenv"):
        versions = Path(output(pyenv, "root").strip()) / "versions"
        yield from (str(each) for each in sorted(versions.glob(f"{minor}.*/bin/python"), reverse=True))


def built(folder: Path) -> Path:
    """The wheel as `python -m build` makes it: from the source distribution, so both hold every file.

    The studies are in the source distribution, and nothing but the library is in the wheel.
    """
    called(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT)
    wheel, source = next((folder / "dist").glob("*.whl")), next((folder / "dist").glob("*.tar.gz"))
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.split("/")[0] for name in packed.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"veridical"}, f"the wheel has {sorted(tops)}"
    with tarfile.open(source) as packed:
        held = {name.split("/", 1)[-1] for name in packed.getnames()}
    studies = {path.relative_to(ROOT).as_posix() for path in (ROOT / "studies").rglob("*.*") if path.suffix != ".pyc"}
    assert studies <= held, f"the source distribution lacks {sorted(studies - held)}"
    return wheel


def installed(env: Path, python: str, wheel: Path, pins: str) -> str:
    """The interpreter of a new environment with the wheel, and with the newest or lowest versions of what it needs."""
    called("uv", "venv", "--quiet", "--python", python, env)
    own = str(env / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    install = ("uv", "pip", "install", "--quiet", "--python", own)
    if pins == "lowest":
        called(*install, "--resolution", "lowest-direct", "--requirements", ROOT / "pyproject.toml")
    called(*install, wheel)
    return own


def stated(own: str, folder: Path, pins: str) -> str:
    """The Python and the versions of the dependencies; the lowest must be those that the pins state."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [Requirement(line) for line in project["dependencies"]]
    code = "import sys, importlib.metadata as m; print(sys.version.split()[0], *map(m.version, sys.argv[1:]))"
    python, *versions = told(own, "-c", code, *(each.name for each in needed), cwd=folder, shown=False).split()
    for each, version in zip(needed, versions, strict=True):
        floor = next(Version(bound.version) for bound in each.specifier if bound.operator == ">=")
        true = each.specifier.contains(version) and (pins != "lowest" or Version(version) == floor)
        assert true, f"{each} is not what is installed at the {pins} end: {version}"
    return f"{python}: " + ", ".join(f"{each.name} {version}" for each, version in zip(needed, versions, strict=True))


def asked(own: str, folder: Path, suite: str) -> None:
    """Draws a small set, asks the embedded observer that reads the truth, marks by rule, and writes the report."""
    begun = time.monotonic()
    command = (own, "-m", "veridical")
    small, judged = SUITES[suite]
    stimuli, run = folder / f"{suite}-set", folder / f"{suite}-run"
    simulated = ("--model", "veridical/simulated", "--yes", "--limit", "6", *judged)
    told(*command, "make", suite, "--recipe", "quick", *small, "--out", stimuli, cwd=folder)
    told(*command, "check", stimuli, cwd=folder)
    told(*command, "run", suite, "--set", stimuli, "--out", run, *simulated, cwd=folder)
    told(*command, "report", run, cwd=folder)
    size = (run / "report.html").stat().st_size
    assert size > 100_000, f"the report of {suite} has {size} bytes"
    print(f"{suite}: make, check, run, report in {time.monotonic() - begun:.0f} s, {size >> 10:,} KB", flush=True)


def refused(own: str, folder: Path, suite: str) -> None:
    """A model of a provider, which the plain installation cannot ask, ends in one line that says what to install."""
    words = (
        "run",
        suite,
        "--set",
        folder / f"{suite}-set",
        "--model",
        "openai/gpt-4o",
        "--yes",
        "--out",
        folder / "none",
    )
    ended = subprocess.run([own, "-m", "veridical", *map(str, words)], cwd=folder, text=True, capture_output=True)
    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 2, f"a provider that is not installed ended with {ended.returncode}"
    assert line.endswith('pip install "veridical[providers]"'), line


def told(*words: object, cwd: Path, shown: bool = True) -> str:
    """The output of a command that must succeed, without the source's own settings."""
    if shown:
        print("$", *words[1:], flush=True)
    return called(*words, cwd=cwd)


def called(*words: object, cwd: Path | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    ended = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, text=True, capture_output=True)
    if ended.returncode or "Traceback" in ended.stderr:
        sys.exit(f"{' '.join(map(str, words))} ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}")
    return ended.stdout


def output(*words: str) -> str:
    try:
        return subprocess.run(words, text=True, capture_output=True, check=False).stdout
    except OSError:
        return ""


if __name__ == "__main__":
    words = argparse.ArgumentParser(prog="python -m tests.smoke")
    words.add_argument("pins", choices=("newest", "lowest"))
    words.add_argument("suites", nargs="*", metavar="SUITE", help="default: all")
    chosen = words.parse_args()
    if unknown := set(chosen.suites) - set(SUITES):
        words.error(f"unknown suites {', '.join(sorted(unknown))}: choose from {', '.join(SUITES)}")
    sys.exit(main(chosen.pins, chosen.suites or list(SUITES)))
