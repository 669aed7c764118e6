"""The probe is asked, taken up again, read anew and compared, like any suite."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import veridical
from tests.probe_suite import stages
from tests.probe_suite.asking import FOLDER
from veridical.ask import Run
from veridical.media.derive import frames_of
from veridical.records import OUTCOMES
from veridical.verbs.runs.preparation import prepare

TONES = {"tone": ["plain", "polite"]}


def of(run, metric, **where):
    (found,) = [each for each in run.estimates() if each.metric == metric and each.slice == where]
    return found


def test_an_observer_of_the_suites_own_answers_from_the_messages_alone(seeing):
    assert seeing.complete
    assert (seeing.counts.planned, seeing.counts.answered) == (100, 100)
    assert "reads" not in seeing.run.identity
    accuracy, closeness = of(seeing, "accuracy"), of(seeing, "closeness")
    assert (accuracy.value, accuracy.n_units, closeness.value) == (1.0, 25, 10.0)
    assert str(closeness.unit) == "out of ten"


def test_an_outcome_has_the_factors_and_scores_of_its_suite(seeing):
    outcomes = seeing.outcomes()
    assert outcomes.columns == [*OUTCOMES, "ink", "dot_count", "spread", "pale", "score_closeness"]
    kinds = [outcomes.schema[name] for name in ("ink", "dot_count", "spread", "pale", "score_closeness")]
    assert kinds == [pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Float64]
    tiles = outcomes.filter(pl.col("family") == "tiles")
    assert tiles["factors"].unique().to_list() == ['{"layout":{"columns":6}}']
    assert tiles["score_closeness"].null_count() == len(tiles)
    assert pl.read_parquet(seeing.folder / "outcomes.parquet").equals(outcomes)


def test_options_that_differ_from_item_to_item_are_read_item_by_item(seeing):
    sums = seeing.outcomes().filter(pl.col("family") == "sums")
    options = {text: json.loads(text)["options"] for text in sums["expects"].unique()}
    assert len(options) > 5
    assert all(answer in options[text] for text, answer in sums.select("expects", "answer").iter_rows())


def test_a_score_lies_in_its_range_and_a_guess_has_less_of_it(blind):
    scores = blind.outcomes("words").filter(pl.col("family") == "dots")["score_closeness"]
    assert scores.is_between(0, 10).all()
    assert 0 < scores.mean() < 10


def test_what_cannot_be_read_stays_in_the_counts(blind):
    assert blind.counts.unparsed == 40
    assert set(blind.outcomes().filter(pl.col("status") == "unparsed")["family"]) == {"clip", "dots"}
    assert of(blind, "accuracy", family="clip").value == 0.0
    assert of(blind, "closeness").value == 0.0


def test_a_second_reader_reads_anew(blind, seeing):
    default, other = blind.outcomes(), blind.outcomes("words")
    dots = pl.col("family") == "dots"
    assert set(default.filter(dots)["status"]) == {"unparsed"}
    assert set(other.filter(dots)["status"]) == {"answered"}
    assert set(other.filter(dots)["reader"]) == {"words"}
    assert other.filter(~dots).drop("score_closeness").equals(default.filter(~dots).drop("score_closeness"))
    tagged = seeing.outcomes("tagged-options").filter(pl.col("family") == "tiles")
    assert set(tagged["status"]) == {"answered", "unparsed"}
    right = tagged.filter(pl.col("status") == "answered")
    assert set(right["answer"]) <= {"red", "green", "blue", "yellow"}
    assert right["correct"].all()


def test_a_reader_that_is_not_there_is_refused_in_one_line(blind, said):
    code, _, err = said("metrics", blind.folder, "--reader", "word")
    assert code == 2
    assert err.startswith("veridical: unknown reader 'word'")
    assert err.count("\n") == 1
    code, out, _ = said("metrics", blind.folder, "--reader", "words", "--json")
    closeness = next(each for each in json.loads(out) if each["metric"] == "closeness")
    assert code == 0
    assert closeness["value"] > 0


def test_a_run_that_was_cut_in_half_asks_what_is_missing(made, seeing, tmp_path):
    half = Path(shutil.copytree(seeing.folder, tmp_path / "run"))
    lines = (half / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (half / "responses.jsonl").write_bytes(b"".join(lines[:50]))
    assert veridical.open_run(half).counts.asked == 50
    again = veridical.run(made, "veridical/eye", out=half, settings=TONES, show="quiet")
    assert again.complete
    written = (half / "responses.jsonl").read_bytes().splitlines(keepends=True)
    assert written[:50] == lines[:50]
    assert len(written) == 100
    assert again.outcomes().drop("latency", "ended").equals(seeing.outcomes().drop("latency", "ended"))


def test_another_setting_is_another_run(made, seeing, said):
    words = (
        "run",
        "probe",
        "--model",
        "veridical/eye",
        "--set",
        made.folder,
        "--out",
        seeing.folder,
        "-S",
        "tone=plain",
    )
    code, _, err = said(*words)
    assert code == 2
    assert "settings" in err
    assert err.count("\n") == 1


def test_a_run_on_the_command_line_draws_its_own_set(tmp_path, said):
    words = ("run", "probe", "--model", "veridical/eye", "--out", tmp_path / "run", "-S", "tone=polite", "--json")
    code, out, _ = said(*words)
    assert (code, json.loads(out)["complete"]) == (0, True)
    assert json.loads(out)["counts"]["planned"] == 20
    code, out, _ = said("status", tmp_path / "run", "--json")
    assert (code, json.loads(out)["counts"]["answered"]) == (0, 20)
    code, out, _ = said("metrics", tmp_path / "run", "--json")
    metrics = {each["metric"]: each for each in json.loads(out) if not each["slice"]}
    assert (metrics["accuracy"]["value"], metrics["closeness"]["unit"]) == (1.0, "out of ten")
    code, out, _ = said("check", tmp_path / "run" / "stimuli", "--json")
    assert json.loads(out)["failed"] == []


def test_a_condition_on_a_metric_of_the_suite_decides_the_exit_code(seeing, blind, said):
    assert said("metrics", seeing.folder, "--fail-if", "accuracy<0.9", "--fail-if", "closeness<9.5")[0] == 0
    code, _, err = said("metrics", blind.folder, "--fail-if", "accuracy[family=clip]<0.5")
    assert code == 1
    assert err.splitlines()[-1] == "veridical: accuracy[family=clip]<0.5: accuracy is 0"
    assert said("metrics", blind.folder, "--fail-if", "accuracy[pale=True]<=1")[0] == 1


def test_the_terminal_shows_titles_and_the_unit_of_a_measure(seeing, said):
    _, out, _ = said("metrics", seeing.folder)
    assert "Closeness" in out
    assert "10.0 /10" in out


def test_rescoring_sends_nothing_and_changes_nothing(seeing, said, tmp_path):
    copy = Path(shutil.copytree(seeing.folder, tmp_path / "run"))
    replies = (copy / "responses.jsonl").read_bytes()
    code, out, _ = said("rescore", copy, "--json")
    found = json.loads(out)
    assert (code, found["compared"], found["statuses"], found["answers"]) == (0, 100, 0, 0)
    assert {"digits 1", "option-letter 7", "lenient 4", "boxes 1"} <= set(found["now"])
    assert (copy / "responses.jsonl").read_bytes() == replies


def test_two_runs_are_compared_by_the_suites_own_difference(seeing, blind, said):
    (found,) = veridical.compare(seeing, blind)
    assert found.metric == "accuracy difference"
    assert found.value < -20
    assert found.high < 0
    assert found.p < 0.01
    code, out, _ = said("compare", seeing.folder, blind.folder, "--json")
    assert (code, json.loads(out)[0]["value"]) == (0, found.value)
    assert veridical.compare(seeing, seeing)[0].value == 0


def test_several_runs_are_compared_with_the_first_and_share_the_error_rate(seeing, blind, said):
    (alone,) = veridical.compare(seeing, blind)
    found = veridical.compare_all(seeing, [blind, seeing])
    assert [(each.first.folder, each.second.folder) for each in found] == [
        (seeing.folder, blind.folder),
        (seeing.folder, seeing.folder),
    ]
    assert [[each.value for each in own] for own in found] == [[alone.value], [0]]
    assert [[each.p for each in own] for own in found] == [[pytest.approx(2 * alone.p)], [1.0]]
    code, out, err = said("compare", seeing.folder, blind.folder, seeing.folder, "--json")
    rows = json.loads(out)
    assert (code, [row["value"] for row in rows]) == (0, [alone.value, 0])
    assert [(row["base"], row["run"]) for row in rows] == [
        (str(seeing.folder), str(each.folder)) for each in (blind, seeing)
    ]
    assert "warning: B, veridical/eye, stage look: " in err
    code, out, _ = said("compare", seeing.folder, blind.folder, seeing.folder)
    assert code == 0
    assert "C, veridical/eye: " in " ".join(out.split())


def test_two_runs_on_other_trials_are_not_compared(seeing, small, tmp_path):
    other = veridical.run(small, "veridical/eye", out=tmp_path / "run", show="quiet")
    with pytest.raises(veridical.InputError, match="differ in their trials"):
        veridical.compare(seeing, other)


def test_a_folder_of_prompts_takes_the_place_of_the_suites_own(small, tmp_path, said):
    theirs = Path(shutil.copytree(FOLDER, tmp_path / "prompts"))
    (theirs / "polite.md").unlink()
    (theirs / "plain.md").write_text((FOLDER / "plain.md").read_text().replace("$question", "Look: $question"))
    words = ("run", "probe", "--model", "veridical/eye", "--set", small.folder, "--prompts", theirs)
    code, _, _ = said(*words, "--out", tmp_path / "run", "-S", "tone=plain,polite")
    assert code == 0
    texts = {trial.id: trial.messages[-1].parts[-1].text for trial in Run.open(tmp_path / "run").trials()}
    assert all(text.startswith("Look: ") == ("plain" in name) for name, text in texts.items())
    prompts = Run.open(tmp_path / "run").identity["prompts"]
    assert len(set(prompts) & {trial.prompt for trial in prepare(small, "veridical/eye", settings=TONES).trials}) == 1
    (theirs / "rude.md").write_text("x")
    code, _, err = said(*words, "--out", tmp_path / "other")
    assert code == 2
    assert "unknown prompt file 'rude.md'" in err
    assert err.count("\n") == 1


def test_an_unknown_level_and_an_unknown_argument_are_refused_in_one_line(small, tmp_path, said):
    words = ("run", "probe", "--model", "veridical/eye", "--set", small.folder, "--out", tmp_path / "run")
    for option, line in (
        (("-S", "tone=rude"), "unknown level of tone 'rude'"),
        (("-S", "volume=high"), "unknown setting 'volume'"),
        (("-M", "deaf=true"), "veridical/eye takes blind=true or blind=false"),
        (("--preset", "twice"), "unknown preset 'twice'"),
    ):
        code, _, err = said(*words, *option)
        assert code == 2
        assert err.startswith(f"veridical: {line}")
        assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_preset_gives_sampling_and_repeats(small, tmp_path):
    run = veridical.run(small, "veridical/eye", out=tmp_path / "run", preset="once", show="quiet")
    assert run.run.identity["sampling"]["temperature"] == 0.0
    assert run.run.executions[0]["preset"]["source"] == "nobody"


def test_repeats_are_rows_of_their_own(small, tmp_path):
    run = veridical.run(small, "veridical/eye", out=tmp_path / "run", repeats=3, show="quiet")
    assert run.outcomes().group_by("trial").len()["len"].unique().to_list() == [3]
    assert of(run, "accuracy").value == 1.0


def test_the_reply_of_a_run_is_repeated_by_replay(small, tmp_path):
    first = veridical.run(small, "veridical/eye", out=tmp_path / "run", show="quiet")
    answers = {"answers": str(first.folder / "responses.jsonl")}
    again = veridical.run(small, "veridical/replay", out=tmp_path / "again", model_args=answers, show="quiet")
    columns = ["trial", "status", "answer", "correct", "text", "score_closeness"]
    assert again.outcomes().select(columns).equals(first.outcomes().select(columns))
    assert again.run.identity["reads"]


def test_frames_of_clips_and_marked_boxes_are_made_for_the_run_and_shown(tmp_path, said):
    small = veridical.make("probe", out=tmp_path / "set", units=2)
    asked = {"lens": ["bare", "derived"]}
    run = veridical.run(small, "veridical/eye", out=tmp_path / "run", settings=asked, show="quiet")
    assert run.complete
    assert of(run, "accuracy").value == 1.0
    shown = {
        (trial.family, trial.settings["lens"]): [part.kind for part in trial.messages[-1].parts[:-1]]
        for trial in run.run.trials()
    }
    assert shown["clip", "derived"] == ["image"] * 4
    assert shown["clip", "bare"] == ["video"]
    assert shown["boxes", "derived"] == ["image"]
    assert ("tiles", "derived") not in shown
    assert {each["name"] for each in run.run.identity["derived"].values()} == {"uniform-4", "marked"}
    assert veridical.check(small).failed == []
    again = veridical.run(small, "veridical/eye", out=tmp_path / "again", settings=asked, show="quiet")
    assert again.run.identity["trials"] == run.run.identity["trials"]


def test_runs_that_show_other_frames_are_not_compared_and_the_line_names_the_rules(tmp_path, said, monkeypatch):
    small = veridical.make("probe", out=tmp_path / "set", units=1)
    for name, quality in (("first", None), ("second", 20)):
        monkeypatch.setitem(stages.RULES, "clip", frames_of("uniform-4", quality=quality))
        asked = {"lens": ["derived"]}
        veridical.run(small, "veridical/eye", out=tmp_path / name, settings=asked, show="quiet")
    code, _, err = said("compare", tmp_path / "first", tmp_path / "second")
    assert code == 2
    assert "in both, with other pictures, factors or truth" in err
    arguments = [f'uniform-4 {{"longest":768,"quality":{quality},"sampling":"uniform-4"}}' for quality in ("null", 20)]
    assert err.endswith(f"derived by other rules: {arguments[0]} for the first, {arguments[1]} for the second\n")
    assert err.count("\n") == 1


def test_a_plan_counts_derived_media_without_making_them(tmp_path):
    small = veridical.make("probe", out=tmp_path / "set", units=1)
    found = veridical.plan(small, settings={"lens": ["derived"]}, image_tokens=10)
    assert found.trials == 4
    assert found.picture_tokens == 10 * (2 * 4 + 2)
    assert not (small.folder / ".derived").exists()


def test_a_rehearsal_shows_derived_media_or_says_that_they_are_not_made(tmp_path):
    small = veridical.make("probe", out=tmp_path / "set", units=1)
    (first, *_) = veridical.dry_run(small, "veridical/eye", settings={"lens": ["derived"]})
    assert len(first.messages[-1][1]) == 2
    assert not (small.folder / ".derived").exists()
