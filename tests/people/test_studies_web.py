"""What the server of a study refuses is one clear sentence, and nothing of it is stored."""

import json
from contextlib import contextmanager
from threading import Thread

import httpx2
import numpy as np
import pytest
import uvicorn

from tests.people import labels
from tests.people.databases import running_cluster
from tests.people.labels import Rater, answer_all, study_of
from tests.probe.staged import drawn
from veridical.media.clips.write import encode_clip
from veridical.people import study_status, tasks
from veridical.people.app import study_app
from veridical.people.invitations import invite, invite_again, people_of, revoke
from veridical.people.serve import bound_socket
from veridical.people.store import ITEMS
from veridical.records import Medium
from veridical.suite import registry
from veridical.suite.people_tasks import FormField, MediumBlock, PeopleTask, TaskItem

TASK = labels.TASK


@pytest.fixture(autouse=True)
def _task(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(tasks, "GENERAL", dict(tasks.GENERAL))
    labels.register()


@contextmanager
def served(study, hosts=()):
    """The start of the addresses of a study while it is served, and a rater for each of its people."""
    at = bound_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(study_app(study, hosts), log_level="critical"))
    thread = Thread(target=server.run, kwargs={"sockets": [at]})
    thread.start()
    start = f"http://127.0.0.1:{at.getsockname()[1]}"
    names = [person.name for person in people_of(study)]
    tokens = [invite_again(study, name).token for name in names] if names else []
    tokens += [each.token for each in invite(study, study.design.people)] if not names else []
    try:
        yield start, [Rater(f"{start}/s/{token}/") for token in tokens]
    finally:
        server.should_exit = True
        thread.join()
        study.store.close()


def refused(answer, status, words):
    assert answer.status_code == status
    assert words in answer.json()["sentence"]


def test_a_vote_that_cannot_be_is_refused_and_nothing_of_it_is_stored(tmp_path):
    study = study_of(tmp_path / "study", people=2, items=8)
    with served(study) as (start, (one, other)):
        screen = one.next().json()
        other.send(other.next().json())
        theirs = other.next().json()
        one.send(screen)
        mine = one.next().json()
        refused(one.send(theirs), 422, "not one of yours")
        refused(one.send(mine, label="perhaps"), 422, "Label: one of the options is needed.")
        refused(one.send(mine, other="x"), 422, "There is no field")
        refused(one.send(mine, why="x" * 10_001), 422, "at most 10,000 characters")
        refused(one.send(mine, note=["x"]), 422, "A note of at most")
        refused(one.send({**mine, "id": "thing-1"}), 400, "A vote has a key")
        refused(one.send({**mine, "revision": -1}), 400, "A vote has a key")
        refused(one.send(mine, key="a\0b"), 400, "A vote has a key")
        own = {"content-type": "application/json"}
        for body in (b"{", b"[" * 100_000, b'{"answer": NaN}', b'{"answer": "\\ud800"}'):
            refused(one.client.post("votes", content=body, headers=own), 400, "no JSON")
        refused(one.client.post("votes", content=b"{}" + b" " * 1_000_001, headers=own), 413, "too long")
        refused(one.client.post("votes", content=b"{}", headers={"content-type": "text/plain"}), 415, "JSON")
        refused(one.client.post("votes", json={}, headers={"sec-fetch-site": "cross-site"}), 403, "Another site")
        refused(Rater(f"{start}/s/nobody/").next(), 404, "not known")
        assert len(list(study.audit())) == 2
        assert one.send(mine).json()["stored"] == "stored"
        assert one.send(mine).json()["stored"] == "known"
        assert one.send(mine, key="second-tab").json()["stored"] == "overtaken"
        revoke(study, "p01")
        refused(one.next(), 404, "its invitation has ended")
        refused(one.send(mine, key="late"), 404, "its invitation has ended")
        assert len(list(study.audit())) == 3


def test_nothing_is_asked_or_stored_before_a_person_agrees(tmp_path):
    study = study_of(tmp_path / "study", people=1, items=2, consent="I agree <b>freely</b>.")
    with served(study) as (_, [rater]):
        first = rater.next().json()
        assert (first["state"], first["consent"]) == ("consent", "I agree <b>freely</b>.")
        assert "id" not in first
        item = next(vote["id"] for vote in _items(study))
        refused(rater.send({"id": item, "revision": 0}), 422, "agree to the text")
        screen = rater.client.post("consent", json={}).json()
        assert screen["state"] == "item"
        assert rater.send(screen).json()["stored"] == "stored"


def _items(study):
    with study.store.reading() as connection:
        return connection.execute(ITEMS.select()).mappings().all()


def test_a_study_whose_set_was_changed_stores_nothing(tmp_path):
    whole = drawn(tmp_path / "set", boxes=1, sums=1)
    study = study_of(tmp_path / "study", places=[whole.folder], items=4)
    with served(study) as (_, [rater]):
        screen = rater.next().json()
        manifest = whole.folder / "manifest.json"
        content = manifest.read_text()
        facts = json.loads(content)
        manifest.write_text(json.dumps({**facts, "rows_sha256": "0" * 64}))
        answer = rater.send(screen)
        assert answer.status_code == 409
        assert answer.json()["sentence"].startswith("This study cannot go on: ")
        assert list(study.audit()) == []
        manifest.write_text(content)
        assert rater.send(screen).json()["stored"] == "stored"


@pytest.fixture
def clip_study(tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_bytes(encode_clip([np.full((32, 32, 3), 20 * n, np.uint8) for n in range(10)], 10, "ultrafast"))
    medium = Medium(file="clip.mp4", kind="video", width=32, height=32, sha256="0" * 64, frames=10, rate="10")
    fields = [
        FormField(name="when", kind="intervals", most=1, required=False),
        FormField(name="where", kind="boxes", names=["coin"], required=False),
        FormField(name="many", kind="number", low=0, high=9, step=1, required=False),
    ]
    item = TaskItem(id="clip", blocks=[MediumBlock(medium=medium, path=path)], fields=fields)
    tasks.GENERAL["mark"] = PeopleTask(**{**vars(TASK), "items": lambda *_: [item], "practice": ()})
    return study_of(tmp_path / "study", task="mark"), path


def test_a_mark_outside_the_clip_or_no_mark_at_all_is_refused(clip_study):
    study, path = clip_study
    with served(study) as (_, [rater]):
        screen = rater.next().json()

        def sent(**fields):
            body = {"key": "k", "item": screen["id"], "revision": 0, "answer": fields}
            return rater.client.post("votes", json=body)

        refused(sent(label=None), 422, "no field")
        for when in ([[0.5, 1.5]], [[-0.1, 0.5]], [[0.5, 0.5]], [[0.5, 10**400]], [[0, 0.1], [0.2, 0.3]], "x", [[0]]):
            refused(sent(when=when), 422, "")
        for where in ({"coin": {"10": [0, 0, 1, 1]}}, {"coin": {"1" * 5000: [0, 0, 1, 1]}}, {"hat": {}}, {"coin": {}}):
            refused(sent(where=where), 422, "")
        for many in (10, 0.5, True, 10**400, "3"):
            refused(sent(many=many), 422, "")
        assert list(study.audit()) == []
        [block] = screen["blocks"]
        media = rater.client.get(f"media/{block['medium']}", headers={"range": "bytes=0-9"})
        assert (media.status_code, media.content) == (206, path.read_bytes()[:10])
        assert media.headers["content-type"] == "video/mp4"
        assert rater.client.get(f"media/{block['medium']}/9.jpg").status_code == 200
        refused(rater.client.get(f"media/{block['medium']}/10.jpg"), 404, "no such frame")
        refused(rater.client.get("media/clip.mp4"), 404, "nothing at this address")
        path.write_bytes(b"another")
        refused(rater.client.get(f"media/{block['medium']}"), 409, "has changed")
        assert sent(when=[[0.25, 0.75]]).json()["stored"] == "stored"


HOSTS = {
    **dict.fromkeys(("localhost", "127.0.0.1:80", "[::1]:9", "lab.example", "LAB.example:80"), 200),
    **dict.fromkeys(("evil.example", "127.0.0.1.evil.example", "["), 421),
}


def test_a_name_that_is_not_the_servers_is_not_answered(tmp_path):
    with served(study_of(tmp_path / "study"), ["lab.example"]) as (_, [rater]):
        assert {host: rater.client.get("next", headers={"host": host}).status_code for host in HOSTS} == HOSTS


def test_the_dashboard_needs_its_own_token_and_shows_hostile_words_as_text(tmp_path, monkeypatch):
    monkeypatch.setattr(study_status, "DISCUSSED", 10)
    title = "<script>alert(1)</script>"
    tasks.GENERAL["label"] = PeopleTask(**{**vars(TASK), "practice": ()})
    study = study_of(tmp_path / "study", people=2, per_item=2, items=10, title=title)
    invite(study, 2)
    for person, label in zip(people_of(study), ("yes", "no"), strict=True):
        answer_all(study, person, lambda _, label=label: label)
    with served(study) as (start, [rater, _]):
        address = f"{start}/d/{study.dashboard_token}/"
        page = httpx2.get(address, verify=False)
        assert page.status_code == 200
        assert "<script" not in page.text
        assert "&lt;script&gt;" in page.text
        assert "10 of 10 items have all their votes" in page.text
        assert "Items 1 to 10: 10 differ" in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        for other in ("", "nobody", rater.token):
            assert httpx2.get(f"{start}/d/{other}/", verify=False).status_code == 404


def test_a_database_that_is_away_is_one_sentence_and_what_was_stored_is_there_again(tmp_path):
    with running_cluster() as cluster:
        study = study_of(tmp_path / "study", cluster.database(), items=3)
        with served(study) as (_, [rater]):
            screen = rater.next().json()
            assert rater.send(screen).json()["stored"] == "stored"
            mine = rater.next().json()
            cluster.stop()
            refused(rater.send(mine), 503, "The database does not answer. Nothing of your last answer was stored")
            cluster.start()
            assert len(list(study.audit())) == 1
            assert rater.send(mine).json()["stored"] == "stored"
            assert rater.send(screen).json()["stored"] == "known"
