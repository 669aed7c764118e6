"""What servers say when a request has too many or too large pictures, as a fact in our own words with the remedy."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"(\d[\d,]{0,8})"

# How servers state the number of pictures that they take, and the flag with which it is raised, where a user has one.
_PICTURES: tuple[tuple[str, str], ...] = (
    (rf"at most {_NUMBER} image(?:s|\(s\))? may be provided in one", "vLLM: --limit-mm-per-prompt"),
    (rf"image={_NUMBER} [^.]{{0,40}}limit-mm-per-prompt", "vLLM: --limit-mm-per-prompt"),
    (rf"image count \d+ exceeds limit {_NUMBER} per request", "SGLang: --limit-mm-data-per-request"),
    (rf"at most {_NUMBER} images?\b", ""),
    (rf"too (?:many images and documents|much media)\b[^>]{{0,80}}> ?{_NUMBER}", ""),
    (rf"too many images?\b[^>]{{0,80}}(?:max(?:imum)?\b[^\d]{{0,20}}|up to |> ?|limit[^\d]{{0,60}}){_NUMBER}", ""),
    (rf"exceed\w* the max\w* (?:allowed )?(?:of )?\(?{_NUMBER}\)?(?: images| allowed per request)?", ""),
    (rf"(?:maximum(?: of)?|supports? up to|max allowed is) {_NUMBER} images?", ""),
)
_OTHER_UNITS = re.compile(r"\b(?:tokens?|bytes|MB|pixels)\b", re.IGNORECASE)
_MEGABYTES = (
    r"image exceeds (\d+(?:\.\d+)?) ?MB maximum",
    r"image size is [\d.]+ ?MB, which exceeds the allowed limit of (\d+) ?MB",
    r"image file size exceeds limit (\d+) ?MB",
)
_PIXELS = rf"max(?:imum)? allowed size(?: for many-images? requests)?: {_NUMBER} pixels"
_TOO_LARGE = re.compile(
    r"request_too_large|(?:request|payload|entity)(?: body)? (?:is )?too large|request payload size", re.I
)


class SizeRefusal(NamedTuple):
    """What a server takes, as the end of a sentence, and how many pictures in one request, where it says so.

    `flag` is the engine and the option with which it takes more.
    """

    takes: str
    pictures: int | None = None
    flag: str = ""

    def remedy(self, shown: int) -> str:
        """What helps with a trial of so many pictures."""
        if self.pictures is None:
            return "send smaller or fewer pictures, or use another model"
        fewer = "ask with fewer pictures in a trial, such as fewer frames of a clip"
        if not self.flag:
            return f"{fewer}, or use another model"
        engine, _, option = self.flag.partition(": ")
        return f"start it with more ({engine}: {option} '{{\"image\": {shown}}}'), or {fewer}"


def size_refusal(status: int | None, reason: str) -> SizeRefusal | None:
    """What a server that refuses a request takes of pictures; `None` where its `reason` speaks of something else.

    Only numbers are taken from the reason, which may hold anything.

    >>> size_refusal(400, "At most 4 image(s) may be provided in one prompt.").takes
    'takes at most 4 pictures in one request'
    >>> size_refusal(400, "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6 > 5").takes
    'takes pictures of at most 5 MB'
    >>> size_refusal(400, "max_tokens is too large") is None
    True
    """
    counts = "image" in reason.lower() and not _OTHER_UNITS.search(reason)
    for pattern, flag in _PICTURES if counts else ():
        if found := re.search(pattern, reason, re.IGNORECASE):
            most = int(found[1].replace(",", ""))
            pictures = "no pictures" if most == 0 else f"at most {most:,} {'picture' if most == 1 else 'pictures'}"
            return SizeRefusal(f"takes {pictures} in one request", most, flag)
    for pattern in _MEGABYTES:
        if found := re.search(pattern, reason, re.IGNORECASE):
            return SizeRefusal(f"takes pictures of at most {found[1]} MB")
    if found := re.search(_PIXELS, reason, re.IGNORECASE):
        return SizeRefusal(f"takes pictures of at most {found[1]} pixels a side")
    if status == 413 or _TOO_LARGE.search(reason):
        return SizeRefusal("takes smaller requests")
    return None
