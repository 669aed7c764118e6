"""`python -m studies.published` as a user types it."""

import json

import pytest

from studies.published import TITLES, as_csv, as_list, markdown, replicate
from studies.published.commands import main
from tests.calling import called


@pytest.fixture
def cli(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "64")
    return lambda *words: called(main, monkeypatch, capsys, *words)


def test_it_names_every_paper_and_keeps_to_the_terminal(cli):
    code, out, err = cli()
    assert (code, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines() if line and line[0] != " "] == list(TITLES.values())
    assert max(map(len, out.splitlines())) <= 64


def test_one_paper_is_told_in_full_by_name_or_title(cli):
    _, short, _ = cli()
    code, out, _ = cli("--paper", "MagicBench")
    assert code == 0
    assert len(out) > len(short) / len(TITLES)
    assert "HOCA" not in out
    assert cli("--paper", "magicbench") == (0, out, "")


def test_a_paper_that_is_not_known_ends_in_one_line_with_the_nearest_name(cli):
    code, out, err = cli("--paper", "vi-prob")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "did you mean 'viprobe'" in err


def test_json_is_json_of_the_paper_that_is_named(cli):
    code, out, _ = cli("--paper", "magic", "--json")
    rows = json.loads(out)
    assert code == 0
    assert {row["paper"] for row in rows} == {"magic"}
    assert len(rows) == len(replicate(["magic"]))


def test_one_command_writes_page_csv_and_list(cli, tmp_path, found):
    page, data = tmp_path / "new" / "page.md", tmp_path / "data.json"
    code, out, _ = cli("--out", page)
    assert code == 0
    assert sorted(path.name for path in page.parent.iterdir()) == ["page-list.md", "page.csv", "page.md"]
    assert page.read_text(encoding="utf-8") == markdown(found, "page")
    assert page.with_name("page-list.md").read_text(encoding="utf-8") == as_list(found, "page")
    assert page.with_suffix(".csv").read_text(encoding="utf-8") == as_csv(found)
    assert f"{len(found)} claims" in out
    assert cli("--json", "--out", data)[0] == 0
    assert len(json.loads(data.read_text(encoding="utf-8"))) == len(found)


def test_a_file_that_cannot_be_written_ends_in_one_line(cli, tmp_path):
    code, out, err = cli("--out", tmp_path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
