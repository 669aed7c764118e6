"""Pictures and clips are told apart by their content; a picture's pixels are those that Pillow shows on white."""

import io
import struct
import zlib
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from tests.media.clips import found_wrong, only_audio, written
from veridical.errors import InputError
from veridical.media.decode import Picture, decode, decode_picture, kind_of, medium_of, mime_of
from veridical.media.draw import decode_png, encode_png, pixel_hash

PIXELS = np.random.default_rng(0).integers(0, 256, (9, 13, 3), np.uint8)


def decoded(content):
    """The pixels, or the line that says why there are none."""
    try:
        return decode(content, "name")
    except InputError as error:
        return str(error)


def saved(kind, picture=None, **options):
    buffer = io.BytesIO()
    (picture or Image.fromarray(PIXELS)).save(buffer, kind, **options)
    return buffer.getvalue()


MIMES = {
    "image/png": partial(saved, "PNG"),
    "image/jpeg": partial(saved, "JPEG"),
    "image/webp": partial(saved, "WEBP"),
    "video/mp4": written,
    "video/quicktime": partial(written, container="mov"),
    "video/webm": partial(written, codec="libvpx-vp9", container="webm"),
    "video/x-matroska": partial(written, container="matroska"),
}


@cache
def content_of(mime):
    return MIMES[mime]()


@pytest.mark.parametrize("mime", MIMES)
def test_the_media_type_comes_from_the_content_never_from_the_name(mime):
    content = content_of(mime)
    for name in ("a.png", "b.mp4", "c"):
        assert mime_of(content, name) == mime
        assert kind_of(content, name) == mime.split("/")[0]


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "AVIF", "ICO"])
def test_other_formats_are_refused_by_name(kind):
    with pytest.raises(InputError, match=r"^a\.png: unknown format: PNG, JPEG and WebP"):
        decode(saved(kind), "a.png")


def test_a_gif_is_refused_with_what_to_make_of_it():
    with pytest.raises(
        InputError, match=r"^a\.png: a GIF: convert it to MP4 if it moves, else to PNG: PNG, JPEG and WebP"
    ):
        decode(saved("GIF"), "a.png")


@given(content=st.binary(max_size=64))
def test_any_bytes_end_in_a_medium_or_in_one_line(content):
    found = decoded(content)
    assert not isinstance(found, str) or (found.startswith("name") and "\n" not in found)


@given(pixels=arrays.arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40), st.just(3))))
def test_a_plain_png_has_the_pixels_and_the_hash_that_drawing_gave_it(pixels):
    for content in (encode_png(pixels), saved("PNG", Image.fromarray(pixels))):
        picture = decode(content, "a.png")
        assert isinstance(picture, Picture)
        assert np.array_equal(picture.pixels, decode_png(content))
        assert np.array_equal(picture.pixels, pixels)
        medium = medium_of("media/a.png", content)
        assert (medium.kind, medium.width, medium.height) == ("image", pixels.shape[1], pixels.shape[0])
        assert medium.sha256 == pixel_hash(pixels)
        assert (medium.frames, medium.rate) == (None, None)
        assert found_wrong(medium, content) is None


def test_another_file_with_the_same_pixels_is_the_same_medium_and_other_pixels_are_not():
    medium = medium_of("media/a.png", encode_png(PIXELS))
    assert found_wrong(medium, saved("WEBP", lossless=True)) is None
    assert "pixels" in found_wrong(medium, encode_png(255 - PIXELS))
    assert "size" in found_wrong(medium, encode_png(PIXELS[:-1]))
    assert "kind is video, but image in the table" in found_wrong(medium, content_of("video/mp4"))
    assert "no video stream" in found_wrong(medium, only_audio())


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_pictures_of_every_usual_mode_look_as_pillow_shows_them_on_white(mode):
    picture = Image.fromarray(PIXELS).convert(mode)
    assert np.array_equal(decode_picture(saved("PNG", picture), "a"), np.asarray(picture.convert("RGB")))


def test_jpeg_is_decoded_as_by_pillow_in_every_color_mode():
    for mode in ("RGB", "L", "CMYK"):
        content = saved("JPEG", Image.fromarray(PIXELS).convert(mode))
        assert np.array_equal(decode_picture(content, "a"), np.asarray(Image.open(io.BytesIO(content)).convert("RGB")))


def test_what_is_transparent_is_white():
    faded = np.dstack([np.zeros((2, 2, 3), np.uint8), np.array([[0, 255], [0, 255]], np.uint8)])
    content = saved("PNG", Image.fromarray(faded, "RGBA"))
    assert decode_picture(content, "a")[..., 0].tolist() == [[255, 0], [255, 0]]


def test_a_picture_is_turned_as_its_exif_data_say():
    exif = Image.Exif()
    exif[0x0112] = 6
    medium = medium_of("a", saved("PNG", exif=exif))
    assert np.array_equal(decode_picture(saved("PNG", exif=exif), "a"), np.rot90(PIXELS, -1))
    assert (medium.width, medium.height) == (9, 13)


@pytest.mark.parametrize(("width", "height"), [(6000, 4000), (8192, 5464)])
def test_a_picture_of_a_large_camera_is_read(width, height):
    ramp = np.linspace(0, 255, width, dtype=np.uint8)
    content = saved("JPEG", Image.fromarray(np.broadcast_to(ramp[None, :, None], (height, width, 3)).copy()))
    medium = medium_of("a", content)
    assert (medium.width, medium.height) == (width, height)


HUGE = [(13_000, 14_000, 2), (11_600, 11_600, 6), (20_000, 20_000, 2), (2**31 - 1, 2**31 - 1, 2)]
"""Width and height of more than 512 MB, at three bytes a pixel, and (6) at four."""


@pytest.mark.parametrize(("width", "height", "color"), HUGE)
def test_a_picture_that_claims_to_be_huge_is_refused_unread(width, height, color, recwarn):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0))
    content = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    with pytest.raises(InputError, match=r"^huge\.png is .* more than 512 MB, the maximum; scale it down$"):
        decode(content, "huge.png")
    assert not recwarn.list


def test_a_file_that_is_too_large_several_frames_and_sixteen_bits_are_refused(monkeypatch):
    frames = [Image.fromarray(PIXELS), Image.fromarray(255 - PIXELS)]
    for kind in ("PNG", "WEBP"):
        with pytest.raises(InputError, match="2 frames"):
            decode(saved(kind, frames[0], save_all=True, append_images=frames[1:]), "moving")
    with pytest.raises(InputError, match="more than 8 bits"):
        decode(saved("PNG", Image.fromarray(np.full((4, 4), 40_000, np.uint16))), "deep.png")
    monkeypatch.setattr("veridical.media.pictures.LARGEST_FILE", 100)
    with pytest.raises(InputError, match=r"^big\.png is larger than"):
        decode(content_of("image/png"), "big.png")


@given(
    which=st.sampled_from(["image/png", "image/jpeg", "image/webp"]),
    cut=st.integers(0, 400),
    flips=st.lists(st.tuples(st.integers(0, 399), st.integers(0, 7)), max_size=20),
)
def test_a_damaged_picture_is_one_line_or_other_pixels_and_never_breaks(which, cut, flips):
    content = bytearray(content_of(which)[: len(content_of(which)) - cut])
    for place, bit in flips:
        if place < len(content):
            content[place] ^= 1 << bit
    found = decoded(bytes(content))
    assert "\n" not in found if isinstance(found, str) else found.pixels.dtype == np.uint8
