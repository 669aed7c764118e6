"""A folder with GQA's and AiR-D's files goes the whole way: imported, checked, asked in every view, reported."""

import json
import re
from zipfile import ZipFile

import pytest

import veridical
from tests.ask.server import said
from tests.calling import call
from tests.probe.staged import answering
from tests.suites.magic.gqa_data import PLACES, write_gqa
from veridical.suites.magic.collect import collect_chains, write_collected
from veridical.suites.magic.regions.rule import DRAWN_VIEWS, drawing_rule

PICTURES = 2
QUIET = {"show": "quiet", "analyze": False}
WRONG = (0, 2)
"""The places of the steps that are called wrong; those between are right, so they are two stretches."""


def reply(request):
    """A model that looks at every box from R1 on, as many as the question says there are, and answers yes."""
    count = max(map(int, re.findall(r"(\d+) boxes are drawn", request.text)), default=1)
    return said(" ".join(f"I look at R{k}." for k in range(1, count + 1)) + "\nAnswer: yes")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("gqa")
    write_gqa(place / "gqa", PICTURES)
    veridical.import_release("gqa", place / "gqa", place / "set")
    return place


@pytest.fixture(scope="module")
def run(place):
    with answering(reply) as server:
        made = veridical.run(place / "set", "eye", out=place / "run", base_url=server.url, show="quiet")
        pictures = [len(request.pictures) for request in server.requests]
    return made, pictures


def test_importing_and_checking_are_commands_and_a_missing_file_is_one_line_with_exit_code_2(
    place, tmp_path, monkeypatch, capsys
):
    code, out, _ = call(monkeypatch, capsys, "import", "gqa", place / "gqa", "--out", tmp_path / "set", "--json")
    assert code == 0
    assert json.loads(out)["regions"] == {"no hot spot": PICTURES, "on a thing": 2 * PICTURES, "random": PICTURES}
    assert call(monkeypatch, capsys, "check", tmp_path / "set")[0] == 0
    code, _, err = call(monkeypatch, capsys, "import", "gqa", tmp_path, "--out", tmp_path / "other")
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert "lacks val_sceneGraphs.json" in err


def test_every_question_is_asked_in_every_view_by_default(run):
    made, pictures = run
    rows = made.outcomes()
    views = {json.loads(settings)["view"] for settings in rows["settings"]}
    assert views == set(DRAWN_VIEWS)
    assert len(rows) == 3 * PICTURES * len(DRAWN_VIEWS)
    assert min(pictures) >= 1


def test_one_that_looks_at_every_box_has_full_recall_and_the_precision_that_the_boxes_imply(run):
    made, _ = run
    rows = made.outcomes().filter(made.outcomes()["status"] == "answered")
    assert len(rows)
    for row in rows.iter_rows(named=True):
        view = json.loads(row["settings"])["view"]
        assert row["score_recall"] == 1
        if view == "relevant-boxes":
            assert row["score_precision"] == 1
        else:
            assert row["score_precision"] == pytest.approx(row["relevant_count"] / row["box_count"])


def test_the_report_is_written(run):
    made, _ = run
    page = made.folder / "report.html"
    veridical.write_report([made], page)
    text = page.read_text()
    assert "What color is the mug?" in text
    assert "MagiC" in text


def test_masked_boxes_are_the_relevant_ones_of_the_picture(place):
    whole = veridical.StimulusSet.open(place / "set")
    first = next(stimulus for stimulus in whole.stimuli if stimulus.category == "query")
    from veridical.media.decode import decode

    medium = first.media[0]
    ((_, facts),) = drawing_rule("relevant-masked").make(first, [decode(whole.read(medium.file), medium.file)])
    x, y, w, h = PLACES[0]
    assert [facts["boxes"][number - 1] for number in facts["masked"]] == [[x, y, x + w, y + h]]


def test_a_picture_that_several_questions_share_is_packed_once(place, tmp_path):
    whole = veridical.import_release("gqa", place / "gqa", tmp_path / "set", may_be_passed_on=True)
    packed = veridical.share(whole, tmp_path / "set.zip")
    with ZipFile(tmp_path / "set.zip") as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "theirs")
    assert packed.files == len(names) == len(set(names))
    assert sum(name.endswith(".jpg") for name in names) == PICTURES
    assert veridical.open_set(tmp_path / "theirs").digest == whole.digest
    assert not veridical.check(tmp_path / "theirs").failed


@pytest.fixture(scope="module")
def labeled(place, tmp_path_factory):
    """The set again, with a chain of an observer's, whose first and third step a person has called wrong."""
    folder = tmp_path_factory.mktemp("labeled")
    made = veridical.run(place / "set", "veridical/simulated", out=folder / "run", **QUIET)
    whole = veridical.open_set(place / "set")
    write_collected(collect_chains(whole, [made]), whole, folder / "chains")
    lines = (folder / "chains" / "annotated.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        for at, step in enumerate(record["chain"]["steps"]):
            wrong = at in WRONG
            step |= {"correct": not wrong, "correction": "The picture shows blocks over a table." if wrong else None}
    text = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "chains" / "annotated.jsonl").write_text(text)
    ended = veridical.import_release("magic", folder / "chains", folder / "set")
    return ended, records


def test_self_heal_continues_every_wrong_stretch_of_an_imported_chain(labeled, tmp_path):
    whole, records = labeled
    stretches = sum(sum(at < len(record["chain"]["steps"]) for at in WRONG) for record in records)
    made = veridical.run(whole, "veridical/simulated", out=tmp_path / "run", **QUIET)
    rows = made.outcomes(stage="heal")
    assert len(rows) == 2 * stretches  # unprompted and prompted
    assert set(rows["status"]) == {"answered"}
    for row in rows.iter_rows(named=True):
        expects = json.loads(row["expects"])
        assert (expects["kind"], expects["chain_by"]) == ("annotated", "veridical/simulated")
        assert expects["corrections"] == ["The picture shows blocks over a table."]
        assert len(expects["prefix"]) in {at + 1 for at in WRONG}
    veridical.write_report([made], tmp_path / "report.html")
    assert "Self-Heal" in (tmp_path / "report.html").read_text()
