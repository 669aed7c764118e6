"""The study of sequential verdicts: its observers, runs that are kept, and the page that they come to."""

import json

import pytest

from studies.viprobe.sequential.observers import FEW, NEW
from studies.viprobe.sequential.page import page
from studies.viprobe.sequential.runs import Ended
from studies.viprobe.sequential.study import CLEAREST, TENTH, mark, measure, observers
from veridical.errors import InputError
from veridical.suite.sequential import SequentialStanding
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.verdicts import names


def test_the_study_has_twenty_two_observers_of_its_own_and_one_clearest_of_each_verdict():
    assert len(NEW) == 22
    assert set(FEW) <= set(CASES)
    everyone = observers()
    assert len(everyone) == 94
    for verdict, name in CLEAREST.items():
        assert verdict in everyone[name].overall.right


def test_runs_are_kept_and_the_page_has_what_they_came_to(tmp_path):
    path, chosen = tmp_path / "runs.jsonl", ["recites to everything", "hides half of the changes on figures"]
    results = measure(path, 1, 1, chosen)
    kept = path.read_bytes()
    assert [json.loads(line) for line in kept.decode().splitlines()] == results
    assert measure(path, 1, 1, chosen) == results
    assert path.read_bytes() == kept
    assert {each["mark"] for each in results} == {"right"}
    text = page(results, 1, 1)
    assert all(name in text for name in chosen)
    assert "| refusals of what was seen: never wrong | 0.0 [0.0, 95.0] % | 1 | kept |" in text
    path.write_text("{}\n")
    with pytest.raises(InputError, match="line 1: not a result of this study"):
        measure(path, 1, 1, chosen)


def test_an_early_stop_is_right_about_a_tenth_of_cases_only_where_these_are_open():
    def ended(**standing):
        return Ended(SequentialStanding(rule="by the model", **standing), 96)

    assert mark(TENTH, ended(verdict=names.MIXED)) == "right"
    assert mark(TENTH, ended(verdict=names.VERIDICAL)) == "wrong"
    assert mark(TENTH, ended(verdict=names.VERIDICAL, families=dict.fromkeys(FEW, "open"))) == "acceptable"
    assert mark(TENTH, ended(verdict=names.LOSS, families=dict.fromkeys(FEW, "open"))) == "wrong"
