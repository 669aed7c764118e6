"""Published results that are scored again give the table that is worked out by hand, over both denominators."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.magicbench.release_data import items
from veridical.errors import InputError
from veridical.suites.magicbench.releases.rescore import MARKS, mark_tables, verdict_of

CONFIG = {"model": "gpt-4o", "mode": "multimodal", "prompt": "Forensic"}
REPLY = {"effect_description": "It vanishes.", "final_principle": "It is palmed.", "confidence_score": 4}


def judged(vtg=7, cpa=6, cfr=8, veto=False, **changes):
    reason = "a magnet that is not there" if veto else "None"
    own = {"scores": {"VTG": vtg, "CPA": cpa, "CFR": cfr}, "hard_failure_triggered": veto, "failure_reason": reason}
    made = {**own, "reasoning": "Held against the constraints.", **changes}
    return {key: value for key, value in made.items() if value is not ...}


def result(name, letter, verdict, **changes):
    own = {"id": name, "linguistic_type": f"Type {letter}: whatever", "experiment_config": CONFIG}
    return {**own, "model_output": REPLY, "raw_output": json.dumps(REPLY), "judge_result": verdict, **changes}


def written(folder, rows, name="gpt-4o_multimodal_Forensic_judged.json"):
    path = folder / name
    path.write_text(json.dumps(rows))
    return path


def line(table, kind):
    (own,) = (each for each in table.lines if each.kind == kind)
    return own


def test_a_table_worked_out_by_hand(tmp_path):
    rows = [
        result("a", "A", judged(8, 6, 10)),
        result("b", "A", judged(4, 7, 2, veto=True)),
        result("c", "A", None),
        result("d", "D", judged(2, 0, 1, veto=True)),
    ]
    (table,) = mark_tables([written(tmp_path, rows)])
    assert (table.model, table.setting) == ("gpt-4o", "multimodal, Forensic")
    lie, silence, whole, mean = (line(table, kind) for kind in ("A", "D", "all items", "mean of types"))
    assert (lie.items, lie.read, lie.vetoes, lie.disagree) == (3, 2, 1, 1)
    assert lie.marks.of_read == pytest.approx({"vtg": 60, "cpa": 30, "cfr": 60})
    assert lie.marks.of_all == pytest.approx({"vtg": 40, "cpa": 20, "cfr": 40})
    assert lie.cpa_written == pytest.approx(65)
    assert silence.marks.of_read == pytest.approx({"vtg": 20, "cpa": 0, "cfr": 10})
    assert (whole.items, whole.read, whole.vetoes, whole.disagree) == (4, 3, 2, 1)
    assert whole.marks.of_read["vtg"] == pytest.approx(140 / 3)
    assert whole.marks.of_all["vtg"] == pytest.approx(35)
    assert mean.marks.of_read == pytest.approx({"vtg": 40, "cpa": 15, "cfr": 35})
    assert silence.marks.errors == dict.fromkeys(MARKS)
    assert (table.verdicts, table.replies) == ({"read": 3, "none": 1}, {"whole": 4})


TEN = st.integers(0, 10)
MADE = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.none() | st.tuples(TEN, TEN, TEN, st.booleans())), min_size=1, max_size=12
)


@settings(max_examples=60, deadline=None)
@given(MADE)
def test_both_denominators_are_numpys_and_a_veto_leaves_no_cpa(tmp_path_factory, made):
    rows = [
        result(str(k), letter, None if marks is None else judged(*marks[:3], veto=marks[3]))
        for k, (letter, marks) in enumerate(made)
    ]
    (table,) = mark_tables([written(tmp_path_factory.mktemp("made"), rows)])
    for kind in [*sorted({letter for letter, _ in made}), "all items"]:
        own = [marks for letter, marks in made if kind in (letter, "all items")]
        read = np.array([marks[:3] for marks in own if marks is not None], float).reshape(-1, 3)
        vetoed = np.array([marks[3] for marks in own if marks is not None], bool)
        disagree = int((read[vetoed, 1] > 0).sum())
        read[vetoed, 1] = 0
        found = line(table, kind)
        assert (found.items, found.read, found.vetoes, found.disagree) == (len(own), len(read), vetoed.sum(), disagree)
        if not len(read):
            assert {*found.marks.of_all.values(), *found.marks.of_read.values()} == {None}
        else:
            assert list(found.marks.of_all.values()) == pytest.approx(list(10 * read.sum(0) / len(own)))
            assert list(found.marks.of_read.values()) == pytest.approx(list(10 * read.mean(0)))


def test_errors_are_those_of_a_mean(tmp_path):
    marks = np.random.default_rng(1).integers(0, 11, 400)
    rows = [result(str(k), "A", judged(vtg=int(mark))) for k, mark in enumerate(marks)]
    (table,) = mark_tables([written(tmp_path, rows)])
    assert line(table, "A").marks.errors["vtg"] == pytest.approx(10 * marks.std(ddof=1) / 20, rel=0.1)
    assert line(table, "A").marks.errors["cpa"] == pytest.approx(0, abs=1e-9)


UNREADABLE = {
    "eleven": (judged(vtg=11), "vtg: "),
    "below zero": (judged(cfr=-1), "cfr: "),
    "out of ten in words": (judged(cpa="7/10"), "cpa: "),
    "a number in quotes": (judged(cpa="7"), "cpa: "),
    "a truth value": (judged(cpa=True), "cpa: "),
    "a half": (judged(cpa=6.5), "cpa: "),
    "a missing mark": (judged(scores={"VTG": 1, "CPA": 2}), "cfr: Field required"),
    "no marks": (judged(scores=...), "vtg: Field required"),
    "no veto": (judged(hard_failure_triggered=...), "hard_failure_triggered: Field required"),
    "a veto in words": (judged(hard_failure_triggered="yes"), "hard_failure_triggered: "),
    "no reasoning": (judged(reasoning=...), "reasoning: Field required"),
    "prose": ("I would give it a seven.", "prose"),
    "a list": ([7, 7, 7], "a verdict is an object"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_verdict_that_cannot_be_read_has_a_status_and_a_reason_and_no_marks(case, tmp_path):
    verdict, reason = UNREADABLE[case]
    (table,) = mark_tables([written(tmp_path, [result("a", "A", verdict), result("b", "A", judged(5, 5, 5))])])
    assert table.verdicts == {"unreadable": 1, "read": 1}
    ((text, count),) = table.reasons.items()
    assert (text.startswith(reason), count) == (True, 1)
    assert line(table, "A").marks.of_read["vtg"] == 50


@pytest.mark.parametrize("value", [None, "", {}, []])
def test_no_verdict_is_none_and_no_reason(value):
    assert verdict_of(value) == (None, None)


def test_a_verdict_in_text_counts_as_its_object():
    made, _ = verdict_of("```json\n" + json.dumps(judged(9, 9, 9)) + "\n```")
    assert made["vtg"] == 9


def test_what_became_of_replies_is_counted(tmp_path):
    cut = {"model_output": {"effect_description": "It van"}, "raw_output": '{"effect_description": "It van'}
    prose = {"model_output": {"raw_output": "I see.", "error": "JSON_PARSE_FAIL"}, "raw_output": "I see."}
    rows = [
        result("a", "A", judged()),
        result("b", "A", judged(), **cut),
        result("c", "A", judged(), **prose),
        result("d", "A", None, model_output=None, raw_output=""),
    ]
    (table,) = mark_tables([written(tmp_path, rows)])
    assert table.replies == {"whole": 1, "repaired": 1, "unreadable": 1, "empty": 1}


def test_items_without_a_result_count_and_the_types_are_those_of_the_items(tmp_path):
    path = tmp_path / "items.json"
    path.write_text(json.dumps(items()))
    rows = [result("magic_1", "C", judged(10, 10, 10)), result("magic_4", "C", judged(4, 4, 4))]
    (table,) = mark_tables([written(tmp_path, rows)], path)
    assert [(each.kind, each.items, each.read) for each in table.lines] == [
        ("A", 1, 1),
        ("B", 1, 0),
        ("C", 1, 0),
        ("D", 1, 1),
        ("all items", 4, 2),
        ("mean of types", 4, 2),
    ]
    assert line(table, "all items").marks.of_all["vtg"] == pytest.approx(35)
    assert line(table, "all items").marks.of_read["vtg"] == pytest.approx(70)
    assert line(table, "mean of types").marks.of_read["vtg"] is None
    assert table.verdicts == {"read": 2, "no result": 2}


def test_files_of_several_models_give_a_table_each(tmp_path):
    other = {"experiment_config": None, "meta": {"model": "other"}, "experiment_id": "Vision"}
    first = written(tmp_path, [result("a", "A", judged())], "first.json")
    second = written(tmp_path, [result("a", "A", judged(), **other)], "second.json")
    bare = written(tmp_path, [{"id": "a", "judge_result": judged()}], "bare.json")
    tables = mark_tables([first, second, bare])
    names = [("gpt-4o", "multimodal, Forensic"), ("other", "Vision"), ("bare", "bare")]
    assert [(table.model, table.setting) for table in tables] == names
    assert [each.kind for each in tables[2].lines] == ["no type", "all items"]


BAD = {
    "no results": ([{"id": "a"}], "holds no results"),
    "a summary": ({"Total": {"count": 402, "VTG": 50}}, "holds no results"),
    "a row that is none": ([result("a", "A", judged()), 3], "item 2: an object is needed"),
    "no id": ([result("", "A", judged())], "item 1: the key 'id' is missing"),
    "an item twice": ([result("a", "A", judged())] * 2, "item 2: there is a result of 'a' in this setting already"),
    "an unknown type": ([result("a", "E", judged())], "A, B, C or D is needed"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_cannot_be_scored_is_refused_in_a_line(case, tmp_path):
    rows, words = BAD[case]
    with pytest.raises(InputError, match=words) as error:
        mark_tables([written(tmp_path, rows)])
    assert "\n" not in str(error.value)


def test_a_result_of_another_item_is_refused(tmp_path):
    path = tmp_path / "items.json"
    path.write_text(json.dumps(items()))
    with pytest.raises(InputError, match="'magic_9' is no item of"):
        mark_tables([written(tmp_path, [result("magic_9", "A", judged())])], path)


def test_the_command_prints_both_denominators_and_json(tmp_path, called):
    rows = [
        result("a", "A", judged(8, 6, 10)),
        result("b\x1b", "A", judged(4, 7, 2, veto=True)),
        result("c", "A", None),
    ]
    path = written(tmp_path, rows)
    code, out, _ = called("magicbench", "rescore", path)
    assert code == 0
    assert "\x1b" not in out
    assert "vetoes: 1, of which 1 with a CPA above 0, which is 0 here" in out
    assert "replies: whole 3; verdicts: read 2, none 1" in out
    (row,) = (each.split() for each in out.splitlines() if each.startswith("A "))
    assert (row[1], row[2], row[3], row[-3:]) == ("3", "2", "60.0", ["40.0", "20.0", "40.0"])
    code, out, _ = called("magicbench", "rescore", path, "--json")
    assert json.loads(out)[0]["lines"][0]["marks"]["of_read"]["cpa"] == pytest.approx(30)
    code, _, err = called("magicbench", "rescore", tmp_path / "none.json")
    assert (code, err.count("\n")) == (2, 1)
