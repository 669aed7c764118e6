"""The whole page, from what the parts of a validation found."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.records import Json
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.options import GRID
from veridical.suites.viprobe.validation import tables_in_words as page
from veridical.suites.viprobe.validation import verdict_tables
from veridical.suites.viprobe.validation.coverage import CASES, FEW, UNITS
from veridical.suites.viprobe.validation.interval_grid import MEAN, Near, means, nears
from veridical.suites.viprobe.validation.observers import CATALOGUE, Known
from veridical.suites.viprobe.validation.observers.in_words import catalogue
from veridical.suites.viprobe.validation.page_text import PAGE
from veridical.suites.viprobe.validation.planned import BASE, Planned
from veridical.suites.viprobe.validation.promises import Row, Share, coverages, powers, rejections
from veridical.suites.viprobe.validation.verdict_counts import LEAST_RIGHT, MOST_WRONG, Named, named


@dataclass(frozen=True, kw_only=True)
class Validation:
    """What a validation found with so many seeds, and so many runs of each observer of the catalogue.

    `only` and `cases` are the observers and cases of verdicts, where not all were asked for; `page` is the document.
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

    @property
    def promises(self) -> dict[str, bool]:
        """Each promise in words, its part before a colon, and whether it is kept."""
        found = {f"verdict {each.scope}: {each.title}": each.kept for each in self.verdicts}
        parts = (("all cases", self.all_cases), ("one case", self.one_case), ("fits", self.fits))
        for scope, shares in parts:
            found |= {f"coverage, {scope}: {page.figure(each.name)}": each.kept for each in shares}
        tests = {f"test: {page.figure(each.name[:1])}, {each.name[1]}": each.kept for each in self.tests}
        cells = {f"coverage in every cell: {page.of_grid(each)}": each.kept for each in self.near}
        low, high = MEAN
        averages = {f"mean coverage: {name}": low <= mean <= high for name, mean in means(self.near).items()}
        powers = {f"power of a plan: {each.name[0]}, correlation {each.name[1]}": each.kept for each in self.powers}
        return found | tests | cells | averages | powers

    @property
    def missed(self) -> list[str]:
        """The promises that are not kept, in words."""
        return [name for name, kept in self.promises.items() if not kept]

    @property
    def command(self) -> str:
        """The command that writes the page anew."""
        words = ["veridical", "viprobe", "validate", "--seeds", f"{self.seeds}", "--observers", f"{self.observers}"]
        for name in self.only or ():
            words += ["--only", name]
        return shlex.join([*words, *(["--cases", ",".join(self.cases)] if self.cases else [])])

    @property
    def page(self) -> str:
        """The document, in Markdown."""
        known = [CATALOGUE[name] for name in self.only or CATALOGUE]
        return PAGE.format(
            command=self.command,
            seeds=self.seeds,
            kept=len(self.promises) - len(self.missed),
            promises=len(self.promises),
            missed=self._missed(),
            cases=len(illusions.chosen(self.cases)),
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
            catalogued=len(known),
            observers=self.observers,
            designs=_designs(known),
            catalogue=catalogue(known),
            **self._verdicts(),
            **page.grid(self.near),
        )

    def _missed(self) -> str:
        """The promises that are missed, by part; those of verdicts with the shares that miss them."""
        shares = {f"verdict {each.scope}: {each.title}": verdict_tables.missed(each) for each in self.verdicts}
        parts: dict[str, list[str]] = defaultdict(list)
        for name in self.missed:
            part, _, rest = name.partition(": ")
            parts[part].append(shares.get(name, rest))
        if not parts:
            return "."
        return "; missed:\n\n" + "\n".join(f"- {part} ({len(of)}): {'; '.join(of)}" for part, of in parts.items())

    def _verdicts(self) -> dict[str, str]:
        """What the page says of verdicts, by the names of its blanks."""
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
            "weak": verdict_tables.weak_by_case(self.verdicts),
        }


def _strengths(levels: int | None) -> str:
    if levels is not None:
        return f"{levels} strengths"
    return f"strengths ±{', ±'.join(f'{alpha:g}' for alpha in GRID if alpha > 0)} as far as pictures carry them"


def _designs(known: Sequence[Known]) -> str:
    wider = sum("I" in each.needs.variants for each in known)
    compared = sum("comparison" in each.needs.tasks for each in known)
    return f"O, P, OC and PC; clutter and inducers alone besides of {wider} observers, comparisons of {compared}"


def assembled(asked: Mapping[str, Json], found: Mapping[str, Sequence[Json]]) -> Validation:
    """The validation from what was asked for, by the fields' names, and the results of the handlers of `validate`."""
    held = [row for run in found["covered"] for row in run]
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
        for part in found["fitted"]
        for place, name, runs, hits, open_ in part
    )
    return Validation(
        **asked,
        verdicts=named(found["judged"]),
        all_cases=scopes["all cases"],
        one_case=scopes["one case"],
        fits=fits,
        tests=rejections((test, scope, hit) for run in found["rejected"] for test, scope, hit in run),
        near=nears(found["gridded"]),
        powers=powers(Planned(*row) for row in found["powered"]),
    )
