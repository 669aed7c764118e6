"""Small sets of all five suites, and a run of an embedded observer on each, with the stages that a rule judges."""

import pytest

import veridical
from veridical.stimulus_set import write
from veridical.verbs.exchange.planned_stages import planned_stage

DRAWN = {
    "viprobe": {"cases": ["muller_lyer"], "variants": ["O", "P", "OC", "PC"], "units": 1, "levels": 2, "size": 128},
    "viabench": {"puzzles": ["zollner", "clocks"], "units": 2, "size": 256},
    "magic": {"units": 1, "scenes": ["table"], "width": 480},
    "magicbench": {"tricks": ["coin"], "units": 1, "height": 180, "rate": 12},
    "hocabench": {"sub_types": ["gravity"], "units": 1, "height": 180, "rate": 12, "panels": 0, "sequences": 0},
}
"""The options of each set: a few questions."""
SETTINGS = {"magicbench": {"frames": ["uniform-4"]}}
"""What is asked of the sets, where not the usual: fewer frames."""


def settings_of(whole):
    """What is asked of a set."""
    return SETTINGS.get(whole.manifest["arguments"]["suite"])


def stage_of(whole):
    """The first stage of a set's suite, planned as it is asked."""
    return planned_stage(whole, None, settings=settings_of(whole))


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The set of a suite, drawn once."""
    folder, sets = tmp_path_factory.mktemp("sets"), {}

    def drawn(suite):
        if suite not in sets:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(write, "cores", lambda: 1)
                sets[suite] = veridical.make(suite, out=folder / suite, **DRAWN[suite])
        return sets[suite]

    return drawn


@pytest.fixture(scope="session")
def asked(made, tmp_path_factory):
    """The run of a suite's simulated observer on its set, with the stages that a rule judges, asked once."""
    folder, runs = tmp_path_factory.mktemp("runs"), {}

    def run(suite):
        if suite not in runs:
            judge = None if suite == "viprobe" else "rule"
            runs[suite] = veridical.run(
                made(suite),
                "veridical/simulated",
                out=folder / suite,
                judge=judge,
                settings=SETTINGS.get(suite),
                show="quiet",
                analyze=False,
            )
        return runs[suite]

    return run
