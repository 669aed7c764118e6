"""The study of remembered sets, on small sets: who memorized is found, the guesser is not, and pictures are counted."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from studies.fresh.commands import app
from studies.fresh.comparisons import MECHANISMS, compared, drawn, met_before, table
from veridical.suite import registry

MEMORY = next(iter(MECHANISMS))
VALUES = {"units": 6, "levels": 2, "size": 128, "cases": ["muller_lyer", "ponzo", "poggendorff"]}


@pytest.fixture(scope="module")
def gaps(tmp_path_factory):
    """The gaps of two mechanisms on few and small pictures, and the folder of their sets."""
    suite = registry.get("viprobe")
    part, folder = suite.evaluation, tmp_path_factory.mktemp("fresh")
    design = replace(part.designs["quick"], values=VALUES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(suite.__dict__, "evaluation", replace(part, designs={**part.designs, "quick": design}))
        drawn.cache_clear()
        yield {name: [compared(name, 0, ["viprobe"], folder)] for name in (MEMORY, "guesser")}, folder
        drawn.cache_clear()


def test_who_memorized_recalls_and_the_guesser_does_not(gaps):
    found, _ = gaps
    memory, guesser = ([gap.conclusion.name for gap in runs[0]] for runs in found.values())
    assert "recalls the standard set" in memory
    assert set(guesser) == {"no gap found"}
    header, _, first, second, *_ = table(found, {"viprobe": (0, 54)})
    assert first == f"| {MEMORY} | 1 | 100 [21, 100] | {len(memory) - memory.count('no gap found')} of {len(memory)} |"
    assert second == f"| guesser | 1 | 0 [0, 79] | 0 of {len(guesser)} |"
    assert header.count("|") == first.count("|")


def test_pictures_that_are_standard_ones_are_counted(gaps):
    sets = [drawn("viprobe", which, gaps[1]) for which in (None, 0)]
    standard, fresh = ([stimuli.read(each.media[0].file) for each in stimuli.stimuli] for stimuli in sets)
    assert met_before("viprobe", 0, gaps[1]) == (sum(each in standard for each in fresh), len(fresh))
    assert met_before("viprobe", -10_000, gaps[1]) == (len(standard), len(standard)), "seed 0 draws the standard units"


def test_a_suite_that_takes_no_part_is_one_refusal_before_anything_is_drawn(tmp_path):
    done = CliRunner().invoke(app, ["--suites", "viprobe,judge-audit", "--out", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "judge-audit takes no part" in done.output
    assert not (tmp_path / "out").exists()
