"""The measurements of asking in words: a table, and each aim beside what was reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]
NAMES = {
    "ours": "veridical",
    "sdk": "OpenAI SDK, plain",
    "runner": "inspect-ai's task runner",
    "lmms_eval": "lmms-eval",
}
AIMS = {"of_sdk": 0.85, "cpu_of_sdk": 1.6, "peak_mb": 200.0, "of_best_peer": 2.0, "memory_mb": 50.0, "help_s": 0.3}
AIMS |= {"of_one_server": 3.6}
_HEAD = ("", "questions/s", "of the SDK", "asking s", "process s", "CPU s", "peak MB", "in flight")


def text(found: Row) -> Iterator[str]:
    """The lines to print."""
    yield ", ".join(f"{key} {value}" for key, value in found["on"].items())
    if "race" in found:
        yield from _race(found["race"])
    if "ramp" in found:
        yield from _ramp(found["ramp"])
    if "servers" in found:
        yield from _servers(found["servers"])
    if "core" in found:
        yield from _core(found["core"])
    if "memory" in found:
        yield from _memory(found["memory"])
    if "help" in found:
        yield from _help(found["help"])


def _race(race: Row) -> Iterator[str]:
    yield (
        f"\n{race['questions']:,} questions on {race['pictures']:,} pictures, a server that answers after "
        f"{race['delay']:g} s, {race['connections']} at a time; medians of {race['rounds']}\n"
    )
    yield from _table([_HEAD, *(_cells(NAMES[name], row) for name, row in race["clients"].items())])
    for name, why in race["absent"].items():
        yield f"\n{NAMES[name]}: {why}"
    yield ""
    yield _aim("of the plain SDK's questions/s", race["ratios"]["of_sdk"], AIMS["of_sdk"])
    yield _aim("of its CPU seconds, at most", race["ratios"]["cpu_of_sdk"], AIMS["cpu_of_sdk"], below=True)
    yield _aim("MB at the peak, at most", race["ratios"]["peak_mb"], AIMS["peak_mb"], below=True)
    if (of_peer := race["ratios"]["of_best_peer"]) is not None:
        yield _aim(f"times the best peer's ({NAMES[race['best_peer']]})", of_peer, AIMS["of_best_peer"])


def _cells(name: str, row: Row) -> tuple[str, ...]:
    share = row["of_sdk"]
    seconds = (f"{row[key]:.1f}" for key in ("asking_s", "process_s", "cpu_s"))
    rate = f"{row['questions_per_s']:.0f}"
    return name, rate, f"{share:.2f}" if share else "", *seconds, f"{row['peak_mb']:.0f}", f"{row['most_open']}"


def _ramp(ramp: Row) -> Iterator[str]:
    yield (
        f"\n{ramp['questions']:,} questions, a server that answers after {ramp['delay']:g} s; questions/s with 8 "
        f"connections and by default; medians of {ramp['rounds']}\n"
    )
    head = ("the server works on", "8 connections", "default", "ratio", "in flight")
    rows = (
        (slots, f"{row['before']:.0f}", f"{row['default']:.0f}", f"{row['ratio']:.2f}", f"{row['most_open']}")
        for slots, row in ramp["servers"].items()
    )
    yield from _table([head, *rows])


def _servers(servers: Row) -> Iterator[str]:
    yield (
        f"\n{servers['questions']:,} questions, servers that answer after {servers['delay']:g} s and take "
        f"{servers['slots']} requests at a time, the last ones any number; medians of {servers['rounds']}\n"
    )
    names = {"one": "one server", "four": f"{servers['servers']} servers", "full": f"{servers['servers']}, unbounded"}
    rows = (
        (names[name], f"{row['questions_per_s']:.0f}", f"{row['cpu_s']:.1f}", f"{row['on_the_wire_s']:.1f}")
        for name, row in servers["ways"].items()
    )
    yield from _table([("", "questions/s", "CPU s", "on the wire s"), *rows])
    yield ""
    yield _aim("times the questions/s of one server", servers["ratio"], AIMS["of_one_server"])
    yield f"  by round: {', '.join(f'{ratio:.2f}' for ratio in servers['each'])}"


def _core(core: Row) -> Iterator[str]:
    yield (
        f"\n{core['questions_per_cpu_s']:.0f} questions in a second of the client's core, which is then full\n"
        f"  {core['questions']:,} questions, {core['connections']} connections to a server that answers at once; "
        f"by round: {', '.join(map(str, core['each']))}"
    )


def _memory(memory: Row) -> Iterator[str]:
    yield f"\nResident memory over {memory['trials']:,} trials, MB by trials stored\n"
    resident = memory["resident_mb"]
    if not resident:
        yield f"not measured: {memory['problem']}"
        return
    yield from _table([("trials", *map(str, resident)), ("MB", *(f"{value:.0f}" for value in resident.values()))])
    rate, peak = f"{memory['questions_per_s']:.0f} questions/s", f"{memory['peak_mb']:.0f} MB"
    yield f"\n{rate}; the process's peak, tables and figures included, {peak}\n"
    yield _aim("MB away from that after the first 1,000, at most", memory["away_mb"], AIMS["memory_mb"], below=True)


def _help(found: Row) -> Iterator[str]:
    yield ""
    what = f"s for `veridical --help`, best of {found['of']}; `python -c pass` takes {found['nothing_s']:.2f} s"
    yield _aim(what, found["s"], AIMS["help_s"], below=True)
    if found["slowest_imports"]:
        yield "imports, ms each: " + ", ".join(f"{name} {ms:.0f}" for name, ms in found["slowest_imports"].items())


def _aim(what: str, reached: float, aim: float, *, below: bool = False) -> str:
    met = reached < aim if below else reached >= aim
    return f"- {reached:.2f} {what} (aim {'<' if below else '>='} {aim:g}: {'reached' if met else 'missed'})"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in (rows[0], rule, *rows[1:]):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield f"| {' | '.join(cells)} |"
