"""The gallery of VIA-Bench: every puzzle with all of its pictures and words, in a folder that is ours."""

import re
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import unquote

import numpy as np
import pytest

from tests.suites.gallery_page import Page, contents
from veridical.base.options import parse_options
from veridical.errors import InputError
from veridical.media.decode import decode, hash_of
from veridical.media.draw import area_resize
from veridical.suites.viabench.options import CATEGORIES, VIABenchOptions
from veridical.suites.viabench.presentation.gallery import gallery
from veridical.suites.viabench.presentation.gallery.gallery import contact_sheet, write_gallery
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import sample_unit
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE

FEW = ("feet", "wheels")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    assert write_gallery(folder, size=256) == folder / "index.html"
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page(folder / "index.html")


@pytest.fixture(scope="module")
def drawn(items):
    """The part of a set of which the gallery shows all pictures: three units of each puzzle, one per grade."""
    first = [each for each in items.stimuli if each.unit.rpartition("/")[2] in ("0000", "0001", "0002")]
    return SimpleNamespace(stimuli=first, read=items.read)


@pytest.fixture
def few(monkeypatch):
    """Of the puzzles only two."""
    monkeypatch.setattr(gallery, "PUZZLES", {name: PUZZLES[name] for name in FEW})


def plate(page, name):
    return page.source[page.source.index(f'<article class="case" id="{name}"') :].split("</article>")[0]


def test_every_answer_and_variant_of_each_grade_is_shown_with_the_very_pictures_of_a_set(folder, drawn):
    files = {name: data for name, data in contents(folder).items() if name != "index.html"}
    grades = {(name.split("/")[1], name.split("/")[2][0]) for name in files}
    assert grades == {(name, str(grade)) for name in PUZZLES for grade in (1, 2, 3)}
    shown = {name: (name.split("/")[1], hash_of(decode(data, name))) for name, data in files.items()}
    made = {medium.file: (each.family, medium.sha256) for each in drawn.stimuli for medium in each.media}
    assert {name for name, picture in shown.items() if picture not in made.values()} == set()
    assert {file for file, picture in made.items() if picture not in shown.values()} == set()
    assert len(shown) == len(made)


def test_each_picture_is_shown_once_and_leads_to_its_file(folder, page):
    links = [unquote(link) for link in page.values("a", "href") if not link.startswith("#")]
    assert sorted(links) == sorted(set(contents(folder)) - {"index.html"})
    assert {unquote(source) for source in page.values("img", "src")} == set(links)
    assert set(page.values("img", "loading")) == {"lazy"}


def test_pictures_have_the_size_that_the_page_states_and_each_link_says_what_it_leads_to(folder, page):
    for image in (found for tag, found in page.elements if tag == "img"):
        pixels = decode((folder / unquote(image["src"])).read_bytes(), image["src"]).pixels
        assert (str(pixels.shape[1]), str(pixels.shape[0])) == (image["width"], image["height"])
    titles = page.values("a", "title")
    assert len(titles) == len(set(titles)) == len(contents(folder)) - 1


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES.keys())
def test_the_page_has_all_words_of_a_puzzle(page, drawn, puzzle):
    text = page.text
    words = [puzzle.title, puzzle.sees, puzzle.truth, puzzle.source, puzzle.graded, puzzle.unreadable]
    words += [each.question for each in drawn.stimuli if each.family == puzzle.name]
    words += [] if "{" in puzzle.question_reversed + puzzle.question else [puzzle.question, puzzle.question_reversed]
    for stated in words:
        assert " ".join(stated.split()) in text


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES.keys())
def test_the_word_below_a_picture_is_the_answer_that_it_shows(page, drawn, puzzle):
    below = re.findall(r'class="what"><b>(.*?)</b> (\w+)<', plate(page, puzzle.name))
    stimuli = [each for each in drawn.stimuli if each.family == puzzle.name]
    unusual = "anomaly" if puzzle.category == "anomalies" else "illusion"
    variants = {"unusual": unusual, "ordinary": "ordinary"}
    assert sorted(below) == sorted((each.truth["answer"], variants[each.variant]) for each in stimuli)


def test_not_sure_is_an_option_everywhere_and_never_an_answer(page):
    for name in PUZZLES:
        assert f"<b>{NOT_SURE}</b>" in plate(page, name)
        assert f'class="what"><b>{NOT_SURE}</b>' not in plate(page, name)


def test_puzzles_stand_under_their_categories_in_the_contents_and_on_the_page(page):
    for part in page.source.split('id="reading-title"'):
        groups = re.split(r'id="(?:contents|group)-(?!title)\w+">', part)[1:]
        assert len(groups) == len(CATEGORIES)
        for category, text in zip(CATEGORIES, groups, strict=True):
            names = re.findall(r'<li><a href="#(\w+)"|<article class="case" id="(\w+)"', text)
            members = [name for name, puzzle in PUZZLES.items() if puzzle.category == category]
            assert ["".join(name) for name in names] == members


def test_a_puzzle_that_needs_no_picture_is_marked(page):
    for name, puzzle in PUZZLES.items():
        assert ("answered by the question alone" in plate(page, name)) is puzzle.tells_by_text


def test_the_page_loads_nothing_from_elsewhere_and_runs_nothing(page):
    policy = next(found["content"] for tag, found in page.elements if found.get("http-equiv"))
    assert policy.startswith("default-src 'none'; img-src 'self' file:;")
    assert not re.search(r"""(?:src|href)=["']?(?:\w+:|//)|url\(|@import""", page.source)
    assert not [name for _, found in page.elements for name in found if name.startswith("on")]
    assert "script" not in {tag for tag, _ in page.elements}


def test_titles_are_text_and_never_markup(tmp_path, monkeypatch):
    hostile = replace(PUZZLES["feet"], title="<script>alert('\"')</script>\u202e")
    monkeypatch.setattr(gallery, "PUZZLES", {"feet": hostile})
    page = Page(write_gallery(tmp_path, size=256))
    assert "script" not in {tag for tag, _ in page.elements}
    assert "<script>alert('\"')</script>\\u202e" in page.text
    assert "\u202e" not in page.source


@pytest.mark.usefixtures("few")
def test_two_runs_give_the_same_bytes_and_replace_a_former_gallery_whole(tmp_path, monkeypatch):
    write_gallery(tmp_path / "one", size=256)
    write_gallery(tmp_path / "two", size=256, seed=1)
    (tmp_path / "two" / "png" / "feet" / ".1.png.tmp").write_text("half written")
    assert contents(tmp_path / "one") != contents(tmp_path / "two")
    write_gallery(tmp_path / "two", size=256)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    monkeypatch.setattr(gallery, "PUZZLES", {"feet": PUZZLES["feet"]})
    write_gallery(tmp_path / "two", size=256)
    assert not [name for name in contents(tmp_path / "two") if name.startswith("png/wheels")]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", ["notes.txt", "png/notes.txt", "png/feet/a.svg", "png/mine/deep/a.png"])
def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path, name):
    other, old = tmp_path / "other", tmp_path / "former"
    write_gallery(old, size=256)
    for folder in (other, old):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    before = contents(old)
    with pytest.raises(InputError, match="holds something else: choose a new or empty folder"):
        write_gallery(other, size=256)
    with pytest.raises(InputError, match="holds more than a former gallery"):
        write_gallery(old, size=256, seed=1)
    assert contents(other) == {name: b"mine"}
    assert contents(old) == before


@pytest.mark.parametrize("wrong", [{"size": 10}, {"size": 5000}, {"seed": -1}])
def test_numbers_out_of_range_are_refused_before_anything_is_written(tmp_path, wrong):
    with pytest.raises(InputError):
        write_gallery(tmp_path / "new", **wrong)
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("few")
def test_the_command_names_the_page(cli, tmp_path):
    code, out, err = cli("gallery", "viabench", "--out", tmp_path / "gallery")
    assert (code, out, err) == (0, f"{tmp_path / 'gallery' / 'index.html'}\n", "")


def test_a_sheet_shows_of_each_puzzle_what_is_unlike_the_suggestion_below_its_category():
    sheet = contact_sheet([PUZZLES["boards"]], tile=80, columns=3)
    base, _, _ = next(
        each
        for each in (sample_unit(PUZZLES["boards"], parse_options(VIABenchOptions, {}), k) for k in range(3))
        if each[1] == 1
    )
    (drawn,) = PUZZLES["boards"].draw(base, "9", "unusual")
    picture = area_resize(drawn, 80)
    windows = np.lib.stride_tricks.sliding_window_view(sheet, picture.shape)[:, :, 0]
    (place,) = np.argwhere((windows == picture).all(axis=(2, 3, 4)))
    assert (sheet[: place[0] - 1] < 128).any()
    assert (sheet[place[0] + 81 :] < 128).any()


def test_a_category_begins_a_row_unless_all_of_it_fits_into_the_rest_of_one():
    anomalies, colors = (
        [puzzle for puzzle in PUZZLES.values() if puzzle.category == name][:3] for name in ("anomalies", "color")
    )
    height = {count: len(contact_sheet([*anomalies, *colors[:count]], columns=5, tile=64)) for count in range(4)}
    assert height[0] == height[1] == height[2] < height[3]


@pytest.mark.parametrize("wrong", [{"columns": 0}, {"tile": 20}, {"seed": -1}])
def test_a_sheet_with_a_number_out_of_range_or_of_nothing_is_refused(wrong):
    with pytest.raises(InputError, match="allowed are"):
        contact_sheet([PUZZLES["boards"]], **wrong)
    with pytest.raises(InputError, match="of 0 puzzles"):
        contact_sheet([])
