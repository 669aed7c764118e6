"""Nothing but the truth tells original from perturbed: what a shortcut could use is at chance."""

import numpy as np
import pytest

import veridical
from veridical.media.draw import decode_png


@pytest.fixture(scope="module")
def whole(tmp_path_factory, one_process):
    folder = tmp_path_factory.mktemp("shortcuts") / "set"
    return veridical.make("viprobe", out=folder, units=4, size=256, variants=("O", "P"), alphas=(-1, 1))


def outside(whole, stimulus):
    """Statistics of the picture outside the regions in which original and perturbed may differ."""
    pixels = decode_png(whole.read(stimulus.media[0].file))
    free = np.ones(pixels.shape[:2], bool)
    for x0, y0, x1, y1 in stimulus.truth["regions"]:
        free[y0:y1, x0:x1] = False
    there = pixels[free]
    return [*there.mean(0), *there.std(0), *np.histogram(there, bins=8, range=(0, 256))[0] / len(there)]


@pytest.fixture(scope="module")
def unchanged(whole):
    """The statistics of each picture by its id, read once."""
    return {stimulus.id: outside(whole, stimulus) for stimulus in whole.stimuli}


def nuisances(whole, stimulus):
    """The factors that vary from unit to unit; those that the suite declares say what was changed, and how."""
    return {name: value for name, value in stimulus.factors.items() if name not in whole.factors}


def numbers(factors):
    """Nuisances as numbers; words by a value that depends on the word alone."""
    return [float(v) if isinstance(v, int | float) else sum(map(ord, str(v))) for v in list(factors.values())[:16]]


def features(whole, unchanged):
    seen = {}
    for order, stimulus in enumerate(whole.stimuli):
        place = seen[stimulus.unit] = seen.get(stimulus.unit, -1) + 1
        size = (whole.folder / stimulus.media[0].file).stat().st_size
        shared = numbers(nuisances(whole, stimulus))
        yield [order, place, size, *unchanged[stimulus.id], *shared, *[0.0] * (16 - len(shared))]


def test_a_classifier_on_everything_but_the_changed_region_is_at_chance(whole, unchanged):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict

    rows = np.array(list(features(whole, unchanged)))
    perturbed = np.array([s.variant == "P" for s in whole.stimuli])
    units = np.unique([s.unit for s in whole.stimuli], return_inverse=True)[1]
    forest = RandomForestClassifier(300, class_weight="balanced", min_samples_leaf=3, random_state=0)
    said = cross_val_predict(forest, rows, perturbed, groups=units, cv=GroupKFold(6), method="predict_proba")[:, 1]
    per_unit = [roc_auc_score(perturbed[units == unit], said[units == unit]) for unit in range(units.max() + 1)]
    error = np.std(per_unit, ddof=1) / np.sqrt(len(per_unit))
    assert abs(np.mean(per_unit) - 0.5) < max(3 * error, 0.02)


def test_the_factors_that_are_declared_are_those_that_tell_what_was_changed(whole):
    assert set(whole.factors) == {"alpha", "congruent", "side"}
    assert all(len(nuisances(whole, s)) == len(s.factors) - len(whole.factors) > 0 for s in whole.stimuli)


def test_what_a_unit_shares_is_the_same_in_all_its_pictures(whole, unchanged):
    units = {}
    for stimulus in whole.stimuli:
        size = (whole.folder / stimulus.media[0].file).stat().st_size
        seen = size, str(nuisances(whole, stimulus)), str(unchanged[stimulus.id])
        units.setdefault(stimulus.unit, set()).add(seen)
    assert {len(found) for found in units.values()} == {1}


def test_the_description_tells_what_the_set_holds(whole):
    facts = veridical.describe(whole)
    cases = len(facts["factors"]["family"])
    assert (facts["stimuli"], facts["units"]) == (cases * 4 * 3, cases * 4)
    assert facts["factors"]["variant"] == {"O": cases * 4, "P": cases * 8}
    assert facts["factors"]["alpha"] == {"-1": cases * 4, "0": cases * 4, "+1": cases * 4}
    assert facts["png_size_auc"] == {"value": 0.5, "low": 0.5, "high": 0.5, "units": cases * 4}
    comparison = facts["answers"]["comparison"]["counts"]
    assert comparison["top"] == comparison["bottom"]
    assert sum(facts["media"].values()) == facts["stimuli"]
    assert facts["answers"]["forward"]["majority"] >= facts["answers"]["forward"]["chance"] == 0.5


def test_the_balance_of_the_answers_is_printed_once(whole):
    lines = veridical.describe(whole).lines
    kinds = [line.partition(":")[0] for line in lines if line.startswith("- answers")]
    assert kinds == ["- answers", "- answers, reversed", "- answers, comparison"]
