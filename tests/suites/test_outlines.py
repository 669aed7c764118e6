"""What plans count without painting: an outline asks what the drawn set asks."""

from __future__ import annotations

import pytest

from veridical.records import Text
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.verbs.sets import design

CHEAPEST = {
    "viprobe": {"cases": ["all"], "size": 256, "levels": 2},
    "viabench": {"size": 256, "written_names": True},
    "magic": {"width": 480},
    "magicbench": {"height": 180, "rate": 10, "tricks": ["cups", "coin"]},
    "hocabench": {"height": 180, "rate": 10, "sub_types": ["size", "gravity", "optics"]},
}
"""Options with which a unit of each family, or of some whose stimuli are made alike, is drawn fast."""


def asked(stage, stimuli, asking):
    """What each trial asks: about which stimulus, in which settings, in which words, about which media."""

    def parts(trial):
        for message in trial.messages:
            for part in message.parts:
                yield message.role, part.text if isinstance(part, Text) else (part.kind, part.file)

    return sorted(
        (trial.stimulus, trial.unit, str(trial.gold), repr(sorted(trial.settings.items())), repr(list(parts(trial))))
        for trial in stage.trials(stimuli, asking.of_stage(stage), Evidence({}))
    )


@pytest.mark.parametrize("name", CHEAPEST)
def test_an_outline_asks_what_the_drawn_units_ask(name):
    suite = registry.get(name)
    options = design(name, units=1, seed=3, **CHEAPEST[name]).options
    chunks = {chunk.family: chunk for chunk in suite.design.chunks(options)}
    asking, first = suite.asked(None, None), suite.asking.ordered[0]
    assert suite.design.outline is not None
    for chunk in chunks.values():
        drawn = [stimulus for stimulus, _ in suite.design.make(options, chunk)]
        outlined = suite.design.outlined(options, chunk)
        assert asked(first, outlined, asking) == asked(first, drawn, asking), chunk.family
        for stage in suite.asking.ordered[1:]:
            if stage.at_most is not None:
                mine, theirs = stage.at_most(outlined, asking), stage.at_most(drawn, asking)
                assert mine.trials == theirs.trials, (chunk.family, stage.name)
                assert mine.input_tokens == pytest.approx(theirs.input_tokens, rel=0.005), (chunk.family, stage.name)


def test_a_plan_paints_nothing(monkeypatch):
    """Every suite that draws has an outline, so that a plan takes seconds however large its media are."""
    from veridical.verbs.plans import plan as planning

    monkeypatch.setattr(planning, "detectable", lambda *_, **__: None)
    for name in CHEAPEST:
        part = registry.get(name).design
        monkeypatch.setitem(part.__dict__, "make", None)
        assert planning.plan(design(name, recipe="quick")).requests > 0
