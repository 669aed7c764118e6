"""A Python or a dependency that does not fit is one line that says what is needed, not a traceback."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import veridical

SOURCE = Path(veridical.__file__).parent.parent
CLIPS = ("make", "hocabench", "--recipe", "quick", "--units", "1", "--out", "set")


def package(folder, name, version, code):
    """A package of that name and version in a folder that is looked into first."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(code)
    about = folder / f"{name}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (about / "top_level.txt").write_text(f"{name}\n")


def started(folder, *words, python=sys.executable, path=()):
    first = os.pathsep.join(map(str, (folder, *path)))
    return subprocess.run(
        [python, "-m", "veridical", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": first},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("version", "code", "line"),
    [
        ("20.1.0", "", "av 20.1.0 is installed, av<20,>=18.1 is needed: pip install 'av<20,>=18.1'"),
        ("17.0.0", "def open(*_): ...", "av 17.0.0 is installed, av<20,>=18.1 is needed: pip install 'av<20,>=18.1'"),
        (
            "18.1.0",
            "raise ImportError('libavcodec.so.62: cannot open shared object file')",
            "the package av cannot be loaded (libavcodec.so.62: cannot open shared object file): pip install --force-",
        ),
        (
            "19.0.0",
            "from av import _core",
            "the package av cannot be loaded (cannot import name '_core' from ",
        ),
    ],
)
def test_a_dependency_out_of_its_range_or_broken_is_one_line(tmp_path, version, code, line):
    package(tmp_path, "av", version, code)
    ended = started(tmp_path, *CLIPS)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"veridical: {line}"), ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_error_of_ours_beside_dependencies_that_fit_stays_a_traceback(tmp_path):
    package(tmp_path, "av", "19.0.0", "")
    ended = started(tmp_path, *CLIPS)
    assert ended.returncode == 1
    assert "AttributeError: module 'av' has no attribute" in ended.stderr


def test_a_python_without_the_dependencies_is_told_what_to_install(tmp_path):
    ended = started(tmp_path, "--version", python=shutil.which("python3", path=bare(tmp_path)), path=[SOURCE])
    assert ended.returncode == 2
    assert ended.stderr == "veridical: the package packaging is not installed: pip install veridical\n"


def bare(folder):
    """The programs of an environment with nothing installed."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "bare"], check=True)
    return str(folder / "bare" / "bin")


def older():
    """A Python that is too old, of those on this machine."""
    places = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep)]
    places += sorted(Path(sys.base_prefix).parent.glob("3.*/bin"))
    for place in places:
        for minor in (10, 9, 8):
            if (candidate := place / f"python3.{minor}").is_file():
                ended = subprocess.run([candidate, "-c", ""], check=False, capture_output=True)
                if not ended.returncode:
                    return candidate
    return None


@pytest.mark.skipif(older() is None, reason="no Python older than 3.11 is on this machine")
def test_a_python_that_is_too_old_is_told_so(tmp_path):
    ended = started(tmp_path, "--help", python=older(), path=[SOURCE])
    assert ended.returncode == 2
    assert ended.stderr.startswith("veridical: Python 3.11 or newer is needed; this is Python 3.")
    assert len(ended.stderr.splitlines()) == 1
