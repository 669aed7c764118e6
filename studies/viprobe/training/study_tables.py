"""The tables of the page on the learned observers, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from studies.viprobe.training.arms import ARMS, DOSES, HELD_OUT, arm_of_dose
from studies.viprobe.training.distort import CHANGES
from studies.viprobe.training.results import CLASSIC, DECLINED, Results, all_types, interval, read_of, spread
from studies.viprobe.training.study import NOVEL, PROBED, SPOILT, UNTAUGHT
from veridical.base.markdown import table
from veridical.stats import wilson
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.verdicts import NAMES

_RATES = [f"{name}, %" for name in TYPES]


def main(results: Results) -> str:
    """Rates of each network by picture type, I, rise, declined pairs, and the overall verdict."""
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


def verdicts(results: Results) -> str:
    """Number of cases with each verdict, over all seeds."""
    counts = {
        arm: Counter(name for each in records for case, name in each["verdicts"].items() if case)
        for arm in ARMS
        if (records := results.of("asked", arm))
    }
    occurring = [name for name in NAMES if any(times[name] for times in counts.values())]
    rows = [[arm, *(str(times[name] or "") for name in occurring)] for arm, times in counts.items()]
    return table(["network", *occurring], rows)


def by_case(results: Results) -> str:
    """The verdicts on each case, with the underlying rates."""
    textbook, heldout = (results.case_rates("asked", arm, "P") for arm in ("textbook", "heldout"))
    taught = {variant: results.case_rates("asked", "counterfactual", variant) for variant in TYPES}
    rows = []
    for case in CLASSIC:
        called = [_agreed(results, arm, case) for arm in ("textbook", "counterfactual", "heldout")]
        mark = f"**{case}**" if case in HELD_OUT else case
        worst = min(min(taught[variant].get(case, [0.0])) for variant in TYPES)
        figures = spread(textbook.get(case, [])), f"{100 * worst:.1f}", spread(heldout.get(case, []))
        rows.append([mark, *(cell for pair in zip(figures, called, strict=True) for cell in pair)])
    heads = ("textbook: P, %", "counterfactual: worst of all, %", "heldout: P, %")
    return table(["case", *(cell for head in heads for cell in (head, "verdicts"))], rows)


def _agreed(results: Results, arm: str, case: str) -> str:
    counts = Counter(each["verdicts"][case] for each in results.of("asked", arm))
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def transfer(results: Results) -> str:
    """Rates on figures of held-out and novel cases, by the training on them."""
    held = {
        "classic form only, in all cases (textbook)": "textbook",
        "classic form only, others changed (heldout)": "heldout",
        "never shown, others changed (unshown)": "unshown",
        "no figure of any case shown (controls)": "controls",
        "changed as well (counterfactual)": "counterfactual",
    }
    rows = [["held out", words, *_means(results, arm, HELD_OUT)] for words, arm in held.items()]
    rows += [["novel", f"never shown ({arm})", *_means(results, arm, NOVEL)] for arm in ARMS]
    return table(["figures of cases", "training", *_RATES], rows)


def _means(results: Results, arm: str, cases: Sequence[str]) -> list[str]:
    return [spread(results.mean_rates(arm, variant, cases)) for variant in TYPES]


def doses(results: Results) -> str:
    """Rates and verdicts by the share of changed figures in training."""
    rows = []
    for dose in DOSES:
        for each in results.of("asked", arm_of_dose(dose)):
            figures = [all_types(each)[TYPES.index(variant)] for variant in ("O", "P")]
            rows.append(
                [f"{100 * dose:.0f}", str(each["seed"]), *figures, interval(each["I"], 1.0), each["verdicts"][""]]
            )
    return table(["changed, % of figures", "seed", "O, %", "P, %", "I, points", "verdict"], rows)


def sizes(results: Results) -> str:
    """Rates and illusion sizes of the network that never saw an inducer."""
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
    """Number of cases whose shift is as people's, opposite, absent or undetermined, over seeds."""
    counts: Counter[str] = Counter()
    for each in results.of("forced", "controls"):
        for case in CLASSIC:
            counts[_direction(CASES[case].directed, each["sizes"].get(case))] += 1
    return table(["shift of the PSE", "cases and seeds"], [[name, str(count)] for name, count in counts.most_common()])


def _direction(directed: bool, size: list[float | None] | None) -> str:
    if not directed:
        return "the illusion has no direction"
    low, high = size[1:3] if size else (None, None)
    if low is not None and low > 0:
        return "as people's"
    if high is not None and high < 0:
        return "against people's"
    if low is None or high is None:
        return "not bounded: replies hardly depend on the change"
    return "none detected"


def probed(results: Results) -> str:
    """Accuracy of the probe on the features, beside the network's own answers."""
    rows = []
    for arm in (*PROBED, UNTAUGHT):
        for each in results.of("probed", arm):
            right, own, n = read_of(each)
            cells = [_share(right, n), "–" if arm == UNTAUGHT else _share(own, n)]
            rows.append([arm, str(each["seed"]), *cells, f"{n:,}"])
    return table(["features of", "seed", "read out, %", "its own answers, %", "n"], rows)


def _share(hits: int, n: int) -> str:
    return interval((hits / n, *wilson(hits / n, n)))


def spoilt(results: Results) -> str:
    """Rates and verdicts on degraded pictures, by degradation."""
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
