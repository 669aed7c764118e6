"""Whatever is lost or damaged of a staged run, what the message tells makes it readable or lets it go on."""

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import veridical
from tests.calling import as_nobody
from tests.probe import staged
from tests.probe.staged import EMBEDDED, drawn
from veridical.errors import InputError

ASKED = {"model": "veridical/eye", **EMBEDDED, "show": "quiet"}
RERUN = "rerun the command that made the run"
REPAIR = re.compile(r"`veridical repair ([^`]+)`")


def in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "note.txt").write_text("mine")


def _other(path: Path) -> None:
    """Bytes of the same kind that are not this file's: of JSON, JSON; of a table, a table."""
    content = path.read_bytes()
    path.write_bytes(b'{"format": 3}\n' if path.suffix in (".json", ".jsonl") else bytes(reversed(content)))


DAMAGE = {
    "deleted": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "other bytes": _other,
    "a folder": in_its_place,
}
SOURCES = ("run.json", "run.copy.json", "trials.parquet", "responses.jsonl")
STAGED = [f"{place}{name}" for place in ("", "stages/mark/*/", "stages/remark/*/") for name in SOURCES]
MADE = ("outcomes.parquet", "status.json", "tables/*.csv", "figures/*.svg", "report.html")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=1, boxes=1)


@pytest.fixture(scope="module")
def finished(few, tmp_path_factory):
    run = veridical.run(few, out=tmp_path_factory.mktemp("runs") / "run", **ASKED)
    veridical.write_report([run])
    return run


@pytest.fixture
def copy(finished, tmp_path):
    return Path(shutil.copytree(finished.folder, tmp_path / "run"))


def replies(folder):
    """The stored lines of each stage."""
    paths = folder.rglob("responses.jsonl")
    return {path.parent.relative_to(folder): path.read_bytes().splitlines() for path in paths if path.is_file()}


def after_what_it_tells(call, said, rerun):
    """What a call gives, after what its messages tell was done, each at most once."""
    followed = set()
    while True:
        try:
            return call()
        except InputError as error:
            told = str(error)
        assert "\n" not in told
        named = REPAIR.search(told)
        step = named[1] if named and (named[1] not in followed) else RERUN
        assert step not in followed, told
        assert named or RERUN in told, told
        followed.add(step)
        if step == RERUN:
            rerun()
        else:
            code, out, err = said("repair", step)
            assert (code, err) == (0, ""), err
            assert "nothing is damaged" not in out


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", STAGED)
def test_after_what_is_told_a_run_can_be_read_and_goes_on_and_no_reply_is_lost(name, damage, few, finished, copy, said):
    (path,) = copy.glob(name)
    before = replies(copy)
    DAMAGE[damage](path)
    own = before.pop(path.parent.relative_to(copy)) if path.name == "responses.jsonl" else []

    def rerun():
        return veridical.run(few, out=copy, **ASKED, analyze=False)

    def read():
        run = veridical.open_run(copy)
        return staged.tables(run), run.staged

    after_what_it_tells(read, said, rerun)
    now = replies(copy)
    assert {place: now[place] for place in before} == before
    assert staged.same(after_what_it_tells(rerun, said, rerun), finished)
    now = replies(copy)
    assert {place: now[place] for place in before} == before
    assert len(now[path.parent.relative_to(copy)]) == len(own or now[path.parent.relative_to(copy)])
    veridical.repair_run(copy)
    assert said("repair", copy) == (0, f"nothing is damaged in {copy}\n", "")


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", MADE)
def test_after_what_is_told_a_report_is_made_whatever_became_of_the_files_that_follow(name, damage, copy, said):
    (path,) = copy.glob(name)
    whole = path.read_bytes()
    DAMAGE[damage](path)
    after_what_it_tells(lambda: veridical.write_report([copy]), said, None)
    assert name == "status.json" or path.read_bytes() == whole
    assert veridical.open_run(copy).complete


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ["manifest.json", "derived.jsonl", "media/000000/000.png"])
def test_after_what_is_told_damaged_derived_media_are_made_again(name, damage, few, finished, tmp_path, said):
    whole = Path(shutil.copytree(few.folder, tmp_path / "set"))
    (path,) = whole.glob(f".derived/*/{name}")
    intact = path.read_bytes()
    DAMAGE[damage](path)

    def again():
        return veridical.run(whole, out=tmp_path / "run", **ASKED, analyze=False)

    if path.suffix == ".png" and path.is_file():
        (done,) = veridical.repair_run(whole)  # whatever is asked of a model that looks at no bytes
        assert (done.file, done.lines) == (whole / ".derived" / path.parents[2].name, 0)
    assert staged.same(after_what_it_tells(again, said, again), finished)
    veridical.repair_run(whole)
    again()
    assert path.read_bytes() == intact
    assert veridical.repair_run(whole) == []


def test_a_report_on_a_run_that_cannot_be_written_goes_where_out_says_and_else_is_one_line(finished, said):
    with TemporaryDirectory() as name:
        folder = Path(shutil.copytree(finished.folder, Path(name) / "run"))
        for path in (Path(name), *Path(name).rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        with TemporaryDirectory() as beside:
            Path(beside).chmod(0o777)
            with as_nobody():
                code, out, err = said("report", folder)
                assert (code, out) == (2, "")
                remedy = f"`veridical report {folder} --out FILE` writes a report elsewhere"
                assert err == f"veridical: {folder} cannot be written: Permission denied; {remedy}\n"
                assert said("report", folder, "--out", Path(beside) / "page.html")[0::2] == (0, "")
                assert said("status", folder)[0] == 0
            assert "veridical/eye" in (Path(beside) / "page.html").read_text()
        assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for path in (Path(name), *Path(name).rglob("*")):
            path.chmod(0o755)
