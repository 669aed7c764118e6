"""Results: units, measures, counts, estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

import polars as pl

from veridical.records.stimuli import Json, canonical
from veridical.records.trials import STATUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The numbers of trials behind a figure: planned, asked, one count per status, and asked again."""

    planned: int
    asked: int
    answered: int
    unparsed: int
    refused: int
    truncated: int
    error: int
    asked_again: int = 0

    @classmethod
    def of(cls, outcomes: pl.DataFrame) -> Counts:
        """Counts over the rows of an outcome table; `planned` counts every row."""
        status = outcomes["status"]
        return cls(
            planned=len(outcomes),
            asked=len(outcomes) - status.null_count(),
            asked_again=int((outcomes["attempt"] > 1).sum() or 0),
            **{name: int((status == name).sum() or 0) for name in STATUSES},
        )

    def __str__(self) -> str:
        parts = [f"{getattr(self, name)} {name}" for name in STATUSES]
        again = [f"{self.asked_again} asked again"] if self.asked_again else []
        return f"planned {self.planned}, asked {self.asked}: " + ", ".join(parts + again)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The unit of an estimate: the format and the range of its values.

    A value is multiplied by `scale` and shown with `digits` decimals and `suffix`; `signed` adds a plus sign above 0.
    `low` and `high` bound the possible values (`None`: unbounded); `neutral` is the value that shows no effect.
    """

    name: str
    digits: int
    suffix: str = ""
    scale: float = 1.0
    signed: bool = False
    low: float | None = None
    high: float | None = None
    neutral: float | None = None

    def __str__(self) -> str:
        return self.name

    def number(self, value: float) -> str:
        """A value as the unit writes it, without the suffix; a value that rounds to 0 has no sign."""
        text = f"{value * self.scale:.{self.digits}f}"
        if float(text) == 0:
            return text.lstrip("-")
        signed = "+" + text if self.signed and value > 0 else text
        return signed.replace("-", "\N{MINUS SIGN}")


PROPORTION = Unit(name="proportion", digits=1, suffix=" %", scale=100.0, low=0.0, high=1.0)
POINTS = Unit(name="points", digits=1, suffix=" pts", signed=True, neutral=0.0)
RATIO = Unit(name="ratio", digits=2, low=0.0, neutral=1.0)
SHARE = Unit(name="share", digits=3, low=-1.0, high=1.0, neutral=0.0)
Z = Unit(name="z", digits=2, suffix=" z", neutral=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A metric: its title, definition, source and unit, and which direction is better (if any).

    `formula` is one line of plain text, such as `(O − P) − (OC − PC)`; it is empty where the definition is complete.
    `spelled` is the title in full, where the title is an abbreviation.
    """

    title: str
    definition: str
    unit: Unit
    source: str = ""
    formula: str = ""
    spelled: str = ""
    better: Literal["higher", "lower"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Estimate:
    """A number with its interval, counts and method; or no value, and the reason.

    `low` and `high` bound the interval at `level`. If there is a value, a bound of `None` means that this side is
    unbounded; `reason` says why. Bounds without a value are the least and the most that the figure could be; `reason`
    says why it has none. `p` is the p value of the test that `method` names, if there is one. In a
    difference of two runs, second − first, `counts` are those of the second run, `counts_first` those of the first.
    """

    suite: str
    metric: str
    slice: Mapping[str, Json]
    value: float | None
    low: float | None
    high: float | None
    unit: Unit
    n_units: int
    counts: Counts
    method: str
    level: float = 0.95
    reason: str | None = None
    p: float | None = None
    counts_first: Counts | None = None

    @property
    def between(self) -> str:
        """Its bounds in words, where it has no value but both of these; else nothing."""
        if self.value is not None or self.low is None or self.high is None:
            return ""
        return f"between {self.unit.number(self.low)} and {self.unit.number(self.high)}{self.unit.suffix}"

    def __repr__(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.slice.items())
        bounds = ["–" if each is None else self.unit.number(each) for each in (self.low, self.high)]
        if self.value is None:
            text = f"{self.between or 'undefined'}: {self.reason}"
        else:
            text = f"{self.unit.number(self.value)}{self.unit.suffix} [{', '.join(bounds)}]"
        line = f"<{self.metric}{f'[{where}]' if where else ''} {text}, {self.n_units:,} units>"
        return " ".join(line.split())


class Estimates(list[Estimate]):
    """Estimates in order, and as a table.

    >>> counts = Counts(planned=8, asked=8, answered=8, unparsed=0, refused=0, truncated=0, error=0)
    >>> found = Estimates([Estimate(suite="s", metric="PFA", slice={"case": "ponzo"}, value=0.875, low=0.5, high=1.0,
    ...                             unit=PROPORTION, n_units=4, counts=counts, method="Wilson")])
    >>> found
    <1 estimate: PFA>
    >>> found[0]
    <PFA[case=ponzo] 87.5 % [50.0, 100.0], 4 units>
    >>> found.frame().select("metric", "case", "value", "answered").rows()
    [('PFA', 'ponzo', 0.875, 8)]
    """

    def frame(self) -> pl.DataFrame:
        """One row per estimate: `metric`, a text column for each key of the slices, the number and what it rests on.

        A key that a slice does not have is null there. Values are in the estimate's own unit (a proportion, not
        percent). A key that is named like another column is called `slice_KEY`.
        """
        keys = list(dict.fromkeys(key for each in self for key in each.slice))
        columns: dict[str, list[Json]] = {"suite": [each.suite for each in self]}
        columns["metric"] = [each.metric for each in self]
        fixed: dict[str, type[pl.DataType]] = {
            **_NUMBERS,
            **_COUNTED,
            **dict.fromkeys(("suite", "metric", "unit", *_TEXTS), pl.String),
        }
        for key in keys:
            name = f"slice_{key}" if key in fixed else key
            columns[name] = [_level(each.slice[key]) if key in each.slice else None for each in self]
        columns |= {name: [getattr(each, name) for each in self] for name in _NUMBERS}
        columns["unit"] = [each.unit.name for each in self]
        columns |= {name: [getattr(each, name) for each in self] for name in _TEXTS}
        columns |= {name: [getattr(each.counts, name) for each in self] for name in _COUNTED}
        return pl.DataFrame(columns, schema={name: fixed.get(name, pl.String) for name in columns})

    def __repr__(self) -> str:
        names = list(dict.fromkeys(each.metric for each in self))
        more = [", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")] if names else []
        many = "1 estimate" if len(self) == 1 else f"{len(self):,} estimates"
        return f"<{': '.join([many, *more])}>"


_NAMED = 6
_NUMBERS: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("value", "low", "high", "level", "p"), pl.Float64),
    "n_units": pl.Int64,
}
_TEXTS = ("method", "reason")
_COUNTED: dict[str, type[pl.DataType]] = {each.name: pl.Int64 for each in fields(Counts)}


def _level(value: Json) -> str:
    return value if isinstance(value, str) else canonical(value)
