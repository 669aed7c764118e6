"""What is exported for TRL is read by the loader of `datasets`, and TRL's own functions take its rows."""

import pytest

from tests.rewards.exports import exported
from veridical import rewards

datasets = pytest.importorskip("datasets")
data_utils = pytest.importorskip("trl.data_utils")


def loaded(folder, cache):
    return datasets.load_dataset(str(folder), cache_dir=str(cache))["train"]


def test_prompts_are_conversations_whose_pictures_take_their_places_and_rewards_read_the_solutions(tmp_path):
    exported(tmp_path / "train", recipe="controls")
    rows = loaded(tmp_path / "train", tmp_path / "cache")
    assert len(rows) == 30
    for row in rows:
        assert data_utils.is_conversational(row)
        [message] = data_utils.prepare_multimodal_messages(row["prompt"], row["images"])
        pictures = [part["image"] for part in message["content"] if part["type"] == "image"]
        assert [picture.size for picture in pictures] == [picture.size for picture in row["images"]]
    batch = rows[:4]
    replies = [
        [{"role": "assistant", "content": text}] for text in ("<answer1>1</answer1><answer2>0</answer2>", "") * 2
    ]
    columns = {name: batch[name] for name in rows.column_names if name != "prompt"}
    earned = rewards.accuracy_reward(prompts=batch["prompt"], completions=replies, completion_ids=[[1]] * 4, **columns)
    assert earned[1] == earned[3] == 0.0
    assert set(earned) <= {0.0, 1.0}
    assert rewards.form_reward(completions=replies, **columns) == earned


@pytest.mark.parametrize(
    ("objective", "replies"), [("replies", ["completion"]), ("preferences", ["chosen", "rejected"])]
)
def test_replies_are_turns_of_the_assistant_and_the_good_ones_are_right(tmp_path, objective, replies):
    others = {"hold_out": ["viprobe/muller_lyer"], "examples": 20}
    exported(tmp_path / "rewards", **others)
    exported(tmp_path / objective, objective=objective, **others)
    rows = loaded(tmp_path / objective, tmp_path / "cache")
    solutions = {row["id"]: row["solution"] for row in loaded(tmp_path / "rewards", tmp_path / "cache2")}
    known = [row for row in rows if row["id"] in solutions]
    assert known
    for row in known:
        assert data_utils.is_conversational(row)
        data_utils.prepare_multimodal_messages(row["prompt"] + row[replies[0]], row["images"])
        earned = [rewards.accuracy_reward(completions=[row[name]], solution=[solutions[row["id"]]]) for name in replies]
        assert earned == [[1.0], [0.0]][: len(replies)]
