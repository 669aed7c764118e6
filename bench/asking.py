"""`python -m bench.asking`: how fast a model is asked, beside others who ask the same; memory; how soon help is there.

Every client runs in a fresh process against one local server. Questions per second count from the first request that
the server sees to the last change of the file in which the client keeps its replies.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from statistics import median

from bench import asking_lmms
from bench.asking_clients import CPU_SECONDS, PER_UNIT, SQUARE, STORED, Job
from bench.asking_help import help_times
from bench.asking_process import Ended, launched
from bench.asking_server import Counts, Server, serving, together
from bench.asking_text import AIMS, NAMES, Row, text

_PEERS = ("runner", "lmms_eval")
_STEP = len(SQUARE) * PER_UNIT
_PARTS = ("race", "ramp", "servers", "core", "memory", "help")
_BEFORE = 8
"""The number of connections that was the default before there was a ramp."""
_SERVERS = 4
_CORE = 64
"""Connections to the server that answers at once."""
_RACES = {"one": (1, _BEFORE, 0), "four": (_SERVERS, _BEFORE, 0), "full": (_SERVERS, 1000, 256)}
"""By name the number of servers, the requests that each works on at a time, and the connections; 0 is the default."""
_LMMS_EVAL = "beside lmms-eval too, in an environment made for it (gigabytes), or with that interpreter's"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints tables for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.asking", description="How fast a model is asked.")
    parser.add_argument("--parts", nargs="+", default=list(_PARTS), choices=_PARTS, metavar="PART", help=str(_PARTS))
    parser.add_argument("--pictures", type=_pictures, default=500, help="two questions on each (%(default)s)")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds to the server's answer (%(default)s)")
    parser.add_argument("--connections", type=int, default=64, help="requests at a time (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="each client once a round; medians (%(default)s)")
    parser.add_argument("--trials", type=int, default=10_000, help="for memory (%(default)s)")
    parser.add_argument("--lmms-eval", nargs="?", const="", metavar="PYTHON", help=_LMMS_EVAL)
    parser.add_argument("--json", action="store_true", help="one JSON document instead of tables")
    asked = parser.parse_args(arguments)
    parts: dict[str, Callable[[argparse.Namespace], Row]] = {
        "race": _race,
        "ramp": _ramp,
        "servers": _servers,
        "core": lambda asked: core(asked.pictures, asked.rounds),
        "memory": _memory,
        "help": lambda _: help_times(),
    }
    found = {"on": _on(), "aims": AIMS} | {part: parts[part](asked) for part in _PARTS if part in asked.parts}
    sys.stdout.write((json.dumps(found, indent=1) if asked.json else "\n".join(text(found))) + "\n")


def _race(asked: argparse.Namespace) -> Row:
    """Every client once a round, in turn, so that a change in what else the machine does meets all of them."""
    names = ["sdk", "ours", "runner", "lmms_eval"]
    rows: dict[str, list[Row]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder, serving() as server:
        python, why = _lmms_eval(asked.lmms_eval, Path(folder) / "lmms")
        absent = {} if python else {"lmms_eval": why}
        job = _job(Path(folder), server, asked.connections, asked.pictures)
        for index in range(asked.rounds):
            for name in [name for name in names if name not in absent]:
                _progress(f"round {index + 1} of {asked.rounds}: {NAMES[name]}")
                row, problem = _raced(name, job, Path(folder) / f"{name}{index}", server, asked.delay, python)
                if row:
                    rows[name].append(row)
                else:
                    absent[name] = problem
    clients = {name: _medians(rows[name], rows["sdk"]) for name in names if rows[name] and name not in absent}
    if missing := [name for name in ("ours", "sdk") if name not in clients]:
        raise SystemExit("; ".join(f"{NAMES[name]}: {absent[name]}" for name in missing))
    peers = [name for name in _PEERS if name in clients]
    best = max(peers, key=lambda name: float(clients[name]["questions_per_s"]), default=None)
    return {
        "questions": 2 * asked.pictures,
        **{name: getattr(asked, name) for name in ("pictures", "delay", "connections", "rounds")},
        "clients": clients,
        "each": rows,
        "absent": absent,
        "best_peer": best,
        "ratios": {
            "of_sdk": clients["ours"]["of_sdk"],
            "cpu_of_sdk": _ratio(rows["ours"], rows["sdk"], "cpu_s"),
            "peak_mb": clients["ours"]["peak_mb"],
            "of_best_peer": _ratio(rows["ours"], rows[best]) if best else None,
        },
    }


def _lmms_eval(wanted: str | None, folder: Path) -> tuple[Path | None, str]:
    """The interpreter that has lmms-eval, or `None` and why it is left out."""
    if wanted is None:
        return None, "skipped; --lmms-eval installs it in an environment of its own (gigabytes) and asks with it too"
    if wanted:
        return Path(wanted), ""
    _progress("installing lmms-eval")
    return asking_lmms.environment(folder)


def _raced(
    name: str, job: Job, out: Path, server: Server, delay: float, python: Path | None, slots: int = 1000
) -> tuple[Row | None, str]:
    """What one client came to, or why it did not; `python` is the interpreter that has lmms-eval."""
    out.mkdir()
    mine = replace(job, out=out)
    questions = len(job.asked())
    server.begin(delay, slots)
    command = asking_lmms.command(mine, python) if name == "lmms_eval" and python else _command(name, mine)
    ended = launched(command, out / "output.log")
    counts = server.counts()
    stored = [path.stat().st_mtime for path in out.glob(STORED[name])]
    if ended.code or not stored or counts.requests != questions:
        return None, f"ended with code {ended.code} after {counts.requests} requests: {ended.said}"
    return _row(counts, ended, max(stored)), ""


def _row(counts: Counts, ended: Ended, stored: float) -> Row:
    return {
        "questions_per_s": round(counts.requests / (stored - counts.first), 1),
        "asking_s": round(stored - counts.first, 3),
        "on_the_wire_s": round(counts.last - counts.first, 3),
        "before_s": round(counts.first - ended.began, 3),
        "after_s": round(ended.ended - stored, 3),
        "process_s": round(ended.ended - ended.began, 3),
        "cpu_s": round(ended.cpu, 2),
        "peak_mb": round(ended.peak, 1),
        "most_open": counts.most_open,
        "sent_mb": round(counts.received / 1e6, 1),
    }


def _medians(rows: list[Row], sdk: list[Row]) -> Row:
    return {key: median(row[key] for row in rows) for key in rows[0]} | {"of_sdk": _ratio(rows, sdk)}


def _ratio(rows: list[Row], others: list[Row], what: str = "questions_per_s") -> float | None:
    """The median over rounds of one's figure over another's in the same round."""
    pairs = list(zip(rows, others, strict=False))
    return round(median(a[what] / b[what] for a, b in pairs), 3) if pairs else None


def _ramp(asked: argparse.Namespace) -> Row:
    """The default beside 8 connections, once a round each, with a server for 64 requests at a time and one for 8."""
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder, serving() as server:
        job = _job(Path(folder), server, asked.connections, asked.pictures)
        for slots in (64, _BEFORE):
            each: dict[int, list[Row]] = {_BEFORE: [], 0: []}
            for index in range(asked.rounds):
                for connections, found in each.items():
                    _progress(f"ramp, round {index + 1} of {asked.rounds}: a server for {slots}")
                    out = Path(folder) / f"ramp{slots}-{connections}-{index}"
                    mine = replace(job, connections=connections)
                    row, problem = _raced("ours", mine, out, server, asked.delay, None, slots)
                    if row is None:
                        raise SystemExit(f"ramp: {problem}")
                    found.append(row)
            rates = [median(row["questions_per_s"] for row in found) for found in each.values()]
            most = max(row["most_open"] for row in each[0])
            rows[str(slots)] = {"before": rates[0], "default": rates[1], "most_open": most}
            rows[str(slots)]["ratio"] = _ratio(each[0], each[_BEFORE])
    return {"questions": 2 * asked.pictures, "delay": asked.delay, "rounds": asked.rounds, "servers": rows}


def _servers(asked: argparse.Namespace) -> Row:
    """One server, and four of them, that each take 8 requests at a time; then four that bound nothing, so ours does."""
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder, ExitStack() as stack:
        every = [stack.enter_context(serving()) for _ in range(_SERVERS)]
        job = _job(Path(folder), every[0], 0, asked.pictures)
        rows: dict[str, list[Row]] = {"one": [], "four": [], "full": []}
        for index in range(asked.rounds):
            for name, (many, slots, connections) in _RACES.items():
                _progress(f"servers, round {index + 1} of {asked.rounds}: {name}")
                used = every[:many]
                for server in used:
                    server.begin(asked.delay, slots)
                mine = replace(job, out=Path(folder) / f"{name}-{index}", connections=connections)
                mine = replace(mine, others=tuple(server.url for server in used[1:]))
                mine.out.mkdir()
                ended = launched(_command("ours", mine), mine.out / "output.log")
                counts = together([server.counts() for server in used])
                if ended.code or counts.requests != 2 * asked.pictures:
                    raise SystemExit(f"servers: ended with code {ended.code}: {ended.said}")
                rows[name].append(_row(counts, ended, (mine.out / STORED["ours"]).stat().st_mtime))
    shown = {name: {key: median(row[key] for row in each) for key in each[0]} for name, each in rows.items()}
    about = {"questions": 2 * asked.pictures, "delay": asked.delay, "rounds": asked.rounds, "slots": _BEFORE}
    each = [_ratio([four], [one]) for four, one in zip(rows["four"], rows["one"], strict=True)]
    return {**about, "servers": _SERVERS, "ways": shown, "each": each, "ratio": _ratio(rows["four"], rows["one"])}


def core(pictures: int, rounds: int) -> Row:
    """The questions that the client asks in a second of a core, of a server that answers at once."""
    rates: list[int] = []
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder, serving() as server:
        job = _job(Path(folder), server, _CORE, pictures)
        for index in range(rounds):
            _progress(f"core, round {index + 1} of {rounds}")
            mine = replace(job, out=Path(folder) / f"core{index}")
            mine.out.mkdir()
            server.begin(0.0)
            ended = launched(_command("core", mine), mine.out / "output.log")
            if ended.code or server.counts().requests < 2 * pictures:
                raise SystemExit(f"core: ended with code {ended.code}: {ended.said}")
            rates.append(round(2 * pictures / float((mine.out / CPU_SECONDS).read_text())))
    return {"questions": 2 * pictures, "connections": _CORE, "each": rates, "questions_per_cpu_s": median(rates)}


def _memory(asked: argparse.Namespace) -> Row:
    """One long run against a server that answers at once, with the resident memory at every 1,000 stored replies."""
    pictures = _pictures(str(-(-asked.trials // (2 * _STEP)) * _STEP))
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder, serving() as server:
        job = _job(Path(folder), server, asked.connections, pictures)
        _progress(f"memory: {2 * pictures} trials")
        server.begin(0.0)
        stored = job.out / STORED["ours"]
        ended = launched(_command("ours", job), job.out / "output.log", watched=stored)
        counts = server.counts()
        if ended.code or counts.requests != 2 * pictures:
            raise SystemExit(f"memory: ended with code {ended.code} after {counts.requests} requests: {ended.said}")
        row = _row(counts, ended, stored.stat().st_mtime)
    resident = {trials: round(megabytes, 1) for trials, megabytes in ended.resident.items()}
    first = next(iter(resident.values()), 0.0)
    return {
        "trials": 2 * pictures,
        "resident_mb": resident,
        "away_mb": round(max((abs(value - first) for value in resident.values()), default=0.0), 1),
        "problem": "" if resident else "this system has no /proc",
        **row,
    }


def _job(folder: Path, server: Server, connections: int, pictures: int) -> Job:
    """A job with its pictures drawn, in another process, so that this one stays small beside those that it starts."""
    job = Job(server.url, folder / "set", folder / "questions.jsonl", folder / "out", connections)
    job.out.mkdir()
    _progress(f"drawing {pictures} pictures")
    ended = launched([*_command("draw", job), str(pictures)], folder / "draw.log")
    if ended.code:
        raise SystemExit(f"the pictures could not be drawn: {ended.said}")
    return job


def _command(name: str, job: Job) -> list[str]:
    told = {"url": job.url, "connections": job.connections, "others": job.others}
    told |= {key: str(getattr(job, key)) for key in ("pictures", "questions", "out")}
    return [sys.executable, "-m", "bench.asking_clients", name, json.dumps(told)]


def _pictures(text: str) -> int:
    number = int(text)
    if number < _STEP or number % _STEP:
        raise argparse.ArgumentTypeError(f"{number}: a multiple of {_STEP} is allowed")
    return number


def _on() -> dict[str, str]:
    """What this is measured on; a load above 0 before the start tells that others use the machine."""
    load = f"{os.getloadavg()[0]:.1f} before the start"
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    packages = {name: version(name) for name in ("inspect-ai", "openai")}
    return {"system": system, "load": load, "python": platform.python_version(), **packages}


def _progress(what: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{what:<60}" if what else f"\r{'':<60}\r")


if __name__ == "__main__":
    main()
