"""The commands of the studies of VI-Probe: their words, and how they end."""

import re
from pathlib import Path

import pytest

from studies.viprobe.commands import main
from studies.viprobe.training.arms import ARMS, dosed_arms
from tests.calling import called

MAKEFILE = Path(__file__).parents[3] / "Makefile"


def test_no_words_show_the_help(monkeypatch, capsys):
    code, _, err = called(main, monkeypatch, capsys)
    assert code == 2
    listed = [line.split()[0] for line in err.splitlines() if line.startswith("  ")]
    assert listed[-7:] == ["teach", "ship", "study", "examine", "validate", "sequential", "strengths"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("study", "--seeds", "0,1"), "textbook.npz is missing (18 in all)"),
        (("study", "--seeds", "0,1", "--partial"), "textbook.npz is missing (18 in all)"),
        (("study", "--seeds", "one"), "--seeds 'one'"),
        (("study", "--seeds", "1,1"), "--seeds '1,1'"),
        (("teach", "text-book"), "unknown arm 'text-book': did you mean 'textbook'?"),
        (("teach", "--workers", "0"), "'--workers'"),
        pytest.param(("ship",), "textbook.npz is missing", marks=pytest.mark.torch),
        (("ship", "--seed", "-1"), "'--seed'"),
        (("validate", "--seeds", "0"), "0 seeds"),
    ],
)
def test_a_wrong_word_ends_in_one_line_and_writes_no_page(monkeypatch, capsys, tmp_path, words, message):
    out = ("--out", tmp_path / "page.md") if words[0] in ("study", "validate") else ()
    folder = () if words[0] == "validate" else ("--folder", tmp_path / "none")
    code, shown, err = called(main, monkeypatch, capsys, *words, *folder, *out)
    assert (code, shown) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err
    assert not (tmp_path / "page.md").exists()


def test_make_teaches_every_network_that_the_page_is_about():
    (networks,) = re.findall(r"^NETWORKS := (.*)$", MAKEFILE.read_text(), re.M)
    assert networks.split() == [*ARMS, *dosed_arms()]
