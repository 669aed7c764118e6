"""A report on a model whose training exports are stated says what was held out, and is silent where none is."""

import json
import re

import pytest

from tests.report.pages import Page
from tests.rewards.exports import exported
from veridical.base.options import TRAINING_SEEDS, seed_space
from veridical.errors import InputError
from veridical.rewards.parts import units_in_turn
from veridical.rewards.requests import recipe_sources
from veridical.suite.training_exports import read_training_export
from veridical.verbs import run, write_report
from veridical.verbs.sets import make

TRAINED, HELD = "zollner", "muller_lyer"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A run that is right about the family that was trained on, and an export, apart from the run's set."""
    folder = tmp_path_factory.mktemp("held")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("veridical.stimulus_set.write.cores", lambda: 1)
        stimuli = make("viprobe", out=folder / "set", cases=[TRAINED, HELD], units=3, levels=2, size=128)
        model = {"model_args": {"mechanism": "memory_override"}, "show": "quiet"}
        result = run(stimuli, "veridical/simulated", out=folder / "run", **model)
    [source] = recipe_sources(["viprobe"], "figures", 0)
    others = [f"viprobe/{family}" for family, _ in units_in_turn(source, 1, (), None) if family != TRAINED]
    for name, apart in (("train", [stimuli]), ("other", [])):
        exported(folder / name, examples=4, hold_out=others, apart_from=apart)
    return result, folder


def part(page):
    """The rows of the part of a page on training; `None` where it has none."""
    found = re.search(r'<section class="training".*?</section>', page.read_text(encoding="utf-8"), re.S)
    if found is None:
        return None
    rows = re.findall(r"<tr>(.*?)</tr>", found[0], re.S)
    return [[Page(cell).text.strip() for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)] for row in rows]


def test_families_seeds_and_pixels_that_were_held_out_stand_beside_results_on_both(asked, tmp_path):
    result, folder = asked
    heads, check, columns, *rows = part(write_report([result], tmp_path / "page.html", trained_on=[folder / "train"]))
    about = dict(zip(heads, check, strict=True))
    assert about["Trained on"] == "4 examples of this suite: figures (seed 0)"
    assert about["Families"] == "of 2 asked about, 1 trained on (Zöllner); 1 held out (Müller-Lyer)"
    assert about["Seeds"].startswith("held out: ")
    assert about["Pixels"].startswith("held out: no picture of this set was trained on")
    outcomes = result.outcomes().filter(result.outcomes()["gold"].is_not_null())
    for row, family, kind in zip(rows, (TRAINED, HELD), ("1 trained on", "1 held out"), strict=True):
        cells = dict(zip(columns, row, strict=True))
        own = outcomes.filter(outcomes["family"] == family)
        assert (cells["Families"], cells["Base items"]) == (kind, "3")
        assert cells["Right"].startswith(f"{100 * own['correct'].fill_null(False).mean():.1f} % [")
        assert cells["Verdict"]


def test_where_no_export_is_stated_the_page_says_nothing_of_training(asked, tmp_path):
    assert part(write_report([asked[0]], tmp_path / "page.html")) is None


def test_a_file_of_models_states_exports_by_paths_from_itself(asked, tmp_path):
    result, folder = asked
    (folder / "models.toml").write_text('[tuned]\nmodel = "veridical/simulated"\ntrained_on = ["train", "other"]\n')
    heads, check, *_ = part(write_report([result], tmp_path / "page.html", models=folder / "models.toml"))
    about = dict(zip(heads, check, strict=True))
    assert about["Trained on"].startswith("8 examples")
    assert about["Pixels"] == "not compared: not every export names this set in --apart-from"


def test_an_export_of_the_space_of_the_set_is_not_called_held_out(asked, tmp_path):
    result, folder = asked
    manifest = json.loads((folder / "train" / "export.json").read_bytes())
    (tmp_path / "export.json").write_text(json.dumps({**manifest, "space": seed_space(TRAINING_SEEDS - 1)}))
    heads, check, *_ = part(write_report([result], tmp_path / "page.html", trained_on=tmp_path))
    assert dict(zip(heads, check, strict=True))["Seeds"].startswith("not held out")


DAMAGED = {
    "nothing": (None, "is no training export"),
    "no JSON": ('{"space":', "is no training export: it is not JSON"),
    "another kind": ('{"format": 1, "harness": "inspect"}', "is no training export"),
    "another format": ('{"format": 1, "space": "training", "recipes": {}}', "of format 1, but this version reads"),
    "no families": ('{"format": 2, "space": "training", "recipes": {}}', "is damaged: families: field required"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_no_training_export_is_refused_in_one_line(name, tmp_path):
    text, words = DAMAGED[name]
    if text is not None:
        (tmp_path / "export.json").write_text(text)
    with pytest.raises(InputError, match=words) as refused:
        read_training_export(tmp_path)
    assert "\n" not in str(refused.value)
