"""How numbers and foreign text are displayed, the same way in the report and in the terminal."""

from __future__ import annotations

import math
import re

from veridical.records import Estimate, Unit

_MINUS = "\N{MINUS SIGN}"
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with every character that hides or reorders others written out; line ends become line feeds.

    Control characters become control pictures; bidirectional controls, zero-width spaces, lone surrogates and tag
    characters become escapes. Joiners stay because scripts and emoji need them. The result always encodes to UTF-8.

    >>> visible("a\\x00b\\u202ec")
    'a␀b\\\\u202ec'
    """
    return _UNSEEN.sub(_written_out, text.replace("\r\n", "\n"))


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def format_number(value: float) -> str:
    """A plain number with thousands separators and at most three decimals; in powers of ten if it would round to 0.

    >>> format_number(11880), format_number(0.25), format_number(-12.34567), format_number(0.00012)
    ('11,880', '0.25', '−12.346', '1.2e−04')
    """
    if isinstance(value, int):
        text = f"{value:,}"
    elif not math.isfinite(value):
        text = str(value)
    elif value and abs(value) < 0.0005:
        text = f"{value:.1e}"
    else:
        text = f"{value:,.3f}".rstrip("0").rstrip(".")
    return text.replace("-", _MINUS)


def format_value(value: float, unit: Unit) -> str:
    """A value in the format of its unit.

    >>> from veridical.records import POINTS, PROPORTION, RATIO, SHARE
    >>> format_value(0.9166, PROPORTION), format_value(12.3, POINTS), format_value(1.966, RATIO)
    ('91.7 %', '+12.3 pts', '1.97')
    >>> format_value(0.02, SHARE), format_value(-1.5, Unit(name="deg", digits=2, suffix="°"))
    ('0.020', '−1.50°')
    """
    return unit.number(value) + unit.suffix


def format_interval(estimate: Estimate) -> str:
    """The interval in brackets: "[≥ …]" or "[≤ …]" if one side has no bound, empty if there is no interval.

    A bound is shown even if there is no value, but not both, which are then said in words (`Estimate.between`).

    >>> from veridical.records import RATIO, Counts
    >>> counts = Counts(planned=240, asked=240, answered=240, unparsed=0, refused=0, truncated=0, error=0)
    >>> format_interval(Estimate(suite="s", metric="R", slice={}, value=1.966, low=0.8, high=None, unit=RATIO,
    ...                          n_units=120, counts=counts, method="bootstrap", reason="the divisor may be 0"))
    '[≥ 0.80]'
    """
    low, high = estimate.low, estimate.high
    if (low is None and high is None) or estimate.between:
        return ""
    if low is None or high is None:
        bound, sign = (high, "≤") if low is None else (low, "≥")
        assert bound is not None
        return f"[{sign} {estimate.unit.number(bound)}]"
    return f"[{estimate.unit.number(low)}, {estimate.unit.number(high)}]"


def span(seconds: float) -> str:
    """A time as hours, minutes and seconds.

    >>> span(3725.2)
    '1:02:05'
    """
    minutes, rest = divmod(round(min(seconds, 3_599_999)), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
