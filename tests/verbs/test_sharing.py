"""A set for others holds its media where they may be passed on; else nothing of them but ids and hashes."""

from __future__ import annotations

import json
from hashlib import sha256
from zipfile import ZipFile

import numpy as np
import pytest

import veridical
from tests.probe_suite import SUITE
from tests.probe_suite.design import COLORS
from veridical.errors import InputError
from veridical.media.draw import encode_png
from veridical.suite import registry
from veridical.verbs.share import share

OPTIONS = {"units": 3, "seed": 1}


@pytest.fixture(scope="module", autouse=True)
def probe():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_REGISTERED", {**registry._REGISTERED, SUITE.name: SUITE})
        yield


@pytest.fixture(scope="module")
def drawn(tmp_path_factory, one_process):
    return veridical.make(SUITE.name, out=tmp_path_factory.mktemp("drawn") / "set", **OPTIONS)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Pictures of others, with a table that lists them."""
    folder = tmp_path_factory.mktemp("shelf")
    lines = ["file,color,license,attribution"]
    for k, color in enumerate(list(COLORS)[:2]):
        pixels = np.full((24, 32, 3), COLORS[color], np.uint8)
        (folder / f"{k}.png").write_bytes(encode_png(pixels))
        lines.append(f"{k}.png,{color},CC0-1.0,author-{k}")
    (folder / "list.csv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def imported(shelf, tmp_path_factory):
    out = tmp_path_factory.mktemp("imported")
    return {
        passed_on: veridical.import_release("probe-pictures", shelf, out / str(passed_on), may_be_passed_on=passed_on)
        for passed_on in (None, False, True)
    }


def unpacked(archive):
    with ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_drawn_set_is_packed_whole_and_sound(drawn, tmp_path):
    packed = share(drawn, tmp_path / "set.zip")
    assert packed.with_media
    assert packed.stimuli == len(drawn)
    with ZipFile(tmp_path / "set.zip") as file:
        assert packed.files == len(file.namelist())
        file.extractall(tmp_path / "theirs")
    theirs = veridical.open_set(tmp_path / "theirs")
    assert theirs.digest == drawn.digest
    assert not veridical.check(theirs).failed


def test_an_archive_and_a_folder_hold_the_same_and_a_second_archive_is_the_same_to_the_byte(drawn, tmp_path):
    share(drawn, tmp_path / "a.zip")
    share(drawn, tmp_path / "b.ZIP")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.ZIP").read_bytes()
    share(drawn, tmp_path / "folder")
    files = [path for path in (tmp_path / "folder").rglob("*") if path.is_file()]
    held = {path.relative_to(tmp_path / "folder").as_posix(): path.read_bytes() for path in files}
    assert held == unpacked(tmp_path / "a.zip")
    assert {path.name for path in tmp_path.iterdir()} <= {"a.zip", "b.ZIP", "folder"} | {".a.zip.tmp", ".b.ZIP.tmp"}


def test_what_lies_in_the_folder_of_a_set_beside_its_own_files_stays_there(drawn, tmp_path):
    share(drawn, tmp_path / "own")
    (tmp_path / "own" / "diary.txt").write_text("mine")
    (tmp_path / "own" / "media" / "stray.png").write_bytes(b"x")
    share(tmp_path / "own", tmp_path / "own.zip")
    share(drawn, tmp_path / "set.zip")
    assert unpacked(tmp_path / "own.zip") == unpacked(tmp_path / "set.zip")


@pytest.mark.parametrize("passed_on", [None, False])
def test_of_others_media_nothing_is_packed_but_ids_and_hashes(imported, passed_on, tmp_path):
    whole = imported[passed_on]
    packed = share(whole, tmp_path / "set.zip")
    files = unpacked(tmp_path / "set.zip")
    assert not packed.with_media
    assert set(files) == {"share.json", "items.jsonl", "README.md"}
    entries = [json.loads(line) for line in files["items.jsonl"].splitlines()]
    assert [entry["id"] for entry in entries] == [stimulus.id for stimulus in whole.stimuli]
    for entry, stimulus in zip(entries, whole.stimuli, strict=True):
        (medium,) = stimulus.media
        assert entry["media"][0]["sha256"] == sha256(whole.read(medium.file)).hexdigest()
        assert entry["media"][0]["pixels_sha256"] == medium.sha256
        assert entry["rights"] == stimulus.truth["rights"]
    everything = b"".join(files.values())
    for stimulus in whole.stimuli:
        assert stimulus.question.encode() not in everything
        assert whole.read(stimulus.media[0].file)[8:40] not in everything
    facts = json.loads(files["share.json"])
    assert (facts["rows_sha256"], facts["import"]) == (whole.digest, "probe-pictures")
    assert b"veridical import probe-pictures PLACE" in files["README.md"]


def test_who_imports_the_same_media_gets_the_set_that_the_hash_names(imported, shelf, tmp_path):
    share(imported[None], tmp_path / "shared")
    stated = json.loads((tmp_path / "shared" / "share.json").read_text())["rows_sha256"]
    assert veridical.import_release("probe-pictures", shelf, tmp_path / "again").digest == stated


def test_others_media_that_may_be_passed_on_are_packed_with_their_rights(imported, tmp_path):
    assert share(imported[True], tmp_path / "set").with_media
    theirs = veridical.open_set(tmp_path / "set")
    assert not veridical.check(theirs).failed
    assert theirs.manifest["may_be_passed_on"] is True
    assert [s.truth["rights"]["attribution"] for s in theirs.stimuli] == ["author-0", "author-1"]


def test_a_place_that_is_taken_or_inside_the_set_is_refused_and_nothing_is_left(drawn, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    (tmp_path / "folder.zip").mkdir()
    for place, reason in (
        (tmp_path / "full", "no new or empty folder"),
        (tmp_path / "full" / "mine", "no new or empty folder"),
        (tmp_path / "folder.zip", "is a folder"),
        (drawn.folder / "media" / "set.zip", "inside the set"),
        (tmp_path / "full" / "mine" / "set.zip", "cannot be written"),
    ):
        with pytest.raises(InputError, match=reason):
            share(drawn, place)
    assert {path.name for path in tmp_path.iterdir()} == {"full", "folder.zip"}


def test_a_set_whose_medium_is_gone_is_refused_and_no_archive_is_left(drawn, tmp_path):
    share(drawn, tmp_path / "own")
    own = veridical.open_set(tmp_path / "own")
    gone = next(medium.file for stimulus in own.stimuli for medium in stimulus.media)
    (own.folder / gone).unlink()
    for place in (tmp_path / "set.zip", tmp_path / "set"):
        with pytest.raises(InputError, match="cannot be read"):
            share(own, place)
        assert not place.exists()


def test_the_command_says_what_was_packed(imported, tmp_path, cli):
    code, out, err = cli("share", imported[None].folder, "--out", tmp_path / "set.zip")
    assert (code, err) == (0, "")
    assert "ids and hashes of 2 stimuli" in out
    code, out, _ = cli("share", imported[True].folder, "--out", tmp_path / "own.zip", "--json")
    assert json.loads(out)["with_media"] is True
