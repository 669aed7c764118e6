"""A small export, and what a folder holds."""

from hashlib import sha256

from veridical.rewards.export import export_training

SMALL = {"examples": 30, "trainer": "trl", "recipe": "figures", "workers": 1}


def exported(folder, suites=("viprobe",), **others):
    return export_training(suites, folder, **{**SMALL, **others})


def digests(folder):
    """The hash of each file below a folder, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}
