"""The commands of `examples/README.md` run as they stand, and read every file that is an example of a format."""

import csv
import shutil
import tomllib
from pathlib import Path

import pytest

import veridical
from tests.ask.server import said, serve
from tests.calling import call
from veridical.verbs.runs.models import entry

pytestmark = pytest.mark.usefixtures("one_process", "no_figures", "no_verdicts")
EXAMPLES = Path(__file__).parents[3] / "examples"
PLACE = "http://127.0.0.1:8000/v1"


def blocks():
    """The words of each command in the code blocks of the README, block by block."""
    texts = (EXAMPLES / "README.md").read_text().split("```")[1::2]
    return [[line.split() for line in text.strip().splitlines()] for text in texts]


PICTURES, REPLIES, PEOPLE, PRICES, MODELS = blocks()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the examples, in which the commands leave what they write for those after them."""
    place = tmp_path_factory.mktemp("examples") / "examples"
    return shutil.copytree(EXAMPLES, place)


@pytest.fixture
def commands(folder, monkeypatch, capsys):
    """Runs the commands of a block; returns the last one's output."""
    monkeypatch.chdir(folder)

    def ended(block):
        for word, *words in block:
            assert word == "veridical"
            code, out, err = call(monkeypatch, capsys, *words)
            assert code == 0, err
        return out

    return ended


@pytest.fixture
def pictures(folder, commands):
    """The set of the pictures, imported once."""
    if not (folder / "set").exists():
        commands(PICTURES)
    return veridical.open_set(folder / "set")


def test_the_table_of_pictures_becomes_a_set(pictures):
    rows = list(csv.DictReader((EXAMPLES / "pictures" / "pictures.csv").open()))
    assert len(pictures) == 4 * len(rows)
    assert {stimulus.label for stimulus in pictures.stimuli if stimulus.variant == "O"} == {"1"}
    assert {stimulus.label for stimulus in pictures.stimuli if stimulus.variant == "P"} == {"0"}


def test_the_pictures_are_those_that_their_script_draws(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES / "pictures")
    import draw  # type: ignore[import-not-found]
    from PIL import Image

    stored = EXAMPLES / "pictures"
    rows = list(draw.draw(tmp_path))
    assert rows == list(csv.DictReader((stored / "pictures.csv").open()))
    for path in tmp_path.iterdir():
        assert Image.open(path).size == Image.open(stored / path.name).size


def test_every_reply_belongs_to_a_trial_and_the_model_recalls(pictures, folder, commands):
    commands(REPLIES)
    run = veridical.open_run(folder / "replayed")
    counts = run.counts
    assert (counts.planned, counts.asked, counts.error) == (24, 24, 0)
    assert counts.answered < counts.asked, "the file is to show replies that cannot be read"
    rates = {e.slice["variant"]: e.value for e in run.estimates() if e.metric == "PFA" and [*e.slice] == ["variant"]}
    assert rates["O"] > rates["P"]
    assert run.outcomes()["reasoning"].drop_nulls().len() == 1


def test_what_people_answered_stands_beside_the_model(pictures, folder, commands):
    if not (folder / "replayed").exists():
        commands(REPLIES)
    commands(PEOPLE)
    run = veridical.open_run(folder / "people")
    assert (run.counts.asked, run.counts.unparsed) == (24, 1)
    sheet, filled = (list(csv.DictReader((folder / name).open())) for name in ("sheet.csv", "people.csv"))
    sampled = {(row["participant"], row["trial"], row["question"]) for row in sheet}
    assert {(row["participant"], pictures.opaque(row["trial"]), row["question"]) for row in filled} == sampled
    assert "people/people" in (folder / "report.html").read_text()


def test_the_prices_make_the_cost_of_a_plan(pictures, commands):
    options = {"prices": Path("prices.toml"), "image_tokens": 300}
    forecast = veridical.plan(pictures, "openai/some-model", **options)
    assert f"cost: {(forecast.input_tokens * 2.5 + forecast.output_tokens * 10) / 1e6:.4g}" in commands(PRICES)
    assert veridical.plan(pictures, "anthropic/another-model", **options).usd is not None


def test_the_models_of_the_file_are_asked_as_it_says(pictures, folder, commands, monkeypatch):
    monkeypatch.setenv("MY_LAB_API_KEY", "a-key-of-the-lab")
    models = (EXAMPLES / "models.toml").read_text()
    with serve(lambda _: said("<answer>1</answer>")) as server:
        (folder / "models.toml").write_text(models.replace(PLACE, server.url))
        commands(MODELS)
        commands(MODELS[:1])
    bodies = [request.body for request in server.requests]
    assert [body["model"] for body in bodies] == ["my-lab/vlm-2b"] * 24 + ["my-lab/vlm-70b"] * 24
    assert {(body.get("temperature"), body.get("max_tokens"), body.get("top_k")) for body in bodies[:24]} == {
        (0.0, None, None)
    }
    assert {(body["max_tokens"], body["top_k"]) for body in bodies[24:]} == {(400, 1)}
    assert {request.headers["authorization"] for request in server.requests[24:]} == {"Bearer a-key-of-the-lab"}
    spent = veridical.open_run(folder / "runs" / "large").spending()
    assert spent.usd == pytest.approx((spent.input_tokens * 0.4 + spent.output_tokens * 0.8) / 1e6)
    assert spent.usd > 0
    assert "open" in (folder / "models.html").read_text()


def test_every_entry_of_the_models_file_can_be_read(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setenv("MY_LAB_API_KEY", "none")
    names = tomllib.loads((EXAMPLES / "models.toml").read_text())
    assert {entry(name, EXAMPLES / "models.toml").model for name in names} == {
        "my-lab/vlm-2b",
        "my-lab/vlm-70b",
        "anthropic/another-model",
    }
