"""A run as an eval log: what inspect-ai reads is what the run's own tables say."""

import json
import sys

import pytest

import veridical
from tests.ask.server import refused, said, serve
from tests.harnesses.conftest import DRAWN
from tests.late import inspect_log, inspect_tasks
from veridical.errors import InputError
from veridical.records import Text
from veridical.report.main_figures import main_figures
from veridical.verbs.sets import reader_of

HOSTILE = "<script>alert(1)</script> ![x](http://127.0.0.1/x.png) attachment://abc\n<answer>1</answer>"


def logs_of(run, folder):
    """The logs of a run in the order of its stages, as inspect-ai reads them."""
    written = veridical.export_inspect(run, folder / "run.eval")
    return [inspect_log.read_eval_log(str(file), resolve_attachments=True) for file in written.files]


def shown(chat):
    """Each turn with its texts and media, in order."""
    return [
        (turn.role, [turn.content] if isinstance(turn.content, str) else [part_of(part) for part in turn.content])
        for turn in chat
    ]


def part_of(part):
    return part.text if part.type == "text" else getattr(part, part.type)


def planned(trial, read):
    from veridical.ask.pending_trials import data_url

    return [
        (turn.role, [part.text if isinstance(part, Text) else data_url(part, read(part.file)) for part in turn.parts])
        for turn in trial.messages
    ]


@pytest.mark.parametrize("suite", DRAWN)
def test_a_log_has_the_outcomes_the_messages_and_the_scores_of_each_stage(made, asked, suite, tmp_path):
    result = asked(suite)
    runs = [run for runs in result.stages.runs.values() for run in runs if run.trials()]
    read = reader_of(made(suite), [result.folder])
    for run, log in zip(runs, logs_of(result, tmp_path), strict=True):
        outcomes, trials = result.stages.outcomes(run), run.trials_by_id()
        assert inspect_tasks.outcomes_of(log).equals(outcomes)
        samples = {(sample.id, sample.epoch): sample for sample in log.samples}
        assert len(samples) == len(log.samples) == len(outcomes)
        for row in outcomes.iter_rows(named=True):
            sample = samples[row["trial"], row["repeat"]]
            assert shown(sample.input) == planned(trials[sample.id], read)
            assert sample.output.completion == row["text"]
            assert sample.scores["status"].value == row["status"]
            assert sample.scores["correct"].answer == row["answer"]
            right = {"C": True, "I": False}.get(str(sample.scores["correct"].value))
            assert right == row["correct"]
        assert log.results.total_samples == log.results.completed_samples == len(outcomes)


def test_the_first_log_has_the_main_figures_with_their_intervals(asked, tmp_path):
    result = asked("viprobe")
    (log,) = logs_of(result, tmp_path)
    figures = [each for each in main_figures(result.suite, result.result()) if each.value is not None]
    scores = [score for score in log.results.scores if score.scorer == "veridical"]
    found = [[score.metrics[name].value for name in ("estimate", "low", "high")] for score in scores]
    assert found == [[value * each.unit.scale for value in (each.value, each.low, each.high)] for each in figures]
    assert [score.metadata["n_units"] for score in scores] == [each.n_units for each in figures]


def failing(request):
    """A server that refuses every third request, and thinks aloud in the others."""
    if request.number % 3 == 0:
        return refused(400, "not this one")
    return said(HOSTILE, reasoning_content="<i>I look</i>", finish="stop" if request.number % 2 else "length")


def test_failures_reasoning_tokens_and_hostile_text_are_in_it_as_they_came(made, tmp_path):
    with serve(failing) as server:
        run = veridical.run(made("viprobe"), "m", base_url=server.url, out=tmp_path / "run", repeats=2, show="quiet")
    (log,) = logs_of(run, tmp_path)
    responses = run.run.responses()
    assert log.eval.config.epochs == 2
    for sample in log.samples:
        response = responses[sample.id, sample.epoch]
        if response.error is None:
            assert sample.output.completion == response.text == HOSTILE
            assert sample.output.choices[0].message.content[0].reasoning == response.reasoning == "<i>I look</i>"
            assert sample.output.usage.total_tokens == response.input_tokens + response.output_tokens == 12
            assert sample.output.stop_reason == response.stop_reason
            assert sample.error is None
        else:
            assert sample.error.message == f"{response.error}: {response.detail}"
            assert sample.scores["status"].value == "error"
            assert sample.scores["correct"].value == "I"
    assert sum(sample.error is not None for sample in log.samples) == run.counts.error > 0
    assert log.results.completed_samples == len(log.samples) - run.counts.error


def test_bad_input_is_one_line(asked, made, cli, tmp_path, monkeypatch):
    place = asked("viprobe").folder
    code, _, err = cli("export", "inspect", place, "--out", tmp_path / "log.json")
    assert (code, err.count("\n")) == (2, 1)
    assert "ends in .eval" in err
    code, _, err = cli("export", "inspect", place, "--set", made("viabench").folder, "--out", tmp_path / "a.eval")
    assert (code, err.count("\n")) == (2, 1)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    code, _, err = cli("export", "inspect", place, "--out", tmp_path / "a.eval")
    assert (code, err) == (
        2,
        'veridical: an eval log of inspect needs inspect_ai: pip install "veridical[providers]"\n',
    )
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_wrote(asked, cli, tmp_path):
    code, out, _ = cli("export", "inspect", asked("viprobe").folder, "--out", tmp_path / "a.eval", "--json")
    facts = json.loads(out)
    assert (code, facts["samples"]) == (0, len(asked("viprobe").outcomes()))
    assert [file["file"] for file in facts["files"]] == [str(tmp_path / "a.eval")]
    with pytest.raises(InputError, match=r"ends in \.eval"):
        veridical.export_inspect(asked("viprobe"), tmp_path / "a")
