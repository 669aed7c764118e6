"""The studies are in the source tree and not in the wheel; the smoke run lists what a build holds."""

import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[2]
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]


def test_the_wheel_has_the_library_alone_and_the_source_distribution_all():
    assert HATCH == {"targets": {"wheel": {"packages": ["src/veridical"]}}}
    assert (ROOT / "studies" / "published" / "data" / "papers.toml").is_file()
    assert not (ROOT / "studies").is_relative_to(ROOT / "src")


def test_what_reports_and_observers_need_at_run_time_is_in_the_library():
    library = files("veridical")
    assert (library / "published" / "data" / "viprobe" / "2.csv").is_file()
    weights = library / "suites" / "viprobe" / "observers" / "learned_observers" / "data"
    assert any(each.name.endswith(".npz") for each in weights.iterdir())
    assert not any(each.name.endswith(".toml") for each in (library / "published" / "data").iterdir())


def test_the_library_loads_and_its_learned_observers_answer_without_the_studies():
    code = """
import sys
sys.modules["studies"] = None
from veridical.suite import registry
for suite in registry.all_suites():
    for part in suite.parts:
        getattr(suite, part)
from veridical.suites.viprobe.observers import learned_observers
for name in learned_observers.NAMES:
    learned_observers.load(name)
print(*registry.names())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "viprobe" in done.stdout.split()
