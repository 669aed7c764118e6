"""Executes `examples/first_run.ipynb`; as a command, with the notebook's path, it stores the outputs in it."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def executed(path, folder):
    """The notebook with its outputs, after all cells ran in a kernel whose current folder is `folder`."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    limits = {"timeout": 1800, "startup_timeout": 300}
    NotebookClient(notebook, kernel_name="python3", record_timing=False, resources=resources, **limits).execute()
    return notebook


if __name__ == "__main__":
    place = Path(sys.argv[1])
    nbformat.write(executed(place, place.parent), place)
