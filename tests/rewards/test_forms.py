"""The files of other trainers hold what their documentation asks for: schemas written from it, not their loaders."""

import ast
import json

import polars as pl
import pytest

from tests.rewards.exports import exported
from veridical import rewards
from veridical.errors import InputError
from veridical.rewards.forms import FORMS, OBJECTIVES

FORMED = [(trainer, objective) for trainer, form in FORMS.items() for objective in form.rows]
IMAGE = "<image>"
ONE, OTHER = (f"<answer1>{one}</answer1><answer2>{1 - one}</answer2>" for one in (1, 0))


def lines(folder):
    return [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]


def places(messages):
    return sum(message["content"].count(IMAGE) for message in messages)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folders = {}
    for trainer, objective in FORMED:
        folders[trainer, objective] = folder = tmp_path_factory.mktemp("forms") / "train"
        exported(folder, trainer=trainer, objective=objective, recipe="controls", examples=9)
    return folders


@pytest.mark.parametrize(("trainer", "objective"), FORMED)
def test_there_are_as_many_rows_as_asked_for_and_each_picture_lies_where_the_row_says(made, trainer, objective):
    folder = made[trainer, objective]
    if FORMS[trainer].parquet:
        [table] = [pl.read_parquet(path) for path in (folder / "data").iterdir()]
        images = table["images"].to_list()
        assert all(each["bytes"].startswith(b"\x89PNG") for row in images for each in row)
    else:
        images = [row["images"] for row in lines(folder)]
        used = {path for row in images for path in row}
        assert {path.relative_to(folder).as_posix() for path in (folder / "images").iterdir()} == used
    assert [len(row) for row in images] == [2] * 9


def test_verl_has_a_placeholder_for_each_picture_and_a_ground_truth_that_its_function_reads(made):
    [path] = (made["verl", "rewards"] / "data").iterdir()
    for row in pl.read_parquet(path).iter_rows(named=True):
        assert places(row["prompt"]) == len(row["images"])
        assert row["reward_model"]["style"] == "rule"
        truth = row["reward_model"]["ground_truth"]
        beside = {"reward_router_address": "127.0.0.1:1", "reward_model_tokenizer": None}
        earned = [
            rewards.compute_score(row["data_source"], pair, truth, row["extra_info"], **beside) for pair in (ONE, OTHER)
        ]
        assert sorted(earned) == [0.0, 1.0]


def test_swift_has_messages_with_placeholders_a_solution_and_a_plugin_that_is_python(made):
    for objective in OBJECTIVES:
        for row in lines(made["swift", objective]):
            assert places(row["messages"]) == len(row["images"])
            assert (row["messages"][-1]["role"] == "assistant") is (objective != "rewards")
            assert ("solution" in row) is (objective == "rewards")
            assert isinstance(row.get("rejected_response", ""), str)
    assert ast.parse((made["swift", "rewards"] / "plugin.py").read_text())


def test_llama_factory_lists_its_data_set_whose_columns_the_rows_have(made):
    for objective in ("replies", "preferences"):
        folder = made["llama-factory", objective]
        [listed] = json.loads((folder / "dataset_info.json").read_text()).values()
        assert listed["formatting"] == "sharegpt"
        assert listed.get("ranking", False) is (objective == "preferences")
        for row in lines(folder):
            assert set(listed["columns"].values()) == set(row)
            assert places(row["messages"]) == len(row["images"])


def test_openrlhf_has_prompts_in_blocks_and_labels_that_its_function_reads(made):
    torch = pytest.importorskip("torch")
    rows = lines(made["openrlhf", "rewards"])
    for row in rows:
        blocks = [block for message in row["prompt"] for block in message["content"]]
        assert sum(block == {"type": "image"} for block in blocks) == len(row["images"])
        assert all(block["text"] for block in blocks if block["type"] == "text")
    labels = [row["label"] for row in rows]
    earned = [
        rewards.reward_func([f"P{pair}"] * len(rows), ["P"] * len(rows), labels)["rewards"] for pair in (ONE, OTHER)
    ]
    assert torch.equal(earned[0] + earned[1], torch.ones(len(rows)))


def test_a_prompt_is_never_read_as_a_reply_whatever_the_trainer_did_to_it(made):
    pytest.importorskip("torch")
    row = lines(made["openrlhf", "rewards"])[0]
    words = "".join(block.get("text", "<image>") for block in row["prompt"][0]["content"])
    prompt = f"<user>{words}{ONE}<assistant>\n"  # a prompt that shows how to answer
    expanded, cut = prompt.replace("<image>", "<image>" * 7), prompt[len(prompt) // 2 :]
    for query in (prompt, expanded, cut):
        earned = [
            rewards.reward_func([query + reply], [prompt], [row["label"]])["rewards"].item()
            for reply in (ONE, OTHER, "", f"{ONE} {OTHER}")
        ]
        assert sorted(earned[:2]) == [0.0, 1.0]
        assert earned[2:] == [0.0, 0.0]
    with pytest.raises(ValueError, match="does not have the end of its prompt"):
        rewards.reward_func([ONE], [prompt], [row["label"]])


@pytest.mark.parametrize(("trainer", "objective"), [("verl", "replies"), ("llama-factory", "rewards")])
def test_what_a_trainer_has_no_form_for_is_refused(tmp_path, trainer, objective):
    with pytest.raises(InputError, match=f"--for {trainer} has no {objective}"):
        exported(tmp_path / "train", trainer=trainer, objective=objective)
