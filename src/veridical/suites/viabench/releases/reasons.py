"""Why an item of a release cannot be used."""

from __future__ import annotations

from veridical.stimulus_set.imported.write_import import NOT_OPENED

NO_INDEX, SAME_INDEX = "no index", "an index that is repeated"
NO_QUESTION, CATEGORY = "an empty question", "an unknown category"
NO_ANSWER, ONE_OPTION = "an answer that is not among the options", "fewer than two options"
MANY_OPTIONS, EQUAL_OPTIONS = "more than ten options", "two equal options"
TEXT = "text that cannot be read"
MISSING, BROKEN = "a missing picture", NOT_OPENED
REPEATED, CONTRADICTED = "a repeated question about the same picture", "a repeated question with another answer"


class UnusableError(Exception):
    """An item that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail
