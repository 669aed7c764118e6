"""How long somebody waits in a study of 100,000 items: a vote is sent, and the next item comes back.

`python -m bench.people` makes a study of plain questions for 20 people, three of them for each item, serves it in a
process of its own, and has them answer at once, each after a pause as for reading. It prints the seconds that making
and inviting took, and the median and the 95th percentile in ms of a vote with the next screen, over HTTP on this
machine; exit code 1 where the aim is missed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from socket import socket
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter, sleep

import httpx2
import numpy as np

from veridical import simple_suite
from veridical.people.invitations import invite
from veridical.people.serve import bound_socket, person_addresses, serve, start_of
from veridical.people.study import StudyDesign, make_study, open_study
from veridical.suite import registry
from veridical.suite.people_tasks import FieldOption, FormField, PeopleTask, ReadVotes, TaskItem, TextBlock

AIM_MS = 100
_HOST = "127.0.0.1"
_FIELD = FormField(name="even", kind="choice", options=[FieldOption("yes", "Yes"), FieldOption("no", "No")])


def _items(number: int) -> Iterator[TaskItem]:
    for index in range(number):
        text = TextBlock(text=f"Is {index} even?")
        yield TaskItem(id=f"number-{index}", blocks=[text], fields=[_FIELD], key={"number": index}, stratum=index % 7)


_TASK = PeopleTask(
    title="Numbers",
    help="Say which numbers are even.",
    instructions="Say which numbers are even.",
    items=lambda _, choices: _items(choices.items or 1),
    read=lambda *_: ReadVotes(Path(), [], {}),
)
_SQUARE = {"picture": np.zeros((8, 8, 3), np.uint8), "truth": "yes"}
_PLAIN = simple_suite(name="numbers", items=[_SQUARE], question="Is it dark?", options=["yes", "no"])
SUITE = replace(_PLAIN, parts={**_PLAIN.parts, "people": {"even": _TASK}})


def _serve(folder: Path, at: socket) -> None:
    serve(open_study(folder), at, [])


def _answer(address: str, votes: int, seed: int, waits: list[float]) -> None:
    pause = Random(seed)  # noqa: S311
    with httpx2.Client(base_url=address, timeout=60) as client:
        screen = client.get("next").raise_for_status().json()
        for _ in range(votes):
            sleep(pause.uniform(0.5, 1.5))
            body = {"key": f"{seed}-{screen['id']}", "item": screen["id"], "revision": 0, "answer": {"even": "yes"}}
            began = perf_counter()
            screen = client.post("votes", json={**body, "seconds": 1.0}).raise_for_status().json()
            waits.append(1000 * (perf_counter() - began))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.people", description="How long a vote takes.")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--votes", type=int, default=30, help="answers of each person (%(default)s)")
    stated = parser.parse_args(arguments)
    registry.register(SUITE)
    with TemporaryDirectory() as scratch:
        design = StudyDesign(
            task="even", suite=SUITE.name, places=[], items=stated.items, people=stated.people, per_item=3
        )
        began = perf_counter()
        study = make_study(Path(scratch) / "study", design)
        made = perf_counter()
        invitations = invite(study, stated.people)
        invited = perf_counter()
        at = bound_socket(_HOST, 0)
        server = multiprocessing.get_context("fork").Process(target=_serve, args=(study.folder, at))
        server.start()
        lines = person_addresses(invitations, start_of(at, _HOST))
        waits: list[float] = []
        people = [
            Thread(target=_answer, args=(line.split()[1], stated.votes, seed, waits)) for seed, line in enumerate(lines)
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
        server.terminate()
        server.join()
    middle, late = np.percentile(waits, [50, 95])
    facts = {"items": stated.items, "people": stated.people, "answers": len(waits)}
    seconds = {"make_s": round(made - began, 1), "invite_s": round(invited - made, 1)}
    print(json.dumps({**facts, **seconds, "p50_ms": round(middle, 1), "p95_ms": round(late, 1)}))  # noqa: T201
    sys.exit(int(late > AIM_MS))


if __name__ == "__main__":
    main()
