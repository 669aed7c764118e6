"""The smallest form of the example of training: TRL's trainers on exports, and the model that they made, asked."""

import json
import re

import numpy as np
import pytest

import veridical
from examples.training.model import SIDE
from veridical import rewards

pytestmark = pytest.mark.local_models

pytest.importorskip("trl")
example = pytest.importorskip("examples.training.__main__")
trainers = pytest.importorskip("examples.training.trainers")

WELL_FORMED = re.compile(r"<reasons>[^<>]*</reasons>\s*<answer>([01])</answer>")


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    return example.export(example.QUICK, tmp_path_factory.mktemp("exports"))


@pytest.fixture(scope="module")
def trained(exports, tmp_path_factory):
    """The folders and logs of a training, and what each reply to the second trainer earned."""
    earned = []

    def accuracy_reward(completions, solution, **columns):
        marks = rewards.accuracy_reward(completions, solution, **columns)
        earned.append([(reply[-1]["content"], each) for reply, each in zip(completions, solution, strict=True)])
        return marks

    folders, logs = example.train(example.QUICK, exports, tmp_path_factory.mktemp("trained"), 0, accuracy_reward)
    return folders, logs, earned


def test_the_loss_falls_and_the_reward_rises(trained):
    _, logs, _ = trained
    losses = [value for _, value in trainers.curve(logs["sft"], "loss")]
    assert losses[-1] < losses[0] / 4
    marks = [value for _, value in trainers.curve(logs["grpo"], "reward")]
    third = len(marks) // 3
    assert np.mean(marks[-third:]) > np.mean(marks[:third]) + 0.05


def test_what_a_trainer_logs_is_what_its_replies_say(trained):
    _, logs, earned = trained
    read = set()
    for (_, logged), step in zip(trainers.curve(logs["grpo"], "reward"), earned, strict=True):
        marks = []
        for text, solution in step:
            (question,) = json.loads(solution)["questions"]
            found = WELL_FORMED.fullmatch(text)
            mark = rewards.accuracy(text, solution)
            assert found is None or mark == float(found[1] == question["gold"])
            marks.append(mark)
            read |= {mark} if found else set()
        assert logged == pytest.approx(np.mean(marks), abs=1e-6)
    assert read == {0.0, 1.0}


@pytest.mark.usefixtures("no_figures", "one_process")
def test_a_run_marks_the_trained_model_as_the_reward_does(trained, tmp_path):
    folders, _, _ = trained
    drawn = {"units": 1, "alphas": example.STRENGTHS, "variants": example.TYPES}
    cases = [*example.QUICK.trained, *example.QUICK.near]
    stimuli = veridical.make("viprobe", out=tmp_path / "set", cases=cases, **drawn)
    rates = example.asked(example.QUICK, stimuli, folders["grpo"], tmp_path / "run")
    assert {name: rate["units"] for name, rate in rates.items()} == {"new units": 1, "held-out near": 1}
    assert all(rate["read"] > rate["questions"] / 2 for rate in rates.values())
    outcomes = veridical.open_run(tmp_path / "run").outcomes()
    for row in outcomes.iter_rows(named=True):
        question = {"reader": "yes-no", "gold": row["gold"], "expects": {}}
        solution = json.dumps({"suite": "viprobe", "questions": [question]})
        assert rewards.accuracy(row["text"], solution) == float(row["correct"] is True)


def test_no_picture_of_a_held_out_case_is_in_an_export(exports):
    for folder in exports:
        rows = trainers.loaded(folder, SIDE)
        assert set(rows["family"]) == set(example.QUICK.trained)
        assert {picture.size for pictures in rows["images"] for picture in pictures} == {(SIDE, SIDE)}
