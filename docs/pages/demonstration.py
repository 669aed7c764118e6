"""Whether the table of the demo, which pages show, is what the demo found."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "first-report.md")
"""Pages with the table: a row per observer, with O, P, OC, PC in percent in this order, and the verdict in words."""

_ROW = re.compile(r"\| `veridical/([\w-]+)` \|(.*)\|")
_RATES = ("Original", "Perturbed", "Control original", "Control perturbed")


class Found(NamedTuple):
    """What the demo found of an observer: O, P, OC, PC in whole percent, and the verdict."""

    rates: tuple[int, ...]
    verdict: str


def shown(page: str) -> dict[str, Found]:
    """The rows of the table on a page, by observer.

    >>> shown("| `veridical/prior` | 100 % | 0 % | 100 %, 0 % | blind |")
    {'prior': Found(rates=(100, 0, 100, 0), verdict='blind')}

    Further percentages, such as the share of readable replies, may follow the four; the verdict may come before them.

    >>> shown("| `veridical/prior` | blind | 100 % | 0 % | 100 % | 0 % | 98 % |")
    {'prior': Found(rates=(100, 0, 100, 0), verdict='blind')}
    """
    return {match[1]: _row(match[2].split("|")) for match in _ROW.finditer(page)}


def _row(cells: Sequence[str]) -> Found:
    percentages = [int(number) for cell in cells for number in re.findall(r"(\d+) %", cell)]
    words = [cell.strip() for cell in cells if "%" not in cell]
    return Found(tuple(percentages[: len(_RATES)]), ", ".join(words))


def demonstrated(demo: Path, observer: str) -> Found:
    """What the tables of a demo's run say of its observer."""
    tables = demo / observer / "tables"
    (rates,) = _rows(tables / "isolation.csv")
    overall = next(row for row in _rows(tables / "mechanism.csv") if row["Case"] == "overall")
    return Found(tuple(round(100 * float(rates[name])) for name in _RATES), overall["Verdict"])


def problems(demo: Path) -> Iterator[str]:
    """Where a page says something else than the demo in a folder found, in lines."""
    for page in PAGES:
        rows = shown(page.read_text(encoding="utf-8"))
        if not rows:
            yield f"{page.name}: the table of the demo is missing"
        for observer, row in rows.items():
            found = demonstrated(demo, observer)
            if row != found:
                yield f"{page.name}: {observer} is {row}, and the demo found {found}"


def _rows(path: Path) -> list[Mapping[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
