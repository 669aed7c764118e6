"""What processes of the tests of making do: in a module of its own, which loads nothing that they do not need."""

import os
from pathlib import Path
from time import sleep

from veridical.errors import InputError


def echo(job, item):
    if item == "refuse":
        raise InputError("no")
    if item == "break":
        raise KeyError("gone")
    if item == "die":
        os._exit(3)
    return [job, item]


def slowly(job, item):
    """Says when it begins and when it ends, a minute later."""
    folder = Path(job)
    (folder / f"{item} begun").touch()
    if item:
        sleep(60)
        (folder / f"{item} ended").touch()
    else:
        while not (folder / "1 begun").exists():
            sleep(0.01)
