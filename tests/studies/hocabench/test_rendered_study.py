"""The study of drawn and rendered clips: learners find what is planted, guesses become verdicts, the page has both."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import veridical
from studies.hocabench.commands import main
from studies.hocabench.looks import MOST_ERRORS, learner_results, look_at, motion_area
from studies.hocabench.observers import OBSERVERS, SIGHTLESS
from studies.hocabench.page import page, promises
from studies.hocabench.study import KINDS, answered_by, compare, pairs_alike
from tests.calling import called
from tests.suites.hocabench.outcomes import observed, planned
from tests.suites.hocabench.stimuli import make_stimulus
from veridical.media.clips.write import encode_clip
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.analysis.verdict import BLIND, WITHOUT_CONTROLS, verdict
from veridical.suites.hocabench.observers.simulation import MECHANISMS
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

PAIRS, FRAMES = 12, 8


def clip(number, flash, bright):
    """A clip of a gray of its own, which brightens for a frame, or stays bright at its end."""
    shots = np.full((FRAMES, 48, 64, 3), 60 + 4 * number, np.uint8)
    shots[4, :, :, 0] += 50 * flash
    shots[-2:, :24] += 60 * bright
    return encode_clip(iter(shots), 8, "ultrafast")


def looks_of(**planted):
    """Pairs of clips of which the violating ones have what is planted; half of the plausible ones flash in any case."""
    made = []
    for number in range(PAIRS):
        for variant in (VIOLATING, PLAUSIBLE):
            own = {"flash": number % 2, "bright": 0, **(planted if variant == VIOLATING else {})}
            stimulus = replace(make_stimulus(variant), unit=f"gravity/{number:04}", family="gravity")
            made.append(look_at(stimulus, clip(number, **own)))
    return made


@pytest.fixture(scope="module")
def alike():
    return looks_of()


@pytest.fixture(scope="module")
def brighter():
    return looks_of(bright=1)


def test_what_is_the_same_in_both_clips_of_a_pair_tells_learners_nothing(alike):
    assert pairs_alike(alike) == (PAIRS, PAIRS, PAIRS)
    for name, found in learner_results(alike).items():
        assert (found.right, found.told.above) == (0.5, 0.0), name


def test_learners_find_what_is_planted_at_the_end_and_not_in_the_first_frame(brighter):
    assert pairs_alike(brighter)[:2] == (PAIRS, PAIRS)
    found = learner_results(brighter)
    for sees in ("last frame", "motion energy"):
        assert max(each.told.above for (name, _), each in found.items() if name == sees) > MOST_ERRORS
    for (sees, learner), each in found.items():
        assert sees != "first frame" or each.right == 0.5, learner
        low, high = each.bounds
        assert 0 <= low <= each.right <= high <= 1


def test_the_area_of_motion_is_that_of_another_library(alike):
    mixed = looks_of(flash=1)
    for looks in (alike, mixed):
        value, (low, high) = motion_area(looks)
        oracle = roc_auc_score([look.variant == VIOLATING for look in looks], [look.sudden for look in looks])
        assert value == pytest.approx(oracle)
        assert low <= value <= high
    assert motion_area(mixed)[0] > motion_area(alike)[0]


def test_guesses_become_the_verdict_of_an_observer_that_replies_so():
    outcomes = observed(planned(4, (("task", ("plausibility", "description")),)), MECHANISMS["credulous"]).outcomes()
    pairs = outcomes.filter(outcomes["variant"] != "explained").select("unit", "variant").unique()
    right = {f"{unit}/{variant}": variant for unit, variant in pairs.iter_rows()}

    def named(says):
        return verdict(Evidence.of({"ask": answered_by(outcomes, says)})).name

    assert named(right) == WITHOUT_CONTROLS
    of_units = {name: VIOLATING if int(name.split("/")[1]) % 2 else PLAUSIBLE for name in right}
    assert named(of_units) == BLIND


@pytest.fixture(scope="module")
def results(tmp_path_factory, one_process):
    """Two drawn sets, which stand for both kinds: what renders is tested elsewhere."""
    folder = tmp_path_factory.mktemp("study")
    made = {
        "height": 180,
        "rate": 10,
        "units": 1,
        "panels": 0,
        "sequences": 0,
        "sub_types": ("gravity", "permanence", "size"),
    }
    sets = {
        kind: veridical.make("hocabench", out=folder / kind, styles=(style,), **made)
        for kind, style in zip(KINDS, ("flat", "shaded"), strict=True)
    }
    return compare(folder, sets)


def test_every_observer_is_asked_about_both_kinds_and_the_page_has_what_came_of_it(results):
    for kind in results.kinds.values():
        assert set(kind.verdicts) == set(kind.figures) == {each.name for each in OBSERVERS}
        assert {each.name for each in kind.learner_verdicts.values()} <= SIGHTLESS
        odd = frozenset({("variant", VIOLATING)})
        assert kind.figures["perfect"]["says implausible", odd].value == 1.0
        assert kind.figures["reciter: everything is possible"]["says implausible", odd].value == 0.0
        assert (kind.units, kind.alike) == (3, (3, 3, 3))
    text = page(results, 1, 0)
    assert all(f"| {each.name} |" in text for each in OBSERVERS)
    assert all(f"| {promise.promise} | {promise.found} |" in text for promise in promises(results))
    assert max(len(line) for line in text.splitlines() if not line.startswith(("|", "    "))) <= 120


@pytest.mark.parametrize(("words", "message"), [(("--units", "2"), "'--units'"), (("--seed", "-1"), "'--seed'")])
def test_a_wrong_word_ends_in_one_line_and_writes_no_page(monkeypatch, capsys, tmp_path, words, message):
    out = tmp_path / "page.md"
    code, shown, err = called(main, monkeypatch, capsys, *words, "--out", out, "--folder", tmp_path / "sets")
    assert (code, shown, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []
