"""People are asked the question and its options, beside all pictures of an item, and read by the same reader."""

import csv

import pytest

import veridical
from veridical.verbs.runs.preparation import prepare


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    return veridical.make("viabench", out=folder / "set", puzzles=["feet", "poles"], units=3, size=256)


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_people_see_the_options_and_both_pictures_and_no_words_for_models(few, cli, tmp_path):
    code, _, err = cli(
        "people", "sample", few.folder, "--out", tmp_path / "sheet.csv", "--per-person", 21, "--people", 1
    )
    assert (code, err) == (0, "")
    items = {few.opaque(trial.id): trial.stimulus for trial in prepare(few, "people/x").trials}
    stimuli = {stimulus.id: stimulus for stimulus in few.stimuli}
    shown = rows(tmp_path / "sheet.csv")
    assert len(shown) == len(items)
    for row in shown:
        stimulus = stimuli[items[row["trial"]]]
        question, _, options = row["question"].partition("\n\n")
        assert question == stimulus.question
        assert [line.partition(". ")[2] for line in options.splitlines()] == stimulus.truth["options"]
        copies = [(tmp_path / place).read_bytes() for place in row["picture"].split(" ")]
        assert copies == [few.read(medium.file) for medium in stimulus.media]


@pytest.mark.parametrize("by_letter", [True, False])
def test_people_who_are_right_are_right_by_letter_and_in_words(few, cli, tmp_path, by_letter):
    stimuli = {stimulus.id: stimulus for stimulus in few.stimuli}
    labels = {few.opaque(trial.id): stimuli[trial.stimulus] for trial in prepare(few, "people/x").trials}
    cli("people", "sample", few.folder, "--out", tmp_path / "sheet.csv", "--per-person", 21, "--people", 1)
    answered = rows(tmp_path / "sheet.csv")
    for row in answered:
        stimulus = labels[row["trial"]]
        place = stimulus.truth["options"].index(stimulus.label)
        row["answer"] = "ABCDEF"[place] if by_letter else stimulus.label
    with (tmp_path / "answers.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, answered[0])
        writer.writeheader()
        writer.writerows(answered)
    code, _, err = cli("people", "read", few.folder, tmp_path / "answers.csv", "--out", tmp_path / "run")
    assert code == 0, err
    outcomes = veridical.open_run(tmp_path / "run").outcomes()
    assert outcomes["correct"].to_list() == [True] * len(answered)
