"""Files of others are found inside their folder, are of bounded size, and end in pixels or in one line."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from veridical.errors import InputError
from veridical.media.draw import encode_png
from veridical.media.pictures import decode_picture
from veridical.stimulus_set.imports.item import LARGEST_FILE, content_of, file_inside

PIXELS = np.random.default_rng(0).integers(0, 256, (9, 13, 3), np.uint8)


@pytest.mark.parametrize(
    "name",
    ["../secret.png", "/etc/passwd", "a/../../secret.png", "", "a\\b.png", "a\0.png", "out/secret.png", "link.png"],
)
def test_a_path_that_leaves_the_folder_is_refused(tmp_path, name):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(encode_png(PIXELS))
    (folder / "out").symlink_to(tmp_path)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(InputError, match="is no path inside"):
        file_inside(folder, name)


def test_a_file_inside_is_found_and_a_missing_one_is_none(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.png").write_bytes(b"x")
    assert file_inside(tmp_path, "a/b.png") == (tmp_path / "a" / "b.png").resolve()
    assert file_inside(tmp_path, "a/c.png") is None
    assert file_inside(tmp_path, "a") is None
    with pytest.raises(InputError, match="cannot be a file"):
        file_inside(tmp_path, "x" * 5000)


def test_what_is_read_of_a_file_is_its_bytes_and_what_cannot_be_is_one_line(tmp_path):
    (tmp_path / "whole").write_bytes(b"x\0y")
    assert content_of(tmp_path / "whole") == b"x\0y"
    with pytest.raises(InputError, match="nowhere cannot be read: No such file"):
        content_of(tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        content_of(tmp_path)


def test_a_file_larger_than_any_medium_is_refused_unread(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(InputError, match="is larger than 1024 MB"):
        content_of(tmp_path / "large")


def saved(kind):
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 3
    Image.fromarray(PIXELS).save(buffer, kind, exif=exif)
    return buffer.getvalue()


def opened(path):
    try:
        return str(decode_picture(content_of(path), str(path)).shape)
    except InputError as error:
        return str(error)


WHOLE = [saved(kind) for kind in ("PNG", "JPEG", "WEBP")]


@given(st.sampled_from(WHOLE), st.data())
def test_a_damaged_file_is_a_picture_or_one_line(tmp_path_factory, whole, data):
    path = tmp_path_factory.mktemp("damaged") / "picture"
    content = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for place in data.draw(st.lists(st.integers(0, max(len(content) - 1, 0)), max_size=8)):
        if content:
            content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    assert "\n" not in opened(path)
