"""Pictures of others are opened inside their folder, of known formats, of bounded size."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from veridical.errors import InputError
from veridical.media.draw import encode_png
from veridical.stimulus_set.imported.files_inside import inside, read_picture

PIXELS = np.random.default_rng(0).integers(0, 256, (9, 13, 3), np.uint8)


def png_header(width, height):
    """A PNG that claims a size and holds nothing."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


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
        inside(folder, name)


def test_a_file_inside_is_found_and_a_missing_one_is_none(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.png").write_bytes(b"x")
    assert inside(tmp_path, "a/b.png") == (tmp_path / "a" / "b.png").resolve()
    assert inside(tmp_path, "a/c.png") is None
    assert inside(tmp_path, "a") is None
    with pytest.raises(InputError, match="cannot be a file"):
        inside(tmp_path, "x" * 5000)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_lossless_pixels_come_back_as_they_are(tmp_path, kind):
    Image.fromarray(PIXELS).save(tmp_path / "picture", kind, **({"lossless": True} if kind == "WEBP" else {}))
    assert np.array_equal(read_picture(tmp_path / "picture"), PIXELS)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_pictures_of_every_usual_mode_look_as_pillow_shows_them_on_white(tmp_path, mode):
    picture = Image.fromarray(PIXELS).convert(mode)
    picture.save(tmp_path / "picture.png")
    assert np.array_equal(read_picture(tmp_path / "picture.png"), np.asarray(picture.convert("RGB")))


def test_what_is_transparent_is_white(tmp_path):
    faded = np.dstack([np.zeros((2, 2, 3), np.uint8), np.array([[0, 255], [0, 255]], np.uint8)])
    Image.fromarray(faded, "RGBA").save(tmp_path / "picture.png")
    assert read_picture(tmp_path / "picture.png")[..., 0].tolist() == [[255, 0], [255, 0]]


def test_a_picture_is_turned_as_its_exif_data_say(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(PIXELS).save(tmp_path / "picture.png", exif=exif)
    assert np.array_equal(read_picture(tmp_path / "picture.png"), np.rot90(PIXELS, -1))


@pytest.mark.parametrize(("width", "height"), [(5000, 5000), (20_000, 20_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_that_claims_to_be_huge_is_refused_unread(tmp_path, width, height, recwarn):
    (tmp_path / "picture.png").write_bytes(png_header(width, height))
    with pytest.raises(InputError, match=r"4096x4096|whole picture"):
        read_picture(tmp_path / "picture.png")
    assert not recwarn.list


def test_several_frames_and_sixteen_bits_are_refused(tmp_path):
    frames = [Image.fromarray(PIXELS), Image.fromarray(255 - PIXELS)]
    frames[0].save(tmp_path / "moving.webp", save_all=True, append_images=frames[1:])
    with pytest.raises(InputError, match="2 frames"):
        read_picture(tmp_path / "moving.webp")
    Image.fromarray(np.full((4, 4), 40_000, np.uint16)).save(tmp_path / "deep.png")
    with pytest.raises(InputError, match="more than 8 bits"):
        read_picture(tmp_path / "deep.png")


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF"])
def test_other_formats_are_refused(tmp_path, kind):
    Image.fromarray(PIXELS).save(tmp_path / "picture.png", kind)
    with pytest.raises(InputError, match="no whole picture"):
        read_picture(tmp_path / "picture.png")


def saved(kind):
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 3
    Image.fromarray(PIXELS).save(buffer, kind, exif=exif)
    return buffer.getvalue()


def opened(path):
    try:
        return str(read_picture(path).shape)
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
