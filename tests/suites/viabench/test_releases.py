"""A release is the same set from every form; what cannot be used is counted to the item, with the reason."""

from __future__ import annotations

import base64
import json
import struct
import zlib

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.suites.viabench.release_data import CATEGORIES, LETTERS, OURS, as_jsonl, as_parquet, as_tsv, items, picture
from veridical.errors import InputError
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.options import CODES
from veridical.suites.viabench.puzzles.puzzle import is_not_sure, kind_of
from veridical.suites.viabench.releases.rows import FAMILIES, category_of

FORMS = {
    "tsv": as_tsv,
    "json lines": as_jsonl,
    "json lines, options in a list": lambda folder, listed: as_jsonl(folder, listed, options="list"),
    "json lines, options in an object": lambda folder, listed: as_jsonl(folder, listed, options="object"),
    "parquet, structures": as_parquet,
    "parquet, bytes": lambda folder, listed: as_parquet(folder, listed, form="bytes"),
    "parquet, base64": lambda folder, listed: as_parquet(folder, listed, form="base64"),
    "parquet, paths": lambda folder, listed: as_parquet(folder, listed, form="path"),
}
THREE = ("tsv", "json lines", "parquet, structures")


def imported(place, tmp_path, name="set", **options):
    return veridical.import_release("viabench", place, tmp_path / name, **options)


def changed(k, **cells):
    """Twelve items, the one at place `k` with other cells."""
    listed = items()
    listed[k].update(cells)
    return listed


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    return imported(as_tsv(folder, items()), folder)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_set(made, form, tmp_path):
    other = imported(FORMS[form](tmp_path / "release", items()), tmp_path)
    assert other.digest == made.digest
    assert other.manifest["import"]["left_out"] == {"items": 0, "reasons": {}, "each": []}


def test_an_item_is_what_the_release_says_of_it(made):
    for stimulus, item in zip(made.stimuli, items(), strict=True):
        options = item["options"]
        assert made.read(stimulus.media[0].file) == item["picture"]
        assert stimulus.question == item["question"]
        assert stimulus.truth["options"] == options
        assert letter(options, stimulus.label) == item["answer"]
        assert stimulus.factors["live_options"] == sum("sure" not in option.casefold() for option in options)
        assert stimulus.factors["capability"] == item["capability"]
        assert stimulus.factors["taken_from"] == "release"
        assert not stimulus.factors["provable"]
        assert all(stimulus.factors[name] is None for name in ("usual", "difficulty", "polarity"))
        assert (stimulus.variant, FAMILIES[stimulus.family]) == ("unusual", stimulus.category)
        assert stimulus.truth["index"] == str(item["index"])
    assert [stimulus.category for stimulus in made.stimuli] == [OURS[k % 6] for k in range(12)]


def test_nothing_is_measured_in_released_pictures_and_their_bytes_are_checked(made):
    report = veridical.check(made)
    assert not report.failed
    assert sum(report.not_measurable.values()) == len(made)


def test_counts_stand_beside_the_published_ones(made):
    counts = made.manifest["import"]["published"]["counts"]["category"]
    assert {name: each["here"] for name, each in counts.items()} == dict.fromkeys(OURS, 2)
    published = {name: each["published"] for name, each in counts.items()}
    assert [published[name] for name in CODES] == [239, 201, 156, 117, 162, 129]
    assert sum(published.values()) == 1_004


BAD = {
    "an answer that is no letter of an option": (changed(3, answer="F"), "an answer that is not among the options"),
    "an answer that is no option": (changed(3, answer="Nine"), "an answer that is not among the options"),
    "no answer": (changed(3, answer=""), "an answer that is not among the options"),
    "an index twice": (changed(3, index=100), "an index that is repeated"),
    "an index that is no name": (changed(3, index="a/b"), "no index"),
    "no index": (changed(3, index=""), "no index"),
    "two equal options": (changed(3, options=["Six", "Five", "Six", "Four"]), "two equal options"),
    "equal but for spaces": (changed(3, options=["a  b", "a b", "c"]), "two equal options"),
    "one option": (changed(3, options=["Five"], answer="A"), "fewer than two options"),
    "one option beside Not Sure": (changed(3, options=["Five", "Not sure"], answer="A"), "fewer than two options"),
    "eleven options": (changed(3, options=[f"o{k}" for k in range(11)], answer="A"), "more than ten options"),
    "no question": (changed(3, question="  "), "an empty question"),
    "an unknown category": (changed(3, category="memes"), "an unknown category"),
    "no category": (changed(3, category=""), "an unknown category"),
    "endless text": (changed(3, question="x" * 10_001), "text that cannot be read"),
    "a broken picture": (changed(3, picture=picture(3)[:200]), "a picture that cannot be opened"),
    "no picture's bytes": (changed(3, picture=b"GIF89a is not taken"), "a picture that cannot be opened"),
    "the same again": (
        changed(3, picture=items()[0]["picture"], question=items()[0]["question"]),
        "a repeated question with another answer",
    ),
    "the same again, alike": (
        changed(3, **{name: items()[0][name] for name in ("picture", "question", "answer", "options")}),
        "a repeated question about the same picture",
    ),
}


@pytest.mark.parametrize("form", THREE)
@pytest.mark.parametrize("case", BAD)
def test_an_item_that_cannot_be_used_is_left_out_and_counted_with_its_reason(case, form, tmp_path):
    listed, reason = BAD[case]
    if form == "parquet, structures":  # a column has one type
        listed = [{**item, "index": str(item["index"])} for item in listed]
    place = FORMS[form](tmp_path / "release", listed)
    made = imported(place, tmp_path)
    found = made.manifest["import"]["left_out"]
    assert (len(made), found["items"], found["reasons"]) == (11, 1, {reason: 1})
    assert "\n" not in found["each"][0]["detail"]
    counts = made.manifest["import"]["published"]["counts"]["category"]
    assert sum(each["here"] for each in counts.values()) == 11
    with pytest.raises(InputError, match="1 of 12 items cannot be used; the first, ") as error:
        imported(place, tmp_path, "strict", strict=True)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "strict").exists()


def test_many_kinds_of_bad_items_are_counted_apart(tmp_path):
    listed = items(20)
    for k in (1, 2, 3):
        listed[k]["answer"] = "Z"
    for k in (4, 5):
        listed[k]["category"] = "?"
    listed[6]["picture"] = picture(6)[:99]
    listed[7]["index"] = listed[0]["index"]
    made = imported(as_tsv(tmp_path / "release", listed), tmp_path)
    found = made.manifest["import"]["left_out"]
    assert found["reasons"] == {
        "an answer that is not among the options": 3,
        "an unknown category": 2,
        "an index that is repeated": 1,
        "a picture that cannot be opened": 1,
    }
    assert len(made) == 20 - found["items"] == 13


def test_a_release_of_which_nothing_can_be_used_is_refused(tmp_path):
    listed = [{**item, "category": "memes"} for item in items()]
    with pytest.raises(InputError, match=r"12 of 12 items cannot be used; the first, .*row 1"):
        imported(as_tsv(tmp_path / "release", listed), tmp_path)


def bomb():
    """A PNG of a few bytes that says that it has 60,000 x 60,000 pixels."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(bytes(10_000))
    chunks = [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in (header, data)]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + struct.pack(">I", 0) + b"IEND" + struct.pack(">I", 0xAE426082)


@pytest.mark.parametrize("form", THREE)
def test_a_bomb_is_one_line(form, tmp_path):
    made = imported(FORMS[form](tmp_path / "release", changed(3, picture=bomb())), tmp_path)
    (found,) = made.manifest["import"]["left_out"]["each"]
    assert "more than 512 MB, the maximum" in found["detail"]
    assert "\n" not in found["detail"]


@pytest.mark.parametrize("form", ["tsv", "json lines"])
@pytest.mark.parametrize("name", ["../secret.png", "/etc/secret.png", "images/../../secret.png", "link.png"])
def test_an_item_whose_path_leaves_the_folder_is_left_out_and_not_read(name, form, tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(picture(1))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    made = imported(FORMS[form](folder, changed(3, picture=name)), tmp_path)
    left_out = made.manifest["import"]["left_out"]
    assert left_out["reasons"] == {"a path that leaves the folder": 1}
    assert "is no path inside" in left_out["each"][0]["detail"]
    secret = (tmp_path / "secret.png").read_bytes()
    assert secret not in {path.read_bytes() for path in made.folder.rglob("*.png")}


@pytest.mark.parametrize("name", ["out/secret.png", "secret.png"])
def test_a_folder_that_is_a_link_out_of_the_release_is_not_followed(name, tmp_path):
    place = as_tsv(tmp_path / "release", changed(3, picture=name))
    (tmp_path / "secret.png").write_bytes(picture(1))
    for link in ("out", "images"):
        (tmp_path / "release" / link).symlink_to(tmp_path)
    left_out = imported(place, tmp_path).manifest["import"]["left_out"]
    assert left_out["reasons"] == {"a path that leaves the folder": 1}


def test_a_missing_picture_is_counted(tmp_path):
    listed = changed(3, picture="images/nowhere.png")
    listed[4]["picture"] = ""
    found = imported(as_jsonl(tmp_path / "release", listed), tmp_path).manifest["import"]["left_out"]
    assert found["reasons"] == {"a missing picture": 2}
    assert "images/nowhere.png" in found["each"][0]["detail"]


STRUCTURE = {
    "no question": ("index\timage\tquestoin\tA\tB\tanswer\tcategory\n1\tx\tq\ta\tb\tA\tVA\n", r"'question' is missing"),
    "no options": ("index\timage\tquestion\tA\tanswer\tcategory\n1\tx\tq\ta\tA\tVA\n", "'A' is missing"),
    "no picture": ("index\tquestion\tA\tB\tanswer\tcategory\n1\tq\ta\tb\tA\tVA\n", "'image' is missing"),
    "no row": ("index\timage\tquestion\tA\tB\tanswer\tcategory\n", "holds no item"),
    "nothing": ("", "cannot be read as a table"),
    "a ragged row": ("index\timage\tquestion\tA\tB\tanswer\tcategory\n1\tx\tq\ta\tb\tA\tVA\t9\t9\n", "as a table"),
    "a column twice": ("image\tquestion\tA\tA\tB\tanswer\tcategory\nx\tq\ta\ta\tb\tA\tVA\n", "more than once"),
}


@pytest.mark.parametrize("case", STRUCTURE)
def test_a_table_that_is_none_of_a_release_is_one_line(case, tmp_path):
    text, reason = STRUCTURE[case]
    (tmp_path / "release.tsv").write_text(text)
    with pytest.raises(InputError, match=reason) as error:
        imported(tmp_path / "release.tsv", tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["release.tsv", "release.parquet", "release.jsonl"])
@given(content=st.binary(max_size=200))
def test_any_bytes_are_a_set_or_one_line(name, content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bytes")
    (folder / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        imported(folder / name, folder)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [("[1]", "an object is needed"), ("{", "no JSON"), ("[" * 100_000, "no JSON"), ("\udcff", "no JSON")],
)
def test_a_line_that_is_no_item_is_refused_by_its_number(line, reason, tmp_path):
    path = as_jsonl(tmp_path, items(2))
    path.write_bytes(path.read_bytes() + line.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=f"line 3: {reason}"):
        imported(path, tmp_path)


def test_tables_of_two_forms_are_refused_and_none_at_all_too(tmp_path):
    for write in (as_tsv, as_parquet):
        write(tmp_path / "release", items(3))
    with pytest.raises(InputError, match="tables in Parquet and TSV: name the one"):
        imported(tmp_path / "release", tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no table"):
        imported(tmp_path / "empty", tmp_path)
    with pytest.raises(InputError, match=r"a table ends in \.tsv"):
        imported(tmp_path / "release.xyz", tmp_path)


def test_several_tables_of_one_form_are_one_release(made, tmp_path):
    listed = items()
    as_parquet(tmp_path / "release" / "data", listed[:5], "test-00000-of-00002.parquet")
    as_parquet(tmp_path / "release" / "data", listed[5:], "test-00001-of-00002.parquet")
    assert imported(tmp_path / "release", tmp_path).digest == made.digest


def test_a_table_without_an_index_counts_its_items(tmp_path):
    frame = pl.read_parquet(as_parquet(tmp_path, items(4))).drop("index")
    frame.write_parquet(tmp_path / "release.parquet")
    made = imported(tmp_path / "release.parquet", tmp_path)
    assert [stimulus.truth["index"] for stimulus in made.stimuli] == ["1", "2", "3", "4"]


def test_the_index_of_another_item_stands_for_its_picture(tmp_path):
    listed = changed(3, picture="105")
    made = imported(as_tsv(tmp_path / "release", listed), tmp_path)
    assert made.read(made.stimuli[3].media[0].file) == listed[5]["picture"]


def test_a_picture_may_be_a_data_address(tmp_path):
    text = "data:image/png;base64," + base64.b64encode(picture(3)).decode()
    made = imported(as_tsv(tmp_path / "release", changed(3, picture=text)), tmp_path)
    assert made.read(made.stimuli[3].media[0].file) == picture(3)


@given(st.integers(2, 10), st.data())
def test_two_to_ten_options_are_taken_with_any_of_them_true(tmp_path_factory, count, data):
    folder = tmp_path_factory.mktemp("options")
    true = data.draw(st.integers(0, count - 1))
    written = data.draw(st.sampled_from(["{0}", "({0})", "[{0}]", "{0}."])).format(LETTERS[true])
    options = [f"option {k}" for k in range(count)]
    listed = [{**items(1)[0], "options": options, "answer": data.draw(st.sampled_from([written, options[true]]))}]
    (stimulus,) = imported(as_tsv(folder, listed), folder).stimuli
    assert (stimulus.label, stimulus.factors["live_options"]) == (options[true], count)
    assert letter(stimulus.truth["options"], stimulus.label) == LETTERS[true]


def test_options_with_a_gap_keep_the_true_one(tmp_path):
    path = as_jsonl(tmp_path, items(1))
    row = {key: value for key, value in json.loads(path.read_text()).items() if key not in LETTERS}
    path.write_text(json.dumps({**row, "A": "one", "B": "two", "D": "four", "answer": "D"}))
    (stimulus,) = imported(path, tmp_path).stimuli
    assert (stimulus.truth["options"], stimulus.label) == (["one", "two", "four"], "four")


@pytest.mark.parametrize("category", OURS)
def test_a_category_is_known_by_name_and_abbreviation(category):
    code = CODES[category]
    full = {"geometric": "Geometric and Spatial Illusions", "general": "General Visual Illusions"}.get(
        category, f"{category.title()} Illusions" if category != "anomalies" else "Visual Anomalies"
    )
    for text in (code, code.lower(), category, full, full.upper(), f"{full} ({code})", f" {full.lower()} "):
        assert category_of(text) == category
    assert category_of(f"{full} ({'CI' if code != 'CI' else 'VA'})") is None


def test_the_names_of_the_data_are_all_known():
    assert [category_of(text) for text in CATEGORIES] == list(OURS)
    assert {category_of(text) for text in ("", "illusions", "visual", "memes", "A", "vibes")} == {None}


@given(st.text(max_size=40))
def test_any_text_is_a_category_or_none(text):
    assert category_of(text) in (*OURS, None)


@pytest.mark.parametrize("text", ["Not Sure", "not sure", "NOT SURE.", "I'm not sure", "Unsure", "Not-Sure"])
def test_not_sure_is_known_however_it_is_spelled(text):
    assert is_not_sure(text)
    assert kind_of(text, "Six", None) == "unsure"


def test_rights_are_stored_where_they_are_stated(tmp_path):
    path = as_jsonl(tmp_path / "release", items(3))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[1] |= {"license": "CC0-1.0", "source": "https://example.org/1"}
    path.write_text("\n".join(map(json.dumps, rows)))
    stated = {"source": "a mirror", "license_name": "CC-BY-4.0", "may_be_passed_on": False}
    made = imported(path, tmp_path, **stated)
    assert made.manifest["license"] == "CC-BY-4.0"
    assert made.manifest["source"] == "a mirror"
    assert made.manifest["attribution"] == "the authors of VIA-Bench"
    assert made.manifest["may_be_passed_on"] is False
    assert made.stimuli[1].truth["rights"] == {"license": "CC0-1.0", "source": "https://example.org/1"}
    assert "rights" not in made.stimuli[0].truth
    with pytest.raises(InputError, match=r"license .*1 to 1000 characters in one line"):
        imported(path, tmp_path, "other", license_name="a\nb")


def test_the_command_lists_counts_and_what_is_left_out(tmp_path, cli):
    place = as_tsv(tmp_path / "release", changed(3, category="\x1b[31mmemes"))
    code, out, err = cli("import", "viabench", place, "--out", tmp_path / "set", "--license", "CC-BY-4.0")
    assert (code, err) == (0, "")
    assert "anomalies 2 of 239, color 2 of 201, motion 2 of 156, gestalt 1 of 117" in " ".join(out.split())
    assert "1 item is left out" in out
    assert "1 for an unknown category: release.tsv, row 4" in out
    assert "\x1b" not in out
    code, out, err = cli("import", "viabench", place, "--out", tmp_path / "strict", "--strict")
    assert (code, out) == (2, "")
    assert "1 of 12 items cannot be used" in err
    assert "\x1b" not in err
