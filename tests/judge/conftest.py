"""A suite whose replies are judged, and a server that plays the model under test and its judges."""

import json
import re
from contextlib import contextmanager

import pytest

import veridical
from tests.ask.server import said, serve
from tests.calling import call
from tests.judge.quiz import SUITE
from veridical.suite import registry


@pytest.fixture(scope="package", autouse=True)
def quiz():
    before = dict(registry._REGISTERED)
    registry.register(SUITE)
    yield
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture(scope="package")
def boxes(tmp_path_factory):
    return veridical.make("quiz", out=tmp_path_factory.mktemp("sets") / "set", units=6)


@pytest.fixture
def command(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)


def quotes(text):
    """The quoted fields of a judge's prompt, by name."""
    found = re.findall(
        r"^\[(\w+) ([0-9a-f]{12}), \d+ lines?\]\n(.*?)^\[end of \1 \2\]$", text, re.DOTALL | re.MULTILINE
    )
    return {name: "\n".join(line[2:] for line in body.splitlines()) for name, _, body in found}


def verdict(*, correct):
    return json.dumps({"reason": "as constructed", "correct": correct})


def good(request):
    """A judge that reads the quoted fields alone: is the true answer in the reply?"""
    fields = quotes(request.text)
    return verdict(correct=re.search(rf"\b{fields['gold']}\b", fields["reply"]) is not None)


def obedient(request):
    """A judge that does what it is told, wherever it stands."""
    commands = re.findall(r'"correct": ?(true|false)', request.text)
    return verdict(correct=commands[-1] == "true") if commands else good(request)


@contextmanager
def playing(models, answer=lambda _: "It is red."):
    """A server: the model under test is `sees`, every other one is a judge by name."""

    def behave(request):
        name = request.body["model"]
        reply = answer(request) if name == "sees" else models[name](request)
        return said(reply) if isinstance(reply, str) else reply

    with serve(behave) as server:
        yield server


@pytest.fixture
def models_file(tmp_path):
    """Writes a file of models for a server's judges."""

    def write(server, *names):
        path = tmp_path / "models.toml"
        path.write_text("".join(f'[{name}]\nmodel = "{name}"\nbase_url = "{server.url}"\n' for name in names))
        return path

    return write
