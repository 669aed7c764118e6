"""How a run stands is counted once, and anew as soon as any of its files differs."""

import json
import shutil
from pathlib import Path

import pytest

import veridical
from tests.probe.staged import EMBEDDED, QUIET, drawn
from veridical.verbs.results.result import RunResult
from veridical.verbs.results.status import STORED


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    whole = drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=1)
    folder = tmp_path_factory.mktemp("runs") / "run"
    return veridical.run(whole, out=folder, model="veridical/eye", **EMBEDDED, **{**QUIET, "analyze": True})


@pytest.fixture
def copy(finished, tmp_path):
    return Path(shutil.copytree(finished.folder, tmp_path / "run"))


@pytest.fixture
def counting(monkeypatch):
    """The folders of the runs that are counted from here on."""
    counted = []
    count = RunResult._staged

    def noted(result, run):
        counted.append(run.folder)
        return count(result, run)

    monkeypatch.setattr(RunResult, "_staged", noted)
    return counted


def anew(folder):
    """How a run stands with nothing stored."""
    (folder / STORED).unlink(missing_ok=True)
    result = veridical.open_run(folder)
    return result.staged, result.waiting


def test_a_finished_run_is_not_counted_again(copy, counting, said):
    first, second = said("status", copy), said("status", copy, "--json")
    assert not counting
    assert (first[0], second[0]) == (0, 0)
    stored = veridical.open_run(copy)
    held = stored.staged, stored.waiting
    assert not counting
    assert held == anew(copy)
    assert [said("status", copy), said("status", copy, "--json")] == [first, second]


def later_stage(folder):
    return next(folder.glob("stages/*/*"))


def shortened(path):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def started_again(path):
    stored = json.loads(path.read_text())
    path.write_text(json.dumps(stored | {"execution": [*stored["execution"], {"ended": {"limit": "none is left"}}]}))


CHANGES = {
    "a reply less": lambda folder: shortened(folder / "responses.jsonl"),
    "a reply less in a later stage": lambda folder: shortened(later_stage(folder) / "responses.jsonl"),
    "another start": lambda folder: started_again(folder / "run.json"),
    "a stage less": lambda folder: shutil.rmtree(later_stage(folder)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_run_is_counted_anew(copy, change, counting):
    change(copy)
    changed = veridical.open_run(copy)
    held = changed.staged, changed.waiting
    assert counting
    assert held == anew(copy)


def test_what_was_read_before_a_change_is_not_stored(copy):
    (copy / STORED).unlink()
    early = veridical.open_run(copy)
    early.outcomes()
    shortened(copy / "responses.jsonl")
    early.store_status()
    assert not (copy / STORED).exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"of": 1}', b'{"a":' * 10_000 + b"1" + b"}" * 10_000])
def test_a_damaged_file_is_as_none(copy, content):
    stated = anew(copy)
    (copy / STORED).write_bytes(content)
    result = veridical.open_run(copy)
    assert (result.staged, result.waiting) == stated


def test_counts_that_are_none_are_not_taken_over(copy):
    before = veridical.open_run(copy).staged
    stored = json.loads((copy / STORED).read_text())
    stored["standing"]["stages"][0]["counts"]["planned"] = "many"
    (copy / STORED).write_text(json.dumps(stored))
    assert veridical.open_run(copy).staged == before


def test_stored_samples_hide_no_control_characters(copy):
    stored = json.loads((copy / STORED).read_text())
    first = stored["standing"]["stages"][0]
    first["unanswered"]["samples"] = ["\x1b[31mred\nline"]
    (copy / STORED).write_text(json.dumps(stored))
    assert veridical.open_run(copy).staged[0].unanswered.samples == ("␛[31mred line",)


def test_a_folder_that_cannot_be_written_is_counted_every_time(copy, counting, said):
    stated = said("status", copy)
    (copy / STORED).unlink()
    (copy / STORED).mkdir()
    assert said("status", copy) == stated
    assert counting
