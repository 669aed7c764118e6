"""A table of a user's own pictures becomes a set that goes through the same estimates."""

import csv
import json

import numpy as np
import polars as pl
import pytest
from PIL import Image

import veridical
from tests.releases.folders import drawn
from tests.road.test_toy_suite import call
from veridical.errors import InputError
from veridical.media.draw import encode_png, pixel_hash
from veridical.suites.viprobe import illusions

COLUMNS = ("unit", "original", "changed", "control", "control_changed", "forward", "reversed", "label", "case")
CASE = illusions.get("muller_lyer")


@pytest.fixture
def table(tmp_path):
    """Three units of drawings whose questions the embedded observer understands, as if they were a user's own."""
    folder = tmp_path / "mine"
    folder.mkdir()
    rows = []
    for unit in range(3):
        base = CASE.base(512, 0, unit)
        names = {}
        for column, variant, alpha in (
            ("original", "O", 0.0),
            ("changed", "P", 0.6),
            ("control", "OC", 0.0),
            ("control_changed", "PC", 0.6),
        ):
            names[column] = f"{column}-{unit}.png"
            (folder / names[column]).write_bytes(drawn(CASE, variant, alpha, unit))
        questions = {
            "forward": CASE.fill(base, CASE.question),
            "reversed": CASE.fill(base, CASE.question_reversed),
        }
        rows.append({"unit": f"Chart {unit}", **names, **questions, "label": "yes", "case": ""})
    return write(folder / "mine.csv", rows), rows


def write(path, rows, columns=COLUMNS):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def refused(place, out):
    with pytest.raises(InputError) as error:
        veridical.import_release("pictures", place, out)
    assert "\n" not in str(error.value)
    assert not out.exists()
    return str(error.value)


def test_the_questions_of_the_table_are_asked_and_the_usual_estimates_follow(table, tmp_path):
    path, rows = table
    made = veridical.import_release("pictures", path, tmp_path / "set")
    assert veridical.check(made).failed == []
    assert veridical.describe(made)["units"] == len(rows)
    run = veridical.run(made, "veridical/pixel", out=tmp_path / "run", show="quiet")
    assert run.counts.answered == run.counts.planned == 2 * 4 * len(rows)
    estimates = {(e.metric, *e.slice.items()): e for e in run.estimates()}
    assert estimates["PFA",].value == 1.0
    assert estimates["PFA", ("case", "pictures")].n_units == len(rows)
    assert estimates["I",].value == 0.0
    assert run.report().stat().st_size
    asked = {trial.messages[-1].parts[-1].text for trial in run.run.trials()}
    for row in rows:
        assert any(row["forward"] in text for text in asked)
        assert any(row["reversed"] in text for text in asked)


def test_a_changed_picture_has_the_other_answer(table, tmp_path):
    path, rows = table
    rows[0]["label"], rows[1]["label"], rows[2]["label"] = "No", "0", "1"
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    for stimulus in made.stimuli:
        label = {"Chart 0": "0", "Chart 1": "0", "Chart 2": "1"}[stimulus.unit.rpartition("/")[2]]
        assert (stimulus.label == label) == (stimulus.variant in ("O", "OC"))


def test_what_is_not_given_is_not_there_and_each_estimate_says_what_it_lacks(table, tmp_path):
    path, rows = table
    for row in rows:
        row["control"] = row["control_changed"] = ""
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    assert sorted({s.variant for s in made.stimuli}) == ["O", "P"]
    run = veridical.run(made, "veridical/pixel", show="quiet")
    estimates = {(e.metric, *e.slice.items()): e for e in run.estimates()}
    assert estimates["PFA",].value is None
    assert estimates["PFA",].reason
    assert estimates["PFA", ("variant", "P")].value == 1.0


def test_columns_that_are_left_out_are_as_empty_ones(table, tmp_path):
    path, rows = table
    few = [name for name in COLUMNS if name not in ("changed", "control", "control_changed", "case")]
    made = veridical.import_release("pictures", write(path, rows, few), tmp_path / "set")
    assert [s.variant for s in made.stimuli] == ["O"] * len(rows)


def test_cases_and_strengths_of_the_table_are_taken(table, tmp_path):
    path, rows = table
    for row, case, alpha in zip(rows, ("bars", "bars", "lines"), ("0.5", "-1", "1"), strict=True):
        row |= {"case": case, "alpha": alpha, "category": "charts", "state": "equal", "measurand": "each bar"}
    columns = (*COLUMNS, "alpha", "category", "state", "measurand")
    made = veridical.import_release("pictures", write(path, rows, columns), tmp_path / "set")
    changed = {s.unit: s for s in made.stimuli if s.variant == "P"}
    assert [s.alpha for s in changed.values()] == [0.5, -1.0, 1.0]
    assert [s.family for s in changed.values()] == ["bars", "bars", "lines"]
    assert {s.category for s in made.stimuli} == {"charts"}
    run = veridical.run(made, "veridical/pixel", settings={"instruction": "measure"}, show="quiet")
    assert all("each bar" in trial.messages[0].parts[0].text for trial in run.run.trials())


def test_an_instruction_without_its_words_is_refused(table, tmp_path):
    made = veridical.import_release("pictures", table[0], tmp_path / "set")
    with pytest.raises(InputError, match="has no 'measurand'"):
        veridical.run(made, "veridical/pixel", settings={"instruction": "measure"}, show="quiet")


def test_pictures_of_other_formats_keep_their_pixels(table, tmp_path):
    path, rows = table
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)
    Image.fromarray(pixels).save(path.parent / "photo.webp", lossless=True)
    rows[0]["original"] = "photo.webp"
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    assert made.stimuli[0].sha256 == pixel_hash(pixels)
    assert veridical.check(made).failed == []


def test_hostile_names_are_never_paths(table, tmp_path):
    path, rows = table
    rows[0]["unit"], rows[1]["unit"] = "..", "<script>"
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    names = {name for stimulus in made.stimuli for name in stimulus.media}
    assert all(name.replace("media/", "").replace("/", "").replace(".png", "").isalnum() for name in names)
    report = veridical.run(made, "veridical/pixel", out=tmp_path / "run", show="quiet").report().read_text()
    assert "/<script>/" not in report


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"original": "nowhere.png"}, "row 2: original: there is no file 'nowhere.png'"),
        ({"changed": "../mine/changed-1.png"}, "row 2: changed: '../mine/changed-1.png' is no path inside"),
        ({"original": "/etc/passwd"}, "is no path inside"),
        ({"original": "mine.csv"}, "is no whole picture"),
        ({"original": "huge.png"}, "is a picture of 5000x4000"),
        ({"original": ""}, "row 2: original is empty"),
        ({"forward": " "}, "row 2: forward is empty"),
        ({"reversed": ""}, "row 2: reversed is empty"),
        ({"label": "maybe"}, "label 'maybe': yes, no, 1 or 0 is needed"),
        ({"unit": "Chart 0"}, "is in"),
        ({"unit": ""}, "unit ''"),
        ({"unit": "a/b"}, "without / ? & are allowed"),
        ({"case": "x\ny"}, "case"),
    ],
)
def test_a_bad_row_is_told_in_one_line(table, tmp_path, change, said):
    path, rows = table
    (path.parent / "huge.png").write_bytes(encode_png(np.zeros((4000, 5000, 3), np.uint8)))
    rows[1] |= change
    assert said in refused(write(path, rows), tmp_path / "set")


@pytest.mark.parametrize("alpha", ["0", "1.5", "nan", "strong", ""])
def test_a_bad_strength_is_told_in_one_line(table, tmp_path, alpha):
    path, rows = table
    rows[0]["alpha"], rows[1]["alpha"] = "0.5", alpha
    assert "row 2: alpha" in refused(write(path, rows, (*COLUMNS, "alpha")), tmp_path / "set")


def test_a_misspelt_column_is_not_passed_over(table, tmp_path):
    path, _ = table
    path.write_text(path.read_text().replace(",control_changed", ",controls_changed"))
    assert "unknown column 'controls_changed': did you mean 'control_changed'" in refused(path, tmp_path / "set")


def test_the_command_line_takes_a_parquet_table(table, tmp_path, monkeypatch, capsys):
    path, rows = table
    pl.DataFrame([{name: row[name] for name in COLUMNS} for row in rows]).write_parquet(path.with_suffix(".parquet"))
    place = path.with_suffix(".parquet")
    code, out, _ = call(monkeypatch, capsys, "import", "pictures", place, "--out", tmp_path / "set", "--json")
    assert (code, json.loads(out)["stimuli"]) == (0, 4 * len(rows))
    code, _, err = call(monkeypatch, capsys, "import", "pictures", path.parent / "no.csv", "--out", tmp_path / "b")
    assert (code, err.count("\n")) == (2, 1)
