"""The container of a clip: the frames that it lists with their times, and the frames that can be decoded."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from veridical.media.clips.changes import FrameDisplay, shown_pixels
from veridical.media.pictures import LARGEST, mime_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

MOST_FRAMES = 2**17
"""The maximum number of frames of a clip."""

_EBML = b"\x1a\x45\xdf\xa3"

_FIXED = 1 << 16


@dataclass(frozen=True, slots=True)
class FrameTable:
    """The frames that a clip lists: `pts` as stored, in display order; `end` is the time at which the display ends.

    `rate` is in frames per second, `None` if it varies. `missing` is the number of frames that the index lists and the
    file lacks; -1 if the file is truncated and has no index. `end` and `rate` are only valid for a complete file.
    """

    pts: tuple[int, ...]
    end: int
    time_base: Fraction
    rate: Fraction | None
    missing: int


def table_of(content: bytes, name: str) -> FrameTable:
    """The table of a clip's frames, from its packets, without decoding. Raises `UnusableClipError`."""
    import av

    times: dict[int, int] = {}
    packets = 0
    try:
        with _opened(content, name) as container:
            stream = _video(container)
            for packet in container.demux(stream):
                if not packet.size or packet.is_corrupt:
                    continue
                packets += 1
                if not packet.is_discard and _is_shown(packet, stream):
                    if packet.pts is None or packet.pts in times:
                        raise UnusableClipError("a frame has no time of its own")
                    times[packet.pts] = packet.duration or 0
                    if len(times) > MOST_FRAMES:
                        raise UnusableClipError(f"the clip has more than {MOST_FRAMES} frames, the maximum")
            indexed = len(stream.index_entries) if container.format.name.startswith("mov") else packets
            base = _exact(stream.time_base)
            rates = [_exact(stream.average_rate), _exact(stream.guessed_rate)]
    except (av.FFmpegError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error).splitlines()[0]
        raise UnusableClipError(f"the clip cannot be read ({reason})") from error
    missing = indexed - packets if indexed > packets else -int(is_cut(content))
    pts = tuple(sorted(times))
    if base is None or not (pts or missing):
        raise UnusableClipError("the clip has no frames")
    if missing:
        return FrameTable(pts, 0, base, None, missing)
    return FrameTable(pts, pts[-1] + (times[pts[-1]] or _step(pts)), base, _rate(pts, base, rates), missing)


def packets_of(content: bytes, name: str) -> Iterator[tuple[int | None, bytes]]:
    """The head that the codec starts from, which has no time, then the time and the bytes of each packet, as stored."""
    with _opened(content, name) as container:
        stream = _video(container)
        yield None, bytes(stream.codec_context.extradata or b"")
        for packet in container.demux(stream):
            if packet.size:
                yield packet.pts, bytes(packet)


def decoded_frames(content: bytes, name: str) -> Iterator[VideoFrame]:
    """The frames in display order, up to the first that is corrupt or cannot be decoded."""
    import av

    try:
        with _opened(content, name) as container:
            stream = _video(container)
            stream.codec_context.thread_count = 1
            stream.codec_context.options = {"max_pixels": str(LARGEST)}
            for frame in container.decode(stream):
                if frame.is_corrupt:
                    return
                yield frame
    except (av.FFmpegError, ValueError):
        return


def _opened(content: bytes, name: str) -> InputContainer:
    """The container, opened with the one demuxer that matches its signature; it cannot open other files."""
    import av

    demuxer = "matroska" if mime_of(content, name) in ("video/webm", "video/x-matroska") else "mov"
    # PyAV 19 reads tags that are not UTF-8 as they are and has no argument for it; PyAV 18 would refuse the clip.
    lenient: dict[str, Any] = {} if int(av.__version__.split(".")[0]) > 18 else {"metadata_errors": "replace"}
    container: InputContainer = av.open(io.BytesIO(content), "r", format=demuxer, io_open=_refuse, **lenient)
    return container


def _exact(ratio: Rational | None) -> Fraction | None:
    """A ratio as PyAV 18 (`Fraction`) or PyAV 19 (`AVRational`) has it; `None` also for x/0, which is unknown."""
    return Fraction(int(ratio.numerator), int(ratio.denominator)) if ratio is not None and ratio.denominator else None


def _refuse(*_: object) -> NoReturn:
    raise OSError("a clip may not open other files")


def _video(container: InputContainer) -> VideoStream:
    from av.stream import Disposition

    for stream in container.streams.video:
        if not stream.disposition & Disposition.attached_pic:
            if getattr(stream, "codec_context", None) is None:
                raise UnusableClipError("its video codec is unknown")
            width, height = stream.codec_context.width, stream.codec_context.height
            if width * height > LARGEST:
                raise UnusableClipError(f"a clip of {width}x{height}: at most 4096x4096 pixels are supported")
            return stream
    raise UnusableClipError("the file has no video stream")


def _is_shown(packet: Packet[VideoStream], stream: VideoStream) -> bool:
    """Whether a packet has a frame that is shown; VP8 has packets of frames that are only reference frames."""
    return stream.codec_context.name not in ("vp8", "libvpx") or bool(bytes(packet)[0] & 0x10)


def _step(pts: tuple[int, ...]) -> int:
    return round((pts[-1] - pts[0]) / (len(pts) - 1)) if len(pts) > 1 else 0


def _rate(pts: tuple[int, ...], base: Fraction, stated: list[Fraction | None]) -> Fraction | None:
    """The first of the stated rates and the mean rate that puts every frame within one step of its time."""
    span = (pts[-1] - pts[0]) * base
    mean = [(len(pts) - 1) / span] if span else []
    for rate in (*stated, *mean):
        if rate and all(abs((at - pts[0]) * base - k / rate) <= base for k, at in enumerate(pts)):
            return rate
    return None


def is_cut(content: bytes) -> bool:
    """Whether the segment of a Matroska file, or the last box of a fragmented MP4 file, reaches past the end.

    A segment of unknown size, as in a live recording, never counts as cut; nor does a file that ends between fragments.
    """
    return _segment_is_cut(content) if content.startswith(_EBML) else _fragment_is_cut(content)


def _segment_is_cut(content: bytes) -> bool:
    header, size = _body(content, len(_EBML))
    segment, size = _body(content, header + (size or 0) + 4)
    return size is not None and segment + size > len(content)


def _body(content: bytes, place: int) -> tuple[int, int | None]:
    """The start of the body of the element whose size field is at this place, and the size; `None` if unknown."""
    first = content[place] if place < len(content) else 0
    length = 9 - first.bit_length()
    bits = 7 * length
    size = int.from_bytes(content[place : place + length]) & ((1 << bits) - 1)
    return place + length, None if size == (1 << bits) - 1 else size


def _fragment_is_cut(content: bytes) -> bool:
    place, fragmented = 0, False
    while place + 8 <= len(content):
        size, kind = int.from_bytes(content[place : place + 4]), content[place + 4 : place + 8]
        if size == 1:
            size = int.from_bytes(content[place + 8 : place + 16])
        if size < 8:
            return False
        fragmented |= kind == b"moof"
        place += size
    return fragmented and place > len(content)


class UnusableClipError(Exception):
    """A problem of a clip, without the clip's name."""


def displayed_pixels(
    frame: VideoFrame, longest: int | None = None, display: FrameDisplay | None = None
) -> NDArray[np.uint8]:
    """The pixels of a frame: shape (height, width, 3), uint8 sRGB, rotated as the container says.

    A frame whose longer side has more than `longest` pixels is scaled down to it. A `display` has shown the frames
    before, so that only what changed is converted. Raises `UnusableClipError` for a rotation that is not a multiple of
    90 degrees, with or without mirroring.
    """
    a, b, c, d = _turn(frame)
    size = scale_size(frame.width, frame.height, longest)
    whole = size == (frame.width, frame.height)
    pixels = display.pixels(frame) if whole and display is not None else shown_pixels(frame, size)
    turned = pixels.transpose(1, 0, 2)[::b, ::c] if b else pixels[::d, ::a]
    return np.ascontiguousarray(turned)


def size_of(frame: VideoFrame) -> tuple[int, int]:
    """The width and height of a frame as displayed. Raises `UnusableClipError` as `displayed_pixels` does."""
    return (frame.height, frame.width) if _turn(frame)[1] else (frame.width, frame.height)


def scale_size(width: int, height: int, longest: int | None) -> tuple[int, int]:
    """The size at which neither side is longer than `longest` pixels and the shape is kept; never a larger size.

    >>> scale_size(1280, 720, 768), scale_size(300, 200, 768), scale_size(1280, 720, None)
    ((768, 432), (300, 200), (1280, 720))
    """
    if longest is None or max(width, height) <= longest:
        return width, height
    share = longest / max(width, height)
    return max(1, round(width * share)), max(1, round(height * share))


def _turn(frame: VideoFrame) -> tuple[int, int, int, int]:
    """The rotation of a frame: a display matrix (a, b, u, c, d, v, ...) maps (x, y) to (a x + c y, b x + d y)."""
    sides: Any = frame.side_data
    for side in (sides[place] for place in range(len(sides))):
        if side.type.name == "DISPLAYMATRIX":
            return _whole(struct.unpack("<9i", bytes(side)))
    return 1, 0, 0, 1


def _whole(matrix: tuple[int, ...]) -> tuple[int, int, int, int]:
    exact = [matrix[place] / _FIXED for place in (0, 1, 3, 4)]
    a, b, c, d = whole = [round(value) for value in exact]
    square = [abs(value) for value in whole] in ([1, 0, 0, 1], [0, 1, 1, 0])
    if not square or max(abs(value - near) for value, near in zip(exact, whole, strict=True)) > 0.01:
        raise UnusableClipError("its rotation is not a multiple of 90 degrees")
    return a, b, c, d
