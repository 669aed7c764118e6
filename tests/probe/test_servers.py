"""Runs on several servers: judges with a list, what is stored of them, and going on elsewhere, also in older runs."""

import json
import shutil

import pytest

import veridical
from tests.ask.server import serve
from tests.probe.staged import EYE, JUDGE, QUIET, answering, drawn, models_file, replies
from veridical.verbs.evaluation.choices import choices_from, read_choices


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=3, boxes=1)


@pytest.fixture(scope="module")
def made(few, tmp_path_factory):
    """A run whose model and whose judge have two servers each, the four, and their addresses."""
    folder = tmp_path_factory.mktemp("runs")
    with answering() as one, serve(replies()) as two, serve(replies()) as three, serve(replies()) as four:
        urls = [[one.url, two.url], [f"http://me:sesame-word@{three.url.removeprefix('http://')}", four.url]]
        file = models_file(folder / "models.toml", {JUDGE: {"base_url": urls[1]}})
        run = veridical.run(few, EYE, out=folder / "run", base_url=urls[0], judge=JUDGE, models=file, **QUIET)
        assert all(server.requests for server in (one, two, three, four))
    return run, [[one.url, two.url], [three.url, four.url]]


def stage_of(run, name):
    (found,) = (each.folder for each in run.staged if each.stage == name)
    return found


def aged(folder, urls):
    """Makes a run what an earlier release would have left: the address in the identity, and no list in any start.

    The address entered the names of the folders of stages, and so what rests on them.
    """
    (stage,) = folder.glob("stages/mark/*")
    old = f"{stage.name[:-8]}01234567"
    for path in sorted(folder.rglob("run*.json")):
        described = json.loads(path.read_text().replace(stage.name, old))
        described["identity"]["endpoint"] = urls[1 if described["identity"]["role"] == "judge" else 0][0]
        for start in described["execution"]:
            del start["servers"]
        path.write_text(json.dumps(described))
    stage.rename(stage.with_name(old))


def test_each_start_lists_its_servers_and_each_response_says_which_it_was(made):
    run, urls = made
    mark = veridical.open_run(run.folder).run.open(stage_of(run, "mark"))
    assert [run.run.servers, mark.servers] == urls
    assert all("endpoint" not in each.identity for each in (run.run, mark))
    for each in (run.run, mark):
        assert {response.server for response in each.attempts()} == {0, 1}
    content = b"".join(path.read_bytes() for path in run.folder.rglob("*") if path.is_file())
    assert b"sesame-word" not in content


@pytest.mark.parametrize("old", [False, True], ids=["of this release", "of an earlier one"])
def test_a_run_goes_on_on_other_servers_with_one_line_and_asks_nothing_again(few, made, tmp_path, cli, old):
    first, urls = made
    folder = shutil.copytree(first.folder, tmp_path / "run")
    if old:
        aged(folder, urls)
        before = json.loads((folder / "run.json").read_text())["identity"]["endpoint"]
    else:
        before = ", ".join(urls[0])
    stages = sorted(path.relative_to(folder) for path in folder.glob("stages/*/*"))
    lines = (folder / "responses.jsonl").read_text().splitlines(keepends=True)
    (folder / "responses.jsonl").write_text("".join(lines[:-1]))
    with answering() as five, serve(replies()) as six:
        words = ("run", "probe", "--set", few.folder, "--model", EYE, "--out", folder, "--yes", "--judge", JUDGE)
        file = models_file(tmp_path / "models.toml", {JUDGE: {"base_url": [five.url, six.url]}})
        places = ("--base-url", five.url, "--base-url", six.url, "--models", file)
        code, _, err = cli(*words, *places)
        assert code == 0, err
        assert len(five.requests) + len(six.requests) == 1
    told = [line for line in err.splitlines() if "the servers changed" in line]
    assert f"the servers changed: {before} before, {five.url}, {six.url} now" in told[0]
    assert sorted(path.relative_to(folder) for path in folder.glob("stages/*/*")) == stages


@pytest.mark.parametrize("where", ["flags", "table"])
def test_an_address_that_is_stated_twice_is_refused_before_anything_is_sent(few, tmp_path, cli, where):
    url = "http://127.0.0.1:9/v1"
    file = models_file(tmp_path / "models.toml", {"lab/m": {"base_url": [url, url]}})
    stated = ("--base-url", url, "--base-url", f"{url}/") if where == "flags" else ("--models", file)
    words = ("run", "probe", "--set", few.folder, "--model", "lab/m", "--out", tmp_path / "run", *stated)
    code, _, err = cli(*words, "--yes")
    assert (code, err.count("\n")) == (2, 1)
    assert "http://127.0.0.1:9/v1 is given twice" in err
    assert not (tmp_path / "run").exists()


def test_a_list_goes_through_the_file_of_an_evaluation(tmp_path):
    places = ["http://a/v1", "http://b/v1"]
    choices = choices_from({"models": ["m"], "asking": {"base_url": places}})
    choices.write(tmp_path)
    assert read_choices(tmp_path).asking["base_url"] == places
