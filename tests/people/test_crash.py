"""Fifty people answer while the server is killed again and again: nothing is lost, and nothing is stored twice."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import httpx2
import pytest

from tests.people import labels
from tests.people.databases import running_cluster
from tests.people.labels import Rater, study_of
from veridical.people import tasks
from veridical.people.invitations import invite
from veridical.suite import registry

PEOPLE, ITEMS = 50, 5
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(params=[("one file", 2), ("PostgreSQL", 1)], ids=lambda each: each[0])
def kept(request):
    """The address of a database, `None` for a file in the study, and how often the server is killed."""
    where, kills = request.param
    if where == "one file":
        yield None, kills
        return
    with running_cluster() as cluster:
        yield cluster.database(), kills


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as at:
        return at.getsockname()[1]


class Server:
    """The server of a study in a process of its own, always on the same port."""

    def __init__(self, folder, database):
        self.port, self.up = free_port(), threading.Event()
        words = ["people", "serve", str(folder), "--port", str(self.port)]
        self._command = [sys.executable, "-m", "tests.people.labels", *words]
        self._command += ["--database", database] if database else []

    def start(self):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        for line in self._process.stdout:  # the address stands there when the port is bound
            if line.startswith("dashboard"):
                self.up.set()
                return
        raise AssertionError("the server did not start")

    def end(self, how):
        self.up.clear()
        self._process.send_signal(how)
        self._process.wait()
        self._process.stdout.close()


class Crowd:
    """People who send each answer until it is acknowledged; `acknowledged` has the key of each that was."""

    def __init__(self, addresses, total, kills, up):
        self._up = up
        self.acknowledged, self.outcomes, self.finished = [], Counter(), 0
        self._marks = {total * (number + 1) // (kills + 1): threading.Event() for number in range(kills)}
        self._lock = threading.Lock()
        self.threads = [threading.Thread(target=self._answer, args=each) for each in enumerate(addresses)]

    def marks(self):
        """Events that are set when a first, second, … part of all answers is acknowledged."""
        return list(self._marks.values())

    def _answer(self, number, address):
        rater = Rater(address)
        screen = self._until_answered(rater.next)
        while screen["state"] == "item":
            key = f"{number}-{screen['id']}"
            stored = self._until_answered(lambda key=key, screen=screen: rater.send(screen, key))
            with self._lock:
                self.outcomes[stored["stored"]] += 1
                self.acknowledged.append(key)
                if len(self.acknowledged) in self._marks:
                    self._marks[len(self.acknowledged)].set()
            screen = stored
        with self._lock:
            self.finished += screen["done"] == screen["total"]

    def _until_answered(self, request):
        while True:
            try:
                answer = request()
            except httpx2.TransportError:
                assert self._up.wait(120)
            else:
                assert answer.status_code == 200, answer.text
                return answer.json()


def test_no_answer_is_lost_or_stored_twice_when_the_server_is_killed(tmp_path, kept, monkeypatch):
    database, kills = kept
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(tasks, "GENERAL", dict(tasks.GENERAL))
    labels.register()
    study = study_of(tmp_path / "study", database, people=PEOPLE, per_item=5, items=PEOPLE * ITEMS // 5)
    invitations = invite(study, PEOPLE)
    server = Server(study.folder, database)
    server.start()
    total = PEOPLE * (ITEMS + 1)  # with the practice item
    crowd = Crowd([f"http://127.0.0.1:{server.port}/s/{each.token}/" for each in invitations], total, kills, server.up)
    for thread in crowd.threads:
        thread.start()
    for mark in crowd.marks():
        assert mark.wait(120)
        server.end(signal.SIGKILL)
        server.start()
    for thread in crowd.threads:
        thread.join(120)
    server.end(signal.SIGTERM)
    trail = list(study.audit())
    assert crowd.finished == PEOPLE
    assert len(crowd.acknowledged) == len(set(crowd.acknowledged)) == total
    assert set(crowd.outcomes) <= {"stored", "known"}
    assert Counter((row["who"], row["what"]) for row in trail).most_common(1)[0][1] == 1
    assert len(trail) == total
    assert len(study.votes()) == PEOPLE * ITEMS
    assert Counter(vote.item for vote in study.votes()) == Counter(
        {f"thing-{n}": 5 for n in range(PEOPLE * ITEMS // 5)}
    )
    study.store.close()
