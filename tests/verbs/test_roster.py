"""What a user's own file says of models: read as it stands, refused where it cannot be meant, shown in tables."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.suite.results import ModelFacts
from veridical.verbs.runs.roster import read_roster

FILE = """
["openai/gpt-x"]
group = "proprietary"
family = "GPT"
generation = "5"
thinking = true
date = 2025-08-07

["org/open-7b"]
group = "open weights"
size = 7

[plain]
"""


def read(folder, text):
    (folder / "models.toml").write_text(text, encoding="utf-8")
    return read_roster(folder / "models.toml")


def test_what_the_file_says_is_what_is_known_and_no_more(tmp_path):
    roster = read(tmp_path, FILE)
    assert roster.of("openai/gpt-x") == ModelFacts(
        group="proprietary", family="GPT", generation="5", thinking=True, date=datetime.date(2025, 8, 7)
    )
    assert roster.of("org/open-7b") == ModelFacts(group="open weights", size=7.0)
    assert roster.of("plain") == ModelFacts()
    assert roster.of("openai/gpt-x-mini") is None
    assert str(roster.of("openai/gpt-x")) == "proprietary, GPT, 5, thinking, 2025-08-07"
    assert str(roster.of("org/open-7b")) == "open weights, 7 B"
    assert roster.of("plain").facts() == {}


def test_a_file_that_states_nothing_of_any_run_is_refused_with_the_nearest_name(tmp_path):
    roster = read(tmp_path, FILE)
    roster.require_any(["somebody/else", "plain"])
    with pytest.raises(InputError, match=r"models\.toml states nothing: unknown model 'gpt-x': .*openai/gpt-x"):
        roster.require_any(["gpt-x"])


WRONG = {
    "no TOML": ("[m", "is no list of models"),
    "no table": ("m = 3", "'m' is no table of facts"),
    "unknown key": ("[m]\nsizes = 3", "'m': unknown key 'sizes': did you mean 'size'?"),
    "a key of Python": ("[m]\n__class__ = 3", "unknown key '__class__'"),
    "text for a size": ('[m]\nsize = "7B"', "size of 'm': billions of parameters are needed"),
    "no size": ("[m]\nsize = 0", "size of 'm'"),
    "size that is true": ("[m]\nsize = true", "size of 'm'"),
    "endless size": ("[m]\nsize = inf", "size of 'm'"),
    "number for a text": ("[m]\ngeneration = 5", "generation of 'm': one line of text in quotes"),
    "empty text": ('[m]\ngroup = " "', "group of 'm'"),
    "hidden text": ('[m]\ngroup = "a\\u202eb"', "group of 'm'"),
    "several lines": ('[m]\ngroup = "a\\nb"', "group of 'm'"),
    "long text": (f'[m]\ngroup = "{"a" * 81}"', "group of 'm'"),
    "text for thinking": ('[m]\nthinking = "yes"', "thinking of 'm': true or false"),
    "text for a date": ('[m]\ndate = "2025"', "date of 'm': a date without quotes"),
    "time for a date": ("[m]\ndate = 2025-08-07T10:00:00", "date of 'm'"),
    "twice": ("[m]\n[m]", "is no list of models"),
    "too large": ("#" * 1_000_001, "larger than"),
    "nested": ("a = " + "[" * 5000, "is no list of models"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_meant_is_refused_in_one_line(what, tmp_path):
    text, told = WRONG[what]
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_roster(tmp_path / "models.toml")


@given(content=st.binary(max_size=200))
def test_any_bytes_are_a_roster_or_one_line(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("any") / "models.toml"
    path.write_bytes(content)
    try:
        found = read_roster(path).models.values()
    except InputError as error:
        found = str(error).splitlines()
    assert len(found) == 1 or all(isinstance(about, ModelFacts) for about in found)
