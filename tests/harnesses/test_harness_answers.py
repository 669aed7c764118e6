"""Result files of other harnesses give the figures that the same replies give by our own file of answers."""

import json
import random
import sys
from pathlib import Path

import polars as pl
import pytest

import veridical
from tests.ask.server import serve
from tests.harnesses.conftest import DRAWN, settings_of, stage_of
from tests.harnesses.mirror import TEXTS, mocked, served
from tests.imported.workbooks import write_workbook
from tests.late import inspect_ai, inspect_log
from veridical.errors import InputError
from veridical.observers.harness_answers import harness_answers, item_number

SHARED = ("trial", "repeat", "status", "answer", "correct", "reason", "text", "reasoning")
FAILED = "Failed to obtain answer via API."


def read(whole, harness, path, out, **options):
    args = {"answers": str(path)} | ({} if harness is None else {"from": harness})
    options = {"accept_errors": True, "settings": settings_of(whole), "show": "quiet", "analyze": False, **options}
    return veridical.run(whole, "veridical/replay", model_args=args, out=out, **options)


@pytest.fixture(scope="module")
def said(made, tmp_path_factory):
    """A suite's invented replies by opaque id, one missing and one failed, and the outcomes of our own file of them."""
    folder, done = tmp_path_factory.mktemp("own"), {}

    def replies(suite):
        if suite not in done:
            names = sorted(made(suite).opaque(trial.id) for trial in stage_of(made(suite)).trials)
            texts = {name: random.Random(name).choice(TEXTS) for name in names[1:]}
            texts |= {} if len(names) < 3 else {names[1]: None}
            lines = [
                {"id": name, "text": ""} | ({"error": FAILED} if text is None else {"text": text})
                for name, text in texts.items()
            ]
            path = folder / f"{suite}.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
            done[suite] = texts, read(made(suite), None, path, folder / suite)
        return done[suite]

    return replies


def rows_of(texts):
    """The replies as VLMEvalKit has them in its results."""
    return [(item_number(name), FAILED if text is None else text) for name, text in texts.items()]


def write_results(path, rows):
    if path.suffix == ".json":
        path.write_text(json.dumps([{"index": index, "prediction": text} for index, text in rows]))
    elif path.suffix == ".xlsx":
        write_workbook(
            path, [("index", "question", "prediction"), *((f"{index}.0", "q", text) for index, text in rows)]
        )
    else:
        frame = pl.DataFrame(rows, schema={"index": pl.Int64, "prediction": pl.String}, orient="row")
        frame.write_csv(path, separator="," if path.suffix == ".csv" else "\t")


@pytest.mark.parametrize("suite", DRAWN)
@pytest.mark.parametrize("suffix", ["tsv", "json"])
def test_a_result_of_vlmevalkit_gives_the_outcomes_of_our_own_file(made, said, suite, suffix, tmp_path):
    texts, own = said(suite)
    write_results(tmp_path / f"m_x.{suffix}", rows_of(texts))
    run = read(made(suite), "vlmevalkit", tmp_path / f"m_x.{suffix}", tmp_path / "run")
    assert run.outcomes().select(SHARED).equals(own.outcomes().select(SHARED))
    assert run.counts.error == own.counts.error == run.run.repeats * (1 + (None in texts.values()))


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_its_other_forms_hold_the_same_replies_and_give_the_same_estimates(made, said, suffix, tmp_path):
    texts, own = said("viabench")
    write_results(tmp_path / f"m_x.{suffix}", rows_of(texts))
    run = read(made("viabench"), "vlmevalkit", tmp_path / f"m_x.{suffix}", tmp_path / "run")
    assert run.outcomes().select(SHARED).equals(own.outcomes().select(SHARED))
    assert run.estimates() == own.estimates()


def samples(texts):
    """Lines of lmms-eval's sample files: one reply stands bare, or in lists."""
    for at, (name, text) in enumerate(texts.items()):
        said = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] no" if text is None else text
        form = {"filtered_resps": said} if at % 2 else {"resps": [[said]], "filtered_resps": [said]}
        yield {"doc_id": at, "target": "x", **form, "item": name, "input": "q"}


@pytest.mark.parametrize("suite", DRAWN)
def test_samples_of_lmms_eval_give_the_outcomes_of_our_own_file(made, said, suite, tmp_path):
    texts, own = said(suite)
    path = tmp_path / "20260101_samples_x.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in samples(texts)))
    run = read(made(suite), "lmms-eval", path, tmp_path / "run")
    assert run.outcomes().select(SHARED).equals(own.outcomes().select(SHARED))


@pytest.fixture
def evaluated(monkeypatch):
    """Asks an exported task, in its folder, as inspect-ai does, of a mock model; gives the place of the log."""

    def evaluate(folder, **options):
        monkeypatch.chdir(folder)
        return log_of(folder, **options)

    return evaluate


def log_of(folder, **options):
    (task,) = folder.glob("*.py")
    (log,) = inspect_ai.eval(
        task.name,
        model=inspect_ai.model.get_model("mockllm/model", custom_outputs=mocked),
        log_dir=str(folder / "logs"),
        display="none",
        log_realtime=False,
        **options,
    )
    assert log.status == "success"
    return log.location


@pytest.mark.parametrize("suite", ["viprobe", "hocabench"])
def test_a_log_of_an_exported_task_gives_the_outcomes_of_a_run_of_the_same_model(made, evaluated, suite, tmp_path):
    veridical.export_set(made(suite), tmp_path / "task", harness="inspect")
    with serve(served) as server:
        own = veridical.run(made(suite), "m", base_url=server.url, out=tmp_path / "own", show="quiet", analyze=False)
    run = read(made(suite), "inspect", evaluated(tmp_path / "task"), tmp_path / "run")
    assert run.outcomes().select(SHARED).equals(own.outcomes().select(SHARED))
    if suite == "viprobe":
        assert run.estimates() == own.estimates()


def test_epochs_are_repeats(made, evaluated, tmp_path):
    veridical.export_set(made("viabench"), tmp_path / "task", harness="inspect", limit=1)
    location = evaluated(tmp_path / "task", epochs=2)
    run = read(made("viabench"), "inspect", location, tmp_path / "run", limit=1, repeats=2)
    assert run.counts.answered + run.counts.unparsed + run.counts.refused == 2 * len(run.run.trials())
    assert harness_answers("inspect", Path(location)).by_repeat.keys() == {
        (made("viabench").opaque(trial.id), repeat) for trial in run.run.trials() for repeat in (1, 2)
    }


@pytest.mark.parametrize("suite", ["viprobe", "magic"])
def test_the_log_of_a_run_is_read_back_as_the_run(made, asked, suite, tmp_path):
    veridical.export_inspect(asked(suite), tmp_path / "run.eval")
    run = read(made(suite), "inspect", tmp_path / "run.eval", tmp_path / "again")
    assert run.outcomes().select(SHARED).equals(asked(suite).outcomes().select(SHARED))


REFUSED = {
    "a harness that is not known": ("vlmeval", "a.tsv", "index\tprediction\n1\tx\n", "did you mean 'vlmevalkit'"),
    "no column of replies": ("vlmevalkit", "a.tsv", "index\tanswer\n1\tx\n", "'index' and 'prediction' are needed"),
    "two replies to one question": ("vlmevalkit", "a.tsv", "index\tprediction\n1\tx\n1\ty\n", "a second reply to '1'"),
    "an index that is none": ("vlmevalkit", "a.tsv", "index\tprediction\none\tx\n", "index 'one' is no whole number"),
    "a table of another kind": ("vlmevalkit", "a.pkl", "x", "a table ends in"),
    "no list of rows": ("vlmevalkit", "a.json", '{"index": 1}', "holds no list of rows"),
    "questions of another set": (
        "vlmevalkit",
        "a.tsv",
        "index\tprediction\n1\tx\n",
        "1 of 1 questions are none",
    ),
    "no item": ("lmms-eval", "a.jsonl", '{"doc_id": 0, "resps": ["x"]}\n', "'item' is missing"),
    "no reply": ("lmms-eval", "a.jsonl", '{"item": "item-0", "resps": []}\n', "neither 'resps' nor"),
    "the same item twice": ("lmms-eval", "a.jsonl", '{"item": "i", "resps": ["x"]}\n' * 2, "a second reply to 'i'"),
    "an item of another set": ("lmms-eval", "a.jsonl", '{"item": "i", "resps": ["x"]}\n', "are none of this run"),
    "no log": ("inspect", "a.eval", "x", "is no eval log that inspect-ai"),
    "a log of another version": ("inspect", "a.json", '{"version": 99, "eval": {}}', "is no eval log that inspect-ai"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_file_that_cannot_be_taken_is_one_line(made, cli, why, tmp_path):
    harness, name, content, words = REFUSED[why]
    (tmp_path / name).write_text(content)
    command = ("run", "viprobe", "--set", made("viprobe").folder, "-M", f"answers={tmp_path / name}")
    code, _, err = cli(*command, "--from", harness, "--out", tmp_path / "run")
    assert (code, err.count("\n")) == (2, 1)
    assert words in err
    assert not (tmp_path / "run").exists()


def test_a_log_of_a_later_version_of_the_form_is_one_line(made, asked, tmp_path):
    veridical.export_inspect(asked("viprobe"), tmp_path / "run.eval")
    log = inspect_log.read_eval_log(str(tmp_path / "run.eval"))
    log.version = 3
    inspect_log.write_eval_log(log, str(tmp_path / "later.json"), format="json")
    with pytest.raises(InputError, match=r"later\.json is no eval log that inspect-ai .* reads: .*version 3"):
        read(made("viprobe"), "inspect", tmp_path / "later.json", tmp_path / "again")


def test_a_missing_file_or_package_is_one_line(made, cli, tmp_path, monkeypatch):
    command = ("run", "viprobe", "--set", made("viprobe").folder, "--out", tmp_path / "run", "--from", "inspect")
    code, _, err = cli(*command)
    assert (code, err.count("\n")) == (2, 1)
    assert "waits for a file of replies for veridical/replay: -M answers=FILE" in err
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    (tmp_path / "a.eval").touch()
    code, _, err = cli(*command, "-M", f"answers={tmp_path / 'a.eval'}")
    assert (code, err.count("\n")) == (2, 1)
    assert 'needs inspect_ai: pip install "veridical[providers]"' in err


def test_from_names_the_model_itself_and_takes_no_other(made, said, cli, tmp_path):
    texts, own = said("viabench")
    write_results(tmp_path / "m.tsv", rows_of(texts))
    command = ("run", "viabench", "--set", made("viabench").folder, "-M", f"answers={tmp_path / 'm.tsv'}")
    command += ("--from", "vlmevalkit", "--out", tmp_path / "run")
    code, _, err = cli(*command, "--model", "openai/x")
    assert (code, err.count("\n")) == (2, 1)
    assert "leave out --model" in err
    assert cli(*command, "--accept-errors")[0] == 1
    assert veridical.open_run(tmp_path / "run").outcomes().select(SHARED).equals(own.outcomes().select(SHARED))
