"""The container of a clip: the frames that it lists with their times, and the frames that can be decoded."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, NoReturn

from veridical.media.clips.cut import is_cut
from veridical.media.clips.display import UnusableError
from veridical.media.pictures import LARGEST
from veridical.media.signature import mime_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

MOST_FRAMES = 2**17
"""The maximum number of frames of a clip."""


@dataclass(frozen=True, slots=True)
class Table:
    """The frames that a clip lists: `pts` as stored, in display order; `end` is the time at which the display ends.

    `rate` is in frames per second, `None` if it varies. `missing` is the number of frames that the index lists and the
    file lacks; -1 if the file is truncated and has no index. `end` and `rate` are only valid for a complete file.
    """

    pts: tuple[int, ...]
    end: int
    time_base: Fraction
    rate: Fraction | None
    missing: int


def table_of(content: bytes, name: str) -> Table:
    """The table of a clip's frames, from its packets, without decoding. Raises `UnusableError`."""
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
                        raise UnusableError("a frame has no time of its own")
                    times[packet.pts] = packet.duration or 0
                    _require_few(len(times))
            indexed = len(stream.index_entries) if container.format.name.startswith("mov") else packets
            base = _exact(stream.time_base)
            rates = [_exact(stream.average_rate), _exact(stream.guessed_rate)]
    except (av.FFmpegError, ValueError) as error:
        raise UnusableError(f"the clip cannot be read ({_reason(error)})") from error
    missing = indexed - packets if indexed > packets else -int(is_cut(content))
    pts = tuple(sorted(times))
    if base is None or not (pts or missing):
        raise UnusableError("the clip has no frames")
    if missing:
        return Table(pts, 0, base, None, missing)
    return Table(pts, pts[-1] + (times[pts[-1]] or _step(pts)), base, _rate(pts, base, rates), missing)


def decoded(content: bytes, name: str) -> Iterator[VideoFrame]:
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
                raise UnusableError("its video codec is unknown")
            width, height = stream.codec_context.width, stream.codec_context.height
            if width * height > LARGEST:
                raise UnusableError(f"a clip of {width}x{height}: at most 4096x4096 pixels are supported")
            return stream
    raise UnusableError("the file has no video stream")


def _is_shown(packet: Packet[VideoStream], stream: VideoStream) -> bool:
    """Whether a packet has a frame that is shown; VP8 has packets of frames that are only reference frames."""
    return stream.codec_context.name not in ("vp8", "libvpx") or bool(bytes(packet)[0] & 0x10)


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0]


def _require_few(frames: int) -> None:
    if frames > MOST_FRAMES:
        raise UnusableError(f"the clip has more than {MOST_FRAMES} frames, the maximum")


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
