"""The gallery of MagiC: every noun and the example scenes, in a folder that is ours."""

import re
from itertools import combinations
from urllib.parse import unquote

import numpy as np
import pytest

from tests.suites.gallery_page import Page, contents
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.suites.magic.presentation.gallery.examples import EXAMPLES
from veridical.suites.magic.presentation.gallery.gallery import contact_sheet, write_gallery
from veridical.suites.magic.scenes.kinds import KINDS, THEMES
from veridical.suites.magic.scenes.looks import shows
from veridical.suites.magic.scenes.paint import paint_scene


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    assert write_gallery(folder, size=48) == folder / "index.html"
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page(folder / "index.html")


def test_every_noun_and_example_has_a_plate_under_its_theme(page):
    names = re.findall(r'<article class="case" id="([\w-]+)"', page.source)
    assert names == [*EXAMPLES, *KINDS]
    groups = re.findall(r'<section class="group" aria-labelledby="group-([\w-]+)"', page.source)
    assert groups == ["scenes", *(theme.replace(" ", "-") for theme in THEMES)]


def test_files_are_the_pictures_that_the_page_shows_at_their_sizes(folder, page):
    images = [found for tag, found in page.elements if tag == "img"]
    assert {unquote(image["src"]) for image in images} == set(contents(folder)) - {"index.html"}
    for image in images:
        pixels = decode((folder / unquote(image["src"])).read_bytes(), image["src"]).pixels
        assert (str(pixels.shape[1]), str(pixels.shape[0])) == (image["width"], image["height"])


@pytest.mark.parametrize("setting", EXAMPLES.values(), ids=EXAMPLES)
def test_in_examples_things_keep_apart_stand_on_what_holds_them_and_show_their_colors(setting):
    for one, two in combinations([thing.box for thing in setting.things], 2):
        assert one.x1 <= two.x0 or two.x1 <= one.x0 or one.y1 <= two.y0 or two.y1 <= one.y0
    pixels = paint_scene(setting)
    for thing in setting.things:
        assert shows(pixels, thing).color == thing.color
        assert shows(pixels, thing).material in (thing.material, None)
        if thing.on is not None:
            below = setting.things[thing.on]
            assert KINDS[below.kind].holds
            assert thing.box.y1 == below.box.y0
            assert below.box.x0 <= thing.box.x0 < thing.box.x1 <= below.box.x1


def test_a_sheet_grows_by_rows_of_nouns():
    kinds = list(KINDS.values())
    heights = [len(contact_sheet(kinds[:count], columns=2, cell=48)) for count in (1, 2, 3)]
    assert heights[0] == heights[1] < heights[2]
    assert np.array_equal(contact_sheet(kinds[:2], cell=48), contact_sheet(kinds[:2], cell=48))


def test_numbers_out_of_range_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InputError, match="allowed are 48 to 320 px"):
        write_gallery(tmp_path / "new", size=10)
    assert not (tmp_path / "new").exists()
    with pytest.raises(InputError, match="contact sheet of 0 nouns"):
        contact_sheet([])
