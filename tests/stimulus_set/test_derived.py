"""Derived media are made once, whole or not at all, wherever the set stands, and are read within their own folder."""

import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from tests.marked_rule import marked
from tests.media.clips import barcode, read_barcode
from tests.stimulus_set import killed, standin
from tests.stimulus_set.standin import clip, opened, pictures, shades, stored
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.media.derive import frames_of
from veridical.media.draw import encode_png
from veridical.records import Media
from veridical.stimulus_set.derive import CHUNK, derive
from veridical.stimulus_set.derived_media import DerivedMedia, home_of, place_of


def tree(folder):
    """Every file with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def derived(stimulus_set, rule, folder, **options):
    return derive(stimulus_set.stimuli, stimulus_set.read, rule, folder, **options)


def test_frames_of_clips_come_with_their_exact_times(tmp_path):
    picture = encode_png(barcode(3))
    source = stored(
        tmp_path / "set",
        [("one", {"a.mp4": clip(0)}, {}), ("two", {"p.png": picture, "b.mp4": clip(50), "c.mp4": clip(90, 5)}, {})],
    )
    rule = frames_of("uniform-4", quality=None)
    assert rule.name == "uniform-4"
    assert [rule.count(stimulus) for stimulus in source.stimuli] == [4, 8]
    made = derived(source, rule, tmp_path / "set")
    assert made.manifest["media"] == len(made.rows) == 12
    drawn = {}
    for row in made.rows:
        frame = decode(made.read(row["file"]), "frame").pixels
        facts = row["facts"]
        drawn.setdefault((row["stimulus"], facts["medium"]), []).append(read_barcode(frame))
        assert (row["kind"], row["width"], row["height"]) == ("image", 64, 64)
        time = facts["pts"] * Fraction(facts["time_base"])
        assert time == Fraction(facts["frame"], 24)
        assert time <= Fraction(facts["requested"]) < time + Fraction(1, 24)
    # Bin centers of 20 and of 5 frames.
    assert drawn == {("one", 0): [2, 7, 12, 17], ("two", 1): [52, 57, 62, 67], ("two", 2): [90, 91, 93, 94]}
    assert made.problems() == []


def test_a_stimulus_that_the_rule_does_not_apply_to_is_named_and_nothing_is_written(tmp_path):
    source = stored(
        tmp_path / "set", [("one", {"a.mp4": clip(0)}, {}), ("still", {"p.png": encode_png(barcode(1))}, {})]
    )
    with pytest.raises(InputError, match="stimulus 'still' has no clip"):
        derived(source, frames_of("uniform-4", quality=None), tmp_path / "set")
    assert not (tmp_path / "set" / ".derived").exists()


def test_marked_pictures_are_derived_by_the_same_machinery(tmp_path):
    content = encode_png(np.full((80, 90, 3), 200, np.uint8))
    source = stored(tmp_path / "set", [("one", {"a.png": content}, {"regions": [[10, 30, 30, 50], [50, 30, 80, 70]]})])
    made = derived(source, marked("regions"), tmp_path / "set")
    [row] = made.rows
    assert row["facts"]["boxes"] == [[10, 30, 30, 50], [50, 30, 80, 70]]
    assert made.manifest["rule"]["matplotlib"]
    assert made.problems() == []


def test_references_stand_by_stimulus_in_order_with_paths_inside_the_folder(tmp_path):
    source = pictures(tmp_path / "set", 3)
    made = derived(source, shades(), tmp_path / "run")
    again = DerivedMedia.open(tmp_path / "run", made.digest)
    assert list(again.references) == ["p0", "p1", "p2"]
    for number, media in enumerate(again.references.values()):
        for place, medium in enumerate(media):
            assert medium == Media(f"{place_of(made.digest)}/media/{number:06d}/{place:03d}.png", medium.sha256)
            pixels = decode(again.read(medium.file), "shade").pixels
            assert np.array_equal(pixels, decode(source.read(f"media/{number}.png"), "p").pixels // (place + 1))
    assert DerivedMedia.open(tmp_path / "run", made.digest[:16]).rows == made.rows


def test_an_id_is_never_a_path(tmp_path):
    ids = ["../../out", "/etc/x", "a\0b", "", ".", "media/7", "x" * 5000, "ü\u2028\n"]
    content = encode_png(barcode(1))
    source = stored(tmp_path / "set", [(identity, {"a.png": content}, {}) for identity in ids])
    made = derived(source, shades(1), tmp_path / "run")
    assert list(made.references) == ids
    names = {path.name for path in (tmp_path / "run").rglob("*") if path.is_file()}
    assert names == {"000.png", "derived.jsonl", "manifest.json"}
    assert {path.name for path in tmp_path.iterdir()} == {"set", "run"}


def test_the_same_call_again_makes_nothing_and_changes_nothing(tmp_path):
    source = pictures(tmp_path / "set", CHUNK + 1)
    derived(source, shades(), tmp_path / "run")
    before, times = tree(tmp_path / "run"), {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")}
    standin.MADE.clear()
    derived(source, shades(), tmp_path / "run")
    assert standin.MADE == []
    assert tree(tmp_path / "run") == before
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")} == times


def test_rules_that_differ_stand_side_by_side(tmp_path):
    source = pictures(tmp_path / "set", 2)
    places = {derived(source, rule, tmp_path).place for rule in (shades(1), shades(2), shades(2, version=2))}
    assert len(places) == 3
    assert all((place / "manifest.json").exists() for place in places)


def test_media_of_other_stimuli_are_not_taken_for_these(tmp_path):
    derived(pictures(tmp_path / "set", 3), shades(), tmp_path / "run")
    with pytest.raises(InputError, match="derived from other stimuli"):
        derived(pictures(tmp_path / "larger", 4), shades(), tmp_path / "run")
    place = tmp_path / "run" / place_of(shades().digest)
    (place / "manifest.json").unlink()
    (place / ".parts").mkdir()
    (place / ".parts" / "plan.json").write_text("{}")
    with pytest.raises(InputError, match="half of what the same rule derives from other stimuli"):
        derived(pictures(tmp_path / "third", 3), shades(), tmp_path / "run")


def test_stimuli_with_one_id_are_refused(tmp_path):
    source = stored(tmp_path / "set", [("a", {"1.png": encode_png(barcode(1))}, {})] * 2)
    with pytest.raises(InputError, match="share an id"):
        derived(source, shades(), tmp_path / "run")


def test_processes_make_the_same_as_one(tmp_path):
    source = pictures(tmp_path / "set", 5 * CHUNK + 3)
    seen = []
    derived(source, shades(), tmp_path / "one", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (83, 83)
    assert len(seen) == 6
    standin.MADE.clear()
    derived(source, shades(), tmp_path / "two", source=source.folder, opened=opened, workers=Workers(2))
    assert standin.MADE == []
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_what_a_rule_refuses_in_a_process_of_its_own_is_the_same_line(tmp_path):
    source = pictures(tmp_path / "set", 5 * CHUNK)
    (tmp_path / "set" / "media" / "70.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"^media/70\.png: unknown format"):
        derived(source, shades(), tmp_path / "run", source=source.folder, opened=opened, workers=Workers(2))
    with pytest.raises(InputError, match="begun and not finished"):
        DerivedMedia.open(tmp_path / "run", shades().digest)


def test_killed_at_any_event_it_goes_on_and_ends_as_if_undisturbed(tmp_path, monkeypatch):
    monkeypatch.setattr("veridical.stimulus_set.derive.CHUNK", killed.CHUNK)
    source = pictures(tmp_path / "set", 3)
    whole = tree(derived(source, shades(1), tmp_path / "whole").folder)
    command = [sys.executable, "-m", "tests.stimulus_set.killed", str(source.folder), str(tmp_path / "killed")]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), *sys.path]))}
    done = subprocess.run(command, env=paths, capture_output=True, text=True, check=True)
    events, code = map(int, done.stdout.split())
    assert code == 0
    assert events > 2 * len(source.stimuli)
    saved = Counter()
    for number in range(events):
        folder = tmp_path / "killed" / str(number)
        parts = list(folder.rglob("0*.jsonl"))
        with_manifest = any(folder.rglob("manifest.json"))
        if not with_manifest:
            with pytest.raises(InputError, match="holds no derived media"):
                DerivedMedia.open(folder, shades(1).digest)
        standin.MADE.clear()
        derived(source, shades(1), folder)
        stored_before = 3 if with_manifest else sum(2 if path.name == "000000.jsonl" else 1 for path in parts)
        assert len(standin.MADE) == 3 - stored_before
        saved[stored_before] += 1
        assert tree(folder) == whole
    assert set(saved) == {0, 2, 3}


def test_two_at_once_make_everything_once(tmp_path):
    source = pictures(tmp_path / "set", 2 * CHUNK)
    standin.MADE.clear()
    threads = [Thread(target=derived, args=(source, shades(), tmp_path / "run")) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(standin.MADE) == 4 * CHUNK
    assert DerivedMedia.open(tmp_path / "run", shades().digest).problems() == []


def test_a_rule_that_makes_more_or_less_than_it_says_is_broken(tmp_path):
    source = pictures(tmp_path / "set", 1)
    rule = shades()
    wrong = type(rule)(name="wrong", version=1, counting=lambda *_: 3, making=rule.making, arguments=rule.arguments)
    with pytest.raises(ValueError, match="made 2 media of 'p0', not the 3"):
        derived(source, wrong, tmp_path / "run")


def test_the_set_is_home_where_it_can_be_written_to_and_else_the_run(tmp_path):
    rule = shades()
    source = pictures(tmp_path / "set", 1)
    run = tmp_path / "run"
    assert home_of(rule, tmp_path / "set", run) == tmp_path / "set"
    assert not [path for path in (tmp_path / "set").rglob("*") if path.name.startswith(".probe")]
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / ".derived").write_text("a file where a folder should be")
    assert home_of(rule, closed, run) == run
    derived(source, rule, run)
    assert home_of(rule, tmp_path / "set", run) == run
    derived(source, rule, tmp_path / "set")
    assert home_of(rule, tmp_path / "set", run) == tmp_path / "set"


def test_permission_bits_are_not_believed_but_tried(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        (folder / "probe").mkdir()
    except OSError:
        expected = tmp_path / "run"
    else:
        expected = folder
    assert home_of(shades(), folder, tmp_path / "run") == expected
    folder.chmod(0o755)


def test_a_file_system_that_not_even_an_administrator_can_write_to_sends_media_to_the_run(tmp_path):
    assert home_of(shades(), Path("/proc/self"), tmp_path) == tmp_path
    source = pictures(tmp_path / "set", 1)
    with pytest.raises(InputError, match="cannot be written"):
        derived(source, shades(), Path("/proc/self"))


def test_reading_is_confined_to_the_media_of_the_rule(tmp_path):
    source = pictures(tmp_path / "set", 1)
    made = derived(source, shades(), tmp_path / "set")
    media = made.place / "media"
    (tmp_path / "secret").write_text("secret")
    (media / "out").symlink_to(tmp_path)
    place = place_of(made.digest)
    for file in (
        "media/0.png",
        f"{place}/manifest.json",
        f"{place}/media/../manifest.json",
        f"{place}/media/out/secret",
        f"/{place}/media/000000/000.png",
        str(media / "000000" / "000.png"),
        f"{place}/media/\0",
        "",
    ):
        with pytest.raises(InputError, match="is no path inside"):
            made.read(file)
    with pytest.raises(InputError, match="cannot be read"):
        made.read(f"{place}/media/000000/009.png")


@pytest.mark.parametrize("digest", ["", "..", "../../etc/passwd0", "ABCDEF0123456789", "0" * 15, "0" * 65])
def test_what_is_no_digest_opens_nothing(tmp_path, digest):
    with pytest.raises(InputError, match="no digest"):
        DerivedMedia.open(tmp_path, digest)


def test_every_damage_is_found(tmp_path):
    made = derived(pictures(tmp_path / "set", 3), shades(), tmp_path / "set")
    media = made.place / "media"
    (media / "000000" / "001.png").unlink()
    (media / "000001" / "000.png").write_bytes(encode_png(np.zeros((4, 6, 3), np.uint8)))
    (media / "000002" / "000.png").write_bytes(b"")
    problems = made.problems()
    assert [what in line for what, line in zip(("cannot be read", "pixels", "empty"), problems, strict=True)] == [
        True
    ] * 3
    (made.place / "derived.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="not those that the manifest was written for"):
        _ = DerivedMedia.open(made.folder, made.digest).rows
    for content in ("{", "[]", json.dumps({"format": 2}), json.dumps({"format": 1, "digest": "0" * 64})):
        (made.place / "manifest.json").write_text(content)
        with pytest.raises(InputError, match=r"manifest\.json"):
            DerivedMedia.open(made.folder, made.digest)
