"""The few words in which a magician speaks of a family of tricks, beside those that its log has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speech:
    """How the magician speaks of what is done; the patter has the rest of its words from the log.

    `puts` is the verb for bringing the thing to where the audience is to believe it, as in "I put the coin into my left
    hand", `leaves` the verb for a thing that is to have stayed there. `slips` is the verb for the secret move of the
    hand, "slips the ball under cup C". `stays` is the verb for a thing that a feint leaves where it was. `gone` says
    whether the effect is that the thing vanishes, `denied` is a prop that is there and that the magician denies.
    `method` says how it is done, a clause in the first person with {acting} and {other} for the hands, before what the
    log says of the thing; without it, that is the whole truth.
    """

    puts: str = "put"
    leaves: str = "leave"
    slips: str = "slips"
    stays: str = "stays"
    gone: bool = False
    denied: str | None = None
    method: str | None = None


PLAIN = Speech()
"""The words of a family that adds none."""
