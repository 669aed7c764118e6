"""Calibration: the figures of judges that are built to be good, sloppy, generous or blind come out as built."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from veridical.errors import InputError
from veridical.judges.calibration import calibrate
from veridical.judges.people import read_people
from veridical.judges.verdict_frames import VERDICTS

RANGES = {"grade": (0.0, 10.0), "veto": (0.0, 1.0)}
N, LABELED = 300, 120
PLANTED = [f"p{index}" for index in range(20)]


def rows(judge, grades, vetoes, items, status=None):
    for name, scores in (("grade", grades), ("veto", vetoes)):
        for place, item in enumerate(items):
            read = status is None or status[place]
            model = "a" if place % 2 else "b"
            yield (
                item,
                model,
                judge,
                "r",
                name,
                float(scores[place]) if read else None,
                ("answered" if read else "unparsed"),
            )


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Truth from 0 to 10, three judges, two people of whom one is exact, and impossible items."""
    rng = np.random.default_rng(0)
    truth, veto = rng.integers(0, 11, N), (rng.random(N) < 0.3).astype(int)
    items = [f"i{index}" for index in range(N)]
    sloppy = np.clip(truth + rng.integers(-3, 4, N), 0, 10)
    generous = np.minimum(truth + 2, 10)
    read = rng.random(N) < 0.9
    table = [
        *rows("good", truth, veto, items),
        *rows("sloppy", sloppy, np.where(rng.random(N) < 0.8, veto, 1 - veto), items, read),
        *rows("generous", generous, np.zeros(N), items),
        *rows("good", [0] * 20, [0] * 20, PLANTED),
        *rows("generous", [2, 0] * 10, [0] * 20, PLANTED),
    ]
    verdicts = pl.DataFrame(table, schema=dict(VERDICTS), orient="row")
    path = Path(tmp_path_factory.mktemp("people")) / "people.csv"
    lines = ["item,model,person,score_name,label"]
    for index in rng.permutation(N)[:LABELED]:
        model = "a" if index % 2 else "b"
        lines += [f"i{index},{model},ann,grade,{truth[index]}", f"i{index},{model},bob,grade,{truth[index]}"]
        lines += [f"i{index},{model},ann,veto,{veto[index]}"]
    path.write_text("\n".join(lines))
    return verdicts, read_people(path, verdicts, RANGES), truth, read


@pytest.fixture(scope="module")
def found(world):
    return calibrate(world[0], world[1], RANGES, vetoes=["veto"], planted=PLANTED)


def of(found, name, **about):
    """The one estimate of that name and about that, which compares with nothing and has no noise that is not named."""
    apart = {"noise", "other"} - set(about)
    every = [each for each in found.estimates if each.name == name and about.items() <= each.about.items()]
    (one,) = [each for each in every if not apart & set(each.about)]
    return one


def test_a_judge_that_knows_the_truth_agrees_fully_and_no_interval_is_a_point(found):
    for name in ("Pearson", "Spearman", "kappa", "Krippendorff"):
        each = of(found, name, judge="good", score="grade").statistic
        assert each.value == pytest.approx(1)
        assert each.low < 1
        assert each.n == (2 * LABELED if name == "Krippendorff" else LABELED)
    assert of(found, "percentage error", judge="good", score="grade").statistic.value == 0


def test_a_sloppy_judge_agrees_less_and_its_unread_verdicts_are_counted_and_in_no_figure(found, world):
    unread = int((~world[3]).sum())
    each = of(found, "Pearson", judge="sloppy", score="grade")
    assert 0.6 < each.statistic.high < 1
    assert each.statistic.n + each.unread == LABELED
    assert 0 < each.unread < unread
    status = found.verdicts.filter(pl.col("judge") == "sloppy", pl.col("score_name") == "grade")
    assert dict(status.select("status", "verdicts").rows()) == {"answered": N - unread, "unparsed": unread}


def test_a_generous_judge_correlates_and_its_percentage_error_shows_what_it_adds(found, world):
    assert of(found, "Spearman", judge="generous", score="grade").statistic.value > 0.9
    error = of(found, "percentage error", judge="generous", score="grade").statistic
    assert error.value > 0.3
    assert error.left_out + error.n == LABELED
    assert error.left_out > 0


def test_false_positives_are_those_of_planted_items_alone(found):
    assert of(found, "false positives", judge="good").statistic.value == 0
    generous = of(found, "false positives", judge="generous").statistic
    assert (generous.value, generous.n) == (0.5, 20)
    assert not [each for each in found.estimates if each.name == "false positives" and each.about["score"] == "veto"]


def test_a_veto_has_agreement_and_no_correlation(found):
    names = {each.name for each in found.estimates if each.about.get("score") == "veto"}
    assert names & {"Pearson", "Spearman", "percentage error"} == set()
    assert of(found, "veto agreement", judge="good", score="veto").statistic.value == 1
    never = of(found, "veto kappa", judge="generous", score="veto").statistic
    assert never.value == 0
    assert 0.5 < of(found, "veto agreement", judge="generous", score="veto").statistic.value < 0.9


def test_the_rates_of_a_generous_judge_are_corrected(found, world):
    truth = float(world[2].mean())
    raw = of(found, "judged mean", judge="generous", model="all", score="grade").statistic
    corrected = of(found, "corrected mean", judge="generous", model="all", score="grade").statistic
    labels = of(found, "mean of labels", judge="generous", model="all", score="grade").statistic
    assert raw.low > truth
    assert corrected.low <= truth <= corrected.high
    assert corrected.high - corrected.low < labels.high - labels.low


def test_noise_lowers_correlation_and_the_same_seed_gives_the_same(found, world):
    exact = of(found, "Pearson", judge="good", score="grade").statistic.value
    some, more = (of(found, "Pearson", judge="good", score="grade", noise=noise).statistic for noise in ("0.5", "1"))
    assert exact > some.value > more.value > 0.3
    again = calibrate(world[0], world[1], RANGES, vetoes=["veto"], planted=PLANTED)
    assert again.frame().equals(found.frame())


def test_judges_are_compared_with_each_other_and_people_with_people(found):
    pair = of(found, "kappa", judge="good", other="generous", score="grade").statistic
    assert pair.n == N
    assert 0.5 < pair.value < 1
    assert of(found, "agreement among people", score="grade").statistic.value == 1
    assert of(found, "agreement among people", score="veto").statistic.value is None
    assert 0.5 < of(found, "agreement among judges", score="grade").statistic.value < 1


def test_tables_count_each_labeled_reply_once(found):
    sizes = {table.judges: int(table.counts["replies"].sum()) for table in found.tables if table.score == "veto"}
    assert set(map(len, sizes)) == {1, 2}
    assert sizes["good",] == sizes["good", "generous"] == LABELED
    assert sizes["sloppy",] < LABELED
    two = next(table for table in found.tables if table.judges == ("good",) and table.score == "veto").counts
    assert (two["person"] == two["first"]).all()


def test_the_frame_has_a_row_per_estimate(found):
    frame = found.frame()
    assert len(frame) == len(found.estimates)
    assert {"name", "judge", "rubric", "score", "model", "noise", "value", "low", "high", "n", "unread"} <= set(
        frame.columns
    )
    assert frame.filter(pl.col("value").is_null(), pl.col("reason").is_null()).is_empty()


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda frame: frame.drop("judge"), {}, "no column 'judge'"),
        (lambda frame: pl.concat([frame, frame.head(1)]), {}, "judge good has two verdicts on item 'i0'"),
        (lambda frame: frame.with_columns(score=pl.col("score") + 5), {}, "out of range"),
        (lambda frame: frame, {"planted": ["nowhere"]}, "planted item 'nowhere'"),
        (lambda frame: frame, {"vetoes": ["grade"]}, "veto 'grade' ranges from 0 to 10"),
        (lambda frame: frame.with_columns(score_name=pl.lit("other") + pl.col("score_name")), {}, "has no range"),
        (lambda frame: frame.with_columns(item=pl.lit("x") + pl.col("item")), {}, "no label is about a reply"),
    ],
)
def test_what_cannot_be_calibrated_is_refused_in_one_line(world, change, options, message):
    with pytest.raises(InputError, match=message) as refused:
        calibrate(change(world[0]), world[1], RANGES, **options)
    assert "\n" not in str(refused.value)


def test_verdicts_of_which_none_was_read_have_no_figure_but_a_reason(world):
    none = world[0].with_columns(status=pl.lit("unparsed"))
    frame = calibrate(none, world[1], RANGES, vetoes=["veto"]).frame()
    assert set(frame.filter(pl.col("name") == "judged mean")["reason"]) == {"no verdict was read"}
    judged = frame.filter(pl.col("judge").is_not_null())
    assert judged["value"].null_count() == len(judged)
    assert judged["reason"].null_count() == 0
