"""What rules give: marks, how near a time is near, and the reasons why there are no marks."""

from __future__ import annotations

HIGH, MID, LOW = 9, 5, 1
"""The marks of a rule, in the middle of the three bands 7 to 10, 4 to 6 and 0 to 3, or near it."""
NEAR = 0.5
"""How far, in seconds, a time may be from the secret."""
BOTH = "the reply states both what is true and what contradicts it"
NOTHING = "the reply has no statement that the rule can hold against the constraints"
