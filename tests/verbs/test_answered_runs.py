"""A start that finds every reply plans and writes nothing; one that differs in anything is planned as ever."""

from pathlib import Path

import pytest

import veridical as v
from veridical.verbs import open_run, pack, run

MODEL = "veridical/prior"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory):
    return v.make("viprobe", out=tmp_path_factory.mktemp("set") / "set", units=2, cases=["muller_lyer"], levels=2)


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_a_run_with_all_its_replies_is_left_as_it_is_until_anything_differs(whole, tmp_path: Path):
    folder = tmp_path / "run"
    first = run(whole, MODEL, out=folder, show="quiet")
    before = state(folder)
    again = run(whole, MODEL, out=folder, show="quiet")
    assert state(folder) == before
    assert (again.counts, again.complete) == (first.counts, True)

    run(whole, MODEL, out=folder, show="quiet", max_connections=3)
    assert len(open_run(folder).run.executions) == 2

    log = folder / "responses.jsonl"
    *kept, last = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(kept))
    resumed = run(whole, MODEL, out=folder, show="quiet", max_connections=3)
    assert resumed.complete
    assert len(log.read_bytes().splitlines()) == len(kept) + 1
    assert last.split(b'"')[3] in log.read_bytes()


def test_every_figure_of_a_packed_run_is_that_of_the_plain_one_to_the_byte(whole, tmp_path: Path):
    folder = tmp_path / "run"
    plain = run(whole, MODEL, out=folder, show="quiet")
    outcomes, estimates = plain.outcomes(), plain.estimates()
    (archive,) = pack(folder)
    assert archive.file.name == "responses.jsonl.zst"
    assert pack(folder) == []
    packed = open_run(folder)
    assert packed.outcomes().equals(outcomes)
    assert list(packed.estimates()) == list(estimates)
    (folder / "status.json").unlink()
    assert open_run(folder).counts == plain.counts
    assert run(whole, MODEL, out=folder, show="quiet").complete
