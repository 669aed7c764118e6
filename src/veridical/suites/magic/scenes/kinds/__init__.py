"""The nouns of our scenes. A noun is added by one record in the file of its theme."""

from veridical.suites.magic.scenes.kinds.furniture import FURNITURE
from veridical.suites.magic.scenes.kinds.home import HOME, HUNG
from veridical.suites.magic.scenes.kinds.kind import MATERIALS, PALETTE, Kind, Part
from veridical.suites.magic.scenes.kinds.toys import TOYS
from veridical.suites.magic.scenes.kinds.vessels import VESSELS

KINDS: dict[str, Kind] = {kind.name: kind for kind in (*FURNITURE, *VESSELS, *TOYS, *HOME, *HUNG)}

__all__ = ["KINDS", "MATERIALS", "PALETTE", "Kind", "Part"]
