"""Windows, boxes, constraints, words and types are added to real clips, which are then audited and asked again."""

from __future__ import annotations

import json

import polars as pl
import pytest

import veridical
from tests.ask.server import said
from tests.probe.staged import answering, models_file
from tests.suites.magicbench.release_data import HEIGHT, WIDTH, items, write
from veridical.errors import InputError
from veridical.suites.magicbench.audit import audit
from veridical.suites.magicbench.releases.additions import Additions, with_additions

QUIET = {"show": "quiet", "analyze": False}
WINDOWS = (
    "id,start,end,left,top,right,bottom\n"
    "magic_1,1.0,1.5,0,0,0.25,0.5\n"
    "magic_1,1.5,2.0,0.125,0,0.375,0.5\n"
    "release/magic_2/real,3.1,3.2,,,,\n"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    listed = items()
    for item in listed:
        item["visual_timeline"] = [{**row, "roi_normalized": None} for row in item["visual_timeline"]]
    return veridical.import_release("magicbench", write(folder / "release", listed), folder / "set")


def file(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_windows_and_boxes_are_those_of_the_table(made, tmp_path):
    new = with_additions(made, Additions(windows=file(tmp_path, "w.csv", WINDOWS)), tmp_path / "new")
    lie, misdirection, filler, _ = new.stimuli
    assert (lie.truth["window"], misdirection.truth["window"], filler.truth["window"]) == ([1.0, 2.0], [3.1, 3.2], None)
    assert lie.factors["window_length"] == 1.0
    first, second = [0, 0, 0.25 * WIDTH, 0.5 * HEIGHT], [0.125 * WIDTH, 0, 0.375 * WIDTH, 0.5 * HEIGHT]
    assert lie.truth["critical"] == [[1.0, *first], [1.25, *first], [1.5, *second], [1.75, *second]]
    assert lie.truth["placebo"][0] == [1.0, 0.75 * WIDTH, 0, WIDTH, 0.5 * HEIGHT]
    assert lie.truth["placebo_is"] == "mirrored"
    assert (misdirection.truth["critical"], filler.truth) == ([], made.stimuli[2].truth)
    assert [each.media for each in new.stimuli] == [each.media for each in made.stimuli]
    ((fine,), without) = audit(new.folder, ["4fps"])
    assert (fine.clips, fine.hit, fine.frames, without) == (2, 1, (5 + 0) / 2, 2)


def test_a_stated_placebo_is_taken(made, tmp_path):
    columns = "id,start,end,left,top,right,bottom,placebo_left,placebo_top,placebo_right,placebo_bottom\n"
    path = file(tmp_path, "w.csv", f"{columns}magic_1,1.1,1.2,0,0,0.25,0.5,0.5,0.5,0.75,1\n")
    (lie, *_) = with_additions(made, Additions(windows=path), tmp_path / "new").stimuli
    assert lie.truth["critical"] == [[1.25, 0, 0, 0.25 * WIDTH, 0.5 * HEIGHT]]
    assert lie.truth["placebo"] == [[1.25, 0.5 * WIDTH, 0.5 * HEIGHT, 0.75 * WIDTH, HEIGHT]]
    assert lie.truth["placebo_is"] == "stated"


def test_failures_on_a_release_with_boxes_are_asked_again_with_every_aid(made, tmp_path):
    columns = "id,start,end,left,top,right,bottom\n"
    path = file(tmp_path, "w.csv", columns + "".join(f"magic_{k},1,2,0,0,0.25,0.5\n" for k in (1, 2)))
    new = with_additions(made, Additions(windows=path), tmp_path / "new")
    aids = ("none", "ring", "placebo", "magnified")
    settings = {"task": "explain", "stance": ("vision-only", "forensic"), "aid": aids, "failures_again": "every"}
    options = {"model_args": {"mechanism": "believer"}, "settings": settings, "repeats": 1, **QUIET}
    with marking() as server:
        judge = {"models": models_file(tmp_path / "models.toml", {"org/judge": {"base_url": server.url}}), **QUIET}
        for _ in range(2):
            run = veridical.run(new, model="veridical/simulated", out=tmp_path / "run", **options)
            run = veridical.judge(run, judge="org/judge", **judge)
    rows = run.evidence().outcomes("ring")
    asked = rows.select("stimulus", pl.col("settings").str.json_path_match("$.aid").alias("aid"))
    assert sorted(asked.iter_rows()) == sorted((f"release/magic_{k}/real", aid) for k in (1, 2) for aid in aids)


def marking():
    """A judge on this machine that marks everything low."""
    verdict = {"vtg": 1, "cpa": 1, "cfr": 1, "hard_failure_triggered": False, "failure_reason": "none"}
    return answering(lambda _: said(json.dumps({"reasoning": "No.", **verdict})))


def test_constraints_words_and_types_are_added(made, tmp_path):
    atom = {"text": "It is palmed.", "kind": "secret", "thing": "coin", "agent": "right hand", "start": 1, "end": 2}
    pcs = file(tmp_path, "pcs.json", {"clips": {"magic_1": {"atoms": [atom, "The hand is empty."], "open": []}}})
    words = file(tmp_path, "words.json", {"magic_4": {"timeline": [{"start": 0, "end": 1, "text": "Hello."}]}})
    types = file(tmp_path, "types.json", {"magic_4": "C"})
    new = with_additions(made, Additions(pcs=pcs, words=words, types=types), tmp_path / "new")
    first, last = new.stimuli[0], new.stimuli[3]
    assert [each["text"] for each in first.truth["pcs"]] == ["It is palmed.", "The hand is empty."]
    assert first.truth["pcs"][0]["kind"] == "secret"
    assert last.truth["patter"]["own"] == {"text": "Hello.", "timeline": [[0.0, 1.0, "Hello."]], "claims": []}
    assert last.factors["linguistic_type"] == "C"
    assert new.manifest["import"]["added"] == {"pcs": 1, "words": 1, "types": 1}
    assert new.manifest["license"] == made.manifest["license"]


HEAD = "id,start,end,left,top,right,bottom\n"
PLACED = "id,start,end,left,top,right,bottom,placebo_left,placebo_top,placebo_right,placebo_bottom\n"
BAD_TABLES = {
    "another clip": (HEAD + "magic_9,1,2,,,,\n", "'magic_9' is no real clip of"),
    "no id": (HEAD + ",1,2,,,,\n", "row 1: the id is empty"),
    "backwards": (HEAD + "magic_1,2,1,,,,\n", "row 1: 2 to 1 s"),
    "beyond the clip": (HEAD + "magic_1,3,5,,,,\n", "row 1: 3 to 5 s is beyond the clip of 4 s"),
    "no number": (HEAD + "magic_1,soon,5,,,,\n", "row 1: start 'soon' is no number"),
    "half a box": (HEAD + "magic_1,1,2,0,,1,1\n", "row 1: 'top' is empty"),
    "pixels": (HEAD + "magic_1,1,2,10,10,40,40\n", "row 1: box 10, 10, 40, 40: shares"),
    "two boxes at a time": (HEAD + "magic_1,1,2,0,0,1,1\nmagic_1,1.5,3,0,0,1,1\n", "row 2: it overlaps row 1"),
    "a placebo of another size": (
        PLACED + "magic_1,1,2,0,0,.2,.2,.5,.5,.9,.7\n",
        "row 1: the placebo has another size",
    ),
    "a placebo on the box": (PLACED + "magic_1,1,2,0,0,.2,.2,.1,.1,.3,.3\n", "row 1: the placebo meets the box"),
    "a placebo alone": (PLACED + "magic_1,1,2,,,,,.1,.1,.3,.3\n", "row 1: a placebo needs a box"),
    "a placebo for one box": (
        PLACED + "magic_1,1,2,0,0,.2,.2,.5,.5,.7,.7\nmagic_1,2,3,0,0,.2,.2,,,,\n",
        "row 2: it has no placebo",
    ),
    "a missing column": ("id,start\nmagic_1,2\n", "the column 'end' is missing"),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_a_table_that_cannot_be_used_is_refused_in_a_line(case, made, tmp_path):
    content, words = BAD_TABLES[case]
    with pytest.raises(InputError, match=words) as error:
        with_additions(made, Additions(windows=file(tmp_path, "w.csv", content)), tmp_path / "new")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "new").exists()


BAD_FILES = {
    "no constraint": ("pcs", {"magic_1": []}, '"magic_1": there is no constraint'),
    "a contradiction": ("pcs", {"magic_1": ["It is here.", "It is not here."]}, "1 and 2 contradict each other"),
    "a list": ("pcs", ["magic_1"], "an object with a value for the id of each clip is needed"),
    "words beyond": ("words", {"magic_1": [{"start": 5, "text": "Gone."}]}, "beyond the clip of 4 s"),
    "words that are none": ("words", {"magic_1": {"text": 3, "timeline": "x"}}, "an object is needed"),
    "a type of no kind": ("types", {"magic_1": "E"}, "A, B, C or D is needed"),
    "another clip": ("types", {"magic_9": "A"}, "'magic_9' is no real clip of"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_file_that_cannot_be_used_is_refused_in_a_line(case, made, tmp_path):
    name, content, words = BAD_FILES[case]
    with pytest.raises(InputError, match=words) as error:
        with_additions(made, Additions(**{name: file(tmp_path, "f.json", content)}), tmp_path / "new")
    assert "\n" not in str(error.value)


def test_the_command_adds_and_says_how_much(made, tmp_path, called):
    path = file(tmp_path, "w.csv", WINDOWS)
    code, out, err = called("magicbench", "add", made.folder, "--windows", path, "--out", tmp_path / "new")
    assert (code, err) == (0, "")
    assert out == f"4 clips in {tmp_path / 'new'}: windows of 2\n"
    code, _, err = called("magicbench", "add", made.folder, "--out", tmp_path / "none")
    assert (code, err.count("\n")) == (2, 1)
