"""Why a released clip cannot be used."""

from veridical.stimulus_set.imported.write_import import CLIP_NOT_OPENED

NO_ID, SAME_ID = "no id", "an id that is repeated"
MISSING, FRAMES, BROKEN = "no clip and no frames", "missing frames", CLIP_NOT_OPENED
OUTSIDE, LONG = "a path that leaves the folder", "a clip longer than 10 minutes"
TIMELINE, REGION = "a timeline of frames that cannot be read", "a region that is none"
SPEECH, BEYOND = "a transcript that cannot be read", "a transcript beyond the clip"
NO_ATOMS, CONTRADICTORY, ATOM = "no constraint", "constraints that contradict each other", "a constraint that is none"
TYPE, TEXT = "an unknown type of words", "text that cannot be read"


class UnusableError(Exception):
    """An item that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail
