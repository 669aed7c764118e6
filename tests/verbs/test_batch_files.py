"""A batch that is larger than a service takes goes into several files, which appear together and leave nothing old."""

import json

import pytest

import veridical
from tests.ask.plans import picture, plan
from tests.probe_suite import SUITE as PROBE
from veridical.errors import InputError
from veridical.suite import registry
from veridical.verbs.exchange import trials as exchange
from veridical.verbs.exchange.line_files import FileLimit
from veridical.verbs.exchange.trials import ACCEPTED, write_batches

TRIALS = plan(5, 2)


def written(path, most, trials=TRIALS, show=picture):
    return write_batches(path, iter(trials), show, opaque=str, model="m", most=most)


def ids(files):
    return [[json.loads(line)["custom_id"] for line in file.read_text().splitlines()] for file in files]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_limits_are_those_of_the_service():
    assert (ACCEPTED.bytes, ACCEPTED.lines) == (200_000_000, 50_000)


def test_what_fits_is_one_file_of_the_plain_name(tmp_path):
    done = written(tmp_path / "b.jsonl", FileLimit(10**6, 10))
    assert (done.lines, done.files, names(tmp_path)) == (10, (tmp_path / "b.jsonl",), ["b.jsonl"])


@pytest.mark.parametrize("lines", range(1, 11))
def test_no_file_has_more_lines_than_it_may_and_all_together_hold_the_trials_in_order(tmp_path, lines):
    done = written(tmp_path / "b.jsonl", FileLimit(10**6, lines))
    parts = ids(done.files)
    assert [trial for part in parts for trial in part] == [trial.id for trial in TRIALS]
    assert [len(part) for part in parts[:-1]] == [lines] * (len(parts) - 1)
    assert len(parts) == -(-10 // lines)
    assert names(tmp_path) == sorted(file.name for file in done.files)


def test_no_file_has_more_bytes_than_it_may_and_each_is_as_full_as_it_can_be(tmp_path):
    (whole,) = written(tmp_path / "whole.jsonl", FileLimit(10**6, 99)).files
    sizes = [len(line) + 1 for line in whole.read_bytes().splitlines()]
    for most in (max(sizes), sum(sizes[:3]), sum(sizes[:3]) - 1, sum(sizes) - 1, sum(sizes)):
        done = written(tmp_path / f"{most}" / "b.jsonl", FileLimit(most, 99))
        assert b"".join(file.read_bytes() for file in done.files) == whole.read_bytes()
        held = [file.stat().st_size for file in done.files]
        assert max(held) <= most
        firsts = [len(file.read_bytes().splitlines()[0]) + 1 for file in done.files[1:]]
        assert all(size + first > most for size, first in zip(held, firsts, strict=False))


def test_parts_are_named_by_their_place_in_an_order_that_any_listing_keeps(tmp_path):
    done = written(tmp_path / "my.batch.jsonl", FileLimit(10**6, 1))
    assert [file.name for file in done.files][::9] == [f"my.batch.part-{k}-of-10.jsonl" for k in ("01", "10")]
    assert sorted(done.files) == list(done.files)


def test_nothing_of_another_split_is_left_and_nothing_else_is_touched(tmp_path):
    path = tmp_path / "b.jsonl"
    others = ["b-1.jsonl", "b.part-1-of-2.txt", "bb.part-1-of-2.jsonl", "b.part-x-of-2.jsonl", "note.jsonl"]
    for name in others:
        (tmp_path / name).write_text("mine")
    for lines in (3, 10, 4, 1, 5, 10):
        done = written(path, FileLimit(10**6, lines))
        assert names(tmp_path) == sorted([*others, *(file.name for file in done.files)])
    assert {(tmp_path / name).read_text() for name in others} == {"mine"}


def test_a_request_that_is_larger_than_a_file_may_be_is_refused_and_everything_stays_as_it_was(tmp_path):
    path = tmp_path / "b.jsonl"
    done = written(path, FileLimit(10**6, 4))
    before = {file: file.read_bytes() for file in done.files}

    def large(file):
        return picture(file) + b"\0" * (5000 if "p003" in file else 0)

    with pytest.raises(InputError, match=r"request 'p003/q0' has [\d,]+ bytes: a file may have 2,000") as caught:
        written(path, FileLimit(2000, 99), show=large)
    assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_write_that_fails_on_the_way_leaves_what_was_there(tmp_path):
    path = tmp_path / "b.jsonl"
    done = written(path, FileLimit(10**6, 4))
    before = {file: file.read_bytes() for file in done.files}

    def gone(file):
        if "p003" in file:
            raise InputError("gone")
        return picture(file)

    with pytest.raises(InputError, match="gone"):
        written(path, FileLimit(10**6, 2), show=gone)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.fixture
def sums(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    registry.register(PROBE)
    from tests.probe.staged import drawn

    return drawn(tmp_path / "set", sums=3)


def test_the_command_says_how_many_files_their_names_and_sizes(sums, tmp_path, cli, monkeypatch):
    few = {**exchange.write_batches.__kwdefaults__, "most": FileLimit(9**6, 4)}
    monkeypatch.setattr(exchange.write_batches, "__kwdefaults__", few)
    out = tmp_path / "out" / "b.jsonl"
    words = ("trials", sums.folder, "--out", out, "--batch", "--model", "m")
    code, told, err = cli(*words, columns=200)
    parts = [out.with_name(f"b.part-{k}-of-2.jsonl") for k in (1, 2)]
    assert (code, err, sorted(out.parent.iterdir())) == (0, "", parts)
    first, *others = told.splitlines()
    assert first == "6 trials in 2 files, because one would exceed the size limit of a batch:"
    assert others == [f"  {part} ({part.stat().st_size / 1e6:.1f} MB)" for part in parts]
    found = json.loads(cli(*words, "--json")[1])
    assert (found["trials"], found["bytes"]) == (6, sum(part.stat().st_size for part in parts))
    assert found["files"] == [{"file": str(part), "bytes": part.stat().st_size} for part in parts]
    assert veridical.write_trials(sums, out, batch=True, model="m").lines == 6
