"""The units of VI-Probe's figures besides the general ones: strengths, and those of the factors that are changed."""

from veridical.records import Unit

ALPHA = Unit(name="alpha", digits=3, suffix=" α", neutral=0.0)
OWN = Unit(name="the factor's own", digits=2, neutral=0.0)
"""Of a metric whose estimates each carry the unit of their case's factor."""

FACTOR_UNITS = {
    unit.name: unit
    for unit in (
        Unit(name="px", digits=1, suffix=" px", neutral=0.0),
        Unit(name="deg", digits=2, suffix="°", neutral=0.0),
        Unit(name="L*", digits=2, suffix=" L*", neutral=0.0),
        Unit(name="percent", digits=1, suffix=" %", neutral=0.0),
    )
}
"""By the name that a case's factor has for its unit."""
