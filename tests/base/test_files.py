"""A file is written whole or not at all, whatever happens meanwhile and whoever else writes it."""

import subprocess
import sys

import polars as pl
import pytest

from veridical.base.files import replace_atomically, write_whole

SIZE = 200_000


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_a_block_that_fails_leaves_what_was_there_and_nothing_else(tmp_path):
    path = write_whole(tmp_path / "deep" / "page.html", b"old")

    def fails():
        with replace_atomically(path) as place:
            place.write_bytes(b"ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert path.read_bytes() == b"old"
    assert names(path.parent) == ["page.html"]


def test_what_a_kill_left_is_written_over(tmp_path):
    (tmp_path / ".page.html.tmp").write_bytes(b"half" * SIZE)
    write_whole(tmp_path / "page.html", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"page.html": b"new"}


def test_libraries_write_to_the_place_that_is_given(tmp_path):
    frame = pl.DataFrame({"a": [1, 2]})
    with replace_atomically(tmp_path / "a.parquet") as place:
        frame.write_parquet(place)
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)
    assert names(tmp_path) == ["a.parquet"]


WRITES = f"""
import sys
from pathlib import Path
from veridical.base.files import write_whole
path, letter = Path(sys.argv[1]), sys.argv[2].encode()
for _ in range(60):
    write_whole(path, letter * {SIZE})
"""


def test_of_processes_that_write_one_file_each_writes_a_whole_one_and_none_fails(tmp_path):
    path = write_whole(tmp_path / "page.html", b"z" * SIZE)
    writers = [subprocess.Popen([sys.executable, "-c", WRITES, path, letter]) for letter in "abc"]
    met = set()
    while any(writer.poll() is None for writer in writers):
        met.add(path.read_bytes())
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert met <= {letter * SIZE for letter in (b"a", b"b", b"c", b"z")}
    assert names(tmp_path) == ["page.html"]
