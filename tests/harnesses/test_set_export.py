"""What a set becomes for another harness: the planned questions, media and all, under names that tell nothing."""

import ast
import base64
import csv
import io
import json
import re

import polars as pl
import pytest

import veridical
from tests.harnesses.conftest import DRAWN, SETTINGS, stage_of
from tests.harnesses.mirror import as_parts, picture_in
from tests.probe.test_opaque_names import strings, telling
from veridical.errors import InputError
from veridical.observers.harness_answers import item_number
from veridical.records import Text
from veridical.verbs.harnesses import lmms_functions
from veridical.verbs.harnesses.set_export import FORMS


@pytest.fixture(scope="module")
def exported(made, tmp_path_factory):
    """The folder with a suite's set for a harness, and what was said of it, written once."""
    folder, done = tmp_path_factory.mktemp("exported"), {}

    def export(suite, harness):
        key = f"{suite}-{harness}"
        if key not in done:
            done[key] = veridical.export_set(made(suite), folder / key, harness=harness, settings=SETTINGS.get(suite))
        return folder / key, done[key]

    return export


def planned(whole):
    """For each trial by its opaque id: its turns, each a role with texts and bytes of media in order; and its gold."""
    setup = stage_of(whole)
    return {
        whole.opaque(trial.id): (
            [
                (message.role, [p.text if isinstance(p, Text) else setup.read(p.file) for p in message.parts])
                for message in trial.messages
            ],
            trial.gold or "",
        )
        for trial in setup.trials
    }


def of_lines(folder, answer):
    lines = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return {line["id"]: (line["input"], line[answer]) for line in lines}


def in_order(turns, read):
    """Turns of a harness as those of `planned`; `read` gives the bytes of a part that is no text."""
    return [
        (turn["role"], [part["text"] if part["type"] == "text" else read(part) for part in as_parts(turn["content"])])
        for turn in turns
    ]


@pytest.mark.parametrize("suite", DRAWN)
def test_each_question_is_in_its_turns_what_a_run_would_send(made, exported, suite):
    wanted = planned(made(suite))
    folder, written = exported(suite, "openai-evals")
    found = {
        name: (in_order(turns, lambda part: picture_in(part["image_url"]["url"])), ideal)
        for name, (turns, ideal) in of_lines(folder, "ideal").items()
    }
    assert found == wanted
    assert written.lines == len(wanted)
    folder, _ = exported(suite, "inspect")
    inspected = of_lines(folder, "target")
    found = {
        name: (in_order(turns, lambda part: (folder / part[part["type"]]).read_bytes()), target)
        for name, (turns, target) in inspected.items()
    }
    assert found == wanted
    folder, _ = exported(suite, "lmms-eval")
    found = {
        row["id"]: (
            in_order(json.loads(row["messages"]), lambda part: (folder / part["url"]).read_bytes()),
            row["answer"],
        )
        for row in pl.read_parquet(folder / "questions.parquet").iter_rows(named=True)
    }
    assert found == wanted


def table_of(folder):
    """The rows of a table of VLMEvalKit, with its pictures as bytes: a short one is the index of another row."""
    (path,) = folder.glob("*.tsv")
    csv.field_size_limit(2**30)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline=""), delimiter="\t"))
    images = {row["index"]: row["image"] for row in rows}
    for row in rows:
        image = images[row["image"]] if row["image"] in images else row["image"]
        listed = ast.literal_eval(image) if image.startswith("[") else [image] * bool(image)
        row["image"] = [base64.b64decode(each, validate=True) for each in listed]
    return rows


@pytest.mark.parametrize("suite", DRAWN)
def test_a_row_of_vlmevalkit_has_all_texts_and_pictures(made, exported, suite):
    rows = {row["index"]: row for row in table_of(exported(suite, "vlmevalkit")[0])}
    wanted = planned(made(suite))
    assert rows.keys() == {str(item_number(name)) for name in wanted}
    for name, (turns, gold) in wanted.items():
        row, parts = rows[str(item_number(name))], [part for _, parts in turns for part in parts]
        assert row["image"] == [part for part in parts if isinstance(part, bytes)]
        texts = [part for part in parts if isinstance(part, str)]
        assert re.sub(r"\s+", "", row["question"]) == re.sub(r"\s+", "", "".join(texts))
        assert (row["answer"], row["category"]) == (gold, suite)
        assert len(ast.literal_eval(row["image_path"])) == len(row["image"]) if len(row["image"]) > 1 else True
        assert not {"A", "B"} & row.keys()


def test_pandas_reads_the_table_as_vlmevalkit_does(made, exported):
    pandas = pytest.importorskip("pandas")
    (path,) = exported("viprobe", "vlmevalkit")[0].glob("*_openended.tsv")
    table = pandas.read_csv(path, sep="\t")
    assert len(table) == len(planned(made("viprobe")))
    assert table["index"].dtype == "int64"
    assert table["index"].is_unique


@pytest.mark.parametrize("harness", FORMS)
@pytest.mark.parametrize("suite", DRAWN)
def test_no_name_id_or_key_tells_what_is_shown(made, exported, suite, harness):
    folder, _ = exported(suite, harness)
    words = telling(made(suite), stage_of(made(suite)).trials)
    words = {word for word in words if not word.isdigit()} - {suite}
    found = {place.relative_to(folder).as_posix() for place in folder.rglob("*")}
    facts = json.loads((folder / "export.json").read_text())
    assert "digest" not in json.dumps(facts)
    assert made(suite).digest[:8] not in json.dumps(facts)
    if harness == "vlmevalkit":
        found |= {
            cell for row in table_of(folder) for name in ("index", "category", "image_path") for cell in [row[name]]
        }
    elif harness == "lmms-eval":
        table = pl.read_parquet(folder / "questions.parquet")
        found |= {
            text for row in table.iter_rows(named=True) for text in [row["id"], *strings(json.loads(row["messages"]))]
        }
    else:
        lines = of_lines(folder, "target" if harness == "inspect" else "ideal")
        found |= {text for name, (turns, _) in lines.items() for text in [name, *strings(turns)]}
    assert not {(word, text) for text in found for word in words if re.search(rf"\b{re.escape(word)}\b", text)}


def test_the_order_of_the_rows_tells_no_variant(made, exported):
    trials = {made("viprobe").opaque(trial.id): trial for trial in stage_of(made("viprobe")).trials}
    rows = [trials[name] for name in of_lines(exported("viprobe", "inspect")[0], "target")]
    assert [row.id for row in rows] != [trial.id for trial in trials.values()]
    assert [made("viprobe").opaque(row.id) for row in rows] == sorted(map(made("viprobe").opaque, (r.id for r in rows)))


def test_the_functions_of_the_task_open_what_the_table_names(made, exported, monkeypatch):
    folder, _ = exported("magicbench", "lmms-eval")
    monkeypatch.setattr(lmms_functions, "__file__", str(folder / "veridical_functions.py"))
    wanted = planned(made("magicbench"))
    for row in pl.read_parquet(folder / "questions.parquet").head(5).iter_rows(named=True):
        turns = lmms_functions.doc_to_messages(row)
        assert [turn["role"] for turn in turns] == [role for role, _ in wanted[row["id"]][0]]
        pictures = [part["url"] for turn in turns for part in turn["content"] if part["type"] == "image"]
        assert [each.tobytes() for each in lmms_functions.doc_to_visual(row)] == [each.tobytes() for each in pictures]
        assert lmms_functions.process_results(row, ["x"]) == {"item": row["id"]}
        assert lmms_functions.doc_to_target(row) == wanted[row["id"]][1]


def test_clips_are_said_to_stand_as_frames_and_a_whole_clip_goes_where_it_can(made, exported, tmp_path):
    assert any("pictures of their frames" in note for note in exported("hocabench", "vlmevalkit")[1].notes)
    options = {"settings": {"video": "native"}}
    for harness in ("vlmevalkit", "openai-evals"):
        with pytest.raises(InputError, match=r"shows the clip media/\S+: .* takes pictures alone"):
            veridical.export_set(made("hocabench"), tmp_path / harness, harness=harness, **options)
    for harness in ("lmms-eval", "inspect"):
        veridical.export_set(made("hocabench"), tmp_path / harness, harness=harness, **options)
        clips = {path.read_bytes() for path in tmp_path.joinpath(harness, "questions-media").iterdir()}
        assert clips == {made("hocabench").read(m.file) for s in made("hocabench").stimuli for m in s.media}


def test_bad_input_is_one_line_and_writes_nothing(made, tmp_path, cli):
    place = made("viprobe").folder
    code, _, err = cli("export", "set", place, "--for", "vlmeval", "--out", tmp_path / "a")
    assert (code, err.count("\n")) == (2, 1)
    assert "did you mean 'vlmevalkit'" in err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("kept")
    code, _, err = cli("export", "set", place, "--for", "inspect", "--out", tmp_path / "full")
    assert (code, err.count("\n")) == (2, 1)
    assert "a new or empty folder is needed" in err
    code, _, err = cli("export", "set", place, "--for", "inspect", "--out", tmp_path / "a", "-S", "polarity=sideways")
    assert (code, err.count("\n")) == (2, 1)
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]


def test_the_command_that_reads_the_replies_is_said_with_its_settings(made, tmp_path, cli):
    words = ("--for", "vlmevalkit", "--out", tmp_path / "a", "-S", "polarity=forward", "--limit", "1")
    code, out, _ = cli("export", "set", made("viprobe").folder, *words)
    assert code == 0
    assert f"veridical run viprobe --set {made('viprobe').folder} -S polarity=forward --limit 1 -M answers=FILE" in out
