"""Progress is told on standard error, in lines or live, and adds up."""

from __future__ import annotations

import io
import random
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ask import display, progress
from veridical.ask.display import LineProgress, Live, Progress
from veridical.records import Response


def tell(total: int, before: int, responses: list[Response]) -> list[str]:
    lines: list[str] = []
    shown = LineProgress(total, lines.append)
    shown.start(before)
    for response in responses:
        shown.advance(response)
    shown.stop(interrupted=False)
    return lines


def test_plain_lines_come_at_the_start_at_each_tenth_and_at_the_end():
    replies = [Response(trial=str(number), input_tokens=100, output_tokens=3) for number in range(1000)]
    lines = tell(1000, 0, [*replies[:-1], Response(trial="last", error="server")])
    assert lines[0] == "asking 1000 of 1000 trials"
    assert [line.split(",")[0] for line in lines[1:-1]] == [f"{part}00/1000" for part in range(1, 11)]
    assert lines[-1].startswith("ended: 1000/1000, ")
    assert "1 error, 99,900 tokens in, 2,997 out" in lines[-1]


@given(
    seconds=st.floats(0.01, 100),
    wide=st.integers(1, 12),
    warming=st.floats(0, 600),
    uneven=st.randoms(use_true_random=False),
)
def test_no_time_is_told_before_twenty_requests_and_then_one_within_a_factor_of_two(
    seconds: float, wide: int, warming: float, uneven: random.Random
):
    """The first request goes alone and may wait for a model to load; later ones are parallel, of unequal times."""
    total, ends = 400, [seconds + warming]
    slots = [ends[0]] * wide
    for _ in range(total - 1):
        slot = min(range(wide), key=slots.__getitem__)
        slots[slot] += seconds * uneven.uniform(0.8, 1.2)
        ends.append(slots[slot])
    ends.sort()
    clock = [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(display, "monotonic", lambda: clock[0])
        count = display.AttemptCount(total)
        count.start(0)
        for number, end in enumerate(ends[:21], start=1):
            clock[0] = end
            count.add(Response(trial=str(number)))
            assert (count.left() == "") == (number < 20)
        told = re.fullmatch(r"(\d+):(\d\d):(\d\d)", count.left())
    assert told
    hours, minutes, rest = map(int, told.groups())
    true = ends[-1] - clock[0]
    assert true / 2 - 1 <= 3600 * hours + 60 * minutes + rest <= 2 * true + 1


def test_the_time_is_an_upper_bound_while_connections_may_rise_and_is_told_anew_when_they_have(
    monkeypatch: pytest.MonkeyPatch,
):
    clock, lines = [0.0], list[str]()
    monkeypatch.setattr(display, "monotonic", lambda: clock[0])
    shown = LineProgress(1000, lines.append)
    shown.start(0)
    shown.connections(8, settled=False)

    def answer(number: int, seconds: float) -> None:
        for _ in range(number):
            clock[0] += seconds
            shown.advance(Response(trial="t"))

    answer(100, 10.0)
    assert lines[-1].endswith("8 at a time, 0 tokens in, 0 out, at most 2:30:00 left")
    shown.connections(16, settled=False)
    answer(15, 5.0)
    assert lines[-1].endswith("16 at a time, 0 tokens in, 0 out")
    answer(85, 5.0)
    assert lines[-1].endswith("at most 1:06:40 left")
    shown.connections(16, settled=True)
    answer(100, 5.0)
    assert lines[-1].endswith("about 0:58:20 left")


def test_what_a_run_had_before_counts_as_done_but_not_as_speed():
    lines = tell(10, 9, [Response(trial="t")])
    assert lines[0] == "asking 1 of 10 trials"
    assert lines[-1].startswith("ended: 10/10, ")


@pytest.mark.parametrize("mode", ["live", "plain", "quiet"])
def test_nothing_of_it_goes_to_standard_output(mode: str, capfd: pytest.CaptureFixture[str]):
    shown = progress(3, mode)
    shown.start(1)
    shown.advance(Response(trial="a", error="timeout"))
    shown.stop(interrupted=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert ("2/3" in err, "1 error" in err, "interrupted" in err) == (mode != "quiet",) * 3


def test_it_is_live_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(progress(1), Live)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(progress(1), LineProgress)
    assert type(progress(1, "quiet")) is Progress
