"""A table of a user's own pictures becomes a set that goes through the same estimates."""

import csv
import json
import shutil
import struct
import zlib

import numpy as np
import polars as pl
import pytest
from PIL import Image

import veridical
from tests.calling import call
from tests.media.clips import FRAMES, written
from tests.suites.viprobe.folders import drawn
from veridical.errors import InputError
from veridical.media.draw import encode_png, pixel_hash
from veridical.suites.viprobe import illusions

COLUMNS = ("unit", "original", "changed", "control", "control_changed", "forward", "reversed", "label", "case")
CASE = illusions.get("muller_lyer")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Three units of drawings whose questions the embedded observer understands: their folder, and the table's rows."""
    folder = tmp_path_factory.mktemp("pictures")
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
    return folder, rows


@pytest.fixture
def table(pictures, tmp_path):
    """The pictures as if they were a user's own, whose table a test may change: its path and its rows."""
    folder, rows = pictures
    mine = [dict(row) for row in rows]
    return write(shutil.copytree(folder, tmp_path / "mine") / "mine.csv", mine), mine


@pytest.fixture(scope="module")
def imported(pictures, tmp_path_factory):
    """The set of the table as it is, for tests that change nothing of it."""
    folder, rows = pictures
    home = tmp_path_factory.mktemp("imported")
    place = shutil.copytree(folder, home / "mine")
    return veridical.import_release("pictures", write(place / "mine.csv", rows), home / "set")


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


def test_the_questions_of_the_table_are_asked_and_the_usual_estimates_follow(imported, pictures, tmp_path):
    rows = pictures[1]
    assert veridical.describe(imported)["units"] == len(rows)
    run = veridical.run(imported, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False)
    assert run.counts.answered == run.counts.planned == 2 * 4 * len(rows)
    estimates = {(e.metric, *e.slice.items()): e for e in run.estimates()}
    assert estimates["PFA",].value == 1.0
    assert estimates["PFA", ("case", "pictures")].n_units == len(rows)
    assert estimates["I",].value == 0.0
    assert veridical.write_report([run]).stat().st_size
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
    run = veridical.run(made, "veridical/pixel", show="quiet", analyze=False)
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
    assert [s.factors["alpha"] for s in changed.values()] == [0.5, -1.0, 1.0]
    assert {s.factors["alpha"] for s in made.stimuli if s.variant != "P" and s.variant != "PC"} == {0.0}
    assert [s.family for s in changed.values()] == ["bars", "bars", "lines"]
    assert {s.category for s in made.stimuli} == {"charts"}
    run = veridical.run(made, "veridical/pixel", settings={"instruction": "measure"}, show="quiet", analyze=False)
    assert all("each bar" in trial.messages[0].parts[0].text for trial in run.run.trials())


def test_an_instruction_without_its_words_is_refused(imported):
    with pytest.raises(InputError, match="has no 'measurand'"):
        veridical.run(imported, "veridical/pixel", settings={"instruction": "measure"}, show="quiet", analyze=False)


def test_a_check_counts_what_cannot_be_measured_and_nobody_measured_a_users_own(imported):
    found = veridical.check(imported)
    assert found.failed == []
    assert found.verified == found.stimuli == len(imported)
    assert list(found.not_measurable.values()) == [len(imported)]
    told = imported.manifest["import"]
    assert (told["measured"], told["not_measurable"], told["unlabelled"]) == (0, len(imported), 0)
    assert told["contradicted"] == told["doubtful"] == []


FORMATS = {
    "PNG": ("png", {}),
    "JPEG": ("jpg", {"quality": 70}),
    "WEBP": ("webp", {"lossless": True}),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_files_are_kept_byte_for_byte_with_the_suffix_of_their_content(table, tmp_path, kind):
    path, rows = table
    suffix, options = FORMATS[kind]
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)
    photo = path.parent / "photo.picture"
    Image.fromarray(pixels).save(photo, kind, **options)
    rows[0]["original"] = photo.name
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    (medium,) = made.stimuli[0].media
    assert medium.file.endswith(f".{suffix}")
    with Image.open(photo) as opened:
        assert medium.sha256 == pixel_hash(np.asarray(opened.convert("RGB")))
    assert (medium.sha256 == pixel_hash(pixels)) == (kind != "JPEG")
    assert (medium.kind, medium.width, medium.height) == ("image", 30, 20)
    named = [row[column] for row in rows for column in ("original", "changed", "control", "control_changed")]
    assert [made.read(s.media[0].file) for s in made.stimuli] == [(path.parent / name).read_bytes() for name in named]
    assert veridical.check(made).failed == []
    assert veridical.run(made, "veridical/prior", show="quiet", analyze=False).counts.answered


def test_the_set_says_that_nobody_stated_a_license(imported):
    assert imported.manifest["license"] == imported.manifest["attribution"] == "not stated"
    assert imported.manifest["may_be_passed_on"] is None
    assert "License: not stated" in (imported.folder / "README.md").read_text()


def test_hostile_names_are_never_paths(table, tmp_path):
    path, rows = table
    rows[0]["unit"], rows[1]["unit"] = "..", "<script>"
    made = veridical.import_release("pictures", write(path, rows), tmp_path / "set")
    names = {medium.file for stimulus in made.stimuli for medium in stimulus.media}
    assert all(name.replace("media/", "").replace("/", "").replace(".png", "").isalnum() for name in names)
    run = veridical.run(made, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False)
    assert "/<script>/" not in veridical.write_report([run]).read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"original": "nowhere.png"}, "row 2: original: there is no file 'nowhere.png'"),
        ({"changed": "../mine/changed-1.png"}, "row 2: changed: '../mine/changed-1.png' is no path inside"),
        ({"original": "/etc/passwd"}, "is no path inside"),
        ({"original": "mine.csv"}, "mine.csv: unknown format: PNG, JPEG and WebP pictures"),
        ({"original": "cut.png"}, "cut.png is not a complete picture"),
        ({"original": "clip.png"}, "clip.png is a clip: pictures are needed"),
        ({"original": "huge.png"}, "more than 512 MB, the maximum"),
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
    if change.get("original") == "huge.png":
        content = bytearray(encode_png(np.zeros((1, 1, 3), np.uint8)))
        content[16:24] = struct.pack(">II", 14_000, 14_000)  # as its header claims, with a checksum that fits
        content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
        (path.parent / "huge.png").write_bytes(content)
    (path.parent / "cut.png").write_bytes((path.parent / rows[0]["original"]).read_bytes()[:900])
    if change.get("original") == "clip.png":
        (path.parent / "clip.png").write_bytes(written(FRAMES[:2]))
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
