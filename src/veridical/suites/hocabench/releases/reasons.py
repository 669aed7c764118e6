"""Why an annotated clip cannot be used."""

from __future__ import annotations

from veridical.stimulus_set.imported.write_import import CLIP_NOT_OPENED

NO_INDEX, SAME_INDEX = "no index", "an index that is repeated"
NO_CLIP, MISSING, BROKEN = "no clip is named", "a missing clip", CLIP_NOT_OPENED
LOW, LONG = "a real clip below 720 px", "a clip longer than 10 minutes"
LACKING, SUB_TYPE = "a missing key", "an unknown sub-type"
CONTRADICTED = "a type or category of another sub-type"
INTERVAL, OUTSIDE = "an interval that ends before it starts", "an interval outside the clip"
TEXT, REPEATED = "text that cannot be read", "a repeated annotation"


class UnusableError(Exception):
    """A clip that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail
