"""Chains of a pool of models, collected from runs, and the weakly supervised set in one command."""

import json

import pytest
from typer.testing import CliRunner

import veridical
from tests.ask.server import said
from tests.probe.staged import answering
from tests.suites.magic.annotated_sets import write_set_annotated
from tests.suites.magic.gqa_data import write_gqa
from veridical.errors import IncompleteError, InputError
from veridical.suites.magic.collect import LOOPING, collect_chains, repetition, steps_or_why_not
from veridical.suites.magic.commands import app
from veridical.suites.magic.releases.annotated_files import record_of
from veridical.suites.magic.weak import weak

CHAIN = "The picture shows a room. I look at R1, because the question is about it. It is painted in one color."
GOOD, OTHER = f"{CHAIN}\nAnswer: red", f"{CHAIN} Nothing else matters here.\nAnswer: blue"
LOOP = "I look at R1 again and it is still a mug. " * 20 + "\nAnswer: red"
PICTURES = 6
MECHANISMS = ("perfect", "exhaustive")


def behaviour(request):
    """Two models that reason, one that loops and one that does not answer; the second forgets some answers."""
    model = request.body["model"]
    forgets = model == "two" and "What color is the mug?" in request.text
    return said({"one": GOOD, "two": CHAIN if forgets else OTHER, "loops": LOOP, "silent": CHAIN}[model])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_gqa(tmp_path_factory.mktemp("gqa") / "gqa", PICTURES, with_maps=False)


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """A set on the first two pictures, as GQA with AiR-D gives it."""
    place = tmp_path_factory.mktemp("annotated")
    return veridical.import_release("gqa", write_gqa(place / "gqa", 2), place / "set")


@pytest.fixture(scope="module")
def server():
    with answering(behaviour) as server:
        yield server


@pytest.fixture(scope="module")
def made(folder, annotated, server, tmp_path_factory):
    out = tmp_path_factory.mktemp("weak") / "weak"
    options = {"base_url": server.url, "limit": 12, "show": "quiet"}
    return out, weak(folder, ["one", "two", "loops"], [annotated.folder], out, **options)


def records(out):
    return [json.loads(line) for line in (out / "annotated.jsonl").read_text().splitlines()]


def test_the_weak_set_has_objects_alone_other_pictures_and_the_model_of_each_chain(made, annotated):
    out, collected_ = made
    listed = records(out)
    assert len(listed) == len(collected_.stimuli) == 12
    taken = {stimulus.unit for stimulus in annotated.stimuli}
    for record in listed:
        assert all(box["relevant"] for box in record["boxes"])
        assert (record["portion"], record["taken_from"]) == ("weak", "weak")
        assert f"photo/{record['picture'].split('/')[1].split('.')[0]}" not in taken
        assert record["chain"]["by"] in {"one", "two"}
        assert all(step["correct"] is None for step in record["chain"]["steps"])
        assert (out / record["picture"]).is_file()
    assert {record["chain"]["by"] for record in listed} == {"one", "two"}


def test_what_was_passed_over_is_counted(made):
    out, collected_ = made
    colors = sum(stimulus.question == "What color is the mug?" for stimulus in collected_.stimuli)
    assert collected_.filtered == {"a repetition loop": 12, "no answer": colors}
    about = json.loads((out / "about.json").read_text())
    assert about["collected"]["chosen"] == dict(collected_.chosen)
    assert about["collected"]["models"] == ["loops", "one", "two"]
    left_out = json.loads((out / "set" / "manifest.json").read_text())["import"]["left_out"]["reasons"]
    assert set(left_out) == {"a picture of an excluded set"}


def test_the_weak_set_comes_back_through_the_importer(made, tmp_path):
    out, collected_ = made
    back = veridical.import_release("magic", out, tmp_path / "set")
    assert [record_of(stimulus) for stimulus in back.stimuli] == records(out)
    assert not veridical.check(back).failed
    assert {stimulus.factors["portion"] for stimulus in back.stimuli} == {"weak"}
    assert [stimulus.truth for stimulus in back.stimuli] == [stimulus.truth for stimulus in collected_.stimuli]


def test_the_same_call_asks_nothing_again_and_writes_the_same(made, folder, annotated, server):
    out, _ = made
    before = (out / "annotated.jsonl").read_bytes()
    requests = len(server.requests)
    options = {"base_url": server.url, "limit": 12, "show": "quiet"}
    weak(folder, ["one", "two", "loops"], [annotated.folder], out, **options)
    assert len(server.requests) == requests
    assert (out / "annotated.jsonl").read_bytes() == before
    with pytest.raises(InputError, match="begun with another"):
        weak(folder, ["one"], [annotated.folder], out, **{**options, "limit": 3})


def test_a_call_that_stopped_goes_on_where_it_was(folder, annotated, server, tmp_path, made):
    options = {"base_url": server.url, "limit": 12, "show": "quiet"}
    with pytest.raises(IncompleteError, match="are missing: the same command"):
        weak(folder, ["one", "two"], [annotated.folder], tmp_path / "weak", budget_tokens=50, **options)
    assert not (tmp_path / "weak" / "annotated.jsonl").exists()
    whole = weak(folder, ["one", "two"], [annotated.folder], tmp_path / "weak", **options)
    assert [each.truth for each in whole.stimuli] == [each.truth for each in made[1].stimuli]


def test_pictures_are_told_apart_by_their_pixels_too(folder, annotated, server, tmp_path):
    renamed = tmp_path / "renamed"
    write_set_annotated(annotated, renamed)
    text = (renamed / "annotated.jsonl").read_text()
    for path in list((renamed / "pictures").iterdir()):
        path.rename(path.with_name(f"other-{path.name}"))
    (renamed / "annotated.jsonl").write_text(text.replace("pictures/", "pictures/other-"))
    other = veridical.import_release("magic", renamed, tmp_path / "set")
    options = {"base_url": server.url, "limit": 100, "show": "quiet"}
    whole = weak(folder, ["one"], [other.folder], tmp_path / "weak", **options)
    assert len(whole.stimuli) == 5 * (PICTURES - 2)


def test_chains_are_collected_from_runs_in_one_command(annotated, server, tmp_path):
    runs = [tmp_path / "runs" / name for name in ("one", "two", "silent")]
    for run in runs:
        veridical.run(
            annotated,
            run.name,
            out=run,
            base_url=server.url,
            settings={"view": "all-boxes"},
            show="quiet",
            analyze=False,
        )
    arguments = ["collect", str(annotated.folder), *map(str, runs), "--out", str(tmp_path / "out"), "--portion", "dev"]
    ended = CliRunner().invoke(app, [*arguments, "--json"])
    assert ended.exit_code == 0, ended.output
    facts = json.loads(ended.stdout)
    assert facts["questions"] == len(annotated.stimuli)
    assert sum(facts["chosen"].values()) == facts["questions"]
    assert facts["filtered"]["no answer"] >= facts["questions"]
    listed = records(tmp_path / "out")
    assert {record["portion"] for record in listed} == {"dev"}
    assert {len(record["boxes"]) - sum(box["relevant"] for box in record["boxes"]) for record in listed} == {3}
    again = collect_chains(annotated, runs[::-1], portion="dev")
    assert [record_of(stimulus) for stimulus in again.stimuli] == listed
    others = [collect_chains(annotated, runs[:2], seed=seed).chosen for seed in range(5)]
    assert len({tuple(sorted(chosen.items())) for chosen in others}) > 1


def test_a_run_about_another_set_a_view_without_replies_and_a_masked_view_are_one_line(
    annotated, server, made, tmp_path
):
    veridical.run(annotated, "one", out=tmp_path / "run", base_url=server.url, show="quiet")
    other = veridical.StimulusSet.open(made[0] / "set")
    for arguments, line in (
        ((other, [tmp_path / "run"]), "another set"),
        ((annotated, [tmp_path / "run"], "relevant-masked"), "where the boxes are visible"),
        ((annotated, [tmp_path / "run"], "riddle"), "no reply at the view"),
    ):
        whole, runs, *view = arguments
        with pytest.raises(InputError, match=line) as error:
            collect_chains(whole, runs, **({"view": view[0]} if view else {}))
        assert "\n" not in str(error.value)


def test_a_repetition_is_a_loop_and_plain_reasoning_is_none():
    assert repetition(LOOP) > 0.8
    assert repetition(GOOD + OTHER[:40]) < LOOPING
    for template in (
        "Region R{} shows a mug, which I can set aside here.",
        "I look at R{}, and it shows a mug.",
        "R{} too.",
    ):
        listing = " ".join(template.format(k) for k in range(1, 40))
        assert repetition(listing) < LOOPING
    assert repetition("") == 0


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        (None, "answered", "no reply"),
        (" \n", "answered", "no reply"),
        ("Red.", "answered", "no steps"),
        (CHAIN, "unparsed", "no answer"),
        (GOOD, "truncated", "truncated"),
        (LOOP, "answered", "a repetition loop"),
        (" ".join(f"I look at {k} now." for k in range(1500)) + "\nAnswer: red", "answered", "too long"),
    ],
)
def test_a_reply_of_bad_form_has_a_reason(text, status, reason):
    assert steps_or_why_not(text, status) == reason


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_folder_without_the_files_is_one_line_that_asks_for_no_saliency(name, annotated, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"is no folder: GQA|lacks val_sceneGraphs\.json") as error:
        weak(tmp_path / name, ["one"], [annotated.folder], tmp_path / "weak")
    assert "AiR-D" not in str(error.value)
    assert "\n" not in str(error.value)


def test_the_weak_set_is_one_command_also_with_observers(folder, annotated, tmp_path):
    tables = (f'[{name}]\nmodel = "veridical/simulated"\nargs = {{mechanism = "{name}"}}' for name in MECHANISMS)
    (tmp_path / "models.toml").write_text("\n".join(tables))
    arguments = ["weak", str(folder), "--exclude", str(annotated.folder), "--out", str(tmp_path / "weak"), "--json"]
    arguments += [
        *(word for name in MECHANISMS for word in ("--model", name)),
        "--models",
        str(tmp_path / "models.toml"),
    ]
    ended = CliRunner().invoke(app, [*arguments, "--limit", "8"])
    assert ended.exit_code == 0, ended.output
    facts = json.loads(ended.stdout)
    assert (facts["questions"], facts["without_reply"], facts["filtered"]) == (8, 0, {})
    assert {record["chain"]["by"] for record in records(tmp_path / "weak")} == {"veridical/simulated"}
