"""The published pictures of VI-Probe become a set: labels by the rule, doubts told, pixels held against labels."""

import itertools
import json
import shutil

import numpy as np
import polars as pl
import pytest
from PIL import Image

import veridical
from tests.calling import call
from tests.imported.workbooks import write_workbook
from tests.media.clips import FRAMES, written
from tests.suites.viprobe.folders import ANSWER_FORMAT, COLUMNS, drawn, write_release, write_table
from veridical.errors import InputError
from veridical.media.draw import pixel_hash
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.releases.published_cases import CASES, TYPES

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts")

NUMBERS = (1, 12, 15, 25)


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "published"
    write_release(folder, NUMBERS)
    return folder


@pytest.fixture(scope="module")
def imported(release, tmp_path_factory):
    return veridical.import_release("viprobe", release, tmp_path_factory.mktemp("imported") / "set")


@pytest.fixture(scope="module")
def one_class(tmp_path_factory):
    """A release of one class: its folder, and the rows of its table."""
    ((folder, rows),) = write_release(tmp_path_factory.mktemp("one") / "published", [1], scales=(1.0,)).items()
    return folder, rows


@pytest.fixture(scope="module")
def imported_one(one_class, tmp_path_factory):
    return veridical.import_release("viprobe", one_class[0].parent, tmp_path_factory.mktemp("whole") / "set")


@pytest.fixture
def one(one_class, tmp_path):
    """The release of one class, which a test may spoil: its folder, and the rows of its table."""
    folder, rows = one_class
    return shutil.copytree(folder.parent, tmp_path / "published") / folder.name, [list(row) for row in rows]


def refused(place, out):
    with pytest.raises(InputError) as error:
        veridical.import_release("viprobe", place, out)
    assert "\n" not in str(error.value)
    assert not out.exists()
    return str(error.value)


def test_the_published_cases_are_those_of_the_registry():
    classic = [case for case in illusions.CASES.values() if not case.novel]
    assert [(c.number, c.name, c.category) for c in CASES.values()] == [(c.number, c.name, c.category) for c in classic]
    assert [c.yes_if_unchanged for c in CASES.values()] == [c.yes_if_unchanged for c in classic]
    signed = {case.name for case in CASES.values() if case.sign is not None}
    all_sides_bow = {"ehrenstein"}  # in the release; in our figure those alone that an impression moves
    assert signed == {case.name for case in classic if case.directed} - all_sides_bow


def test_labels_are_true_of_unchanged_figures_and_untrue_of_changed_ones(imported):
    for stimulus in imported.stimuli:
        lines = stimulus.family == "mach_band"
        if lines and stimulus.variant in ("OC", "PC"):
            assert stimulus.label is None
            continue
        alpha = stimulus.factors["alpha"]
        assert stimulus.label == str(int((alpha == 0) != lines))
        assert (alpha != 0) == stimulus.variant.startswith("P") == (stimulus.factors["strength"] != 1)


def test_a_strength_above_one_is_positive_where_it_goes_with_the_impression(imported):
    alphas = {
        (s.family, s.factors["strength"]): (s.factors["alpha"], s.factors.get("congruent"))
        for s in imported.stimuli
        if s.variant == "P"
    }
    assert alphas["muller_lyer", 1.2] == (0.4, True)
    assert alphas["poggendorff", 1.2] == (-0.4, False)
    assert alphas["poggendorff", 0.5] == (1.0, True)
    assert alphas["mach_band", 0.5] == (-1.0, None)


def test_the_question_is_the_published_one_and_the_reversed_one_is_added(imported):
    for stimulus in imported.stimuli:
        assert stimulus.question
        assert ANSWER_FORMAT.strip() not in stimulus.question
        assert stimulus.truth["question_reversed"] == CASES[illusions.get(stimulus.family).number].question_reversed


def test_files_are_as_published_byte_for_byte(release, imported):
    for stimulus in imported.stimuli:
        kind = next(kind for kind, variant in TYPES.items() if variant == stimulus.variant)
        pattern = f"base_scale_{stimulus.factors['base_scale']:.2f}"
        pattern += f"_strength_{stimulus.factors['strength']:.2f}" if stimulus.factors["alpha"] else ""
        (folder,) = release.glob(f"{illusions.get(stimulus.family).number}_*")
        published = folder / kind / f"{pattern}.png"
        (medium,) = stimulus.media
        assert imported.read(medium.file) == published.read_bytes()
        with Image.open(published) as opened:
            assert opened.size == (medium.width, medium.height)
            assert pixel_hash(np.asarray(opened.convert("RGB"))) == medium.sha256


def test_pictures_of_other_formats_are_kept_as_they_are(one, tmp_path):
    folder, rows = one
    for row, kind in zip(rows[:2], ("JPEG", "WEBP"), strict=True):
        place = folder / row[COLUMNS.index("image_path")]
        with Image.open(place) as opened:
            opened.convert("RGB").save(place, kind)
    made = veridical.import_release("viprobe", folder, tmp_path / "set")
    by_row = {(s.variant, f"{s.factors['strength']:.2f}"): s.media[0] for s in made.stimuli}
    for row, suffix in zip(rows, (".jpg", ".webp", *[".png"] * len(rows)), strict=False):
        medium = by_row[TYPES[row[1]], row[3]]
        assert medium.file.endswith(suffix)
        assert made.read(medium.file) == (folder / row[COLUMNS.index("image_path")]).read_bytes()
    assert veridical.check(made).failed == []


def test_the_manifest_says_where_the_pictures_are_from(imported):
    assert imported.manifest["license"] == "CC-BY-4.0"
    assert imported.manifest["may_be_passed_on"] is True
    assert "arXiv:2601.22150" in imported.manifest["attribution"]
    assert "Attribution: Sun et al." in (imported.folder / "README.md").read_text()


def test_every_picture_is_measured_or_counted_as_not_measurable(imported):
    found = imported.manifest["import"]
    assert found["measured"] + found["not_measurable"] == len(imported)
    assert found["measured"] == sum(bool(s.measured) for s in imported.stimuli)
    # Hints of case 12 are published over the targets.
    assert {s.id for s in imported.stimuli if not s.measured} == {
        s.id for s in imported.stimuli if s.family == "cornsweet" and s.variant in ("OH", "PH")
    }
    assert found["missing"] == found["extra"] == found["contradicted"] == []


def test_doubtful_pictures_are_flagged_and_counted(imported):
    told = imported.manifest["import"]["doubtful"]
    assert all(each.keys() == {"family", "variant", "stimuli", "doubt"} for each in told)
    assert sum(each["stimuli"] for each in told) == sum(len(s.truth["doubts"]) for s in imported.stimuli)
    flagged = {(s.family, s.variant) for s in imported.stimuli if s.truth["doubts"]}
    assert flagged == {(each["family"], each["variant"]) for each in told}
    assert {variant for case, variant in flagged if case == "mach_band"} == set(TYPES.values())
    assert not {case for case, _ in flagged} & {"muller_lyer", "poggendorff"}


def test_a_small_change_is_in_doubt_where_the_release_rounds():
    assert list(CASES[3].doubts("P", 1.02))
    assert not list(CASES[3].doubts("P", 1.1))
    assert not list(CASES[3].doubts("O", 1.0))


def test_every_verb_works_on_the_set(imported, tmp_path):
    found = veridical.check(imported)
    assert (found.failed, found.verified) == ([], len(imported))
    assert sum(found.not_measurable.values()) == imported.manifest["import"]["not_measurable"] > 0
    assert veridical.describe(imported)["stimuli"] == len(imported)
    assert "Imported" in (imported.folder / "README.md").read_text()
    run = veridical.run(imported, "veridical/pixel", out=tmp_path / "run", show="quiet", analyze=False)
    labelled = [s for s in imported.stimuli if s.label is not None]
    assert run.counts.planned == 2 * len(labelled)
    forward = run.outcomes().filter(pl.col("settings").str.contains('"polarity":"forward"'))
    right = forward.filter(pl.col("stimulus").is_in([s.id for s in labelled]) & (pl.col("answer") == pl.col("gold")))
    assert len(right) == len(labelled) == forward["correct"].sum()
    assert {e.metric for e in run.estimates()} >= {"PFA", "I", "R"}
    assert veridical.write_report([run]).stat().st_size
    instructed = veridical.run(
        imported, "veridical/pixel", settings={"instruction": ["weigh", "measure"]}, show="quiet"
    )
    assert instructed.counts.asked == 2 * run.counts.planned


def test_a_label_that_the_pixels_contradict_is_reported_and_fails_the_check(one, tmp_path):
    folder, _ = one
    case = illusions.get("muller_lyer")
    spoilt = folder / "perturbed" / "base_scale_1.00_strength_1.20.png"
    spoilt.write_bytes(drawn(case, "O", 0.0))
    made = veridical.import_release("viprobe", folder.parent, tmp_path / "set")
    (contradicted,) = made.manifest["import"]["contradicted"]
    assert (contradicted["id"], contradicted["label"], contradicted["media"]) == ("muller_lyer/1.00/P+0.40", "0", "1")
    assert [failure["id"] for failure in veridical.check(made).failed] == ["muller_lyer/1.00/P+0.40"]


def test_a_figure_of_another_kind_is_not_measurable_and_no_error(one, tmp_path):
    folder, _ = one
    for path in (folder / "original").iterdir():
        path.write_bytes(drawn(illusions.get("hering"), "O", 0.0))
    made = veridical.import_release("viprobe", folder.parent, tmp_path / "set")
    assert made.manifest["import"]["not_measurable"] == 1
    found = veridical.check(made)
    assert (found.failed, found.verified, list(found.not_measurable.values())) == ([], len(made), [1])


def test_a_picture_that_was_changed_afterwards_fails_the_check(imported, tmp_path):
    copy = shutil.copytree(imported.folder, tmp_path / "copy")
    stimulus = next(s for s in imported.stimuli if s.variant == "OH" and not s.measured)
    (copy / stimulus.media[0].file).write_bytes(drawn(illusions.get("cornsweet"), "O", 0.0, unit=3))
    assert [failure["id"] for failure in veridical.check(copy).failed] == [stimulus.id]


def test_missing_and_extra_files_are_counted_and_named(one, tmp_path):
    folder, _ = one
    (folder / "original" / "base_scale_1.00.png").unlink()
    (folder / "original" / "base_scale_9.00.png").write_bytes(b"what is this?")
    (folder.parent / "notes.txt").write_text("hello")
    (folder.parent / ".cache").mkdir()
    made = veridical.import_release("viprobe", folder.parent, tmp_path / "set")
    found = made.manifest["import"]
    assert found["missing"] == [f"{folder.name}/original/base_scale_1.00.png"]
    assert sorted(found["extra"]) == [f"{folder.name}/original/base_scale_9.00.png", "notes.txt"]
    assert not [s for s in made.stimuli if s.variant == "O"]


def test_one_class_folder_can_be_imported_alone(one_class, imported_one, tmp_path):
    alone = veridical.import_release("viprobe", one_class[0], tmp_path / "alone")
    assert imported_one.digest == alone.digest


def test_a_table_may_lie_beside_its_folder(one, imported_one, tmp_path):
    folder, _ = one
    (table,) = folder.glob("*.csv")
    table.rename(folder.parent / f"{folder.name.partition('_')[2]}_generation_metadata.csv")
    beside = veridical.import_release("viprobe", folder.parent, tmp_path / "beside")
    assert (beside.digest, beside.manifest["import"]["extra"]) == (imported_one.digest, [])
    (folder.parent / "all.csv").write_text("a\n1\n")
    found = veridical.import_release("viprobe", folder.parent, tmp_path / "more").manifest["import"]
    assert found["extra"] == ["all.csv"]


@pytest.mark.parametrize("kind", ["parquet", "xlsx"])
def test_other_kinds_of_table_give_the_same_set(one, imported_one, tmp_path, kind):
    folder, rows = one
    (table,) = folder.glob("*.csv")
    table.unlink()
    if kind == "xlsx":
        pytest.importorskip("fastexcel")
        write_workbook(table.with_suffix(".xlsx"), [COLUMNS, *rows])
    else:
        pl.DataFrame(rows, schema=list(COLUMNS), orient="row").write_parquet(table.with_suffix(".parquet"))
    assert veridical.import_release("viprobe", folder, tmp_path / "other").digest == imported_one.digest


def spoil(rows, column, value):
    """The table with one cell of its first perturbed row changed."""
    place = next(index for index, row in enumerate(rows) if row[1] == "perturbed")
    rows[place][COLUMNS.index(column)] = value


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("type", "pertubed", "unknown type 'pertubed': did you mean 'perturbed'"),
        ("strength", "1.00", "any but 1 is needed"),
        ("strength", "1.60", "0.5 to 1.5 are published"),
        ("strength", "much", "strength 'much' is no number"),
        ("strength", "nan", "is no number"),
        ("base_scale", "", "is no number"),
        ("image_path", "../../secret.png", "is no path inside"),
        ("image_path", "/etc/passwd", "is no path inside"),
        ("prompt", "  ", "the prompt is empty"),
        ("type", "perturbed_control", "the same picture type, base scale and strength"),
    ],
)
def test_a_bad_row_is_told_in_one_line(one, tmp_path, column, value, said):
    folder, rows = one
    spoil(rows, column, value)
    write_table(folder, rows)
    assert said in refused(folder.parent, tmp_path / "set")


def test_bad_folders_are_told_in_one_line(one, tmp_path):
    folder, rows = one
    out = tmp_path / "set"
    assert "is no folder" in refused(tmp_path / "nowhere", out)
    (tmp_path / "empty").mkdir()
    assert "holds no class" in refused(tmp_path / "empty", out)
    write_table(folder, rows, ("class_name", "typ", *COLUMNS[2:]))
    assert "the column 'type' is missing (is it 'typ'?)" in refused(folder, out)
    write_table(folder, rows)
    shutil.copytree(folder, folder.parent / "1_Again")
    assert "are of one case" in refused(folder.parent, out)
    shutil.rmtree(folder.parent / "1_Again")
    (folder / "second.csv").write_text("a\n1\n")
    assert "holds 2 tables" in refused(folder.parent, out)
    for path in folder.glob("*.csv"):
        path.unlink()
    assert "holds no table" in refused(folder.parent, out)


def test_nothing_is_left_where_a_picture_cannot_be_read(one, tmp_path):
    folder, _ = one
    spoilt = folder / "original" / "base_scale_1.00.png"
    for content, said in (
        (b"no picture", "unknown format"),
        (spoilt.read_bytes()[:900], "not a complete picture"),
        (written(FRAMES[:2]), "is a clip: pictures are needed"),
    ):
        spoilt.write_bytes(content)
        assert said in refused(folder.parent, tmp_path / "out" / "set")
        assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_that_holds_something_is_left_alone(one, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="no new or empty folder"):
        veridical.import_release("viprobe", one[0], tmp_path / "set")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["mine.txt"]


def test_the_command_line_tells_what_was_found(one, tmp_path, monkeypatch, capsys):
    (one[0] / "original" / "base_scale_1.00.png").unlink()
    (one[0] / "original" / "other.png").write_bytes(b"")
    code, out, _ = call(monkeypatch, capsys, "import", "viprobe", one[0].parent, "--out", tmp_path / "a", "--json")
    told = json.loads(out)
    assert code == 0
    assert (len(told["missing"]), len(told["extra"]), told["contradicted"]) == (1, 1, [])
    assert told["stimuli"] == sum(told["counts"].values()) == told["measured"] + told["not_measurable"]
    code, out, _ = call(monkeypatch, capsys, "import", "viprobe", one[0].parent, "--out", tmp_path / "b")
    assert "1 missing: " in out
    assert "1 extra: " in out
    code, _, err = call(monkeypatch, capsys, "import", "viprob", one[0].parent, "--out", tmp_path / "c")
    assert (code, err.count("\n")) == (2, 1)
    assert "did you mean 'viprobe'" in err


def test_the_command_line_tells_what_is_in_doubt_and_what_has_no_truth(release, tmp_path, monkeypatch, capsys):
    place = next(release.glob("15_*"))
    code, out, _ = call(monkeypatch, capsys, "import", "viprobe", place, "--out", tmp_path / "set")
    assert code == 0
    assert "6 have no published truth" in out
    assert "in doubt: mach_band OC, 2 " in out


def test_ids_are_one_per_picture_type_scale_and_strength(imported):
    keys = [(s.family, s.variant, s.factors["base_scale"], s.factors["strength"], s.id) for s in imported.stimuli]
    assert len({key[:4] for key in keys}) == len({key[4] for key in keys}) == len(keys)
    assert all(s.id.startswith(f"{s.unit}/") for s in imported.stimuli)
    assert not list(itertools.chain(imported.folder.glob(".*"), imported.folder.parent.glob(".veridical-*")))
