"""An evaluation with a private seed: who has memorized the standard pictures is found, and the seed stays secret."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import jsonschema
import pytest

from tests.ask.server import said, serve
from tests.calling import call
from tests.evaluation.conftest import evaluation
from tests.evaluation.test_profile_exports import SCHEMA
from veridical.errors import InputError
from veridical.suite import registry
from veridical.verbs.evaluation.choices import FILE
from veridical.verbs.evaluation.private import PRIVATE
from veridical.verbs.evaluation.profile import profile
from veridical.verbs.exchange.trials import write_trials

CASES = ["muller_lyer", "ponzo", "poggendorff"]
VALUES = {"units": 6, "levels": 2, "size": 128, "cases": CASES}
OTHERS = ["veridical/perceiver", "veridical/guesser"]


class Memory:
    """A model that answers right where it knows the picture by its hash, and guesses where it does not."""

    def __init__(self):
        self.answers = {}

    def learn(self, stimuli, folder):
        """Takes in the pictures of a set with the true answers to all questions about them."""
        for name, own in {"gold": {"gold": True}, "batch": {"batch": True, "model": "m"}}.items():
            write_trials(stimuli, folder / f"{name}.jsonl", **own)
        lines = {
            name: (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines() for name in ("gold", "batch")
        }
        gold = {row["id"]: row["gold"] for row in map(json.loads, lines["gold"])}
        for row in map(json.loads, lines["batch"]):
            self.answers[self.key(row["body"])] = gold[row["custom_id"]]

    @staticmethod
    def key(body):
        """The hash of what was shown and asked."""
        return sha256(json.dumps(body["messages"][-1]["content"], sort_keys=True).encode()).hexdigest()

    def reply(self, request):
        key = self.key(request.body)
        return said(f"<answer>{self.answers.get(key, int(key, 16) % 2)}</answer>")


@pytest.fixture(scope="module")
def little():
    """The quick design of one suite with few and small pictures."""
    suite = registry.get("viprobe")
    part = suite.evaluation
    design = replace(part.designs["quick"], values=VALUES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(suite.__dict__, "evaluation", replace(part, designs={**part.designs, "quick": design}))
        yield suite.name


@pytest.fixture(scope="module")
def compared(little, tmp_path_factory):
    """One that has memorized the standard pictures, and two that have not, asked about standard and fresh units."""
    folder, memory = tmp_path_factory.mktemp("fresh"), Memory()
    out = folder / "all"
    evaluation(OTHERS, out=out, suites=[little], private_seed=True)
    memory.learn(out / little / "set", folder)
    commitments = []
    with serve(memory.reply) as server:
        found = evaluation(
            "memory",
            out=out,
            suites=[little],
            base_url=server.url,
            committed=lambda each: commitments.append((each, len(server.requests))),
        )
    found.write_page()
    return found, commitments


def test_who_has_memorized_the_standard_pictures_is_found_and_nobody_else(compared):
    fresh = compared[0].profile().fresh
    assert compared[0].complete
    written = json.loads((compared[0].folder / "profile.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(written)
    assert set(SCHEMA["properties"]) == set(written)
    assert {each.conclusion.name for each in fresh.decided("memory")} == {"recalls the standard set"}
    assert fresh.sentence("memory").startswith("Recalls the standard set")
    assert not [each for model in OTHERS for each in fresh.decided(model)]


def test_the_gain_is_the_difference_of_both_effects_and_its_interval_is_wider_than_either(compared):
    for gap in compared[0].profile().fresh.gaps["memory"]:
        (standard, low, high), (fresh, *bounds) = gap.standard.points, gap.fresh.points
        if gap.standard.question.better == "higher":
            assert gap.gain.value == pytest.approx(standard - fresh)
        else:
            assert gap.gain.value == pytest.approx(abs(fresh) - abs(standard))
        assert gap.gain.high - gap.gain.low >= max(high - max(low, 0), 0)
        assert gap.gain.low <= gap.gain.value <= gap.gain.high
        assert bounds[0] <= fresh <= bounds[1]


def test_the_seed_is_committed_to_before_anything_is_sent_and_stands_in_its_file_alone(compared):
    found, commitments = compared
    kept = json.loads((found.folder / PRIVATE).read_text(encoding="utf-8"))
    commitment = sha256(f"{kept['seed']}:{kept['salt']}".encode()).hexdigest()
    assert commitments == [(commitment, 0)]
    for name in ("index.html", "profile.json", FILE, "viprobe/report.html"):
        text = (found.folder / name).read_text(encoding="utf-8")
        assert str(kept["seed"]) not in text
        assert kept["salt"] not in text
    assert commitment in (found.folder / "index.html").read_text(encoding="utf-8")
    assert "Recalls the standard set" in (found.folder / "index.html").read_text(encoding="utf-8")


def test_the_same_command_goes_on_with_the_same_seed_and_the_folder_alone_gives_the_same_profile(compared):
    found = compared[0]
    before = {path: path.read_bytes() for path in (found.folder / PRIVATE, *found.folder.rglob("responses.jsonl"))}
    evaluation(OTHERS, out=found.folder, suites=["viprobe"])
    assert {path: path.read_bytes() for path in before} == before
    assert profile([found.folder]).fresh.facts() == found.profile().fresh.facts()


def test_a_seed_that_is_missing_or_damaged_is_refused_in_one_line_that_does_not_tell_it(compared):
    folder = compared[0].folder
    path = folder / PRIVATE
    content = path.read_bytes()
    try:
        for damaged, line in (
            (None, "is missing"),
            (b"{", "is damaged"),
            (content.replace(b'"salt"', b'"x"'), "damaged"),
        ):
            path.unlink(missing_ok=True)
            if damaged is not None:
                path.write_bytes(damaged)
            with pytest.raises(InputError, match=line) as refused:
                evaluation(OTHERS[0], out=folder, suites=["viprobe"], private_seed=True)
            assert "\n" not in str(refused.value)
            assert str(json.loads(content)["seed"]) not in str(refused.value)
    finally:
        path.write_bytes(content)


def test_the_command_shows_the_commitment_and_both_sets_and_sends_nothing_without_a_yes(
    little, tmp_path, monkeypatch, capsys
):
    words = ("evaluate", "--model", "m", "--suites", little, "--private-seed", "--out", tmp_path / "out")
    with serve(lambda _: said("Yes")) as server:
        first, second = (call(monkeypatch, capsys, *words, "--base-url", server.url) for _ in range(2))
        assert not server.requests
    assert first == second
    code, _, err = first
    assert code == 2
    assert "commitment to the private seed: " in err
    assert "VI-Probe, fresh" in err
    assert [path.name for path in (tmp_path / "out").iterdir()] == [PRIVATE]
    assert (tmp_path / "out" / PRIVATE).stat().st_mode & 0o077 == 0
