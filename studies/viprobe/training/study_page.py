"""The page on the learned observers, from the study's records."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from studies.viprobe.training import study_tables as tables
from studies.viprobe.training.arms import ARMS, HELD_OUT
from studies.viprobe.training.in_short import in_short
from studies.viprobe.training.plan import PLAN
from studies.viprobe.training.probe import TAUGHT, TESTED
from studies.viprobe.training.results import CLASSIC, Results, expected
from studies.viprobe.training.study import FEW_LEVELS, FEW_UNITS, FRESH_SEED, LEVELS, SEED, UNITS
from studies.viprobe.training.template import TEMPLATE
from veridical.base.markdown import table
from veridical.suites.viprobe.observers.learned_observers.network import GLANCES, HEIGHT, STEM, WIDTH

_MARKS = {True: "yes", False: "**no**"}


def page(results: Results, missing: Sequence[str]) -> str:
    """The whole page, in Markdown; `missing` are networks that were not trained."""
    promises, fresh = list(expected(results)), results.on_fresh()
    return TEMPLATE.format(
        seeds=f"{len(results.seeds)} seed{'s' if len(results.seeds) != 1 else ''}",
        missing=f"\n\n{_lines('Not trained, and so in no table', missing)}" if missing else "",
        first=f"{PLAN.first:,}",
        then=f"{PLAN.then:,}",
        batch=PLAN.batch,
        width=WIDTH,
        height=HEIGHT,
        stem=STEM,
        glance=f"{GLANCES[1][0]} of its pixels down and {GLANCES[1][1]} right",
        seed=SEED,
        fresh_seed=FRESH_SEED,
        units=UNITS,
        levels=LEVELS,
        few_units=FEW_UNITS,
        few_levels=FEW_LEVELS,
        taught=TAUGHT,
        tested=TESTED,
        kept=sum(each.kept for each in promises),
        promises=len(promises),
        in_short=in_short(results),
        promised=_promised(results),
        arms=table(
            ["network", "initial diet", "trained on"], [[name, arm.first, arm.title] for name, arm in ARMS.items()]
        ),
        held=_lines("Held-out cases", HELD_OUT),
        replies=_replies(results),
        main=tables.main(results),
        verdicts=tables.verdicts(results),
        fresh=tables.main(fresh),
        fresh_verdicts=tables.verdicts(fresh),
        fresh_promised=_promised(fresh),
        by_case=tables.by_case(results),
        transfer=tables.transfer(results),
        doses=tables.doses(results),
        sizes=tables.sizes(results),
        directions=tables.directions(results),
        probed=tables.probed(results),
        spoilt=tables.spoilt(results),
    )


def _promised(results: Results) -> str:
    rows = [[each.words, each.observed, _MARKS[each.kept]] for each in expected(results)]
    return table(["expected", "observed", "met"], rows)


def _lines(words: str, names: Sequence[str]) -> str:
    return fill(f"{words}: {', '.join(names)}.", 118, break_on_hyphens=False)


def _replies(results: Results) -> str:
    """n of a rate by picture type, over the classic cases and for one of them."""
    for each in results.of("asked", "textbook"):
        overall = (f"{name} {values[3]:,}" for name, values in each["rates"].items())
        one = (f"{name} {n:,}" for case, name, *_, n in each["cases"] if case == CLASSIC[0])
        return f"{', '.join(overall)} over the classic cases; {', '.join(one)} of one"
    return "–"
