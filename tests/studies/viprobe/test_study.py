"""The study: its records hold what the instruments say, and its page tells what came out and what did not."""

import itertools
import json
import shutil

import numpy as np
import polars as pl
import pytest

from studies.viprobe.training import probe, study
from studies.viprobe.training.arms import ARMS, HELD_OUT, SHIPPED, dosed_arms
from studies.viprobe.training.every_figure import every_figure
from studies.viprobe.training.in_short import in_short
from studies.viprobe.training.kept import Kept
from studies.viprobe.training.results import CLASSIC, DECLINED, Results, expected
from studies.viprobe.training.study_page import page
from studies.viprobe.training.study_tables import directions
from studies.viprobe.training.taught_pictures import CHANGED, FACTS, Pool
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned_observers.network import Network
from veridical.suites.viprobe.observers.learned_observers.questions import number_texts
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights, write_weights

KNOWN = {text: {"number": k, "kind": 0, "contrast": 0.0, "sharpness": 0.0} for text, k in number_texts().items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A network that was never taught, the same for every arm of two seeds."""
    place = tmp_path_factory.mktemp("learned")
    chance = probe.untaught(read_weights(FOLDER / "learned-textbook.npz"), 5)
    write_weights(place / "never-taught.npz", chance.arrays, {**chance.about, "questions": KNOWN})
    for seed in (0, 1):
        (place / f"seed-{seed}").mkdir()
        for name in (*ARMS, *dosed_arms()):
            shutil.copy(place / "never-taught.npz", place / f"seed-{seed}" / f"{name}.npz")
    return place


@pytest.fixture(scope="module")
def records(folder, one_process):
    """What the networks say; one that has the weights of another says the same under its own name."""
    examined = {}
    probe.pool(folder / "probe", probe.SEED, units=6, others=0, workers=1)  # in this process
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in SMALL:
            patch.setattr(module, name, value)
        items = [item for item in study.items(folder, (0, 1)) if item[2] in (*ARMS, study.UNTAUGHT)]
        few = [item for item in items if item[1] == 0 and (item[0] != "spoilt" or item[3] == "256 px")]
        few.append(["asked", 1, "textbook"])
        for way, seed, arm, *more in few:
            alike = (way, arm == study.UNTAUGHT, *more)
            if alike not in examined:
                examined[alike] = json.dumps(study.examined(str(folder), [way, seed, arm, *more]))
        return [
            json.loads(examined[way, arm == study.UNTAUGHT, *more]) | {"seed": seed, "arm": arm}
            for way, seed, arm, *more in few
        ]


SMALL = (
    (study, "UNITS", 1),
    (study, "LEVELS", 2),
    (study, "FEW_UNITS", 1),
    (study, "FEW_LEVELS", 2),
    (probe, "TESTED", 2),
    (probe, "TAUGHT", 4),
)


@pytest.fixture
def small(monkeypatch):
    """Sets of the size that the records are about."""
    for module, name, value in SMALL:
        monkeypatch.setattr(module, name, value)


def test_the_rates_of_a_record_are_plain_counts(folder, records, small):
    record = next(each for each in records if each["way"] == "forced")
    outcomes = study._exam(folder, study.SEED).answered(
        Network(study.read_weights(folder / "seed-0/controls.npz")), declining=False
    )
    asked = outcomes.filter(pl.col("family").is_in(CLASSIC), pl.col("gold").is_in(["0", "1"]))
    right = asked.group_by("variant", "stimulus").agg((pl.col("answer") == pl.col("gold")).all().alias("both"))
    for variant, (rate, *_) in record["rates"].items():
        assert rate == pytest.approx(right.filter(variant=variant)["both"].mean())
    assert record[DECLINED][0] == 0


def test_the_page_has_every_network_and_names_those_that_are_missing(records):
    text = page(Results(records), ["seed-2/textbook"])
    assert "Not trained, and so in no table: seed-2/textbook." in text
    for name, seed in (*((name, 0) for name in ARMS), ("textbook", 1)):
        assert any(line.startswith(f"| {name} | {seed} |") for line in text.splitlines())
    fresh = text.split("\n## On a set that was used for no choice\n")[1].split("\n## ")[0]
    assert [line.split(" | ")[0] for line in fresh.splitlines() if " | 0 | " in line] == [
        f"| {each}" for each in SHIPPED
    ]
    assert "{" not in text
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    assert all(len({line.count("|") for line in block.splitlines()}) == 1 for block in tables)


def test_the_set_on_which_nothing_was_settled_shares_no_picture_with_the_exam(folder, records, small):
    exam, fresh = (study._full(folder, seed).stimuli for seed in (study.SEED, study.FRESH_SEED))
    assert len(exam) == len(fresh)
    assert not {each.media[0].sha256 for each in exam} & {each.media[0].sha256 for each in fresh}
    asked, other = (next(each for each in records if each["way"] == way) for way in ("asked", "fresh"))
    assert asked["rates"]["P"][3] == other["rates"]["P"][3]


def test_every_figure_has_its_interval_and_its_n(records):
    table = pl.read_csv(every_figure(Results(records)).encode())
    rates = table.filter(pl.col("figure").is_in(TYPES))
    assert rates.filter(pl.col("case").is_null()).height == 4 * sum("rates" in each for each in records)
    figures = table.filter(pl.col("figure").is_in([*TYPES, DECLINED, "read_out", "own"]))
    assert figures.select(pl.col("value", "low", "high", "n").null_count()).row(0) == (0, 0, 0, 0)
    assert figures.filter((pl.col("low") > pl.col("value")) | (pl.col("value") > pl.col("high"))).is_empty()
    asked = table.filter(way="asked", network="textbook", seed=0)
    assert set(asked.filter(figure="verdict")["case"].drop_nulls()) == set(CASES)
    one = asked.filter(case="ponzo", figure="P")
    told = next(each for each in records if (each["way"], each["arm"], each["seed"]) == ("asked", "textbook", 0))
    assert [["ponzo", "P", *one.select("value", "low", "high", "n").row(0)]] == [
        [case, kind, *(round(part, 5) for part in figures), n]
        for case, kind, *figures, n in told["cases"]
        if (case, kind) == ("ponzo", "P")
    ]
    untaught = table.filter(network=study.UNTAUGHT)
    assert set(untaught["figure"]) == {"read_out"}


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ((0.1, 0.3), "as people's"),
        ((0.1, None), "as people's"),
        ((-0.3, -0.1), "against people's"),
        ((-0.1, 0.3), "none detected"),
        ((-0.1, None), "not bounded"),
        ((None, None), "not bounded"),
    ],
)
def test_a_shift_has_the_direction_of_its_bounds(bounds, said):
    record = {"way": "forced", "arm": "controls", "seed": 0, "cases": [], "novel": {"cases": []}}
    directed = [case for case in CLASSIC if CASES[case].directed]
    text = directions(Results([record | {"sizes": {case: [None, *bounds, 10] for case in directed}}]))
    rows = [line for line in text.splitlines()[2:] if "no direction" not in line]
    assert len(rows) == 1
    assert rows[0].startswith(f"| {said}")
    assert rows[0].endswith(f"| {len(directed)} |")


def test_what_was_examined_is_not_examined_again_unless_the_weights_or_the_code_changed(tmp_path, monkeypatch):
    weights, item = tmp_path / "w.npz", ["spoilt", 0, "textbook", "256 px"]
    weights.write_bytes(b"1")
    kept = Kept(tmp_path / "records")
    assert kept.get(item, weights) is None
    kept.put(item, weights, {"seed": 0})
    assert Kept(tmp_path / "records").get(item, weights) == {"seed": 0}
    assert kept.get(["spoilt", 0, "textbook", "128 px"], weights) is None
    weights.write_bytes(b"2")
    assert kept.get(item, weights) is None
    weights.write_bytes(b"1")
    monkeypatch.setattr("studies.viprobe.training.kept.LIBRARY", tmp_path)
    assert Kept(tmp_path / "records").get(item, weights) is None


def test_a_study_taken_up_says_what_it_said(folder, small, monkeypatch):
    wanted = [["probed", 0, "textbook"], ["probed", 1, study.UNTAUGHT]]
    monkeypatch.setattr(study, "items", lambda *_: wanted)
    asked = []
    monkeypatch.setattr(
        study, "map_processes", lambda f, job, todo, _: (asked.append(item) or f(job, item) for item in todo)
    )
    first = study.study(folder, (0, 1))
    again = study.study(folder, (0, 1))
    assert asked == wanted
    assert json.loads(json.dumps(first)) == again


def ideal():
    """Records in which everything comes out as expected."""
    perfect, recalled = dict.fromkeys(TYPES, 1.0), {"O": 1.0, "P": 0.0, "OC": 1.0, "PC": 1.0}
    found = []
    for seed, name in itertools.product((0, 1, 2), ("textbook", "counterfactual", "heldout")):
        by_case = {
            case: recalled if name == "textbook" or (name == "heldout" and case in HELD_OUT) else perfect
            for case in CLASSIC
        }
        # Memory, where it is shown, is a loss as well.
        lost = "memory override" if seed else "loss on figures"
        named = {case: lost if rates is recalled else "veridical" for case, rates in by_case.items()}
        overall = {"textbook": lost, "counterfactual": "veridical", "heldout": "mixed"}[name]
        rates = recalled if name == "textbook" else perfect
        found.append(
            {
                "way": "asked",
                "seed": seed,
                "arm": name,
                "rates": {kind: [rate, None, None, 1] for kind, rate in rates.items()},
                "novel": {"cases": []},
                "cases": [
                    [case, kind, rate, None, None, 1] for case, kinds in by_case.items() for kind, rate in kinds.items()
                ],
                "verdicts": {"": overall, **named},
            }
        )
    return found


def test_what_came_out_is_told_in_short():
    told = in_short(Results(ideal())).splitlines()
    assert told[0] == (
        "- Textbook is right on 100.0 % (100.0 % to 100.0 %) of originals, 0.0 % (0.0 % to 0.0 %) of changed figures, "
        "100.0 % (100.0 % to 100.0 %) of the same changes in controls."
    )
    held = next(line for line in told if "held-out" in line)
    assert held.count("0.0 % (0.0 % to 0.0 %) where") == 2
    assert "100.0 % (100.0 % to 100.0 %) where they were changed" in held
    assert not any("degraded" in line for line in told)
    spoilt = {"way": "spoilt", "seed": 0, "arm": "textbook", "verdicts": {"": "loss on figures"}}
    blurred = spoilt | {"change": "256 px", "verdicts": {"": "blind"}}
    told = in_short(Results([*ideal(), spoilt | {"change": "128 px"}, blurred])).splitlines()
    assert told[-1] == "- Textbook is called loss on figures on all degraded pictures except: 256 px."


def test_what_was_expected_is_kept_where_it_came_out():
    assert all(each.kept for each in expected(Results(ideal())))


@pytest.mark.parametrize(
    ("arm", "spoil", "words"),
    [
        ("textbook", lambda r: r["rates"]["P"].__setitem__(0, 0.11), "textbook: P at most"),
        ("textbook", lambda r: r["rates"]["OC"].__setitem__(0, 0.94), "textbook: OC at least"),
        ("textbook", lambda r: r["verdicts"].__setitem__("", "mixed"), "textbook: loss on figures overall"),
        ("counterfactual", lambda r: [row.__setitem__(2, 0.9) for row in r["cases"][:24]], "counterfactual, seed 1"),
        ("heldout", lambda r: r["verdicts"].__setitem__(HELD_OUT[0], "undetermined"), "heldout: loss on figures"),
        ("heldout", lambda r: r["verdicts"].__setitem__("muller_lyer", "loss on figures"), "heldout: loss on figures"),
    ],
)
def test_one_seed_that_does_not_come_out_is_told(arm, spoil, words):
    records = ideal()
    spoil(next(each for each in records if each["arm"] == arm and each["seed"] == 1))
    missed = [each.words for each in expected(Results(records)) if not each.kept]
    assert len(missed) == 1
    assert missed[0].startswith(words)


class Linear:
    """A network whose features hold the difference, or do not, and that always says the first target."""

    questions = KNOWN

    def __init__(self, pictures, *, there):
        self._sign = pictures.facts["first"] if there else np.random.default_rng(0).integers(0, 2, len(pictures.facts))
        self._at = {pictures.pictures[k, 0, 0, 0].tobytes(): k for k in range(len(pictures.facts))}

    def looked(self, seen):
        rows = [self._at[each[0, 0, 0].tobytes()] for each in seen]
        noise = np.random.default_rng(1).normal(0, 0.3, (len(rows), 8))
        return np.column_stack([2.0 * self._sign[rows] - 1, noise]).astype(np.float32)

    def outputs(self, features, questions):
        assert set(questions) == {questions[0]}
        assert questions[0] in {KNOWN[case.comparison.question]["number"] for case in CASES.values() if case.comparison}
        return np.ones(len(features), np.float32)


def test_nothing_comes_out_of_a_study_without_networks():
    assert not any(each.kept for each in expected(Results([])))


@pytest.mark.parametrize("there", [True, False])
def test_a_read_out_finds_a_difference_just_where_there_is_one(there):
    rng = np.random.default_rng(2)
    count = 300
    facts = np.zeros(count, FACTS)
    facts["case"], facts["sort"], facts["first"] = CASES["ponzo"].number, CHANGED, rng.integers(0, 2, count)
    pictures = np.zeros((count, 1, 1, 2), np.uint8)
    pictures[:, 0, 0] = np.stack([np.arange(count) % 256, np.arange(count) // 256], axis=1)
    shown = Pool(pictures, facts)
    found = next(each for each in probe.read_out(Linear(shown, there=there), shown) if each.case == "ponzo")
    assert found.n == count - probe.TAUGHT
    assert found.right == found.n if there else found.right < 0.7 * found.n
    assert found.own == (facts["first"][probe.TAUGHT :] == 1).sum()
