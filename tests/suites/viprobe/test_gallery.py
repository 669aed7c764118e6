"""The gallery: every case with all of its pictures and words, in a folder that is ours; and the contact sheet."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import unescape
from urllib.parse import unquote

import numpy as np
import pytest

from tests.suites.gallery_page import Page, contents
from veridical.errors import InputError
from veridical.media.draw import area_resize, rasterise
from veridical.suites.viprobe.balance import LEAST_UNITS
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, strength_text
from veridical.suites.viprobe.presentation.gallery import gallery
from veridical.suites.viprobe.presentation.gallery.gallery import contact_sheet, write_gallery

ALPHAS = (-1, -0.4, 0.4, 1)
FIRST = next(iter(CASES.values()))


@pytest.fixture(scope="module", autouse=True)
def _few_units():
    """What whole pictures give away is told of as few base items as it can be told of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "MOST_UNITS", LEAST_UNITS)
        yield


@pytest.fixture
def few(monkeypatch):
    """Galleries of three cases, for what is the same whatever they hold."""
    monkeypatch.setattr(gallery, "CASES", {name: CASES[name] for name in list(CASES)[:3]})


def expected():
    """The file of every variant of every case, at every strength where it is a changed one."""
    return {
        f"svg/{case.name}/{variant}{strength}.svg"
        for case in CASES.values()
        for variant in VARIANTS
        for strength in (map(strength_text, ALPHAS) if variant in CHANGED else ("",))
        if case.shows(VARIANTS[variant])
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    assert write_gallery(folder) == folder / "index.html"
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page(folder / "index.html")


def test_every_variant_of_every_case_is_shown_and_leads_to_its_svg(page):
    links = [unquote(link) for link in page.values("a", "href") if not link.startswith("#")]
    assert sorted(links) == sorted(expected())
    assert {unquote(source) for source in page.values("img", "src")} == expected()
    assert set(page.values("img", "loading")) == {"lazy"}


def test_every_file_referred_to_is_there_and_is_svg_of_the_size_that_is_said(folder, page):
    assert set(contents(folder)) == expected() | {"index.html"}
    for image in (found for tag, found in page.elements if tag == "img"):
        root = ElementTree.parse(folder / unquote(image["src"])).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (root.get("width"), root.get("height")) == (f"{image['width']}px", f"{image['height']}px")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_page_tells_all_of_a_case(page, case):
    base = case.base(512, 0, 0)
    questions = [case.question, case.question_reversed, *([case.comparison.question] if case.comparison else [])]
    words = [
        case.title,
        case.sees,
        case.truth,
        case.source,
        case.departs,
        case.inseparable,
        case.no_clutter,
        case.factor.name,
    ]
    words += [case.fill(base, question) for question in questions]
    for said in words:
        assert " ".join(said.split()) in page.text


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_columns_are_headed_by_strength_value_and_direction(page, case):
    plate = page.source[page.source.index(f'<article class="case" id="{case.name}"') :].split("</article>")[0]
    heads = re.findall(r'"alpha">. = (.*?)</span><span class="value">(\S+) (.*?)</span>.*?>(\w*)</span>', plate)
    assert [head[0] for head in heads] == ["−1", "−0.4", "0", "+0.4", "+1"]
    directions = ["opposing"] * 2 + ["unchanged"] + ["congruent"] * 2
    assert [head[3] for head in heads] == (directions if case.directed else ["", "", "unchanged", "", ""])
    base = case.base(512, 0, 0)
    for alpha, (_, value, unit, _) in zip((-1, -0.4, 0, 0.4, 1), heads, strict=True):
        assert float(value.replace("−", "-")) == pytest.approx(case.value(base, alpha), abs=0.06)
        assert unescape(unit) == case.factor.unit


def test_only_figures_with_a_direction_are_called_congruent_or_opposing(tmp_path, monkeypatch):
    undirected = {name: replace(CASES[name], directed=False) for name in list(CASES)[::4]}
    monkeypatch.setattr(gallery, "CASES", undirected)
    page = Page(write_gallery(tmp_path, alphas=(1,)))
    assert ">congruent<" not in page.source
    assert page.text.count("no direction") == len(undirected)


def test_titles_are_text_and_never_markup(tmp_path, monkeypatch):
    titled = replace(FIRST, title="<script>alert('\"')</script>\u202e")
    monkeypatch.setattr(gallery, "CASES", {FIRST.name: titled})
    page = Page(write_gallery(tmp_path, alphas=(1,)))
    assert not page.values("script", "src")
    assert "script" not in {tag for tag, _ in page.elements}
    assert "<script>alert('\"')</script>\\u202e" in page.text
    assert "\u202e" not in page.source


def test_the_page_loads_nothing_from_elsewhere_and_runs_nothing(page):
    policy = next(found["content"] for tag, found in page.elements if found.get("http-equiv"))
    assert policy.startswith("default-src 'none'; img-src 'self' file:;")
    assert not re.search(r"""(?:src|href)=["']?(?:\w+:|//)|url\(|@import""", page.source)
    assert not [name for _, found in page.elements for name in found if name.startswith("on")]


def test_two_runs_give_the_same_bytes(folder, tmp_path):
    write_gallery(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(folder)


@pytest.mark.usefixtures("few")
def test_a_former_gallery_is_replaced_whole(tmp_path):
    write_gallery(tmp_path, alphas=(-0.5, 1))
    (tmp_path / "svg" / FIRST.name / ".O.svg.tmp").write_text("half written")
    write_gallery(tmp_path, alphas=(1,))
    fresh = tmp_path.with_name("fresh")
    write_gallery(fresh, alphas=(1,))
    assert contents(tmp_path) == contents(fresh)


@pytest.mark.parametrize("name", ["notes.txt", "index.html", "svg/a/drawing.svg"])
def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match=r"holds something else: choose a new or empty folder") as refusal:
        write_gallery(tmp_path)
    assert "\n" not in str(refusal.value)
    assert contents(tmp_path) == {name: b"mine"}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", ["notes.txt", "svg/notes.txt", "svg/mine/deep/a.svg", "svg/mine/a.png"])
def test_a_former_gallery_with_something_else_in_it_is_refused(tmp_path, name):
    write_gallery(tmp_path, alphas=(1,))
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="holds more than a former gallery"):
        write_gallery(tmp_path, alphas=(0.5,))
    assert contents(tmp_path) == before


@pytest.mark.usefixtures("few")
def test_no_link_out_of_the_folder_is_followed(tmp_path):
    write_gallery(tmp_path / "gallery", alphas=(1,))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a.svg").write_text("mine")
    (tmp_path / "gallery" / "svg" / "linked").symlink_to(tmp_path / "kept")
    with pytest.raises(InputError, match="svg/linked"):
        write_gallery(tmp_path / "gallery", alphas=(1,))
    assert (tmp_path / "kept" / "a.svg").read_text() == "mine"


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="holds something else"):
        write_gallery(tmp_path / "file")


@pytest.mark.parametrize("wrong", [{"size": 8}, {"size": 5000}, {"seed": -1}, {"alphas": (0,)}, {"alphas": (1.5,)}])
def test_numbers_out_of_range_are_refused_before_anything_is_written(tmp_path, wrong):
    with pytest.raises(InputError):
        write_gallery(tmp_path / "new", **wrong)
    assert not (tmp_path / "new").exists()


def test_a_size_below_what_a_case_needs_is_refused_by_the_name_of_the_case(tmp_path, monkeypatch):
    monkeypatch.setitem(CASES, FIRST.name, replace(FIRST, smallest_size=600))
    with pytest.raises(InputError, match=f"size 512: {FIRST.name} needs at least 600 px"):
        write_gallery(tmp_path / "new")


def test_a_sheet_shows_each_figure_above_the_changed_one():
    sheet = contact_sheet([FIRST], tile=80)
    base = FIRST.base(512, 0, 0)
    assert (sheet.ndim, sheet.shape[2], sheet.dtype) == (3, 3, np.uint8)
    rows = []
    for alpha in (0.0, 1.0):
        picture = area_resize(rasterise(FIRST.geometry(base, alpha).scene()), 80)
        windows = np.lib.stride_tricks.sliding_window_view(sheet, picture.shape)[:, :, 0]
        (place,) = np.argwhere((windows == picture).all(axis=(2, 3, 4)))
        rows.append(place[0])
    assert rows[0] + 80 <= rows[1]


def test_a_title_wider_than_its_tile_stays_above_it():
    long = replace(FIRST, title="A title that is far too long to stand over one small picture", state="so " * 12)
    sheet = contact_sheet([long, long], tile=300)
    dark = np.flatnonzero((sheet[: 30 + round(300 * 0.14) - 1, :, 0] < 200).any(axis=0))
    gap = dark[np.argmax(np.diff(dark))], dark[np.argmax(np.diff(dark)) + 1]
    assert dark[-1] < sheet.shape[1] - 20
    assert gap[1] - gap[0] >= 25


def test_a_sheet_has_as_many_rows_as_its_cases_need():
    heights = [len(contact_sheet([FIRST] * count, columns=2, tile=64)) for count in (1, 2, 3, 4, 5)]
    assert heights[0] == heights[1] < heights[2] == heights[3] < heights[4]
    assert np.array_equal(contact_sheet([FIRST] * 3, tile=64), contact_sheet([FIRST] * 3, tile=64))


@pytest.mark.parametrize("wrong", [{"columns": 0}, {"tile": 20}, {"seed": -1}, {"alpha": 0.0}, {"alpha": 2.0}])
def test_a_sheet_with_a_number_out_of_range_is_refused(wrong):
    with pytest.raises(InputError, match="allowed are"):
        contact_sheet([FIRST], **wrong)


def test_a_sheet_of_no_case_is_refused():
    with pytest.raises(InputError, match="of 0 cases"):
        contact_sheet([])
