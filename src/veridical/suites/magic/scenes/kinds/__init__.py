"""The nouns of our scenes. A noun is added by one record in the file of its theme."""

from veridical.suites.magic.scenes.kinds.furniture import FURNITURE
from veridical.suites.magic.scenes.kinds.home import HOME, HUNG
from veridical.suites.magic.scenes.kinds.kind import MATERIALS, PALETTE, ThingKind
from veridical.suites.magic.scenes.kinds.toys import TOYS
from veridical.suites.magic.scenes.kinds.vessels import VESSELS

THEMES: dict[str, tuple[ThingKind, ...]] = {
    "furniture": FURNITURE,
    "vessels": VESSELS,
    "toys": TOYS,
    "about the house": HOME,
    "on the wall": HUNG,
}
"""The nouns by theme."""
KINDS: dict[str, ThingKind] = {kind.name: kind for kinds in THEMES.values() for kind in kinds}

__all__ = ["KINDS", "MATERIALS", "PALETTE", "THEMES", "ThingKind"]
