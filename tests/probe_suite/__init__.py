"""The probe: a suite that uses everything that a suite can have, to hold the rest of the library to its word."""

from veridical.suite.record import Suite

_HERE = "tests.probe_suite"

SUITE = Suite(
    name="probe",
    title="Probe: tiles, dots, boxes, clips and sums",
    citation="Nobody 2026, A suite for tests",
    parts={
        "options": f"{_HERE}.options:ProbeOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.design:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.presentation:PRESENTATION",
        "observers": f"{_HERE}.observers:OBSERVERS",
        "releases": f"{_HERE}.releases:RELEASES",
        "sequential": f"{_HERE}.sequential:SEQUENTIAL",
        "commands": f"{_HERE}.commands:app",
    },
    later_stages=("mark", "again", "remark", "caption", "closer", "weigh"),
)
