"""The page about the learned observers, from the study's records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import fill

from veridical.markdown import table
from veridical.observers.learned.eye import HEIGHT, WIDTH
from veridical.observers.learned.network import GLANCES, STEM
from veridical.stats import wilson
from veridical.stimuli.illusions import CASES
from veridical.suites.viprobe.mechanism import NAMES
from veridical.suites.viprobe.pairs import TYPES
from veridical.training.arms import ARMS, DOSES, HELD_OUT, arm_of_dose
from veridical.training.distort import CHANGES
from veridical.training.in_short import in_short
from veridical.training.plan import PLAN
from veridical.training.probe import TAUGHT, TESTED
from veridical.training.results import (
    CLASSIC,
    DECLINED,
    Results,
    all_types,
    expected,
    interval,
    read_of,
    spread,
)
from veridical.training.study import FEW_LEVELS, FEW_UNITS, LEVELS, NOVEL, PROBED, SEED, SPOILT, UNITS, UNTAUGHT
from veridical.training.template import TEMPLATE

_RATES = [f"{name}, %" for name in TYPES]
_MARKS = {True: "yes", False: "**no**"}


def page(results: Results, missing: Sequence[str]) -> str:
    """The whole page, in Markdown; `missing` are networks that were not taught."""
    promises = list(expected(results))
    return TEMPLATE.format(
        seeds=f"{len(results.seeds)} seed{'s' if len(results.seeds) != 1 else ''}",
        missing=f"\n\n{_lines('Not taught, and so in no table', missing)}" if missing else "",
        first=f"{PLAN.first:,}",
        then=f"{PLAN.then:,}",
        batch=PLAN.batch,
        width=WIDTH,
        height=HEIGHT,
        stem=STEM,
        glance=f"{GLANCES[1][0]} of its pixels down and {GLANCES[1][1]} right",
        seed=SEED,
        units=UNITS,
        levels=LEVELS,
        few_units=FEW_UNITS,
        few_levels=FEW_LEVELS,
        taught=TAUGHT,
        tested=TESTED,
        kept=sum(each.kept for each in promises),
        promises=len(promises),
        in_short=in_short(results),
        promised=table(["expected", "found", "so"], [[e.words, e.found, _MARKS[e.kept]] for e in promises]),
        arms=table(["network", "begins with", "taught"], [[name, arm.first, arm.title] for name, arm in ARMS.items()]),
        held=_lines("Held out are", HELD_OUT),
        replies=_replies(results),
        main=_main(results),
        verdicts=_verdicts(results),
        by_case=_by_case(results),
        transfer=_transfer(results),
        doses=_doses(results),
        sizes=_sizes(results),
        directions=directions(results),
        probed=_probed(results),
        spoilt=_spoilt(results),
    )


def _lines(words: str, names: Sequence[str]) -> str:
    return fill(f"{words}: {', '.join(names)}.", 118, break_on_hyphens=False)


def _replies(results: Results) -> str:
    """The n of a rate by picture type, over the classic cases and for one of them."""
    for each in results.of("asked", "textbook"):
        overall = (f"{name} {told[3]:,}" for name, told in each["rates"].items())
        one = (f"{name} {n:,}" for case, name, *_, n in each["cases"] if case == CLASSIC[0])
        return f"{', '.join(overall)} over the classic cases; {', '.join(one)} of one"
    return "–"


def _main(results: Results) -> str:
    rows = [
        [
            each["arm"],
            str(each["seed"]),
            *all_types(each),
            interval(each["I"], 1.0),
            interval(each["rise"], 1.0),
            interval(each[DECLINED]),
            each["verdicts"][""],
        ]
        for arm in ARMS
        for each in results.of("asked", arm)
    ]
    return table(["network", "seed", *_RATES, "I, points", "rise, points", "declined, %", "verdict"], rows)


def _verdicts(results: Results) -> str:
    rows = []
    for arm in ARMS:
        counts = Counter(name for each in results.of("asked", arm) for case, name in each["verdicts"].items() if case)
        rows.append([arm, *(str(counts[name] or "") for name in NAMES)])
    return table(["network", *NAMES], rows)


def _by_case(results: Results) -> str:
    textbook, heldout = (results.case_rates("asked", arm, "P") for arm in ("textbook", "heldout"))
    taught = {variant: results.case_rates("asked", "counterfactual", variant) for variant in TYPES}
    rows = []
    for case in CLASSIC:
        verdicts = [_agreed(results, arm, case) for arm in ("textbook", "counterfactual", "heldout")]
        mark = f"**{case}**" if case in HELD_OUT else case
        worst = min(min(taught[variant].get(case, [0.0])) for variant in TYPES)
        figures = spread(textbook.get(case, [])), f"{100 * worst:.1f}", spread(heldout.get(case, []))
        rows.append([mark, *(cell for pair in zip(figures, verdicts, strict=True) for cell in pair)])
    heads = ("textbook: P, %", "counterfactual: worst of all, %", "heldout: P, %")
    return table(["case", *(cell for head in heads for cell in (head, "verdicts"))], rows)


def _agreed(results: Results, arm: str, case: str) -> str:
    counts = Counter(each["verdicts"][case] for each in results.of("asked", arm))
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def _transfer(results: Results) -> str:
    """The rates on figures of the cases held out, and of novel ones, by what the network was taught of them."""
    held = {
        "as classic alone, in all cases (textbook)": "textbook",
        "as classic alone, others changed (heldout)": "heldout",
        "never shown, others changed (unshown)": "unshown",
        "never shown, nor any other figure (controls)": "controls",
        "changed as well (counterfactual)": "counterfactual",
    }
    rows = [["held out", words, *_means(results, arm, HELD_OUT)] for words, arm in held.items()]
    rows += [["novel", f"never shown ({arm})", *_means(results, arm, NOVEL)] for arm in ARMS]
    return table(["figures of cases", "taught", *_RATES], rows)


def _means(results: Results, arm: str, cases: Sequence[str]) -> list[str]:
    return [spread(results.mean_rates(arm, variant, cases)) for variant in TYPES]


def _doses(results: Results) -> str:
    rows = []
    for dose in DOSES:
        for each in results.of("asked", arm_of_dose(dose)):
            figures = [all_types(each)[TYPES.index(variant)] for variant in ("O", "P")]
            rows.append(
                [f"{100 * dose:.0f}", str(each["seed"]), *figures, interval(each["I"], 1.0), each["verdicts"][""]]
            )
    return table(["changed, % of figures", "seed", "O, %", "P, %", "I, points", "verdict"], rows)


def _sizes(results: Results) -> str:
    forced = results.of("forced", "controls")
    originals, changed = (results.case_rates("forced", "controls", variant) for variant in ("O", "P"))
    rows = []
    for case in CLASSIC:
        sizes = [each["sizes"].get(case, [None] * 4) for each in forced]
        rows.append(
            [
                case,
                spread(originals.get(case, [])),
                spread(changed.get(case, [])),
                *(interval(size, 1.0, 2) for size in sizes),
            ]
        )
    return table(["case", "O, %", "P, %", *(f"illusion size, seed {each['seed']}" for each in forced)], rows)


def directions(results: Results) -> str:
    """How many cases are shifted as people are, against it, not, or cannot be told, over seeds."""
    counts: Counter[str] = Counter()
    for each in results.of("forced", "controls"):
        for case in CLASSIC:
            counts[_direction(CASES[case].directed, each["sizes"].get(case))] += 1
    return table(["shift of the PSE", "cases and seeds"], [[name, str(count)] for name, count in counts.most_common()])


def _direction(directed: bool, told: list[float | None] | None) -> str:
    if not directed:
        return "the impression has no direction"
    low, high = told[1:3] if told else (None, None)
    if low is not None and low > 0:
        return "as people's"
    if high is not None and high < 0:
        return "against people's"
    if low is None or high is None:
        return "not bounded: the replies hardly depend on the change"
    return "none that is shown"


def _probed(results: Results) -> str:
    rows = []
    for arm in (*PROBED, UNTAUGHT):
        for each in results.of("probed", arm):
            right, own, n = read_of(each)
            cells = [_share(right, n), "–" if arm == UNTAUGHT else _share(own, n)]
            rows.append([arm, str(each["seed"]), *cells, f"{n:,}"])
    return table(["features of", "seed", "read out, %", "its own answers, %", "n"], rows)


def _share(hits: int, n: int) -> str:
    return interval((hits / n, *wilson(hits / n, n)))


def _spoilt(results: Results) -> str:
    rows = []
    for arm in SPOILT:
        for change in CHANGES:
            records = results.of("spoilt", arm, change)
            rates = [spread([each["rates"][variant][0] for each in records], _whole) for variant in TYPES]
            overall = Counter(each["verdicts"][""] for each in records).most_common()
            declined = spread([each[DECLINED][0] for each in records], _whole)
            verdict = ", ".join(f"{name} {count}" for name, count in overall)
            rows.append([arm, change, *rates, declined, verdict])
    return table(["network", "pictures", *_RATES, "declined, %", "verdict"], rows)


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"
