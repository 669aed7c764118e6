"""What an option of a run may be is declared once: a keyword, a flag and a table of models say it in the same words."""

import math

import pytest

import veridical
from tests.calling import call
from veridical.base.run_options import FLAGS, KINDS, NumberRange
from veridical.errors import InputError
from veridical.verbs.runs.models import KEYS

BOUNDED = {name: flag.allowed for name, flag in FLAGS.items() if isinstance(flag.allowed, NumberRange)}


def outside(name):
    """The nearest values of the option's kind that its range leaves out."""
    allowed, step = BOUNDED[name], 1 if int in KINDS[name].__args__ else 0.5
    beyond = [allowed.least if allowed.above else allowed.least - step]
    if allowed.most is not None:
        beyond.append(allowed.most + step)
    return [type(step)(value) for value in beyond]


def words(name, value):
    return f"{name} {value}: {FLAGS[name].allowed_words} is allowed"


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory):
    return veridical.make("judge-audit", out=tmp_path_factory.mktemp("ranges") / "set", units=3)


def test_most_numbers_among_the_options_have_a_range():
    numbers = {name for name, kind in KINDS.items() if {int, float} & set(getattr(kind, "__args__", ()))}
    assert numbers == set(BOUNDED)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BOUNDED for value in outside(name)])
def test_every_entrance_refuses_a_value_in_the_same_words(stimuli, name, value, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    expected = words(name, value)
    with pytest.raises(InputError) as refused:
        veridical.run(stimuli, "veridical/text-only", out=tmp_path / "run", show="quiet", **{name: value})
    assert str(refused.value) == expected
    flag = (f"--{name.replace('_', '-')}", value)
    code, out, err = call(
        monkeypatch, capsys, "run", "judge-audit", "--model", "veridical/text-only", "--set", stimuli.folder,
        "--out", tmp_path / "run", *flag,
    )  # fmt: skip
    if name == "time_limit":  # its flag is words, such as 90s, and has an example of them
        assert (code, out) == (2, "")
        assert "time above 0" in err
    else:
        assert (code, out, err) == (2, "", f"veridical: {expected}\n")
    assert not (tmp_path / "run").exists()
    if name in KEYS:
        (tmp_path / "models.toml").write_text(f'["own"]\nmodel = "veridical/text-only"\n{name} = {value}\n')
        with pytest.raises(InputError) as refused:
            veridical.run(stimuli, "own", out=tmp_path / "run", show="quiet")
        assert str(refused.value) == f"models.toml: 'own': {expected}"


@pytest.mark.parametrize("name", BOUNDED)
def test_the_ends_of_a_range_are_in_it_unless_they_are_not(name):
    allowed = BOUNDED[name]
    assert (allowed.least in allowed) is not allowed.above
    assert math.nextafter(allowed.least, math.inf) in allowed
    assert (allowed.most if allowed.most is not None else 1e300) in allowed
    assert all(value not in allowed for value in (math.nan, math.inf, -math.inf, "1"))
