"""The gallery of MagicBench: every family as a trick and as its control, in a folder that is ours."""

import re
from urllib.parse import unquote

import numpy as np
import pytest

from tests.suites.gallery_page import Page, contents
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.suites.magicbench.presentation.gallery.gallery import (
    CRITICAL,
    PLACEBO,
    contact_sheet,
    performance,
    shots,
    times,
    write_gallery,
)
from veridical.suites.magicbench.stimuli import HONEST, TRICK
from veridical.suites.magicbench.tricks.trick import FAMILIES, tricks


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    assert write_gallery(folder) == folder / "index.html"
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page(folder / "index.html")


def test_every_family_has_a_plate_with_its_texts(page):
    assert re.findall(r'<article class="case" id="([\w-]+)"', page.source) == list(FAMILIES)
    for family, trick in tricks().items():
        own = performance(family, 180)
        for template in (trick.principle, trick.control, trick.effect):
            assert trick.text(template, own.base) in page.text
        for words in own.patter[TRICK].values():
            assert words["text"] in page.text


def test_files_are_the_pictures_that_the_page_shows_at_their_sizes(folder, page):
    images = [found for tag, found in page.elements if tag == "img"]
    assert {unquote(image["src"]) for image in images} == set(contents(folder)) - {"index.html"}
    for image in images:
        pixels = decode((folder / unquote(image["src"])).read_bytes(), image["src"]).pixels
        assert (str(pixels.shape[1]), str(pixels.shape[0])) == (image["width"], image["height"])


def test_a_plate_shows_the_same_start_another_end_and_boxes_in_the_window_alone():
    own = performance("coin", 180)
    at, seen = times(own), own.seen[TRICK]
    assert list(at) == sorted(at)
    trick, honest = (shots(own.films[variant], at) for variant in (TRICK, HONEST))
    wide = own.films[TRICK].view.width
    assert trick.shape == honest.shape == (180, 6 * wide + 5 * 4, 3)
    assert np.array_equal(trick[:, :wide], honest[:, :wide])
    assert not np.array_equal(trick[:, -wide:], honest[:, -wide:])
    boxed = shots(own.films[TRICK], at, seen.critical, seen.placebo)
    for color in (CRITICAL, PLACEBO):
        columns = np.flatnonzero((boxed == color).all(2).any(0)) // (wide + 4)
        shown = {int(k) for k in columns}
        assert shown == {k for k, time in enumerate(at) if seen.critical[0].time <= time <= seen.critical[-1].time}


@pytest.mark.parametrize("size", [100, 2000])
def test_sizes_out_of_range_are_refused(tmp_path, size):
    with pytest.raises(InputError, match="320 to 1280"):
        write_gallery(tmp_path / "gallery", size=size)


def test_the_contact_sheet_has_two_rows_per_family():
    one, two = (contact_sheet(["coin"] * count, width=128) for count in (1, 2))
    assert two.shape[0] > 1.8 * one.shape[0]
    assert two.shape[1] == one.shape[1]
    with pytest.raises(InputError, match="0 families"):
        contact_sheet([])
