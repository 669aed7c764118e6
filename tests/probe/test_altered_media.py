"""A medium that is not the file that was written stops whatever it would leave the set for; restored, all goes on."""

import json
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import veridical
from veridical.ask import Run
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.media.draw import encode_png
from veridical.stimulus_set.media_hashes import HASHES
from veridical.verbs.runs.preparation import derive_media


@pytest.fixture
def copied(small, tmp_path):
    """A set of one's own, whose media may be altered."""
    copy = shutil.copytree(small.folder, tmp_path / "set", ignore=shutil.ignore_patterns(".derived"))
    return veridical.open_set(copy)


@pytest.fixture
def old(copied):
    """The same as an earlier version wrote it: with the hashes of pixels alone."""
    manifest = {name: value for name, value in copied.manifest.items() if name != "media_sha256"}
    (copied.folder / "manifest.json").write_text(json.dumps(manifest))
    (copied.folder / HASHES).unlink()
    return veridical.open_set(copied.folder)


def medium_of(whole, family, kind="image"):
    return next(m for s in whole.stimuli if s.family == family for m in s.media if m.kind == kind)


def overwritten(path, whole):
    path.write_bytes(encode_png(np.full((48, 48, 3), 90, np.uint8)))


def cut(path, whole):
    path.write_bytes(path.read_bytes()[:200])


def swapped(path, whole):
    """The file of another stimulus of the same form."""
    own = path.relative_to(whole.folder).as_posix()
    others = [m.file for s in whole.stimuli if s.family == "dots" for m in s.media if m.file != own]
    path.write_bytes((whole.folder / others[0]).read_bytes())


def encoded_anew(path, whole):
    """The same pixels in other bytes."""
    path.write_bytes(path.read_bytes() + b"\0")


ALTERED = {each.__name__: each for each in (overwritten, cut, swapped, encoded_anew)}


def answers(run):
    return run.outcomes().select("trial", "status", "answer", "correct").sort("trial")


@pytest.mark.parametrize("how", ALTERED)
def test_a_run_stops_at_an_altered_picture_keeps_its_replies_and_goes_on_when_it_is_restored(
    how, copied, small, tmp_path, said
):
    medium = medium_of(copied, "dots")
    path = copied.folder / medium.file
    before = path.read_bytes()
    ALTERED[how](path, copied)
    words = ("run", "probe", "--model", "veridical/eye", "--set", copied.folder, "--out", tmp_path / "run")
    code, _, err = said(*words, "--max-connections", 1)
    assert (code, err.count(str(path)), err.count("restore it, or make the set again")) == (2, 1, 1)
    assert "Traceback" not in err
    shown = {s.id for s in copied.stimuli if medium in s.media}
    replies = Run.open(tmp_path / "run").responses()
    assert not any(trial.partition("?")[0] in shown for trial, _ in replies)
    path.write_bytes(before)
    assert said(*words)[0] == 0
    assert {**Run.open(tmp_path / "run").responses(), **replies} == Run.open(tmp_path / "run").responses()
    whole = veridical.run(small, "veridical/eye", out=tmp_path / "whole", show="quiet")
    assert answers(veridical.open_run(tmp_path / "run")).equals(answers(whole))


@pytest.mark.parametrize("how", ["overwritten", "cut", "swapped"])
def test_media_of_an_older_set_are_held_against_their_pixels(how, old, tmp_path):
    assert veridical.check(old).failed == []
    path = old.folder / medium_of(old, "dots").file
    ALTERED[how](path, old)
    with pytest.raises(InputError, match=path.name):
        veridical.run(old, "veridical/eye", out=tmp_path / "run", show="quiet")


def test_an_older_set_is_asked_as_it_is_and_each_medium_decoded_once(old, monkeypatch):
    from veridical.stimulus_set import media_hashes

    decoded = []
    monkeypatch.setattr(media_hashes, "decode", lambda content, name: decoded.append(name) or decode(content, name))
    files = sorted({medium.file for stimulus in old.stimuli for medium in stimulus.media})
    for _ in range(2):
        assert all(sha256(old.read(file)).digest() for file in files)
    assert sorted(decoded) == files


def test_the_hashes_are_those_of_the_files_and_the_list_cannot_be_altered_either(copied):
    listed = dict(reversed(line.split("  ")) for line in (copied.folder / HASHES).read_text().splitlines())
    files = {medium.file for stimulus in copied.stimuli for medium in stimulus.media}
    assert listed == {file: sha256((copied.folder / file).read_bytes()).hexdigest() for file in files}
    (copied.folder / HASHES).write_text("")
    with pytest.raises(InputError, match=HASHES):
        veridical.open_set(copied.folder).read(min(files))


def test_a_clip_is_held_against_its_bytes(copied, tmp_path):
    path = copied.folder / medium_of(copied, "clip", "video").file
    cut(path, copied)
    with pytest.raises(InputError, match=path.name):
        veridical.run(copied, "veridical/eye", out=tmp_path / "run", show="quiet")


def exported(whole, folder):
    veridical.write_trials(whole, folder / "trials.jsonl")


def sampled(whole, folder):
    veridical.people.sample(whole, folder / "sheet.csv", per_person=len(whole), people=1)


def batched(whole, folder):
    veridical.write_trials(whole, folder / "batch.jsonl", batch=True, model="m")


def derived(whole, folder):
    derive_media(whole, settings={"lens": "derived"})


def shared(whole, folder):
    veridical.share(whole, folder / "shared.zip")


def tasked(whole, folder):
    from veridical.verbs.inspect_tasks import task_of

    task_of("probe")(set=str(whole.folder))


WAYS = {each.__name__: each for each in (exported, sampled, batched, derived, shared, tasked)}


def test_a_report_shows_no_medium_in_the_place_of_the_one_that_was_asked_about(copied, tmp_path):
    run = veridical.run(copied, "veridical/eye", out=tmp_path / "run", show="quiet")
    medium = medium_of(copied, "dots")
    swapped(copied.folder / medium.file, copied)
    assert f"missing or changed: {medium.file}" in veridical.write_report([run]).read_text()


@pytest.mark.parametrize("way", WAYS)
def test_no_altered_medium_leaves_a_set_in_another_way(way, copied, tmp_path):
    for stimulus in copied.stimuli:
        for medium in stimulus.media:
            (copied.folder / medium.file).write_bytes(encode_png(np.full((48, 48, 3), 90, np.uint8)))
    with pytest.raises(Exception, match="restore it, or make the set again") as refused:
        WAYS[way](copied, tmp_path)
    assert "\n" not in str(refused.value)
    assert {each.name for each in tmp_path.iterdir()} <= {"set"}


def test_a_derived_frame_is_held_against_its_bytes(copied, tmp_path):
    made, *_ = derive_media(copied, settings={"lens": "derived"})
    path = copied.folder / made.rows[0]["file"]
    path.write_bytes((copied.folder / made.rows[-1]["file"]).read_bytes())
    with pytest.raises(InputError, match=f"{path.name}.*`veridical repair {copied.folder}`"):
        veridical.run(copied, "veridical/eye", out=tmp_path / "run", settings={"lens": "derived"}, show="quiet")
    assert Path(made.problems()[0].partition(":")[0]).name == path.name
    assert veridical.repair_run(copied.folder)
    run = veridical.run(copied, "veridical/eye", out=tmp_path / "run", settings={"lens": "derived"}, show="quiet")
    assert run.complete


def test_a_check_tells_of_other_bytes_with_the_same_pixels(copied):
    medium = medium_of(copied, "dots")
    encoded_anew(copied.folder / medium.file, copied)
    (failed,) = veridical.check(copied).failed
    assert failed["problem"] == f"{medium.file}: it is not the file that was written"


def test_a_sample_of_inspect_is_an_error_where_its_picture_was_altered_after_the_task_was_made(copied, tmp_path):
    from inspect_ai import eval as inspect_eval

    from veridical.verbs.inspect_tasks import outcomes_of, task_of

    task, medium = task_of("probe")(set=str(copied.folder)), medium_of(copied, "dots")
    overwritten(copied.folder / medium.file, copied)
    options = {"log_dir": str(tmp_path), "display": "none", "log_realtime": False}
    (log,) = inspect_eval(task, model="veridical/eye", model_args={"suite": "probe"}, **options)
    found, shown = outcomes_of(log), {s.id for s in copied.stimuli if medium in s.media}
    assert set(found.filter(found["status"] == "error")["stimulus"]) == shown
