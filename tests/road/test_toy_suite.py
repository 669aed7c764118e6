"""A suite that is defined elsewhere goes all the way, in Python and on the command line."""

import json
import sys
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import veridical
from veridical import cli
from veridical.answers import Read, Reader
from veridical.media.draw import Disc, Scene, encode_png, pixel_hash, rasterise
from veridical.records import Counts, Estimate, Media, Message, Stimulus, Text, Trial
from veridical.stats import wilson
from veridical.suite.results import Figure, Table
from veridical.suite.asking import Stage
from veridical.suite.record import Suite
from veridical.suite.registry import register
from veridical.suite import registry

COLOURS = {"red": (200, 0, 0), "green": (0, 120, 0)}


def make(design, chunk):
    for name, colour in COLOURS.items():
        pixels = rasterise(Scene(design.size, design.size, (255, 255, 255), (Disc((32, 32), 20, colour),)))
        stimulus = Stimulus(
            id=f"{chunk}/{name}",
            suite="toy",
            family="dots",
            unit=chunk,
            variant=name,
            category="dot",
            media=(f"media/{chunk}/{name}.png",),
            question="Which colour is the dot?",
            label=name,
            width=design.size,
            height=design.size,
            seed=design.seed,
            sha256=pixel_hash(pixels),
            factors={"radius": 20},
        )
        yield stimulus, (encode_png(pixels),)


def verify(stimulus, pixels):
    seen = "red" if pixels[32, 32, 0] > pixels[32, 32, 1] else "green"
    return None if seen == stimulus.label else f"the dot is {seen}"


def trials(stimuli, asking, earlier):
    for s in stimuli:
        parts = (Media(s.media[0], s.sha256), Text(s.question))
        yield Trial(
            id=s.id,
            suite="toy",
            stage="ask",
            stimulus=s.id,
            unit=s.unit,
            family=s.family,
            category=s.category,
            variant=s.variant,
            messages=(Message("user", parts),),
            gold=s.label,
            reader="colour",
            prompt="toy-1",
        )


def read(text):
    said = [name for name in COLOURS if name in text.lower()]
    return Read(said[0]) if len(said) == 1 else Read(None, "no single colour")


def estimates(outcomes):
    right = outcomes.filter(pl.col("answer") == pl.col("gold"))
    p, units = len(right) / len(outcomes), outcomes["unit"].n_unique()
    low, high = wilson(p, units)
    return [
        Estimate(
            suite="toy",
            metric="accuracy",
            slice={},
            value=p,
            low=low,
            high=high,
            unit="proportion",
            n_units=units,
            counts=Counts.of(outcomes),
            method="of all trials; Wilson at the units",
        )
    ]


def tables(results):
    rows = tuple((r.model, r.estimates[0], r.estimates[0].counts) for r in results)
    return [Table("accuracy", "Accuracy", "Of all trials.", ("Model", "Accuracy", "Trials"), rows)]


def figures(results):
    return [Figure("dot", "A dot", "", '<svg xmlns="http://www.w3.org/2000/svg" width="9px" height="9px"/>')]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """The suite, known while a test runs, and an embedded observer that names the colour it sees."""
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr("veridical.suites.viprobe.observers.pixel.understood", lambda _: [(Dots(), "forward")])
    return register(
        Suite(
            name="toy",
            title="Toy: dots",
            citation="nobody",
            settings={},
            chunks=lambda design: [f"dots/{k}" for k in range(design.units)],
            make=make,
            verify=verify,
            stages=(Stage("ask", trials),),
            readers={"colour": Reader("colour", "1", read)},
            estimates=estimates,
            headline=("accuracy",),
            families=("dots",),
            tables=tables,
            figures=figures,
        )
    )


class Dots:
    """A case for the observer, whose reasons then name the colour."""

    title = "dots"

    class factor:  # noqa: N801
        name, unit = "colour", ""

    def measure(self, pixels):
        self.factor.unit = "red" if pixels[32, 32, 0] > pixels[32, 32, 1] else "green"
        return type("Measured", (), {"value": 1.0})

    def is_same(self, measured):
        return True

    def answer(self, *, same):
        return "1"


class Words(HTMLParser):
    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data


def test_the_toy_suite_goes_all_the_way_in_python(tmp_path):
    made = veridical.make("toy", out=tmp_path / "set", units=3, size=64)
    assert veridical.check(made).verified == 6
    run = veridical.run(made, "veridical/pixel", out=tmp_path / "run", show="quiet")
    assert run.complete
    (found,) = run.estimates()
    assert (found.value, found.n_units, found.counts.answered) == (1.0, 3, 6)
    page = run.report()
    parser = Words()
    parser.feed(page.read_text())
    assert "Toy: dots" in parser.text
    assert "Showing all 6 pictures in 3 units" in " ".join(parser.text.split())
    assert (tmp_path / "run/tables/accuracy.csv").read_text().startswith("Model,Accuracy,Accuracy low")
    assert (tmp_path / "run/figures/dot.svg").exists()


def call(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["veridical", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def test_the_toy_suite_goes_all_the_way_on_the_command_line(tmp_path, monkeypatch, capsys):
    def veridical_(*words):
        code, out, _ = call(monkeypatch, capsys, *words, "--json")
        assert code == 0
        return json.loads(out)

    made, run = tmp_path / "set", tmp_path / "run"
    assert "toy" in {suite["name"] for suite in veridical_("suites")}
    assert veridical_("make", "toy", "--out", made, "--units", 2, "--size", 64)["stimuli"] == 4
    assert veridical_("check", made) == {"stimuli": 4, "verified": 4, "failed": []}
    assert veridical_("run", "toy", "--model", "veridical/pixel", "--set", made, "--out", run)["complete"]
    (found,) = veridical_("metrics", run)
    assert (found["metric"], found["slice"], found["value"]) == ("accuracy", {}, 1.0)
    assert veridical_("status", run)["counts"]["answered"] == 4
    assert veridical_("report", run)["report"] == str(run / "report.html")
    code, _, err = call(monkeypatch, capsys, "compare", run, run)
    assert (code, err) == (2, "veridical: the suite toy offers no comparison of runs\n")


def test_a_suite_without_prompts_or_settings_says_so(tmp_path, monkeypatch, capsys):
    made = veridical.make("toy", out=tmp_path / "set", units=1, size=64)
    words = ("run", "toy", "--model", "veridical/pixel", "--set", made.folder, "--out", tmp_path / "run")
    for option, said in (
        (("--prompts", tmp_path), "the suite toy takes no other prompts"),
        (("-S", "polarity=forward"), "unknown setting 'polarity': known: none"),
    ):
        code, _, err = call(monkeypatch, capsys, *words, *option)
        assert (code, err) == (2, f"veridical: {said}\n")


def test_an_altered_picture_of_the_toy_suite_is_named(tmp_path, monkeypatch, capsys):
    made = veridical.make("toy", out=tmp_path / "set", units=1, size=64)
    (made.folder / "media/dots/0/red.png").write_bytes(encode_png(np.zeros((64, 64, 3), np.uint8)))
    code, out, _ = call(monkeypatch, capsys, "check", made.folder, "--json")
    assert code == 2
    assert [failure["id"] for failure in json.loads(out)["failed"]] == ["dots/0/red"]
