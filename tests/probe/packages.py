"""Packages that offer suites, and the command line in a process of its own that finds them."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def installed(folder, name, points):
    """A folder in which a package of that name is installed that offers these suites, `suite = module:NAME`."""
    place = folder / f"{name}-0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    (place / "entry_points.txt").write_text("[veridical.suites]\n" + "".join(f"{point}\n" for point in points))
    return folder


def command(*words, packages=()):
    """The same of a command in a process of its own, which finds the packages installed in these folders."""
    paths = [*map(str, packages), str(ROOT), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "veridical", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    return done.returncode, done.stdout, done.stderr
