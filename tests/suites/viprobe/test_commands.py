"""VI-Probe's own commands: their words, and how they end."""

import json

import pytest

import veridical
from veridical.suites.viprobe.analysis.detection import detection_threshold


def test_no_words_show_the_help(cli):
    code, _, err = cli("viprobe")
    assert code == 2
    listed = [line.split()[0] for line in err.splitlines() if line.startswith("  ")]
    assert listed[-7:] == ["teach", "ship", "study", "examine", "validate", "strengths", "threshold"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("study", "--seeds", "0,1"), "textbook.npz is missing (18 in all)"),
        (("study", "--seeds", "0,1", "--partial"), "textbook.npz is missing (18 in all)"),
        (("study", "--seeds", "one"), "--seeds 'one'"),
        (("study", "--seeds", "1,1"), "--seeds '1,1'"),
        (("teach", "text-book"), "unknown arm 'text-book': did you mean 'textbook'?"),
        (("teach", "--workers", "0"), "'--workers'"),
        (("ship",), "textbook.npz is missing"),
        (("ship", "--seed", "-1"), "'--seed'"),
        (("validate", "--seeds", "0"), "0 seeds"),
    ],
)
def test_a_wrong_word_ends_in_one_line_and_writes_no_page(cli, tmp_path, words, message):
    out = ("--out", tmp_path / "page.md") if words[0] in ("study", "validate") else ()
    folder = () if words[0] == "validate" else ("--folder", tmp_path / "none")
    code, shown, err = cli("viprobe", *words, *folder, *out)
    assert (code, shown) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err
    assert not (tmp_path / "page.md").exists()


def test_the_threshold_of_a_run_is_that_of_its_outcomes(cli, tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=2, levels=2, size=128)
    run = veridical.run(made, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False)
    (expected,) = detection_threshold(run.outcomes())
    code, out, _ = cli("viprobe", "threshold", tmp_path / "run", "--json")
    (listed,) = json.loads(out)
    assert code == 0
    assert (listed["metric"], listed["value"], listed["slice"]) == (expected.metric, expected.value, expected.slice)
    code, out, _ = cli("viprobe", "threshold", tmp_path / "run")
    assert code == 0
    assert out.splitlines()[0] == "veridical/pixel"
    assert out.splitlines()[1].startswith("zollner: ")
