"""Samples for people and what they hand back: strata, weights, and one clear line for each thing that is wrong."""

import polars as pl
import pytest

from veridical.errors import InputError
from veridical.judges.people import read_key, read_people
from veridical.judges.sampling import sample

RANGES = {"grade": (0.0, 10.0)}


def replies(n=120):
    rows = range(n)
    return pl.DataFrame(
        {
            "item": [f"i{row:03}" for row in rows],
            "model": [f"m{row % 2}" for row in rows],
            "type": ["fire" if row % 3 else "water" for row in rows],
            "score": [float(row % 11) if row % 10 else None for row in rows],
            "reply": ["=HYPERLINK(1)" if row == 0 else "a reply, with a comma" for row in rows],
        }
    )


def verdicts(n=6):
    return pl.DataFrame(
        {
            "item": [f"i{row}" for row in range(n)] + ["i0"],
            "model": ["a"] * n + ["b"],
            "judge": "j",
            "rubric": "r",
            "score_name": "grade",
            "score": [float(row) for row in range(n)] + [1.0],
            "status": "answered",
        }
    )


def test_each_stratum_gives_equally_many_and_the_weights_add_up_to_all():
    drawn = sample(replies(), score_range=(0, 10), per_stratum=3, seed=1)
    assert drawn.strata["drawn"].max() == 3
    assert (drawn.strata["drawn"] == drawn.strata.select(pl.min_horizontal("available", pl.lit(3))).to_series()).all()
    assert len(drawn.rows) == drawn.strata["drawn"].sum()
    assert drawn.rows["weight"].sum() == pytest.approx(120)
    assert "no verdict" in drawn.strata["band"]
    assert drawn.rows["item"].is_unique().all()


def test_the_same_seed_draws_the_same_and_another_one_others():
    draw = [sample(replies(), score_range=(0, 10), seed=seed).rows["item"].to_list() for seed in (1, 1, 2)]
    assert draw[0] == draw[1] != draw[2]


def test_an_empty_stratum_is_named_in_one_line():
    some = replies().filter((pl.col("model") == "m0") | (pl.col("type") == "fire"))
    empty = sample(some, score_range=(0, 10)).empty
    assert empty.startswith("3 of 14 strata have no reply: water × 0 to 3.33 × m1, water × 3.33 to 6.67 × m1")
    assert "\n" not in empty
    assert sample(replies(), score_range=(0, 10)).empty is None


def test_people_see_nothing_that_gives_a_verdict_away_and_no_formula(tmp_path):
    path, key = sample(replies(), score_range=(0, 10), per_stratum=50).write(tmp_path / "people.csv")
    table = pl.read_csv(path)
    assert set(table.columns) == {"item", "reply", "person", "label"}
    assert pl.read_csv(key).columns == ["item", "model", "type", "band", "score", "weight"]
    assert table["item"].to_list() != sorted(table["item"])
    assert table.filter(pl.col("item") == "i000")["reply"].to_list() == ["'=HYPERLINK(1)"]


def test_a_file_that_may_hold_labels_is_never_written_over(tmp_path):
    drawn = sample(replies(), score_range=(0, 10))
    for taken in ("people.csv", "people-key.csv"):
        (tmp_path / taken).write_text("mine")
        with pytest.raises(InputError, match=f"{taken} exists, and may hold labels"):
            drawn.write(tmp_path / "people.csv")
        assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
        (tmp_path / taken).unlink()


def test_each_score_of_a_rubric_has_its_row_with_what_is_allowed(tmp_path):
    drawn = sample(replies(), score_range=(0, 10), per_stratum=1)
    path, _ = drawn.write(tmp_path / "people.csv", {"grade": (0, 10), "veto": (0, 1)})
    table = pl.read_csv(path)
    assert len(table) == 2 * len(drawn.rows)
    assert dict(table.select("score_name", "allowed").rows()) == {"grade": "0 to 10", "veto": "0 to 1 (no or yes)"}


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda frame: frame.drop("type"), {}, "no column 'type'"),
        (lambda frame: frame.clear(), {}, "no judged reply"),
        (lambda frame: pl.concat([frame, frame]), {}, "item 'i000' occurs more than once"),
        (lambda frame: frame.with_columns(score=pl.lit(11.0)), {}, "score 11: 0 to 10 are allowed"),
        (lambda frame: frame, {"per_stratum": 0}, "per stratum 0: 1 or more"),
        (lambda frame: frame, {"score_bands": 0}, "score bands 0: 1 or more"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_refused_in_one_line(change, options, message):
    with pytest.raises(InputError, match=message) as refused:
        sample(change(replies()), score_range=(0, 10), **options)
    assert "\n" not in str(refused.value)


def people(tmp_path, *lines, head="item,model,person,label", ranges=RANGES):
    path = tmp_path / "people.csv"
    path.write_text("\n".join([head, *lines]) + "\n")
    return read_people(path, verdicts(), ranges)


def test_the_mean_of_several_people_is_the_reference(tmp_path):
    read = people(tmp_path, "i1,a,ann,2", "i1,a,bob,5", "i2,a,ann,7", "i2,a,bob,7", "i3,a,ann,")
    assert read.reference.select("item", "reference", "people").rows() == [("i1", 3.5, 2), ("i2", 7.0, 2)]
    assert read.blank == 1
    assert 0 < read.agreement["grade"].value < 1


def test_one_person_has_no_agreement_and_the_reason_says_so(tmp_path):
    read = people(tmp_path, "i1,a,ann,2", "i2,a,ann,7")
    assert read.agreement["grade"].value is None
    assert read.agreement["grade"].reason == "fewer than two items have two ratings"


def test_words_label_a_score_from_0_to_1(tmp_path):
    read = people(tmp_path, "i1,a,ann,Yes", "i2,a,ann,wrong", "i3,a,ann,0", ranges={"grade": (0.0, 1.0)})
    assert read.reference["reference"].to_list() == [1, 0, 0]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["i1,a,ann,2", "i9,a,ann,3"], "row 2: no verdict is about item 'i9'"),
        (["i1,a,ann,2", "i2,a,ann,3", "i1,a,ann,4"], "row 3: 'ann' labeled item 'i1' in row 1 already"),
        (["i1,a,ann,11"], "row 1: label 11: 0 to 10 are allowed"),
        (["i1,a,ann,-1"], "row 1: label -1: 0 to 10 are allowed"),
        (["i1,a,ann,nan"], "row 1: label 'nan' is no number"),
        (["i1,a,ann,7/10"], "row 1: label '7/10' is no number"),
        (["i1,a,,5"], "row 1: person is empty"),
        (["i0,,ann,5"], "row 1: item 'i0' has replies of a, b: name one in a column 'model'"),
        (["i0,c,ann,5"], "row 1: unknown model 'c'"),
        (["i1,a,ann,", "i2,a,ann,"], "holds no label: the column 'label' is empty in all 2 rows"),
    ],
)
def test_a_label_that_cannot_be_is_refused_in_one_line_with_its_row(tmp_path, lines, message):
    with pytest.raises(InputError) as refused:
        people(tmp_path, *lines)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_columns_that_are_missing_and_scores_that_do_not_exist_are_named(tmp_path):
    with pytest.raises(InputError, match="the column 'label' is missing"):
        people(tmp_path, "i1,a,ann,2", head="item,model,person,labels")
    with pytest.raises(InputError, match="row 1: unknown score 'grad': did you mean 'grade'"):
        people(tmp_path, "i1,a,ann,2,grad", head="item,model,person,label,score_name")
    two = {**RANGES, "veto": (0.0, 1.0)}
    with pytest.raises(InputError, match="there are the scores grade, veto: name one"):
        people(tmp_path, "i1,a,ann,2", ranges=two)
    with pytest.raises(InputError, match="weight 0: a number above 0"):
        people(tmp_path, "i1,a,ann,2,0", head="item,model,person,label,weight")


def test_what_was_written_for_people_is_read_back(tmp_path):
    judged = replies().with_columns(
        judge=pl.lit("j"),
        rubric=pl.lit("r"),
        score_name=pl.lit("grade"),
        status=pl.when(pl.col("score").is_null()).then(pl.lit("unparsed")).otherwise(pl.lit("answered")),
    )
    path, key = sample(replies(), score_range=(0, 10), per_stratum=2).write(tmp_path / "people.csv")
    filled = pl.read_csv(path).with_columns(person=pl.lit("ann"), label=pl.lit(5))
    filled.write_csv(path)
    read = read_people(path, judged, RANGES, read_key(key))
    assert len(read.reference) == len(filled)
    assert read.reference["weight"].sum() == pytest.approx(120)


def test_the_labels_of_several_people_may_stand_in_files_of_their_own(tmp_path):
    places = [tmp_path / f"{person}.csv" for person in ("ann", "bob")]
    for place, label in zip(places, (2, 5), strict=True):
        place.write_text(f"item,person,label\ni1,{place.stem},{label}\n")
    assert read_people(places, verdicts(), RANGES).reference["reference"].to_list() == [3.5]
    with pytest.raises(InputError, match=r"'ann' labeled item 'i1' in .*ann.csv, row 1 already"):
        read_people([places[0], places[0]], verdicts(), RANGES)


def test_a_key_of_another_sample_is_refused(tmp_path):
    place = tmp_path / "people.csv"
    place.write_text("item,person,label\ni1,ann,2\n")
    with pytest.raises(InputError, match="row 1: the key has no item 'i1'"):
        read_people(place, verdicts(), RANGES, {"i2": 1.0})


ODD = {
    "byte order mark and line ends of Windows": b"\xef\xbb\xbfitem,person,label\r\ni1,ann,2\r\n",
    "spaces around": b"item,person,label\n i1 , ann , 2 \n",
    "a column of others": b"item,person,label,remark\ni1,ann,2,\"=cmd|'/c'!A1\"\n",
    "a long cell of others": b"item,person,label,reply\ni1,ann,2," + b"x" * 200_000 + b"\n",
}


@pytest.mark.parametrize("raw", ODD.values(), ids=ODD)
def test_what_spreadsheets_make_of_a_table_is_read(tmp_path, raw):
    place = tmp_path / "people.csv"
    place.write_bytes(raw)
    assert read_people(place, verdicts(), RANGES).reference["reference"].to_list() == [2]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"item,person,label,label\ni1,ann,2,3\n", "the column 'label' occurs more than once"),
        (b"item;person;label\ni1;ann;2\n", "the column 'item' is missing"),
        (b"item,person,label\ni1,ann,=1+1\n", "row 1: label '=1+1' is no number"),
        (b"item,person,label\ni1,ann," + b"9" * 200_000 + b"\n", "row 1: label has 200,000 characters"),
        (b"item,person,label\ni1,ann," + b"9" * 900 + b"\n", "row 1: label '9999"),
        (b"item,person,label\ni1,ann,\xff\n", "cannot be read as a table"),
        (b"", "cannot be read as a table"),
        (b"item,person,label\n", "holds no row"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_short_line(tmp_path, raw, message):
    place = tmp_path / "people.csv"
    place.write_bytes(raw)
    with pytest.raises(InputError) as refused:
        read_people(place, verdicts(), RANGES)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
