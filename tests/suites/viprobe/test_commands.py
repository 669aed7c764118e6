"""VI-Probe's own command: its words, and how it ends."""

import json

import veridical
from veridical.suites.viprobe.analysis.dose import detection_threshold


def test_no_words_show_the_help(cli):
    code, _, err = cli("viprobe")
    assert code == 2
    listed = [line.split()[0] for line in err.splitlines() if line.startswith("  ")]
    assert listed[-1:] == ["threshold"]


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
