"""What was read from inside a run's model: in its report and profile, with the verdict on its answers."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import veridical as v
from tests.internals.planted_run import STATES, plant_answers, plant_map, plant_patches, plant_states, write_identity
from veridical.base.path_checks import INSIDE
from veridical.errors import InputError
from veridical.internals import probe
from veridical.internals.encoded_answer import NOT_ENCODED, UNUSED, USED
from veridical.internals.probe import probe_states
from veridical.internals.run_internals import RunInternals
from veridical.suite.evaluation import OPEN
from veridical.verbs.evaluation.profile import profile
from veridical.verbs.results.result import open_run

pytestmark = pytest.mark.usefixtures("one_process", "no_figures")
CARRIED = dict.fromkeys(("tower.1", "projector"), 2.0)
HOSTILE = "<script>alert(1)</script> $\\frac{ \u202e"


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[str, Path]:
    """Runs of a model that sees changes and one that recalls figures, on one set."""
    home = tmp_path_factory.mktemp("inside")
    stimuli = v.make("viprobe", out=home / "set", recipe="quick", units=1)
    how = {"sees": {}, "recalls": {"memory": 1.0}}
    for name in ("sees", "recalls"):
        v.run(stimuli, "veridical/simulated", out=home / name, model_args=how[name], show="quiet", analyze=False)
    return {name: home / name for name in ("sees", "recalls")}


@pytest.fixture
def copy(runs, tmp_path, monkeypatch):
    """A copy of a run, in which states carry α with so much strength, and those of random weights as stated.

    Its read-outs are not drawn, which takes longer than they do; those of `readings` are.
    """
    for name in ("read_out_curves", "component_clouds"):
        monkeypatch.setattr(probe, name, lambda *_: "<svg/>")

    def copied(name: str, carried: dict[str, float], random: dict[str, float] | None = None) -> Path:
        run = Path(shutil.copytree(runs[name], tmp_path / f"{name}{len(list(tmp_path.iterdir()))}"))
        plant_states(run, carried)
        if random is not None:
            plant_states(run, random, name="random", random=1)
        probe_states(run, targets=["alpha"], shuffles=19)
        return run

    return copied


def line_of(run: Path):
    lines = {each.question.name: each for each in profile([run]).models[0].lines}
    return lines.get("encoded")


def test_what_is_encoded_is_named_with_the_verdict_on_the_answers_alone(copy):
    named = {}
    for name in ("sees", "recalls"):
        for kind, carried in (("carried", CARRIED), ("lost", {"tower.0": 0.0})):
            line = line_of(copy(name, carried, {}))
            named[name, kind] = line.conclusion.name
            value, low, high = line.points
            assert (low > 60) is (kind == "carried")
            assert low <= value <= high
            assert line.units == 27
    assert named == {
        ("recalls", "carried"): UNUSED,
        ("sees", "carried"): USED,
        ("recalls", "lost"): NOT_ENCODED,
        ("sees", "lost"): OPEN,
    }


def test_random_weights_that_tell_as_much_leave_nothing_to_be_named_encoded(copy):
    line = line_of(copy("recalls", CARRIED, CARRIED))
    assert line.conclusion.name == NOT_ENCODED
    assert abs(line.points[0]) < 10


def test_without_the_control_there_is_no_figure_and_the_page_says_so_loudly(copy, cli):
    run = copy("recalls", CARRIED)
    line = line_of(run)
    assert (line.conclusion.name, line.points) == (OPEN, (None, None, None))
    assert "no read-outs of random weights" in line.effect_text
    assert any("--random-weights" in each for each in line.conclusion.needs)
    text = visible_text(v.write_report([run]).read_text(encoding="utf-8"))
    assert "No control, no conclusion" in text
    assert "nothing can be concluded" in text
    code, out, errors = cli("whitebox", "probe", run, "--target", "alpha", "--shuffles", 19)
    assert (code, "nothing can be concluded" in out) == (0, True), errors


def test_no_verdict_is_made_of_a_control_of_another_model_or_of_an_undecided_run(copy, runs):
    run = copy("recalls", CARRIED, {})
    states = run / INSIDE / "states"
    facts = json.loads((states / "states.json").read_text())
    for key, value in (("random_weights", 3), ("model", "veridical-hf/another"), ("set", "other")):
        changed = {**facts, "identity": {**facts["identity"], key: value}}
        (states / "states.json").write_text(json.dumps(changed))
        assert line_of(run) is None, key
    (states / "states.json").write_text(json.dumps(facts))
    assert line_of(run).conclusion.name == UNUSED
    responses = run / "responses.jsonl"
    responses.write_text("".join(responses.read_text().splitlines(keepends=True)[:80]))
    assert line_of(run).conclusion.name == OPEN


def test_a_run_whose_model_was_not_read_has_no_such_line_and_no_such_part(runs, tmp_path):
    run = Path(shutil.copytree(runs["sees"], tmp_path / "run"))
    assert line_of(run) is None
    assert RunInternals.of(run, {}).empty


def visible_text(page: str) -> str:
    page = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture(scope="module")
def readings(runs, tmp_path_factory) -> Path:
    """A run with every kind of reading."""
    run = Path(shutil.copytree(runs["recalls"], tmp_path_factory.mktemp("readings") / "run"))
    plant_states(run, CARRIED)
    plant_states(run, {}, name="random", random=1)
    probe_states(run, targets=["alpha"], shuffles=19)
    plant_patches(run)
    plant_answers(run, {"the likeliest token is no answer": 3}, 7)
    plant_map(run / INSIDE / "states", 200, 150, 0.75)
    plant_map(run / INSIDE / "states", 512, 512, 1.0)
    return run


@pytest.fixture
def whole(readings, tmp_path) -> Path:
    return Path(shutil.copytree(readings, tmp_path / "whole"))


def test_the_page_has_figures_against_controls_layer_by_layer_and_what_no_token_sees(whole, runs):
    (whole / INSIDE / "states" / "read-outs-pca.svg").write_text("<svg")
    page = v.write_report([whole, runs["sees"]]).read_text(encoding="utf-8")
    part = page[page.index('id="inside"') : page.index('id="items"')]
    text = visible_text(part)
    assert f"{UNUSED} Its states tell the changes" in text
    assert "25 % of pictures of 200×150 pixels is in no picture token" in text
    assert "512×512" not in text
    assert "In 7 of 10 trials the likeliest answer is what the model replies; 3 flagged: the likeliest token" in text
    assert "No control" not in text
    assert part.count("<svg") == 2
    assert "Left out: figure 'States by target': not a well-formed SVG document" in text
    table = pl.read_parquet(whole / INSIDE / "states" / "read-outs.parquet").filter(read="change")
    for state in STATES:
        for source in ("model", "model − random weights"):
            for group in ("O,P", "OC,PC"):
                (r2,) = table.filter(state=state, source=source, group=group)["r2"]
                assert f"{r2:.2f}".replace("-0.00", "0.00").replace("-", "−") in text
    assert 'href="#inside"' in page


def test_text_and_drawings_from_the_folder_cannot_do_anything_on_the_page(whole):
    states, patch = whole / INSIDE / "states", whole / INSIDE / "patch"
    table = pl.read_parquet(states / "read-outs.parquet")
    for name in ("state", "group", "target", "reason"):
        table = table.with_columns((pl.lit(HOSTILE) + pl.col(name).fill_null("")).alias(name))
    table.write_parquet(states / "read-outs.parquet")
    curve = pl.read_parquet(patch / "curve.parquet")
    curve = curve.with_columns(pl.lit(HOSTILE).alias("group"), pl.lit(HOSTILE).alias("depth"))
    curve.write_parquet(patch / "curve.parquet")
    drawn = '<svg viewBox="0 0 9 9"><script>alert(2)</script><text onload="x()">t</text></svg>'
    (states / "read-outs-pca.svg").write_text(drawn)
    (whole / INSIDE / "<b>x").mkdir()
    (whole / INSIDE / "<b>x" / "states.json").write_text("[]")
    page = v.write_report([whole]).read_text(encoding="utf-8")
    part = page[page.index('id="inside"') : page.index('id="items"')]
    assert "<script" not in part
    assert "onload" not in part
    assert "<b>x" not in part.replace("&lt;b&gt;x", "")
    assert "\u202e" not in part
    assert "alert(1)" in part
    assert "Left out: inside/<b>x: " in visible_text(part)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("states/read-outs.parquet", b"no table"),
        ("states/states.json", b"{"),
        ("states/states.json", b"[]"),
        ("states/places.parquet", b"no table"),
        ("states/read-outs-pca.svg", b"<svg>" + b"x" * 2_000_001),
        ("patch/curve.parquet", b""),
        ("answers/answers/000000.parquet", b"no table"),
    ],
)
def test_a_damaged_reading_is_left_out_in_one_line_and_the_others_are_kept(whole, file, content):
    (whole / INSIDE / file).write_bytes(content)
    found = RunInternals.of(whole, open_run(whole).run.identity)
    (problem,) = found.problems
    assert problem.startswith(f"inside/{file.partition('/')[0]}: ")
    assert "\n" not in problem
    assert found.curves or found.answers


def test_a_reading_that_nothing_says_what_it_is_of_is_named_and_an_empty_folder_is_none(whole):
    (whole / INSIDE / "states" / "states.json").unlink()
    (whole / INSIDE / "empty").mkdir()
    found = RunInternals.of(whole, open_run(whole).run.identity)
    (problem,) = found.problems
    assert problem.startswith("inside/states: no file says what it is of")
    assert not found.read_outs


def test_a_table_of_other_columns_is_left_out(whole):
    pl.DataFrame({"target": ["alpha"]}).write_parquet(whole / INSIDE / "states" / "read-outs.parquet")
    problems = RunInternals.of(whole, open_run(whole).run.identity).problems
    assert problems == ["inside/states: read-outs.parquet has no column read of type String"]


def test_a_moved_run_keeps_its_readings_and_every_verb_takes_it(whole, tmp_path, cli):
    before = profile([whole]).facts()
    moved = whole.rename(tmp_path / "elsewhere")
    assert [{**each, "run": whole.name} for each in profile([moved]).facts()] == before
    for words in (("repair", moved), ("pack", moved), ("status", moved), ("profile", moved)):
        code, out, errors = cli(*words, columns=200)
        assert code == 0, errors
    assert UNUSED in out
    for form, where in (("json", UNUSED), ("markdown", UNUSED)):
        code, out, errors = cli("profile", moved, "--export", form, columns=200)
        assert (code, where in out) == (0, True), errors


def test_reports_and_profiles_of_readings_need_no_torch(whole):
    code = (
        "import sys; import veridical as v; "
        "from veridical.verbs.evaluation.profile import profile; from veridical.internals.probe import probe_states; "
        f"probe_states({str(whole)!r}, targets=['alpha'], shuffles=19); "
        f"v.write_report([{str(whole)!r}]); print([each['verdict'] for each in profile([{str(whole)!r}]).facts()]); "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, UNUSED in ended.stdout) == (0, True), ended.stderr


def test_a_set_needs_a_folder_and_a_run_has_its_own(runs, tmp_path, cli):
    code, _, errors = cli("whitebox", "states", runs["sees"].parent / "set", "--model", "veridical-hf/some/model")
    assert (code, errors.count("\n"), "--out" in errors) == (2, 1, True)
    with pytest.raises(InputError, match="has no states"):
        probe_states(runs["sees"])
    assert not (runs["sees"] / INSIDE).exists()
    other = Path(shutil.copytree(runs["sees"], tmp_path / "run"))
    write_identity(other / INSIDE / "odd", "states", open_run(other).run.identity | {"model": np.str_("m")})
    assert "it is of the model m" in RunInternals.of(other, open_run(other).run.identity).problems[0]
