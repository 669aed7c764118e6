"""The same by family of tricks, difficulty, challenge and what hides the secret; and the effects of settings."""

from __future__ import annotations

from veridical.suite.results import Cell, Result, find, named
from veridical.suite.tables import Column, P, TableSpec, Where, each_of
from veridical.suites.magicbench.analysis.rows import BY
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import judges

_TITLES = {
    "family": "By family of tricks",
    "difficulty": "By difficulty",
    "tag": "By challenge",
    "tell": "By how much of the tell shows",
    "occluder": "By what stands in front",
    "decoy_speed": "By speed of the decoy",
    "window": "By length of the critical window",
    "taken_from": "By source",
}
assert set(_TITLES) == set(BY)


def _cpa(kind: str) -> Column:
    """CPA by the first judge, in the forensic stance."""

    def cell(result: Result, where: Where) -> Cell:
        judge = next(iter(judges(result)), None)
        return judge and find(result, "cpa", {"stance": FORENSIC, "type": kind, **where, **judge})

    return cell


def _sliced(key: str, title: str) -> TableSpec:
    return TableSpec(
        name=f"magicbench-by-{key.replace('_', '-')}",
        title=title,
        note="Probes: right answers without words and under a lie, and the effect of the lie in points. CPA: by the "
        "first judge, in the forensic stance. False alarms: honest controls called a trick, vision-only.",
        about=(title.removeprefix("By ").capitalize(),),
        rows=lambda result: (((str(level),), {key: level}) for level in named(result, key)),
        columns={
            "Probes": ("probe accuracy", {"under": VISION_ONLY}),
            "Under a lie": ("probe accuracy", {"under": "lie"}),
            "Effect of a lie": ("effect of a lie", {"against": VISION_ONLY}),
            "CPA, lie": _cpa("lie"),
            "CPA, silence": _cpa("silence"),
            "False alarms": ("false alarms", {"stance": VISION_ONLY}),
        },
    )


slices = tuple(_sliced(key, title) for key, title in _TITLES.items())
settings = TableSpec(
    name="magicbench-settings",
    title="Effects of settings",
    note="A warning in silence, other frames, a native video, a JSON schema: on the same clips and words, in points.",
    about=("Setting", "Of", "Judge"),
    rows=each_of(
        "setting effect",
        lambda _, at: (f"{at['setting']}: {at['level']} − {at['against']}", str(at["of"]), at.get("judge")),
    ),
    columns={"Effect": "setting effect", "p": P},
)
