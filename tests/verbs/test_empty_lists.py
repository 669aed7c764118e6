"""An option that is a list needs something in it, in every suite; the error says what."""

import pytest

import veridical
from veridical.errors import InputError
from veridical.suite import registry

NAMES = ("hocabench", "judge-audit", "magic", "magicbench", "viabench", "viprobe")
LISTS = [
    (suite, name)
    for suite in NAMES
    for name, field in registry.get(suite).options.model_fields.items()
    if "tuple" in str(field.annotation)
]


def test_most_suites_have_such_an_option():
    assert {suite for suite, _ in LISTS} == set(NAMES)


@pytest.mark.parametrize("empty", [[], ()], ids=["list", "tuple"])
@pytest.mark.parametrize(("suite", "name"), LISTS)
def test_an_empty_list_is_one_line_with_what_is_allowed_and_nothing_is_made(suite, name, empty, tmp_path):
    with pytest.raises(InputError) as caught:
        veridical.make(suite, out=tmp_path / "set", **{name: empty})
    line = str(caught.value)
    assert line.startswith(f"{name} []: at least one is needed: ")
    assert "known: " in line or "input should be " in line
    assert "\n" not in line
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(("suite", "name"), LISTS)
def test_a_text_that_no_list_may_hold_is_one_line(suite, name, tmp_path):
    with pytest.raises(InputError) as caught:
        veridical.make(suite, out=tmp_path / "set", **{name: ["nowhere to be found"]})
    assert "\n" not in str(caught.value)
