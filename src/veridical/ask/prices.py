"""Token prices from the user's own table; the library has no prices of its own."""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from veridical.errors import InputError, unknown
from veridical.records import Json

_LONGEST = 1_000_000
_NEEDED, _OPTIONAL = ("input", "output"), ("cached_input", "cache_write")
_SHAPE = "input, output and optionally cached_input and cache_write, in US dollars per million tokens"


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars per million tokens.

    `cached_input` is for tokens read from the provider's cache, `cache_write` for tokens written to it; the default of
    both is the price of other input.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0, cache_write_tokens: int = 0) -> float:
        """The cost in US dollars; `input_tokens` includes the tokens read from a cache and written to it.

        >>> Price(input=2.0, output=10.0, cached_input=1.0).cost(1_000_000, 50_000, 400_000)
        2.1
        >>> Price(input=2.0, output=10.0, cache_write=2.5).cost(1_000_000, 50_000, cache_write_tokens=400_000)
        2.7
        """
        cached = self.input if self.cached_input is None else self.cached_input
        written = self.input if self.cache_write is None else self.cache_write
        plain = input_tokens - cached_tokens - cache_write_tokens
        whole = plain * self.input + cached_tokens * cached + cache_write_tokens * written
        return (whole + output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Prices:
    """A table of prices by model name, and its file."""

    path: Path
    models: Mapping[str, Price]

    def of(self, model: str) -> Price:
        """The price of a model, by the name under which it is asked; raises `InputError` if the table lacks it."""
        if model not in self.models:
            raise InputError(f"{self.path} has no price: {unknown('model', model, self.models)}")
        return self.models[model]


def read_prices(path: Path) -> Prices:
    """The prices in a TOML or CSV file.

    TOML: one table per model, `["provider/name"]`, with `input`, `output` and optionally `cached_input` and
    `cache_write`. CSV: the column `model`, and columns of the same names. Raises `InputError` for other content, and
    for a price that is not a number of at least 0.
    """
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is not a table of prices: it is larger than {_LONGEST:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
        rows = list(_of_csv(text) if path.suffix.lower() == ".csv" else tomllib.loads(text).items())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path} is not a table of prices: {str(error).splitlines()[0]}") from error
    models: dict[str, Price] = {}
    for model, values in rows:
        if model in models:
            raise InputError(f"{path} has two prices for '{model}': one is allowed")
        models[model] = price_of(path, model, values)
    return Prices(path, models)


def _of_csv(text: str) -> Iterator[tuple[str, Json]]:
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True, strict=True)
    for row in reader:
        model = row.pop("model", None)
        if not model:
            raise ValueError(f"line {reader.line_num} names no model")
        yield model, {name: value for name, value in row.items() if value not in (None, "")}


def price_of(path: Path, model: str, values: Json) -> Price:
    """The price of a model in a file; raises `InputError` if it is not valid."""
    if not isinstance(values, Mapping):
        raise InputError(f"{path}: '{model}' has no prices; {_SHAPE}, are needed")
    wrong = [name for name in values if name not in (*_NEEDED, *_OPTIONAL)]
    missing = [name for name in _NEEDED if name not in values]
    if wrong or missing:
        problem = f"'{wrong[0]}' is unknown" if wrong else f"'{missing[0]}' is missing"
        raise InputError(f"{path}: {problem} for '{model}'; {_SHAPE}, are needed")
    return Price(**{name: _number(path, model, name, value) for name, value in values.items()})


def _number(path: Path, model: str, name: str, value: Json) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise InputError(f"{path}: {name} of '{model}' is not a price; a number of at least 0 is needed")
    return number
