"""What who runs a study types: each mistake is one line, and each answer says what to do next."""

import json
import subprocess
import sys

import pytest

from tests.people import labels
from tests.people.databases import PASSWORD
from tests.people.labels import answer_all, study_of
from veridical.people import tasks
from veridical.people.invitations import invite, people_of, person_of
from veridical.people.study import open_study
from veridical.suite import registry


@pytest.fixture(autouse=True)
def _task(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(tasks, "GENERAL", dict(tasks.GENERAL))
    labels.register()


@pytest.fixture
def study(tmp_path):
    study = study_of(tmp_path / "study", people=2, per_item=2, items=4)
    yield study
    study.store.close()


def test_people_are_invited_again_invited_and_revoked(cli, study):
    code, out, err = cli("people", "invite", study.folder, "--people", 2, "--address", "https://lab.example/x/")
    assert (code, err) == (0, "")
    first, second = (line.split() for line in out.splitlines())
    assert (first[0], second[0]) == ("p01", "p02")
    start, token = first[1].rstrip("/").rsplit("/", 1)
    assert start == "https://lab.example/x/s"
    assert person_of(study, token).name == "p01"
    _, out, _ = cli("people", "invite", study.folder, "--again", "p01", "--json")
    [again] = json.loads(out)
    assert again["name"] == "p01"
    assert again["address"].startswith("/s/")
    assert person_of(study, token) is None
    assert cli("people", "invite", study.folder, "--third")[0] == 0
    assert [person.third for person in people_of(study)] == [False, False, True]
    assert cli("people", "revoke", study.folder, "p02")[1].startswith("p02 is revoked")
    assert people_of(study)[1].revoked


def test_the_status_of_a_study_is_the_same_for_people_and_for_machines(cli, study):
    invite(study, 2)
    for person, label in zip(people_of(study), ("yes", "no"), strict=True):
        answer_all(study, person, lambda number, label=label: label if number else "part")
    _, out, _ = cli("people", "status", study.folder)
    lines = out.splitlines()
    assert lines[0] == "4 of 4 items have all their votes; 1 all alike, 3 open"
    assert lines[1].split() == ["p01", "5/5", "2.0", "s", "each"]
    assert lines[-2].startswith("label: κ = ")
    assert lines[-1] == "items 1 to 4: 3 to discuss"
    facts = json.loads(cli("people", "status", study.folder, "--json")[1])
    assert (facts["items"], facts["complete"], facts["decided"]["open"]) == (4, 4, 3)
    assert [person["votes"] for person in facts["people"]] == [4, 4]
    assert facts["agreement"][0]["value"] == pytest.approx((0.25 - 1 / 16) / (1 - 1 / 16))


@pytest.fixture
def refused(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def refused(*words):
        code, out, err = cli("people", *words)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        return err.removeprefix("veridical: ").rstrip("\n")

    return refused


def test_what_cannot_be_served_is_said_in_one_line_and_nothing_is_written(refused, study, tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")
    out = ("--out", tmp_path / "new")
    assert refused("serve", "nowhere") == "nowhere holds no stimulus set"
    assert refused("serve", folder) == "--out FOLDER is needed: the study, with what people state, is written there"
    assert refused("serve", folder, *out, "--people", 0) == "people 0: 1 to 1000 are allowed"
    assert refused("serve", folder, *out, "--per-item", 2) == "per item 2: 1 to 1 are allowed"
    assert refused("serve", folder, *out, "--host", "0.0.0.0") == (
        "--host 0.0.0.0: others can reach it, so --people N is needed: one invitation for each"
    )
    assert refused("serve", folder, *out, "--address", "lab") == (
        "--address 'lab': http://HOST:PORT or https://HOST is needed"
    )
    assert refused("serve", study.folder, "--per-item", 2, "--people", 3) == (
        f"{study.folder} is a study already: leave out --people, --per-item, or make a new one from its set or run"
    )
    assert refused("serve", study.folder, folder, *out) == (
        "one study, or sets or runs of which one is made, is allowed"
    )
    assert refused("serve", study.folder, "--host", "0.0.0.0") == (
        f"--host 0.0.0.0: nobody is invited: `veridical people invite {study.folder}` first"
    )
    assert refused("serve", study.folder, "--port", 70000).endswith("cannot be served: 0 to 65535 is allowed")
    assert refused("status", folder) == f"{folder} holds no study: study.json is missing"
    assert refused("invite", study.folder, "--people", 0) == "people 0: 1 to 1000 more are allowed"
    assert refused("invite", study.folder, "--again", "p9") == "unknown person of this study 'p9': known: none"
    assert refused("invite", study.folder, "--again", "p9", "--third").endswith("leave out --third")
    (study.folder / "study.db").unlink()
    assert refused("status", study.folder).endswith("study.db cannot be read: No such file or directory")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set", "study"]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"postgresql+psycopg://me:{PASSWORD}@127.0.0.1:1/none", "the database does not answer: "),
        (f"postgresql+psycopg://me:{PASSWORD}@127.0.0.1:one/none", "--database: postgresql+psycopg://USER@HOST"),
        (f"mysql://me:{PASSWORD}@127.0.0.1/none", "--database: postgresql+psycopg://USER@HOST"),
        (PASSWORD, "--database: postgresql+psycopg://USER@HOST"),
    ],
)
def test_a_database_that_does_not_answer_is_one_line_without_its_password(tmp_path, study, address, words):
    """In a process of its own, so that all that it writes is seen."""
    manifest = study.folder / "study.json"
    manifest.write_text(manifest.read_text().replace('"study.db"', '"elsewhere"'))
    command = [sys.executable, "-m", "tests.people.labels", "people", "status", study.folder, "--database", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(f"veridical: {words}")
    assert PASSWORD not in done.stderr


def test_a_study_is_opened_with_no_other_database_than_it_was_made_with(refused, study):
    assert refused("status", study.folder, "--database", "postgresql+psycopg://me@lab/x").endswith(
        "its votes are in study.db: leave out --database"
    )
    assert open_study(study.folder).design.items == 4


def test_the_help_of_serve_lists_what_people_can_be_asked_to_do(cli):
    _, out, _ = cli("people", "serve", "--help")
    told = " ".join(out.split())
    for name, task in tasks.GENERAL.items():
        assert f"{name} {task.help}" in told
    for suite in registry.all_suites():
        for name, task in suite.people.items():
            assert f"{name} ({suite.name}) {task.help}" in told
