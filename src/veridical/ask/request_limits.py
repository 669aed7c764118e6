"""What providers take in one request: pictures, bytes and pixels, by their documentation; which trials are over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from veridical.records import Media, Trial

MB = 2**20


@dataclass(frozen=True, kw_only=True)
class RequestLimits:
    """What a provider takes in one request, by the page `source`; `None` where that states nothing.

    Bytes are those of pictures as base64, as requests have them: of one picture, and of all that a request has. `side`
    is the longest side of a picture in pixels, `pixels` their number. With more pictures than `many[0]` the longest
    side is `many[1]`.
    """

    source: str
    pictures: int | None = None
    picture_bytes: int | None = None
    request_bytes: int | None = None
    side: int | None = None
    pixels: int | None = None
    many: tuple[int, int] | None = None


# Read in November 2026. Platforms of others that offer a provider's models, such as Azure, state limits of their own.
_CLAUDE = "https://platform.claude.com/docs/en/build-with-claude/vision"
_GEMINI = "https://ai.google.dev/gemini-api/docs/file-input-methods"
_GEMINI_PICTURES = 3600  # https://ai.google.dev/gemini-api/docs/image-understanding
_CLOUD = "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding"
_OPENAI = "https://developers.openai.com/api/docs/guides/images-vision"
_GROQ = "https://console.groq.com/docs/vision"
# Claude up to 4.5 has a context of 200,000 tokens, for which fewer pictures are allowed.
_SMALL_CLAUDE = r"claude-(?:[23]\b|(?:haiku|sonnet|opus)-4(?!-[6-9]\b))"
_ANTHROPIC = RequestLimits(
    source=_CLAUDE, pictures=600, picture_bytes=10 * MB, request_bytes=32 * MB, side=8000, many=(20, 2000)
)
_ANTHROPIC_ELSEWHERE = replace(_ANTHROPIC, picture_bytes=5 * MB, request_bytes=None)
_LIMITS: tuple[tuple[str, RequestLimits], ...] = (
    (rf"anthropic/(?:bedrock|vertex)/.*{_SMALL_CLAUDE}", replace(_ANTHROPIC_ELSEWHERE, pictures=100)),
    (r"anthropic/(?:bedrock|vertex)/", _ANTHROPIC_ELSEWHERE),
    (rf"anthropic/{_SMALL_CLAUDE}", replace(_ANTHROPIC, pictures=100)),
    (r"anthropic/(?!azure/)", _ANTHROPIC),
    (r"google/vertex/", RequestLimits(source=_CLOUD, pictures=3000)),
    (r"google/", RequestLimits(source=_GEMINI, pictures=_GEMINI_PICTURES, request_bytes=100 * MB)),
    (r"openai/(?!azure/|bedrock/)", RequestLimits(source=_OPENAI, pictures=1500, request_bytes=512 * MB)),
    (r"groq/", RequestLimits(source=_GROQ, pictures=5, request_bytes=4 * MB, pixels=33_177_600)),
)


def limits_of(model: str, base_url: str | None = None) -> RequestLimits | None:
    """What the provider of a model takes in one request; `None` where that is not known, as for a server's own name.

    >>> limits = limits_of("anthropic/claude-haiku-4-5"), limits_of("anthropic/claude-opus-4-6"), limits_of("openai/x")
    >>> [each.pictures for each in limits]
    [100, 600, 1500]
    >>> limits_of("my-vlm", "http://127.0.0.1:8000/v1") is None
    True
    """
    if base_url is not None:
        return None
    return next((limits for pattern, limits in _LIMITS if re.match(pattern, model)), None)


class MediumSize(NamedTuple):
    """The size of a picture: the bytes of its file, and its sides in pixels."""

    bytes: int
    width: int
    height: int

    @property
    def encoded(self) -> int:
        """Its bytes as base64."""
        return -(-self.bytes // 3) * 4


SizeOf = Callable[[Media], MediumSize | None]
"""Gives the size of a picture; `None` while it is not known."""


class Excess(NamedTuple):
    """Trials over one limit of a provider: what they have too much of, how many they are, and the most that one has."""

    what: str
    limit: int
    trials: int
    most: int

    @property
    def is_count(self) -> bool:
        """Whether it is the number of pictures."""
        return self.what == _PICTURES

    @property
    def is_total(self) -> bool:
        """Whether it is of all pictures together, so that fewer are within the limit."""
        return self.what in (_PICTURES, _WHOLE)

    def __str__(self) -> str:
        verb = "is" if self.trials == 1 else "are"
        limit, most = _amount(self.what, self.limit), _amount(self.what, self.most)
        return f"{self.trials:,} {verb} over {limit} {self.what} (up to {most})"


_PICTURES, _BYTES, _WHOLE, _SIDE, _PIXELS = (
    "pictures a request",
    "MB a picture",
    "MB a request",
    "pixels a side",
    "pixels a picture",
)


def _amount(what: str, number: int) -> str:
    """A number in its unit: bytes in MB of 2²⁰, to a tenth."""
    return f"{number / MB:,.1f}".removesuffix(".0") if what in (_BYTES, _WHOLE) else f"{number:,}"


def pictures_in(trial: Trial) -> list[Media]:
    """The pictures that a trial shows, each as often as it is shown."""
    parts = (part for message in trial.messages for part in message.parts)
    return [part for part in parts if isinstance(part, Media) and part.kind == "image"]


def excesses(trials: Iterable[tuple[Trial, int]], limits: RequestLimits, size_of: SizeOf) -> list[Excess]:
    """By limit, the trials that are over it; each trial comes with how many there are like it.

    Sizes that are not known yet count nothing, and what a request has besides pictures counts nothing either, so a
    trial that is told is over its limit in any case.
    """
    over: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for trial, times in trials:
        for what, limit, number in _over(pictures_in(trial), limits, size_of):
            over.setdefault((what, limit), []).append((times, number))
    return [
        Excess(what, limit, sum(times for times, _ in found), max(number for _, number in found))
        for (what, limit), found in over.items()
    ]


def _over(pictures: Sequence[Media], limits: RequestLimits, size_of: SizeOf) -> Iterator[tuple[str, int, int]]:
    """What a trial has too much of: the name of the limit, the limit, and what the trial has."""
    sizes = [size for medium in pictures if (size := size_of(medium)) is not None]
    many = limits.many is not None and len(pictures) > limits.many[0]
    side = limits.many[1] if many and limits.many else limits.side
    counts = {
        (_PICTURES, limits.pictures): len(pictures),
        (_BYTES, limits.picture_bytes): max((size.encoded for size in sizes), default=0),
        (_WHOLE, limits.request_bytes): sum(size.encoded for size in sizes),
        (_SIDE, side): max((max(size.width, size.height) for size in sizes), default=0),
        (_PIXELS, limits.pixels): max((size.width * size.height for size in sizes), default=0),
    }
    yield from ((what, limit, number) for (what, limit), number in counts.items() if limit and number > limit)
