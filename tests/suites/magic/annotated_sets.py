"""Whole sets as annotated folders."""

from veridical.suites.magic.releases.annotated_files import RIGHTS, write_annotated


def write_set_annotated(whole, folder):
    """Writes a set with what its manifest says of its source and rights."""
    write_annotated(whole.stimuli, whole.read, folder, {key: whole.manifest.get(key) for key in RIGHTS})
