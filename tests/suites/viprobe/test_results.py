"""What the verbs give, on runs of VI-Probe: short to look at, and a table; a user's script runs."""

import base64
import inspect
import re

import polars as pl
import pytest

import veridical

pytestmark = pytest.mark.usefixtures("no_figures")


def answered(sample):
    """A sample for people with an answer in every row."""
    path = sample.with_name("answers.csv")
    pl.read_csv(sample).with_columns(answer=pl.lit("1")).write_csv(path)
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What every verb gives, by name."""
    folder = tmp_path_factory.mktemp("results")
    made = veridical.make("viprobe", out=folder / "set", cases=["zollner"], units=2, levels=2, size=128)
    options = {"out": folder / "a", "show": "quiet", "limit": 1}
    first = veridical.run(made, "veridical/pixel", **options)
    second = veridical.run(made, "veridical/prior", **{**options, "out": folder / "b"})
    return {
        "make": made,
        "open_set": veridical.open_set(folder / "set"),
        "check": veridical.check(made),
        "describe": veridical.describe(made),
        "plan": veridical.plan(made),
        "dry_run": veridical.dry_run(made, "veridical/pixel"),
        "run": first,
        "open_run": veridical.open_run(folder / "b"),
        "estimates": first.estimates(),
        "compare": veridical.compare(first, second),
        "rescore": veridical.rescore(second),
        "repair_run": veridical.repair_run(first),
        "write_trials": veridical.write_trials(made, folder / "trials.jsonl"),
        "people.sample": veridical.people.sample(made, folder / "people.csv", per_person=2, people=2),
        "people.read": veridical.people.read(made, answered(folder / "people.csv"), folder / "people"),
        "run_models": veridical.run_models(made, ["veridical/pixel"], **{**options, "out": folder / "several"}),
    }


def test_whatever_a_verb_gives_is_one_short_line_to_look_at_and_a_table(results):
    for name, result in results.items():
        shown = repr(result)
        assert re.fullmatch(r"<.+>", shown), name
        assert len(shown) < 200, name
        assert isinstance(result.frame(), pl.DataFrame), name
        if isinstance(result, list):
            assert len(result.frame()) == len(result), name


def test_the_table_of_a_set_has_its_stimuli_and_that_of_a_run_its_outcomes(results):
    made, run = results["make"], results["run"]
    table = made.frame()
    assert table["id"].to_list() == [stimulus.id for stimulus in made.stimuli]
    assert table["label"].to_list() == [stimulus.label for stimulus in made.stimuli]
    assert run.frame().equals(run.outcomes())
    assert len(run.frame()) == run.counts.planned
    assert results["check"].frame().is_empty()
    assert results["describe"].frame().filter(pl.col("factor") == "variant")["stimuli"].sum() == len(made)
    assert results["dry_run"].frame()["trial"].to_list() == [request.trial for request in results["dry_run"]]
    written = results["write_trials"]
    assert written.lines == len(written.files[0].read_text().splitlines())
    assert written.frame().rows() == [(str(written.files[0]), written.files[0].stat().st_size)]


def test_every_verb_gives_one_of_these_results(results):
    others = {"register": "Suite", "simple_suite": "Suite", "design": "SetDesign", "write_report": "Path"}
    others |= {"sample_replies": "JudgedSample", "calibrate_judges": "JudgeCalibration"}  # see tests/judge
    others |= {"evaluate": "Profile", "profile": "Profile"}  # see tests/evaluation
    others |= {"share": "PackedSet", "compare_all": "list[Comparison]"}  # see tests/verbs and tests/probe
    kinds = {type(result).__name__ for result in results.values()}
    others |= {"export_training": "LineFiles", "working_copy": "Iterator[Path]"}  # see tests/rewards and tests/base
    rooms = ("people", "rewards")
    verbs = {name: getattr(veridical, name) for name in veridical.__all__ if name.islower() and name not in rooms}
    verbs |= {"people.sample": veridical.people.sample, "people.read": veridical.people.read}
    for name, verb in verbs.items():
        given = inspect.signature(verb).return_annotation
        assert given == others[name] if name in others else given in kinds, name


def test_what_a_run_rests_on_is_one_short_line_to_look_at(results):
    run = results["run"]
    suite, trials, responses = run.suite, run.run.trials(), run.run.responses()
    shown = [run.run, run.result(), run.evidence(), results["make"].stimuli[0], next(iter(trials)), suite]
    shown += [next(iter(responses.values())), suite.design, suite.asking, suite.analysis, suite.presentation]
    shown += suite.presentation.tables([run.result()])
    for each in shown:
        assert re.fullmatch(rf"<{type(each).__name__}\b.+>", repr(each)), type(each)
        assert len(repr(each)) < 200, type(each)


def test_the_tables_of_a_run_are_those_of_its_csv_files(results):
    run = results["run"]
    tables = run.tables()
    files = {path.stem: path for path in (run.folder / "tables").glob("*.csv")}
    assert tables.keys() == files.keys()
    for name, table in tables.items():
        written = pl.read_csv(files[name], infer_schema=False)
        written = written.rename(lambda column: column.removeprefix("'"))  # which stops a spreadsheet's formula
        assert table.columns == written.columns, name
        for column in table.columns:
            if table[column].dtype == pl.Float64:
                assert written[column].cast(pl.Float64).equals(table[column]), (name, column)
    assert results["people.read"].tables().keys() >= {"mechanism"}


def test_a_notebook_shows_the_first_pictures_of_a_set(results, tmp_path):
    made = results["make"]
    page = made._repr_html_()
    shown = [base64.b64decode(url) for url in re.findall(r'src="data:image/png;base64,([^"]+)"', page)]
    assert shown == [made.read(stimulus.media[0].file) for stimulus in made.stimuli[: len(shown)]]
    assert 0 < len(shown) < len(made)
    assert f"and {len(made) - len(shown):,} more" in page


def test_a_picture_that_is_missing_is_named_in_its_place(tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, levels=2, size=128)
    gone = made.stimuli[0].media[0].file
    (tmp_path / "set" / gone).unlink()
    page = made._repr_html_()
    assert gone in page
    assert page.count("<img") == page.count("<figure") - 1


def test_a_comparison_says_of_which_runs_it_is(results):
    found = results["compare"]
    assert [found.first.model, found.second.model] == ["veridical/pixel", "veridical/prior"]
    assert repr(found).startswith("<Comparison, veridical/prior − veridical/pixel: ")
    assert found.notes == []


def test_what_fails_a_check_is_a_table(tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, levels=2, size=128)
    broken = made.stimuli[1]
    (tmp_path / "set" / broken.media[0].file).unlink()
    found = veridical.check(made)
    assert found.frame()["id"].to_list() == [broken.id]
    assert repr(found) == f"<Check: {len(made) - 1} of {len(made)} stimuli are sound, 1 problems>"


def test_a_notebook_shows_a_figure_as_it_was_drawn(results):
    figures = results["run"].figures()
    assert figures
    assert all(figure._repr_svg_() == figure.svg for figure in figures)
    assert all(len(repr(figure)) < 200 for figure in figures)


def test_a_users_script_runs_and_gives_what_it_says(tmp_path, capsys):
    from tests.typed import script

    script.main(tmp_path)
    assert capsys.readouterr().out == f"{tmp_path / 'nowhere'} holds no run: run.json is missing"
    assert (tmp_path / "report.html").is_file()
