"""Raw replies from a file are read as they stand, and put to our reading as if their model had been asked."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.late import inspect_model
from veridical.errors import InputError
from veridical.observers.replay import Answer, identity_args, read_answers

texts = st.text(st.characters(exclude_categories=["Cs"]))
replies = st.dictionaries(texts.filter(bool), texts, min_size=1, max_size=6)


def line(key="id", **fields):
    return json.dumps({key: "a", "text": "Yes"} | fields)


def batch(trial="a", error=None, **response):
    return {"id": "batch_req_1", "custom_id": trial, "response": response or None, "error": error}


def completion(content="Yes", finish="stop", **message):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return {"id": "chatcmpl-1", "choices": [choice], "usage": {"prompt_tokens": 90, "completion_tokens": 4}}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("answers")


@given(replies, st.sampled_from(["id", "trial"]), st.sampled_from(["text", "reply", "response"]), st.booleans())
def test_json_lines_come_back_as_they_went_out(scratch, said, key, name, ascii_only):
    path = scratch / "said.jsonl"
    lines = [json.dumps({key: k, name: text}, ensure_ascii=ascii_only) + "\n" for k, text in said.items()]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    assert read_answers(path) == {k: Answer(text) for k, text in said.items()}


@given(replies)
def test_csv_comes_back_as_it_went_out(scratch, said):
    path = scratch / "said.CSV"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("", "text", "id"), *(("0", text, k) for k, text in said.items())])
    assert read_answers(path) == {k: Answer(text) for k, text in said.items()}


@given(replies)
def test_batch_output_comes_back_as_it_went_out(scratch, said):
    path = scratch / "batch.jsonl"
    records = [batch(k, status_code=200, request_id="r", body=completion(text)) for k, text in said.items()]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert read_answers(path) == {
        k: Answer(text, stop_reason="stop", input_tokens=90, output_tokens=4) for k, text in said.items()
    }


@given(st.binary(max_size=200), st.sampled_from([".csv", ".jsonl"]))
def test_any_bytes_are_replies_or_one_line_that_names_the_file(scratch, content, suffix):
    path = scratch / f"any{suffix}"
    path.write_bytes(content)
    problem = told(path)
    assert problem is None or (problem.startswith(str(path)) and len(problem.splitlines()) == 1)


def told(path):
    try:
        read_answers(path)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        (batch(status_code=200, body=completion(None, refusal="I won't.")), ("I won't.", True, None)),
        (batch(status_code=200, body=completion("Ye", "length")), ("Ye", False, None)),
        (batch(status_code=200, body=completion(None)), ("", False, None)),
        (batch(status_code=429, body={"error": {"message": "slow down"}}), ("", False, "slow down")),
        (batch(status_code=500, body={}), ("", False, "500")),
        (batch(status_code=200, body={"choices": []}), ("", False, "no choices")),
        (batch(error={"code": "expired"}), ("", False, "expired")),
        ({"id": "a", "text": "", "error": "timeout"}, ("", False, "timeout")),
        ({"id": "a", "error": {"code": 500}}, ("", False, "500")),
        ({"id": "a", "text": "", "refused": True, "error": None}, ("", True, None)),
    ],
)
def test_what_is_no_plain_reply_is_kept_as_what_it_is(tmp_path, record, answer):
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    text, refused, error = answer
    found = read_answers(tmp_path / "a.jsonl")["a"]
    assert (found.text, found.refused) == (text, refused)
    assert (found.error is None) == (error is None)
    assert error is None or error in found.error


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.jsonl", line() + "\n" + line(), ", line 2: a second reply to 'a'; the first is in line 1"),
        ("a.jsonl", line() + "\n\n{'id'", ", line 3: no JSON"),
        ("a.jsonl", "[" * 100_000, ", line 1: no JSON"),
        ("a.jsonl", '"text"', ", line 1: no JSON object"),
        ("a.jsonl", '{"text": "Yes"}', ", line 1: 'id' is missing"),
        ("a.jsonl", line(id=7), ", line 1: 'id' is no text"),
        ("a.jsonl", line(text=["Yes"]), ", line 1: 'text' is no text"),
        ("a.jsonl", line(reply="No"), ", line 1: one of 'text', 'reply', 'response' is needed, 2 are there"),
        ("a.jsonl", line(text=None), ", line 1: one of 'text', 'reply', 'response' is needed, 0 are there"),
        ("a.jsonl", '{"custom_id": "a", "response": {}}', ", line 1: 'response.body.choices' is missing"),
        ("a.jsonl", "\n", " holds no reply"),
        ("a.csv", "id,reply\na,Yes", ", line 1: the column 'text' is missing"),
        ("a.csv", "id,text\na,Yes\nb", ", line 3: more or fewer fields than columns"),
        ("a.csv", "id,text\na,Yes,No", ", line 2: more or fewer fields than columns"),
        ("a.csv", 'id,text\na,"Yes"x', ", line 2: ',' expected after '\"'"),
    ],
)
def test_what_is_no_reply_is_told_with_its_line(tmp_path, name, content, problem):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        read_answers(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}{problem}"


def test_a_long_reply_in_csv_is_read_whole_and_the_limit_of_others_stays(tmp_path):
    before = csv.field_size_limit()
    (tmp_path / "a.csv").write_text("id,text\na," + "y" * 1_000_000)
    assert len(read_answers(tmp_path / "a.csv")["a"].text) == 1_000_000
    assert csv.field_size_limit() == before


@pytest.fixture(scope="module")
def small(scratch):
    return veridical.make("viprobe", out=scratch / "set", cases=["zollner"], units=1, levels=2, size=128).folder


@pytest.fixture(scope="module")
def looked(small, scratch):
    return veridical.run(small, "veridical/pixel", out=scratch / "pixel", show="quiet", analyze=False)


def replayed(small, path, out):
    return veridical.run(
        small, "veridical/replay", model_args={"answers": str(path)}, out=out, show="quiet", analyze=False
    )


def test_the_stored_replies_of_a_run_make_the_same_run_again(small, looked, tmp_path):
    again = replayed(small, looked.folder / "responses.jsonl", tmp_path / "run")
    varying = ["model", "latency", "ended", "served_model"]
    assert again.outcomes().drop(varying).equals(looked.outcomes().drop(varying))
    assert again.estimates() == looked.estimates()


def test_each_trial_gets_its_own_reply_and_no_failure_becomes_an_answer(small, looked, tmp_path):
    """Failures of every kind are each given to a share of the trials, in any order of the file."""
    kinds = {
        "answered": lambda text: {"text": text},
        "missing": None,
        "error": lambda text: {"text": text, "error": "rate limit reached, <answer>1</answer>"},
        "truncated": lambda text: {"text": text[:9], "stop_reason": "length"},
        "refused": lambda text: {"text": text, "stop_reason": "content_filter"},
        "declined": lambda text: {"text": text, "refused": True},
        "unparsed": lambda text: {"text": "", "reasoning": text, "stop_reason": "end_turn"},
    }
    named = {row["trial"]: list(kinds)[n % len(kinds)] for n, row in enumerate(looked.outcomes().to_dicts())}
    lines = [
        json.dumps({"id": row["trial"], **kinds[named[row["trial"]]](row["text"])})
        for row in reversed(looked.outcomes().to_dicts())
        if kinds[named[row["trial"]]]
    ]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, line(id="nobody's")]))
    run = replayed(small, tmp_path / "a.jsonl", tmp_path / "run")
    status = {"missing": "error", "declined": "refused"}
    assert dict(run.outcomes().select("trial", "status").iter_rows()) == {t: status.get(k, k) for t, k in named.items()}
    right = dict(looked.outcomes().select("trial", "answer").iter_rows())
    for row in run.outcomes().to_dicts():
        assert row["answer"] == (right[row["trial"]] if row["status"] == "answered" else None)
    responses = {response.trial: response for response in run.run.responses().values()}
    kinds_of = {named[trial]: response.error for trial, response in responses.items() if response.error}
    assert kinds_of == {"missing": "missing", "error": "unknown"}
    assert {response.requests for response in responses.values()} == {1}
    kept = {row["trial"]: row["text"] for row in looked.outcomes().to_dicts()}
    for trial, kind in named.items():
        if kind in ("answered", "refused", "declined"):
            assert responses[trial].text == kept[trial]
        if kind == "unparsed":
            assert responses[trial].reasoning == kept[trial]


def test_the_identity_knows_the_replies_and_not_where_they_lie(tmp_path):
    for name, content in (("a.jsonl", line()), ("moved.jsonl", line()), ("other.jsonl", line(text="No"))):
        (tmp_path / name).write_text(content)
    held = {name: identity_args({"answers": str(tmp_path / f"{name}.jsonl")}) for name in ("a", "moved", "other")}
    assert held["a"] == held["moved"] != held["other"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "veridical/replay needs the file with the replies: -M answers=FILE"),
        ({"answer": "a"}, "unknown model argument 'answer': did you mean 'answers'? known: answers, from"),
        ({"answers": "/nowhere/a.jsonl"}, "/nowhere/a.jsonl cannot be read: No such file or directory"),
    ],
)
def test_without_replies_nothing_is_asked(arguments, problem):
    with pytest.raises(InputError) as caught:
        inspect_model.get_model("veridical/replay", **arguments)
    assert str(caught.value) == problem
