"""What processes of the tests of making do: in a module of its own, which loads nothing that they do not need."""

import os
import signal
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


def process_of(job, item):
    return os.getpid()


LOST = "VERIDICAL_TEST_LOST"
"""The environment variable with the file that says that a worker killed itself."""


def make_once_lost(options, chunk):
    """Draws a chunk; the first worker that draws the tenth is killed in the middle of it."""
    from veridical.suites.viprobe.illusions.make import make

    for number, made in enumerate(make(options, chunk)):
        if number == 1 and chunk.index == 9 and not Path(os.environ[LOST]).exists():
            Path(os.environ[LOST]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield made
