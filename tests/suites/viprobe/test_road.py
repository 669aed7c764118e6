"""From nothing to the report, as a user goes: in Python, on the command line, at a server, after a kill."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from time import sleep

import numpy as np
import polars as pl
import pytest

import veridical
from tests.ask.server import Reply, refused, said, serve
from tests.calling import call
from veridical.media.draw import decode_png, pixel_hash
from veridical.records import OUTCOMES, canonical
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.observers.question import pixel_reply

pytestmark = pytest.mark.usefixtures("no_figures", "no_verdicts", "one_process")

CASES = ["muller_lyer", "simultaneous_contrast", "zollner"]
SMALL = {"cases": CASES, "variants": ["O", "P", "OC", "PC"], "units": 1, "levels": 2, "size": 128}
FIELDS = {"suite", "metric", "slice", "value", "low", "high", "level", "unit", "n_units", "counts", "method", "reason"}


@pytest.fixture
def cli(monkeypatch, capsys):
    for name in os.environ:
        if name.endswith(("_API_KEY", "_PROXY", "_proxy")):
            monkeypatch.delenv(name)
    return lambda *words: call(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("road") / "set", **SMALL).folder


def sees(request):
    """A model behind the server that looks at the picture and reads the text as they arrived."""
    return said(pixel_reply(request.pictures[0], request.text))


def test_python_api_as_the_readme_has_it():
    import veridical as v

    s = v.make("viprobe", cases=CASES, units=2, levels=2, size=128)
    r = v.run(s, model="veridical/pixel", show="quiet", analyze=False)
    per_cell = [e.value for e in r.estimates() if e.metric == "PFA" and set(e.slice) == {"case", "variant", "alpha"}]
    assert len(per_cell) == 3 * 12
    assert min(per_cell) >= 0.99
    assert list(r.outcomes().columns)[: len(OUTCOMES)] == list(OUTCOMES)


def test_strengths_given_as_whole_numbers_make_a_sound_set(tmp_path):
    made = veridical.make("viprobe", out=tmp_path, cases=["zollner"], units=1, alphas=[1, -1, 0.2, 1], size=128)
    assert sorted(s.factors["alpha"] for s in made.stimuli if s.variant == "P") == [-1, 0.2, 1]
    assert veridical.check(made).failed == []


def test_pixel_perceives_and_prior_recalls(small, tmp_path):
    runs = {
        name: veridical.run(small, f"veridical/{name}", out=tmp_path / name, show="quiet", analyze=False)
        for name in ("pixel", "prior")
    }
    found = {
        (name, e.metric, e.slice.get("variant")): e
        for name, r in runs.items()
        for e in r.estimates()
        if set(e.slice) <= {"variant"}
    }
    assert found["pixel", "PFA", None].value == 1
    assert [found["prior", "PFA", v].value for v in ("O", "P", "OC", "PC")] == [1, 0, 1, 0]
    assert found["prior", "R", None].value == pytest.approx(1, abs=1e-4)
    assert found["prior", "I", None].value == 0
    differences = {e.slice.get("variant"): e.value for e in veridical.compare(runs["prior"], runs["pixel"])}
    assert (differences["P"], differences["O"]) == (100, 0)


def test_a_server_gets_the_pixels_of_the_stimulus_before_the_question(small, tmp_path, cli):
    stimuli = {s.media[0].sha256: s for s in veridical.make("viprobe", out=small, **SMALL).stimuli}
    with serve(sees) as server:
        words = ("--model", "org/my-vlm", "--base-url", server.url, "--set", small, "--out", tmp_path / "run")
        code, _, err = cli("run", "viprobe", *words, "--max-connections", 1, "--temperature", 0, "--yes")
        assert code == 0, err
        assert "36 questions on 18 stimuli (3 units)" in err
    assert len(server.requests) == 36
    for earlier, later in zip(server.requests[::2], server.requests[1::2], strict=True):
        assert earlier.pictures == later.pictures
        assert earlier.text != later.text
    for request in server.requests:
        assert [part["type"] for part in request.parts] == ["image_url", "text"]
        stimulus = stimuli[pixel_hash(decode_png(request.pictures[0]))]
        assert request.pictures[0] == (small / stimulus.media[0].file).read_bytes()
        assert request.text.endswith((stimulus.question, stimulus.truth["question_reversed"]))
        assert request.body["model"] == "org/my-vlm"
        assert request.body["temperature"] == 0
        assert not [s.id for s in stimuli.values() if s.id in json.dumps(request.body)]
    run = veridical.open_run(tmp_path / "run")
    assert min(e.value for e in run.estimates() if e.metric == "PFA") == 1
    assert run.outcomes()["input_tokens"].to_list() == [10] * 36
    assert run.run.servers == run.run.executions[-1]["servers"] == [server.url]
    assert "endpoint" not in run.run.identity
    assert set(run.outcomes()["text"]) == {
        sees(request).body["choices"][0]["message"]["content"] for request in server.requests
    }


def test_no_failure_of_the_server_becomes_an_answer(small, tmp_path, cli):
    def faulty(request):
        return refused(400) if request.number % 6 == 0 else said("") if request.number % 6 == 1 else sees(request)

    with serve(faulty) as server:
        words = (
            "run",
            "viprobe",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--set",
            small,
            "--out",
            tmp_path / "run",
            "--yes",
        )
        code, out, err = cli(*words, "--json")
        assert code == 1
        assert "veridical: the run is incomplete: planned 36, asked 36:" in err
        counts = json.loads(out)["counts"]
        assert counts["error"] == 6
        assert counts["unparsed"] == 6
        assert counts["answered"] == 24
        server.behaviour = sees
        code, out, _ = cli(*words, "--json")
        assert code == 0
        assert json.loads(out)["counts"] == {**counts, "error": 0, "answered": 30, "asked_again": 6}
    assert len(server.requests) == 42


def test_metrics_print_every_field_and_the_slices(small, tmp_path, cli):
    veridical.run(small, "veridical/prior", out=tmp_path / "run", show="quiet", analyze=False)
    code, out, _ = cli("metrics", tmp_path / "run", "--json")
    assert code == 0
    rows = json.loads(out)
    assert all(set(row) >= FIELDS for row in rows)
    assert {tuple(row["slice"]) for row in rows} == {
        (), ("variant",), ("category",), ("case",), ("case", "variant"), ("case", "variant", "alpha"),
        ("variant", "congruent"), ("variant", "alpha"), ("case", "variant", "congruent"),
        ("context",), ("context", "magnitude"), ("case", "context"),
    }  # fmt: skip
    (overall,) = [row for row in rows if row["metric"] == "PFA" and not row["slice"]]
    assert overall["counts"]["planned"] == overall["counts"]["answered"] == 36
    code, out, _ = cli("metrics", tmp_path / "run")
    assert code == 0
    assert "PFA" in out
    assert "planned 36, asked 36" in out


def test_a_moved_run_without_its_set_still_gives_its_metrics_and_a_report(small, tmp_path, cli):
    copy = tmp_path / "set"
    shutil.copytree(small, copy)
    veridical.run(copy, "veridical/prior", out=tmp_path / "run", show="quiet", analyze=False)
    _, before, _ = cli("metrics", tmp_path / "run", "--json")
    shutil.rmtree(copy)
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "run", tmp_path / "elsewhere/run")
    code, after, _ = cli("metrics", tmp_path / "elsewhere/run", "--json")
    assert (code, after) == (0, before)
    code, _, _ = cli("report", tmp_path / "elsewhere/run")
    assert code == 0
    assert "src=" not in re.sub(
        r"<script.*?</script>", "", (tmp_path / "elsewhere/run/report.html").read_text(), flags=re.S
    )


def test_a_killed_run_taken_up_again_asks_only_what_is_missing_and_gives_the_same_table(small, tmp_path, cli):
    with serve(sees) as server:
        words = ("run", "viprobe", "--model", "m", "--base-url", server.url, "--set", small, "--yes")
        words += ("--max-connections", 2, "--out")
        code, out, err = cli(*words, tmp_path / "whole")
        assert code == 0, err
        assert "Traceback" not in out
        server.requests.clear()
        server.behaviour = lambda request: sees(request) if request.number <= 12 else Reply(hang=True)
        command = [sys.executable, "-m", "veridical", *map(str, words), tmp_path / "killed"]
        victim = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(server.requests) < 12 + 2:
            assert victim.poll() is None, "it ended before it was killed"
            sleep(0.005)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        server.behaviour = sees
        stored = veridical.open_run(tmp_path / "killed").counts.answered
        assert 0 < stored < 36
        before = len(server.requests)
        code, _, err = cli(*words, tmp_path / "killed")
        assert code == 0, err
        assert len(server.requests) - before == 36 - stored
    tables = [veridical.open_run(tmp_path / name).outcomes() for name in ("whole", "killed")]
    assert tables[0].drop("latency", "ended").equals(tables[1].drop("latency", "ended"))


def test_limit_takes_whole_units_evenly_over_the_cases(tmp_path):
    made = veridical.make("viprobe", **SMALL | {"units": 3, "variants": ["O", "P"]})
    run = veridical.run(made, "veridical/prior", limit=4, show="quiet", analyze=False)
    units = run.outcomes().group_by("unit").len()
    assert sorted(units["len"].to_list()) == [6, 6, 6, 6]
    assert run.outcomes().group_by("family").agg(pl.col("unit").n_unique())["unit"].sort().to_list() == [1, 1, 2]


def test_a_run_without_a_set_makes_its_own_and_takes_it_up_again(tmp_path, cli, sets_of_one_case):
    words = (*RUN, "veridical/prior", "--out", tmp_path / "run", "--limit", 1)
    assert cli(*words)[0] == 0
    assert (tmp_path / "run/stimuli/manifest.json").exists()
    lines = (tmp_path / "run/responses.jsonl").read_text().count("\n")
    assert cli(*words)[0] == 0
    assert (tmp_path / "run/responses.jsonl").read_text().count("\n") == lines == 20


RUN = ("run", "viprobe", "--model")
NAMED = {
    "veridical/pixel": "veridical",
    "veridical/prior": "blind",
    "veridical/learned-textbook": "loss on figures",
    "veridical/learned-counterfactual": "veridical",
}
DOWN = ("--base-url", "http://127.0.0.1:9/v1")
BAD = {
    "unknown suite": (("make", "viprob", "--out", "OUT"), "unknown suite 'viprob': did you mean 'viprobe'?"),
    "unknown case": (("make", "viprobe", "--out", "OUT", "--cases", "zolner"), "did you mean 'zollner'?"),
    "small": (("make", "viprobe", "--out", "OUT", "--size", "63"), "size 63: the longer side may be 64 to 4096 px"),
    "large": (("make", "viprobe", "--out", "OUT", "--size", "4097"), "size 4097"),
    "strength": (("make", "viprobe", "--out", "OUT", "--alphas", "0.5,1.5"), "strength 1.5: allowed is -1 to 1"),
    "no number": (("make", "viprobe", "--out", "OUT", "--alphas", "a"), "comma-separated numbers"),
    "levels": (("make", "viprobe", "--out", "OUT", "--levels", "0"), "0 levels: an even number from 2 to 100"),
    "units": (("make", "viprobe", "--out", "OUT", "--units", "0"), "units 0: input should be greater than"),
    "variant": (("make", "viprobe", "--out", "OUT", "--variants", "O,Q"), "unknown variant 'Q'"),
    "no option": (("make", "viprobe"), "--out"),
    "no word": (("make", "viprobe", "--out", "OUT", "--units", "many"), "--units"),
    "no command": (("mkae",), "mkae"),
    "no set": (("check", "OUT"), "holds no stimulus set"),
    "no run": (("metrics", "OUT"), "holds no run"),
    "no provider": ((*RUN, "nobody/x", "--set", "SET", "--out", "OUT", "--yes"), "nobody"),
    "no observer": ((*RUN, "veridical/pixle", "--set", "SET", "--out", "OUT"), "veridical/pixel"),
    "no key": ((*RUN, "openai/gpt-4o", "--set", "SET", "--out", "OUT", "--yes"), "OPENAI_API_KEY"),
    "server down": (
        (*RUN, "m", *DOWN, "--set", "SET", "--out", "OUT", "--yes"),
        "http://127.0.0.1:9/v1",
    ),
    "not confirmed": (
        (*RUN, "m", *DOWN, "--set", "SET", "--out", "OUT"),
        "--yes",
    ),
    "argument": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "-M", "x"), "KEY=VALUE"),
    "setting": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "-S", "x"), "NAME=LEVEL"),
    "unknown setting": (
        (*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "--setting", "polarty=forward"),
        "unknown setting 'polarty': did you mean 'polarity'?",
    ),
    "unknown level": (
        (*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "-S", "instruction=none,wiegh"),
        "unknown level of instruction 'wiegh': did you mean 'weigh'?",
    ),
    "no level": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "-S", "task="), "yes-no, comparison"),
    "prompts": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "--prompts", "FOREIGN"), "thesis.txt"),
    "no prompts": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "--prompts", "OUT"), "No such file"),
    "limit": ((*RUN, "veridical/prior", "--set", "SET", "--out", "OUT", "--limit", "0"), "limit 0"),
    "foreign folder": (("make", "viprobe", "--out", "FOREIGN"), "holds something else"),
    "foreign run folder": ((*RUN, "veridical/prior", "--set", "SET", "--out", "FOREIGN"), "FOREIGN"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_ends_in_one_line_and_exit_code_2(what, small, tmp_path, cli):
    words, wanted = BAD[what]
    foreign = tmp_path / "FOREIGN"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine")
    places = {"OUT": tmp_path / "OUT", "SET": small, "FOREIGN": foreign}
    code, out, err = cli(*(places.get(word, word) for word in words))
    lines = [line for line in err.splitlines() if not re.match(r"viprobe: .* questions|asking ", line)]
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("veridical: ")
    assert wanted in lines[0]
    assert "Traceback" not in out + err
    assert [path.name for path in foreign.iterdir()] == ["thesis.txt"]


def test_a_changed_set_or_setting_on_resume_is_refused_with_what_differs(small, tmp_path, cli):
    words = (*RUN, "veridical/prior", "--out", tmp_path / "run")
    assert cli(*words, "--set", small)[0] == 0
    stored = (tmp_path / "run/responses.jsonl").read_bytes()
    veridical.make("viprobe", out=tmp_path / "other", **SMALL, seed=1)
    own = tmp_path / "own"
    own.mkdir()
    (own / "questions.csv").write_text("case,polarity,text\nzollner,forward,Parallel?\n")
    for change, named in (
        (("--set", tmp_path / "other"), "set"),
        (("--set", small, "--temperature", 1), "temperature"),
        (("--set", small, "-S", "instruction=none,weigh"), "settings.instruction"),
        (("--set", small, "--prompts", own), "prompts"),
    ):
        code, _, err = cli(*words, *change)
        assert code == 2
        assert len(err.splitlines()) == 1
        assert named in err
    assert (tmp_path / "run/responses.jsonl").read_bytes() == stored
    assert cli(*words, "--set", small, "--max-connections", 3)[0] == 0


def test_the_demo_shows_who_looks_and_who_recalls(tmp_path, cli, monkeypatch):
    """Of every second case, one unit; this process asks the observers."""
    module = import_module("veridical.suites.viprobe.presentation.demonstration")
    every_second = [case.name for case in illusions.selection(None)][::2]
    monkeypatch.setattr(module, "DEMO", {**module.DEMO, "units": 1})
    monkeypatch.setattr(module, "map_processes", lambda ask, job, names, _: (ask(job, name) for name in names))
    monkeypatch.setattr(module.sets, "make", partial(module.sets.make, cases=every_second))
    code, out, _ = cli("demo", "viprobe", "--out", tmp_path / "demo", "--json")
    assert code == 0
    facts = json.loads(out)
    rates = {name.removeprefix("veridical/"): facts[name]["PFA"] for name in facts if name.startswith("veridical/")}
    assert rates["pixel"] == dict.fromkeys(("O", "P", "OC", "PC"), 1)
    assert rates["prior"] == {"O": 1, "P": 0, "OC": 1, "PC": 0}
    textbook, counterfactual = rates["learned-textbook"], rates["learned-counterfactual"]
    assert min(textbook[kind] for kind in ("O", "OC", "PC")) >= 0.9
    assert textbook["P"] < 0.15
    assert min(counterfactual.values()) >= 0.85
    verdicts = {name: fact["verdict"] for name, fact in facts.items() if name in NAMED}
    assert verdicts == NAMED
    page = Path(facts["report"])
    assert page.stat().st_size <= 15_000_000
    assert not re.search(r'(?:src|href)="https?:', page.read_text())


def test_settings_cross_on_the_command_line_and_reach_the_model_where_they_belong(small, tmp_path, cli):
    with serve(sees) as server:
        words = (*RUN, "m", "--base-url", server.url, "--set", small, "--out", tmp_path / "run", "--max-connections", 1)
        chosen = ("-S", "instruction=weigh,none", "-S", "placement=user,system", "-S", "task=yes-no,comparison")
        code, _, err = cli(*words, *chosen, "--yes")
        assert code == 0, err
        assert "162 questions on 18 stimuli (3 units)" in err
        assert "instruction: none, weigh; placement: system, user; task: yes-no, comparison" in err
        assert cli(*words, *chosen, "--yes")[0] == 0
    assert len(server.requests) == 162
    run = veridical.open_run(tmp_path / "run")
    for request, trial in zip(server.requests, run.run.trials(), strict=True):
        roles = [message["role"] for message in request.body["messages"]]
        assert roles == (["system", "user"] if trial.settings["placement"] == "system" else ["user"])
        if trial.settings["instruction"] == "weigh":
            said_last = request.body["messages"][0]["content"]
            assert "Take neither for granted" in (said_last if roles[0] == "system" else request.text)
        assert "Take neither" not in request.text or trial.settings["placement"] == "user"
    accuracy = {canonical(dict(e.slice)): e.value for e in run.estimates() if e.metric in ("PFA", "choice_accuracy")}
    assert set(accuracy.values()) == {1.0}
    assert '{"instruction":"weigh","placement":"user"}' in accuracy
    assert '{"case":"zollner","variant":"P"}' in accuracy
    page = veridical.write_report([run]).read_text()
    assert "With and without an instruction" in page
    assert "Which target has more" in page


def test_words_of_the_users_own_reach_the_model(small, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "questions.csv").write_text('case,polarity,text\nzollner,forward,"Sind alle Linien parallel ({ink})?"\n')
    run = veridical.run(small, "veridical/prior", out=tmp_path / "run", prompts=own, show="quiet", analyze=False)
    said_to = {t.messages[0].parts[1].text for t in run.run.trials() if t.family == "zollner" and "forward" in t.id}
    assert len(said_to) == 1
    assert re.search(r"Question: Sind alle Linien parallel \(\w+\)\?$", said_to.pop())
    assert run.run.executions[0]["prompts"] == str(own)
    assert run.counts.unparsed == 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One unit of every case in the registry, with every picture type."""
    folder = tmp_path_factory.mktemp("whole") / "set"
    return veridical.make("viprobe", out=folder, cases=["classic", "novel"], units=1, levels=2, size=256)


def test_pixel_is_right_on_every_case_and_in_every_form(whole, tmp_path):
    run = veridical.run(
        whole, "veridical/pixel", out=tmp_path, settings={"task": ["yes-no", "comparison"]}, show="quiet"
    )
    wrong = run.outcomes().filter(pl.col("gold").is_not_null() & pl.col("gold").ne_missing(pl.col("answer")))
    assert wrong["trial"].to_list() == []
    found = run.estimates()
    assert {e.value for e in found if e.metric in ("PFA", "choice_accuracy")} == {1.0}
    chosen = {e.slice["case"] for e in found if e.metric == "choice_accuracy" and "case" in e.slice}
    assert chosen == {case.name for case in illusions.CASES.values() if case.comparison}
    assert {e.value for e in found if e.metric == "template_rate"} == {0.0}


def test_prior_recites_the_classic_figures_and_knows_no_new_one(whole, tmp_path):
    run = veridical.run(whole, "veridical/prior", out=tmp_path, show="quiet", analyze=False)
    for name, status in run.outcomes().select("family", "status").unique().iter_rows():
        assert status == ("unparsed" if illusions.get(name).novel else "answered")
    rates = {e.slice["case"]: e for e in run.estimates() if e.metric == "template_rate" and e.slice}
    assert {name for name in rates if not illusions.get(name).novel} == {
        case.name for case in illusions.selection(None) if not case.inseparable
    }
    assert {e.value for name, e in rates.items() if not illusions.get(name).novel} == {1.0}
    assert {e.value for name, e in rates.items() if illusions.get(name).novel} == {0.0}
    recited = [e.value for e in run.estimates() if e.metric == "template_rate_of_answered" and not e.slice]
    assert recited == [1.0]


def test_there_is_nothing_to_ask_where_no_case_of_the_set_has_the_question(tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", **SMALL | {"cases": ["mach_band"], "size": 256})
    with pytest.raises(veridical.InputError, match="nothing to ask about in this way"):
        veridical.run(made, "veridical/prior", out=tmp_path / "run", settings={"task": "comparison"})
    assert not (tmp_path / "run").exists()


def test_help_names_every_verb(cli):
    code, out, _ = cli("--help")
    assert code == 0
    for verb in ("make", "check", "run", "metrics", "status", "report", "compare", "demo", "suites"):
        assert re.search(rf"^\s+{verb}\b", out, re.M)


def test_the_report_shows_the_pictures_that_were_asked_about(small, tmp_path):
    run = veridical.run(small, "veridical/prior", out=tmp_path / "run", show="quiet", analyze=False)
    page = veridical.write_report([run]).read_text()
    import base64

    found = {base64.b64decode(url) for url in re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", page)}
    hashes = {pixel_hash(decode_png(png)) for png in found}
    assert hashes == {s.media[0].sha256 for s in veridical.make("viprobe", out=small, **SMALL).stimuli}
    assert np.all([len(png) > 60 for png in found])
