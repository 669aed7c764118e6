"""The results of a validation, and the page that reports them."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studies.viprobe.validation import items_left_out, verdict_tables
from studies.viprobe.validation import tables_in_words as page
from studies.viprobe.validation.coverage import CASES, FEW, UNITS
from studies.viprobe.validation.interval_grid import MEAN, Near, means, nears
from studies.viprobe.validation.observers import CATALOGUE, Observer
from studies.viprobe.validation.observers.in_words import catalogue
from studies.viprobe.validation.page_text import PAGE
from studies.viprobe.validation.planned import BASE, Planned
from studies.viprobe.validation.promises import Row, Share, coverages, powers, rejections
from studies.viprobe.validation.verdict_counts import LEAST_RIGHT, MOST_WRONG, Named, named
from veridical.records import Json
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.options import GRID


@dataclass(frozen=True, kw_only=True)
class Validation:
    """The results of a validation with `seeds` seeds and `observers` runs of each observer of the catalogue.

    `only` and `cases` are the observers and cases of the verdicts if not all were chosen; `page` is the document.
    """

    seeds: int
    observers: int
    units: int
    levels: int | None
    only: Sequence[str] | None
    cases: Sequence[str] | None
    draws: int
    tested: int
    verdicts: Sequence[Named]
    all_cases: Sequence[Share]
    one_case: Sequence[Share]
    fits: Sequence[Share]
    tests: Sequence[Share]
    near: Sequence[Near]
    powers: Sequence[Share]
    left_out: Sequence[Json]

    @property
    def promises(self) -> dict[str, bool]:
        """Each promise in words, prefixed by its part and a colon, and whether it is kept."""
        promises = {f"verdict {each.scope}: {each.title}": each.kept for each in self.verdicts}
        parts = (("all cases", self.all_cases), ("one case", self.one_case), ("fits", self.fits))
        for scope, shares in parts:
            promises |= {f"coverage, {scope}: {page.figure(each.name)}": each.kept for each in shares}
        tests = {f"test: {page.figure(each.name[:1])}, {each.name[1]}": each.kept for each in self.tests}
        cells = {f"coverage in every cell: {page.of_grid(each)}": each.kept for each in self.near}
        low, high = MEAN
        averages = {f"mean coverage: {name}": low <= mean <= high for name, mean in means(self.near).items()}
        powers = {f"power of a plan: {each.name[0]}, correlation {each.name[1]}": each.kept for each in self.powers}
        return promises | tests | cells | averages | powers

    @property
    def missed(self) -> list[str]:
        """The promises that are not kept, in words."""
        return [name for name, kept in self.promises.items() if not kept]

    @property
    def command(self) -> str:
        """The command that reproduces the page."""
        words = ["python", "-m", "studies.viprobe", "validate"]
        words += ["--seeds", f"{self.seeds}", "--observers", f"{self.observers}"]
        for name in self.only or ():
            words += ["--only", name]
        return shlex.join([*words, *(["--cases", ",".join(self.cases)] if self.cases else [])])

    @property
    def page(self) -> str:
        """The document, in Markdown."""
        chosen = [CATALOGUE[name] for name in self.only or CATALOGUE]
        return PAGE.format(
            command=self.command,
            seeds=self.seeds,
            kept=len(self.promises) - len(self.missed),
            promises=len(self.promises),
            missed=self._missed(),
            cases=len(illusions.selection(self.cases)),
            units=self.units,
            strengths=_strengths(self.levels),
            setting=page.setting(),
            settings_of_observers=page.observers(),
            all_units=len(CASES) * UNITS,
            case_units=UNITS,
            all_cases=page.coverage(self.all_cases),
            one_case=page.coverage(self.one_case),
            runs=2 * self.seeds,
            fitted_observers=page.fitted_observers(),
            fits=page.coverage(self.fits),
            tests=page.rejections(self.tests),
            few=FEW,
            patterns=2 ** (FEW - 1),
            base=f"{100 * BASE:g} %",
            powers=page.powers(self.powers),
            catalogued=len(chosen),
            observers=self.observers,
            designs=_designs(chosen),
            catalogue=catalogue(chosen),
            **self._verdicts(),
            **page.grid(self.near),
        )

    def _missed(self) -> str:
        """The missed promises by part; those about verdicts with their shares."""
        shares = {f"verdict {each.scope}: {each.title}": verdict_tables.missed(each) for each in self.verdicts}
        parts: dict[str, list[str]] = defaultdict(list)
        for name in self.missed:
            part, _, rest = name.partition(": ")
            parts[part].append(shares.get(name, rest))
        if not parts:
            return "."
        return "; missed:\n\n" + "\n".join(f"- {part} ({len(of)}): {'; '.join(of)}" for part, of in parts.items())

    def _verdicts(self) -> dict[str, str]:
        """The page's text on verdicts, by the names of its blanks."""
        return {
            "totals": verdict_tables.totals(self.verdicts),
            "most_wrong": f"{100 * MOST_WRONG:g} %",
            "least_right": f"{100 * LEAST_RIGHT['overall']:g} %",
            "least_by_case": f"{100 * LEAST_RIGHT['by case']:g} %",
            "per_observer": verdict_tables.per_observer(self.verdicts),
            "confusion": verdict_tables.confusion(self.verdicts, "overall"),
            "confusion_by_case": verdict_tables.confusion(self.verdicts, "by case"),
            "tested": f"{min(self.tested, self.observers)}",
            "draws": f"{self.draws}",
            "unfitted": verdict_tables.unfitted(self.verdicts),
            "left_out": items_left_out.compared(self.left_out),
            "folds": f"{items_left_out.FOLDS}",
            "close": f"{items_left_out.CLOSE:g}",
            "weak": verdict_tables.weak_by_case(self.verdicts),
        }


def _strengths(levels: int | None) -> str:
    if levels is not None:
        return f"{levels} strengths"
    return f"strengths ±{', ±'.join(f'{alpha:g}' for alpha in GRID if alpha > 0)} where the pictures can show them"


def _designs(observers: Sequence[Observer]) -> str:
    wider = sum("I" in each.needs.variants for each in observers)
    compared = sum("comparison" in each.needs.tasks for each in observers)
    return f"O, P, OC and PC; clutter and inducers alone for {wider} observers, comparisons for {compared}"


def assembled(arguments: Mapping[str, Json], results: Mapping[str, Sequence[Json]]) -> Validation:
    """The validation from its arguments, by field name, and the results of the handlers of `validate`."""
    held = [row for run in results["covered"] for row in run]
    scopes = {
        scope: coverages(
            Row(observer, (metric, *([variant] if variant else [])), 1, int(holds), int(open_))
            for observer, place, metric, variant, holds, open_ in held
            if place == scope
        )
        for scope in ("all cases", "one case")
    }
    fits = coverages(
        Row(str(place + 1), (name,), runs, hits, open_)
        for part in results["fitted"]
        for place, name, runs, hits, open_ in part
    )
    return Validation(
        **arguments,
        verdicts=named(results["judged"]),
        all_cases=scopes["all cases"],
        one_case=scopes["one case"],
        fits=fits,
        tests=rejections((test, scope, hit) for run in results["rejected"] for test, scope, hit in run),
        near=nears(results["gridded"]),
        powers=powers(Planned(*row) for row in results["powered"]),
        left_out=results["predicted"],
    )
