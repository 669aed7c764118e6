"""What MagiC draws."""

from __future__ import annotations

from veridical.suite.parts import DesignPart
from veridical.suites.magic.scenes.make import chunks, make, outline, verify
from veridical.suites.magic.stimuli import FACTORS, PHOTO, ROOM, TABLE

DESIGN = DesignPart(
    families=(ROOM, TABLE, PHOTO), factors=FACTORS, chunks=chunks, make=make, verify=verify, outline=outline
)
"""What a set of MagiC can be asked to hold."""
