"""How alike instructions are: as sets of constraints, and as texts; measured, and symmetric where that is claimed."""

import json
import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.suite.prompts import load_all
from veridical.suites.magicbench.asking.cells import STANCES
from veridical.suites.magicbench.asking.symmetry import bertscores, instructions, overlap, pairs
from veridical.suites.magicbench.asking.trials import FIELDS, FOLDER, OTHERS

PAPER = 0.93
"""The overlap of vision-only and forensic in the paper (section 4.1, note 1)."""
constraints = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)


def test_vision_only_and_forensic_are_symmetric_and_no_other_two_are_more_so():
    made = {(pair.first, pair.second): pair.overlap for pair in pairs()}
    own = made["vision-only", "forensic"]
    assert own.f1 >= PAPER
    assert own.first_alone == ()
    assert len(own.second_alone) == 1
    assert max(made.values(), key=lambda each: each.f1) is own
    assert len(made) == len(STANCES) * (len(STANCES) - 1) / 2


def test_each_system_prompt_has_a_line_for_each_of_its_constraints():
    for name, prompt in load_all(FOLDER, None, FIELDS, OTHERS).items():
        assert prompt.constraints, name
        if name in STANCES:
            lines = [line for line in prompt.text.splitlines() if line[:1].isdigit()]
            assert len(lines) == len(prompt.constraints), name


def test_lines_of_the_symmetric_prompts_differ_where_their_constraints_do():
    loaded = load_all(FOLDER, None, FIELDS, OTHERS)
    one, two = (
        {line.partition(". ")[2] for line in loaded[name].text.splitlines() if line[:1].isdigit()}
        for name in ("vision-only", "forensic")
    )
    assert one < two
    assert len(two - one) == 1


@given(constraints, constraints)
def test_overlap_is_that_of_sets(first, second):
    made, turned = overlap(first, second), overlap(second, first)
    both = set(first) & set(second)
    assert made.f1 == pytest.approx(2 * len(both) / (len(first) + len(second)))
    assert (made.precision, made.recall) == (turned.recall, turned.precision)
    assert overlap(first, first[::-1]).f1 == 1
    if both:
        assert made.f1 == pytest.approx(2 / (1 / made.precision + 1 / made.recall))


def test_no_constraints_have_no_overlap():
    assert overlap([], ["a"]) is None
    assert overlap([" ."], ["a"]) is None


def test_seven_of_eight_is_the_papers_figure(tmp_path, called):
    """The user's own prompts are measured, and a prompt without constraints has no figure."""
    for name, count in (("vision-only", 7), ("forensic", 8), ("skeptic", 0)):
        stated = [f"rule {number}" for number in range(count)]
        head = f'id = "mine/{name}"\nversion = "1"\nconstraints = {json.dumps(stated)}\n'
        (tmp_path / f"{name}.md").write_text(f"+++\n{head}+++\nYou are a clerk.\n\n1. Count.\n")
    code, out, _ = called("magicbench", "symmetry", "vision-only", "forensic", "--prompts", tmp_path, "--json")
    assert code == 0
    (row,) = json.loads(out)
    assert row["overlap"]["f1"] == pytest.approx(0.9333, abs=1e-4)
    assert row["overlap"]["second_alone"] == ["rule 7"]
    code, out, _ = called("magicbench", "symmetry", "vision-only", "skeptic", "--prompts", tmp_path)
    assert code == 0
    assert "not defined" in out


def test_the_table_has_each_two_stances(called):
    code, out, _ = called("magicbench", "symmetry")
    assert code == 0
    assert len(out.splitlines()) == 16
    code, out, _ = called("magicbench", "symmetry", "vision-only", "forensic")
    assert "0.952" in out
    assert "forensic:\n  each statement of the transcript" in out


@pytest.mark.parametrize("stances", [("vision-only",), ("vision-only", "vision-only"), ("vision-only", "forensc")])
def test_other_choices_are_refused(called, stances):
    code, out, error = called("magicbench", "symmetry", *stances)
    assert (code, out, len(error.splitlines())) == (2, "", 1)


def scorer(score):
    return types.SimpleNamespace(score=score)


def test_bertscore_is_of_the_instructions_without_what_the_model_is(monkeypatch):
    taken = []

    def score(first, second, model_type):
        taken.append((first, second, model_type))
        return None, None, [0.5 + number / 100 for number in range(len(first))]

    monkeypatch.setitem(sys.modules, "bert_score", scorer(score))
    made = pairs(bert="tiny")
    ((first, second, model),) = taken
    loaded = load_all(FOLDER, None, FIELDS, OTHERS)
    assert model == "tiny"
    assert [pair.bertscore for pair in made] == [0.5 + number / 100 for number in range(15)]
    assert first[0] == instructions(loaded["vision-only"])
    assert second[1] == instructions(loaded["skeptic"])
    assert not any("You are" in text for text in (*first, *second))


@pytest.mark.parametrize(("error", "message"), [(KeyError("x"), "no layer"), (OSError("no such\nmodel"), "no such$")])
def test_a_model_that_cannot_be_loaded_ends_with_a_line(monkeypatch, error, message):
    def score(*_, **__):
        raise error

    monkeypatch.setitem(sys.modules, "bert_score", scorer(score))
    with pytest.raises(InputError, match=message):
        bertscores(["a"], ["b"], "tiny")


def test_without_the_extra_a_line_says_how_to_install_it(monkeypatch, called):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    code, _, error = called("magicbench", "symmetry", "--bertscore")
    assert code == 2
    assert "veridical[bertscore]" in error
