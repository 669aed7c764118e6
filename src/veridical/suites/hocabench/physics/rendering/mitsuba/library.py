"""Mitsuba with its compiler, LLVM."""

from __future__ import annotations

import re
import sys
from ctypes.util import find_library
from functools import lru_cache
from pathlib import Path
from typing import Any

from veridical.suites.hocabench.physics.rendering.libraries import DrawingLibrary

VARIANT = "llvm_ad_rgb"
_FOLDERS = {
    "linux": ("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/usr/lib/llvm*/lib"),
    "darwin": ("/opt/homebrew/opt/llvm*/lib", "/usr/local/opt/llvm*/lib"),
}
_CURES = {"linux": "apt-get install libllvm19", "darwin": "brew install llvm"}
_PROBE = f"""
import drjit
import mitsuba
import mitsuba_oidn
import numpy
mitsuba.set_variant("{VARIANT}")
scene = mitsuba.load_dict({{
    "type": "scene",
    "integrator": {{"type": "volpath"}},
    "light": {{"type": "constant"}},
    "ball": {{"type": "sphere", "center": [0, 0, 4], "bsdf": {{"type": "principled", "roughness": 0.2}}}},
    "sensor": {{"type": "perspective", "film": {{"type": "hdrfilm", "width": 8, "height": 8}}}},
}})
picture = numpy.array(mitsuba.render(scene, spp=1))
assert mitsuba_oidn.denoise(picture, hdr=True).mean() > 0
print("drawn by LLVM", ".".join(map(str, drjit.detail.llvm_version())), flush=True)
"""


def _installed() -> list[str]:
    """The files of LLVM on this machine, the newest version first."""
    folders = [Path("/").glob(folder.lstrip("/")) for folder in _FOLDERS.get(sys.platform, ())]
    files = [file for each in folders for folder in each for file in folder.glob("libLLVM*") if _shared(file.name)]
    own = find_library("LLVM") if sys.platform == "win32" else None
    named = {str(file.resolve()): file.name for file in files} | ({own: own} if own else {})
    return sorted(named, key=lambda file: (_version_in(file), file), reverse=True)


def _shared(name: str) -> bool:
    return re.fullmatch(r"libLLVM[-.\d]*(so[.\d]*|[.\d]*dylib)", name) is not None


def _version_in(file: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", Path(file).name))


LLVM = DrawingLibrary(
    kind="LLVM, with which Mitsuba compiles",
    packages=("mitsuba", "mitsuba_oidn"),
    variable="DRJIT_LIBLLVM_PATH",
    candidates=_installed,
    probe=_PROBE,
    missing="no version that is installed works",
    cure=_CURES.get(sys.platform, "install LLVM 19, and name its library in DRJIT_LIBLLVM_PATH"),
)
"""What Mitsuba compiles with: `LLVM.require` names the file."""


@lru_cache(maxsize=1)
def mitsuba_package() -> Any:  # noqa: ANN401 (its names depend on the variant)
    """The package mitsuba, with the variant that is compiled by LLVM.

    It works in one thread: clips are drawn in as many processes as there are cores, and sums have one order.
    """
    LLVM.require()
    import drjit
    import mitsuba

    mitsuba.set_variant(VARIANT)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    drjit.set_thread_count(1)
    return mitsuba
