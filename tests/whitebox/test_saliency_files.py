"""Saliency maps in files: planted attention has its density, frames their times, presentations their folders."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import veridical as v
from tests.suites.magicbench.stimuli import make_stimulus, probes
from tests.whitebox.architectures import ARCHITECTURES, loaded
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import medium_of
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suite import registry
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
KINDS = ("attention", "rollout", "gradient", "grad-cam")
MODEL = "veridical-hf/tests"
WIDE, HIGH, BOX, PLACEBO = 160, 112, (52, 28, 80, 56), (94, 28, 122, 56)
"""A clip of which a LLaVA sees the 112 × 112 pixels in the middle, 14 a token, and boxes of 2 × 2 tokens there."""
PROBES = ("-S", "task=probe", "-S", "stance=forensic", "-S", "frames=uniform-4")
SHORT = {
    "forensic": "Look.",
    "frames": "$count frames, $duration s.",
    "transcript": "$transcript",
    "probe": "$question\n$options",
    "explain": "$question",
}
"""Prompts of few letters, each of which is a token of these models."""


@pytest.fixture
def loading(monkeypatch):
    """Has a model that was made here loaded, in the place of one on disk."""

    def loads(made):
        monkeypatch.setattr("veridical.verbs.exchange.local_trials.load_model", lambda *_, **__: made)
        monkeypatch.setattr("veridical.verbs.exchange.local_trials.require_local", lambda *_: None)
        return made

    return loads


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    for name, text in SHORT.items():
        (folder / f"{name}.md").write_text(f'+++\nid = "{name}"\nversion = "1"\nconstraints = ["c"]\n+++\n{text}\n')
    return ("--prompts", folder)


def boxes(box):
    return [[t / 4, *box] for t in range(25)]


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """Two tricks with their controls; the critical box of the second unit is in the margin that a LLaVA cuts away."""
    random = np.random.default_rng(0)
    films = {
        name: encode_clip((random.integers(0, 255, (HIGH, WIDE, 3), np.uint8) for _ in range(72)), 12)
        for name in ("trick", "honest")
    }

    def make(_, chunk):
        for index in range(2):
            for name, film in films.items():
                critical = BOX if index == 0 else (0, 28, 20, 56)
                made = make_stimulus(
                    name, index, critical=boxes(critical), placebo=boxes(PLACEBO), probes=probes(name == "honest")[:2]
                )
                medium = replace(medium_of("clip.mp4", film), file=made.media[0].file)
                yield replace(made, media=(medium,)), (film,)

    folder = tmp_path_factory.mktemp("sets") / "clips"
    write_set(folder, "magicbench", MagicBenchOptions(), [Chunk("coin", 0)], make, factors=FACTORS, workers=Workers(1))
    return folder


def plant(monkeypatch, made, in_box):
    """Has the answer position attend to tokens in the critical box so many times as much as to others."""
    home = sys.modules[type(made.model.model.language_model.layers[0].self_attn).__module__]
    usual = home.eager_attention_forward
    column, row = np.meshgrid(np.arange(8), np.arange(8))
    inside = (column >= 2) & (column < 4) & (row >= 2) & (row < 4)

    def planted(*arguments, **named):
        output, weights = usual(*arguments, **named)
        weights = weights.clone()
        tokens = np.flatnonzero(made.shown)
        values = np.tile(np.where(inside, in_box(made), 1.0).ravel(), len(tokens) // 64)
        weights[..., -1, tokens] = weights.new_tensor(values / values.sum() / 2)
        return output, weights

    monkeypatch.setattr(home, "eager_attention_forward", planted)


def looking(monkeypatch, in_box):
    """A LLaVA with planted attention, which knows which tokens of its prompt are pictures and what it was told."""
    from veridical.whitebox.inside import Inside

    made = loaded("llava")
    plant(monkeypatch, made, in_box)
    inputs = Inside.inputs

    def kept(self, prompt):
        found = inputs(self, prompt)
        texts = [part for turn in prompt.turns for part in turn.parts if isinstance(part, str)]
        object.__setattr__(made, "shown", self.picture_tokens(found))
        object.__setattr__(made, "words", " ".join(texts))
        return found

    monkeypatch.setattr(Inside, "inputs", kept)
    return made


def test_planted_attention_has_its_density_by_what_is_said_and_what_is_not_seen_has_none(
    clips, short, loading, monkeypatch, tmp_path, cli
):
    loading(looking(monkeypatch, lambda made: 2.0 if "left hand, and now" in made.words else 6.0))
    words = ("whitebox", "saliency", clips, "--model", MODEL, "--out", tmp_path / "out", "--kind", "attention")
    code, out, errors = cli(*words, *short, *PROBES, "-S", "patter=lie,silence")
    assert code == 0, errors
    assert "8 maps to read, 69 passes of the tower" in errors
    assert "8 of 8 maps are written" in out
    assert "4 stimuli, up to 30 % of a picture in no token: " in out
    lie, silence = (tmp_path / "out/attention" / name for name in ("patter=lie", "patter=silence"))
    with np.load(lie / "coin/0000/trick.npz") as stored:
        assert stored["times"].tolist() == [0.75, 2.25, 3.75, 5.25]
        assert stored["saliency"].shape == (4, *stored["seen"].shape)
        assert stored["saliency"].sum() == pytest.approx(0.5)
        assert not stored["saliency"][:, stored["seen"] == 0].any()
        columns = stored["seen"].mean(0)
        assert columns[0] == columns[-1] == 0
        assert columns.mean() == pytest.approx(0.7, abs=0.05)
    rows = pl.read_parquet(tmp_path / "out/saliency/*.parquet")
    assert set(rows["trials"]) == {2}
    code, out, _ = cli("magicbench", "density", clips, silence, lie, "--kind", "attention", "--json")
    made = json.loads(out)
    first, second = (made["clips"][name] for name in ("patter=silence", "patter=lie"))
    for clip, planted in ((first[0], 6), (second[0], 2)):
        assert clip["critical"] == pytest.approx(planted, rel=0.1)
        assert clip["placebo"] == pytest.approx(60 / (56 + 4 * planted), rel=0.1)
        assert clip["frames"] == 4
    assert [clip["critical"] for clip in first[2:]] == [None, None]
    assert [clip["unseen"] for clip in first] == [0, 0, 4, 4]
    assert [row["unseen"] for row in made["presentations"]] == [2, 2]
    change = made["presentations"][1]["critical_change"]
    assert (change["clips"], change["units"], change["low"]) == (2, 1, None)
    assert change["value"] == pytest.approx(-4, rel=0.1)
    code, out, _ = cli("magicbench", "density", clips, silence, lie, "--kind", "attention")
    assert out.count("  critical region not seen: 2 clips") == 2
    code, out, _ = cli("magicbench", "density", clips, lie, "--kind", "attention")
    assert "critical region not seen: 2 clips" in out
    assert "not seen" in next(line for line in out.splitlines() if line.startswith("coin/0001/trick"))


def test_what_is_written_is_not_read_again_and_other_maps_are_refused(clips, short, loading, tmp_path, cli):
    loading(loaded("llava"))
    words = (
        "whitebox",
        "saliency",
        clips,
        "--model",
        MODEL,
        "--out",
        tmp_path / "out",
        *short,
        *PROBES,
        "--limit",
        "2",
    )
    one = ("-S", "patter=silence", "--kind", "attention")
    code, _, errors = cli(*words, *one)
    assert code == 0, errors
    file = tmp_path / "out/attention/ask/coin/0000/trick.npz"
    before = file.stat().st_mtime_ns
    code, _, errors = cli(*words, *one)
    assert (code, "0 maps to read: about" in errors) == (0, True)
    assert file.stat().st_mtime_ns == before
    for more, said in ((("--kind", "rollout"), "kinds"), (("--random-weights", "3"), "random_weights")):
        code, _, errors = cli(*words, *one, *more)
        assert (code, errors.count("\n"), f"has saliency that differ in {said}" in errors) == (2, 1, True)


def test_rings_around_the_same_clips_are_presentations_of_their_own(clips, short, loading, monkeypatch, tmp_path, cli):
    run, out = tmp_path / "run", tmp_path / "out"
    settings = ["task=explain", "stance=forensic", "patter=lie", "frames=uniform-4", "failures_again=every"]
    words = ("run", "magicbench", "--set", clips, "--out", run, "--model", "veridical/simulated", "--judge", "rule")
    code, _, errors = cli(*words, *(word for each in settings for word in ("-S", each)), *short)
    assert code == 0, errors
    loading(looking(monkeypatch, lambda _: 3.0))
    words = ("whitebox", "saliency", run, "--stage", "ring", "--model", MODEL, "--out", out, "--kind", "attention")
    code, _, errors = cli(*words, "--limit", "1")
    assert code == 0, errors
    folders = [out / "attention" / f"aid={aid}" for aid in ("none", "ring", "placebo")]
    times = []
    for folder in folders:
        with np.load(folder / "coin/0000/trick.npz") as stored:
            times.append(stored["times"].tolist())
    assert times == [[0.75, 2.25, 3.75, 5.25]] * 3
    code, shown, _ = cli("magicbench", "density", clips, *folders, "--kind", "attention", "--json")
    assert code == 0
    rows = json.loads(shown)["presentations"]
    assert [row["name"] for row in rows] == ["aid=none", "aid=ring", "aid=placebo"]
    for row in rows:
        assert row["critical"] == pytest.approx(3, rel=0.1)


def test_what_has_no_map_is_refused_in_one_line(clips, short, loading, tmp_path, cli):
    loading(loaded("llava"))
    words = ("whitebox", "saliency", clips, "--model", MODEL, "--out", tmp_path / "out", *short)
    for more, said in (
        (("--kind", "gradcam"), "unknown kind of saliency map 'gradcam': did you mean 'grad-cam'?"),
        (("-S", "video=native"), "a local model takes pictures alone"),
        (("--kind", "grad-cam", "-S", "frames=uniform-4"), "its answer is none of a few that are known"),
    ):
        code, _, errors = cli(*words, *more)
        assert (code, errors.count("\n")) == (2, 1), errors
        assert said in errors


def squares(_seed: int):
    """Pictures of two sizes with a square."""
    for unit in range(3):
        pixels = np.random.default_rng(unit).integers(60, 90, (48, 64 if unit else 48, 3), np.uint8)
        pixels[16:32, 16:32] = 250
        yield {"unit": unit, "picture": pixels, "truth": "square"}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    before = dict(registry._REGISTERED)
    registry.register(v.simple_suite(name="squares", items=squares, question="Which?", options=("round", "square")))
    yield v.make("squares", out=tmp_path_factory.mktemp("sets") / "set")
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_all_kinds_of_maps_are_written_for_pictures(pictures, loading, name, tmp_path):
    from veridical.whitebox.answers import write_answers
    from veridical.whitebox.saliency import write_saliency

    loading(loaded(name))
    table = write_saliency(pictures, tmp_path / "maps", MODEL, kinds=KINDS)
    assert (table.read, table.problems, table.kinds) == (3, {}, [*KINDS])
    rows = table.frame().collect()
    chances = write_answers(pictures, tmp_path / "answers", MODEL, reply_tokens=1).frame().collect()
    for row, expected in zip(rows.to_dicts(), chances.to_dicts(), strict=True):
        options = json.loads(expected["probabilities"])
        own = options.pop(row["answer"])
        assert row["answer"] == expected["answer"]
        assert row["log_odds"] == pytest.approx(np.log(own / sum(options.values())), abs=1e-4)
        assert (row["unseen"] > 0.1) == (name == "llava" and row["width"] == 64)
        for kind in KINDS:
            with np.load(tmp_path / "maps" / kind / "ask" / f"{row['stimulus']}.npz") as stored:
                assert stored["times"].tolist() == [0.0]
                assert stored["saliency"].shape == (1, *stored["seen"].shape)
                height, width = stored["seen"].shape
                assert max(height, width) <= 64
                assert width / height == pytest.approx(row["width"] / row["height"], rel=0.02)
                assert stored["saliency"].min() >= 0
                assert stored["saliency"].max() > 0
                assert (stored["seen"].mean() < 0.9) == (row["unseen"] > 0.1)


def test_a_stimulus_whose_name_leads_out_of_the_folder_is_refused(pictures, loading, tmp_path):
    from veridical.verbs.exchange.local_trials import LocalTrials
    from veridical.whitebox.saliency_reading import SaliencyReading

    shown = LocalTrials.of(pictures, tmp_path, MODEL, "") if loading(made := loaded("llava")) else None
    for name in ("../../../away", "/tmp/away", "a\0b"):
        trials = [replace(shown.trials[0], stimulus=name), *shown.trials[1:]]
        with pytest.raises(InputError, match="cannot be the name of a file"):
            SaliencyReading(made, replace(shown, trials=trials), ["attention"], "")
