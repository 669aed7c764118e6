"""Studies whose votes are in PostgreSQL are read by the commands that take studies, as those with a file are."""

from __future__ import annotations

import pytest

import veridical
from tests.people.databases import PASSWORD, running_cluster
from tests.people.raters import begun, replay
from tests.suites.magic.healed_runs import run, written
from tests.suites.magicbench import release_data

pytestmark = pytest.mark.usefixtures("one_process", "no_figures")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A judged run whose answers are wrong, and a set of real clips."""
    folder = tmp_path_factory.mktemp("places")
    args = {"mechanism": "distracted", "args": {"false_steps": 1.0}, "settings": {"view": "all-boxes"}}
    judged = run(written(folder / "whole", units=1, releases=0), folder / "run", **args).folder
    listed = release_data.items()
    clips = veridical.import_release("magicbench", release_data.write(folder / "release", listed), folder / "set")
    return {"steps": judged, "codes": judged, "grade": judged, "boxes": clips.folder}


MARKS = {"intervals": [[1.0, 2.0]], "boxes": {"critical": {"0": [0.1, 0.1, 0.3, 0.3]}}, "text": "x"}


def anything(screen, hidden):
    """The first option of every field, and the same marks on each clip."""
    stated = {}
    for field in screen["fields"]:
        first = field["options"][0]["value"] if field["options"] else None
        stated[field["name"]] = MARKS.get(field["kind"], [first] if field["kind"] == "codes" else first)
    return {**stated, **hidden["right"]}


def test_each_reader_of_votes_takes_the_database_of_a_study(places, tmp_path, cli):
    readers = {
        "steps": lambda study: ("magic", "stepsense", study, "--json"),
        "codes": lambda study: ("magic", "error-counts", study, "--json"),
        "grade": lambda study: ("judges", "calibrate", "--people", study, "--verdicts", places["grade"], "--json"),
        "boxes": lambda study: ("magicbench", "add", places["boxes"], "--windows", study, "--out", study / "new"),
    }
    choices = {"grade": {"settings": {"rubric": ["short"]}}}
    with running_cluster() as cluster:
        for task, words in readers.items():
            printed = []
            for name, database in (("file", None), ("elsewhere", cluster.database())):
                folder = tmp_path / task / name
                study = begun(folder, task, places[task], database=database, **choices.get(task, {}))
                replay(study, anything)
                study.store.close()
                own = ("--database", database) if database else ()
                code, out, err = cli(*words(folder), *own)
                assert (code, PASSWORD in out + err) == (0, False), err
                printed.append(out.replace(str(folder), ""))
            assert printed[0] == printed[1]
            code, _, err = cli(*words(folder))
            assert (code, err.count("\n")) == (2, 1)
            assert "name it with --database" in err
            code, _, err = cli(*words(tmp_path / task / "file"), *own)
            assert (code, err.count("\n")) == (2, 1)
            assert "leave out --database" in err
        table = tmp_path / "steps" / "file" / "sheet.csv"
        code, _, err = cli("magic", "stepsense", table, "--database", database)
        assert (code, err) == (2, "veridical: --database: it is that of one study, and 0 are named\n")
