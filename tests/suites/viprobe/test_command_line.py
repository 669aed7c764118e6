"""Suites on the command line: named, misnamed, broken, with commands of their own and without."""

import json
import sys

import pytest

from tests.cli.elsewhere import OtherOptions
from veridical.base.options import chosen_options
from veridical.cli.suite_verbs import VERBS, SuiteVerb
from veridical.errors import InputError
from veridical.suite import registry
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.presentation.gallery import gallery


def one_line(text):
    assert len(text.splitlines()) == 1
    return text


@pytest.mark.parametrize("verb", list(VERBS))
def test_an_unknown_suite_ends_in_one_line_with_the_nearest(cli, verb):
    name = registry.names()[0]
    code, out, err = cli(verb, name[:-1], "--json")
    assert (code, out) == (2, "")
    assert f"unknown suite '{name[:-1]}': did you mean '{name}'?" in one_line(err)


def test_an_unknown_first_word_ends_in_one_line_with_the_nearest_verb_or_suite(cli):
    for word, near in (("mak", "make"), ("viprob", "viprobe")):
        code, out, err = cli(word)
        assert (code, out) == (2, "")
        assert f"No such command '{word}'. Did you mean '{near}'?" in one_line(err)


def test_options_may_stand_before_the_suite(cli, tmp_path):
    small = ("--units", 1, "--levels", 2, "--size", 128, "--cases", "zollner")
    words = ("--json", "--out", tmp_path / "viprobe", *small)
    code, out, _ = cli("make", *words, "viprobe")
    assert code == 0
    assert cli("make", *words[:1], "viprobe", *words[1:])[:2] == (0, out)


@pytest.mark.parametrize("words", [("--out", "set"), ("--bogus",), ("--out", "set", "viprob")])
def test_options_without_a_suite_end_in_one_line_with_the_suites(cli, words):
    code, out, err = cli("make", *words)
    assert (code, out) == (2, "")
    assert f"no suite is named; known: {', '.join(registry.names())}" in one_line(err)


def test_a_wrong_option_behind_a_suite_is_named(cli):
    code, _, err = cli("make", "--out", "viprobe", "viprobe", "--bogus")
    assert code == 2
    assert "No such option: --bogus" in one_line(err)


@pytest.fixture
def chosen(other):
    """What the words of a verb that draws sets come to, as values and as options."""

    def read(*words):
        got = []

        def verb(suite, chosen):
            got.append((suite, chosen))

        SuiteVerb(verb, False, lambda _: "calm").command("verb", other).main(list(words), standalone_mode=False)
        ((name, values),) = got
        assert name == other.name
        return values, chosen_options(other.options, other.recipes, values)

    return read


def test_what_is_left_out_is_left_to_the_recipe(chosen):
    values, options = chosen()
    assert set(values) == set(OtherOptions.model_fields)
    assert set(values.values()) == {None}
    assert (options.recipe, options.tempo, options.loud) == ("calm", 0.5, False)


def test_words_become_values_of_the_types_in_the_record(chosen):
    words = ("--tempo", "2", "--loud", "--color", "green", "--sizes", "3, 4", "--names", "a,b")
    _, options = chosen(*words, "--weights", '{"a": 0.5}', "--long-name", "y z", "--units", "4")
    assert options == OtherOptions(
        recipe="calm", tempo=2, loud=True, color="green", sizes=(3, 4), names=["a", "b"], weights={"a": 0.5},
        long_name="y z", units=4,
    )  # fmt: skip
    assert chosen("--no-loud")[0]["loud"] is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sizes", "1,b"), "--sizes '1,b': comma-separated whole numbers are allowed"),
        (("--weights", "heavy"), "--weights 'heavy': JSON is allowed"),
        (("--recipe", "wilde"), "unknown recipe 'wilde': did you mean 'wild'?"),
        (("--color", "blue"), "color blue: input should be 'red' or 'green'"),
        (("--tempo", "0"), "tempo 0.0: input should be greater than 0"),
        (("--recipe", "wild", "--no-loud"), "the recipe 'wild' sets loud itself"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(chosen, words, message):
    with pytest.raises(InputError) as ended:
        chosen(*words)
    assert message in one_line(str(ended.value))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--recipe", "papr"), "unknown recipe 'papr': did you mean 'paper'?"),
        (("--alphas", "a"), "--alphas 'a': comma-separated numbers are allowed"),
        (("--alphas", "0.5,2"), "strength 2: allowed is -1 to 1 without 0"),
        (("--size", "7"), "size 7: the longer side may be 64 to 4096 px"),
        (("--size", "big"), "'--size'"),
        (("--units", "0"), "units 0: input should be greater than or equal to 1"),
        (("--cases", "zolner"), "did you mean 'zollner'?"),
    ],
)
def test_a_wrong_option_of_a_suite_ends_in_one_line_and_makes_no_set(cli, tmp_path, words, message):
    code, out, err = cli("make", "viprobe", "--out", tmp_path / "set", *words)
    assert (code, out) == (2, "")
    assert message in one_line(err)
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("name", [suite.name for suite in registry.all_suites() if suite.commands is not None])
def test_a_suite_without_words_shows_its_own_commands(cli, name):
    code, out, err = cli(name)
    assert (code, out) == (2, "")
    assert err.startswith(f"Usage: veridical {name} ")


def test_a_suite_without_commands_of_its_own_ends_in_one_line(cli, other):
    code, out, err = cli(other.name, "anything")
    assert (code, out) == (2, "")
    assert f"the suite '{other.name}' has no commands of its own" in one_line(err)


@pytest.fixture
def broken(cli, tmp_path, monkeypatch):
    """Runs a command line where a package offers two suites: one without its module, one without its options."""
    about = tmp_path / "broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[veridical.suites]\nbroken = no_such_module:SUITE\nhollow = hollow_suite:SUITE\n"
    )
    parts = dict.fromkeys(("options", "recipes", "design", "asking", "analysis"), "no_such_module:PART")
    (tmp_path / "hollow_suite.py").write_text(
        "from veridical.suite.record import Suite\n"
        f"SUITE = Suite(name='hollow', title='Hollow', citation='Nobody', parts={parts!r})\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_REGISTERED", {})
    monkeypatch.setattr(registry, "_WARNED", set())
    yield cli
    sys.modules.pop("hollow_suite", None)


@pytest.mark.parametrize("words", [("suites",), ("suites", "--json"), ("models",), ("make", "--help")])
def test_a_broken_suite_is_a_line_of_warning_and_the_others_are_listed(broken, words):
    code, out, err = broken(*words)
    assert code == 0
    assert "viprobe" in out
    assert all(line.startswith("veridical: warning: the suite '") for line in err.splitlines())
    assert [line.split("'")[1] for line in err.splitlines()][:1] == ["broken"]
    assert len(err.splitlines()) == (1 if words == ("models",) else 2)
    assert "No module named 'no_such_module'" in err


@pytest.mark.parametrize("name", ["broken", "hollow"])
def test_a_broken_suite_that_is_named_ends_in_one_line(broken, name):
    code, out, err = broken("make", name, "--help")
    assert (code, out) == (2, "")
    assert f"veridical: the suite '{name}' cannot be loaded" in one_line(err)


def test_suites_has_everything_that_can_be_named(cli):
    _, out, _ = cli("suites", "--json")
    for facts, suite in zip(json.loads(out), registry.all_suites(), strict=True):
        assert (facts["name"], facts["title"], facts["citation"]) == (suite.name, suite.title, suite.citation)
        assert list(facts["options"]) == list(suite.options.model_fields)
        assert {name: recipe["note"] for name, recipe in facts["recipes"].items()} == {
            name: recipe.note for name, recipe in suite.recipes.items()
        }
        assert facts["settings"] == {name: list(levels) for name, levels in suite.asking.settings.items()}
        assert facts["families"] == list(suite.design.families)
        lines = cli("suites", columns=60)[1]
        assert max(map(len, lines.splitlines())) <= 60
        assert all(f"recipe {name}: " in lines for name in suite.recipes)
        assert all(f"setting {name}: " in lines for name in suite.asking.settings)


def test_models_are_grouped_and_what_they_see_besides_messages_is_marked(cli):
    from veridical.observers import GENERAL

    _, out, _ = cli("models", columns=400)
    groups = {"general": GENERAL, **{suite.name: suite.observers for suite in registry.all_suites()}}
    for group, observers in groups.items():
        lines = out.splitlines()
        if observers:
            lines = lines[lines.index(f"{group}:") + 1 :]
        for name, observer in observers.items():
            line = next(line for line in lines if line.startswith(f"  veridical/{name} "))
            assert observer.help in line
            assert (f"[sees the {observer.sees}" in line) == (observer.sees != "messages")
    listed = json.loads(cli("models", "--json")[1])
    assert {(each["suite"], each["name"], each["sees"]) for each in listed} == {
        (None if group == "general" else group, f"veridical/{name}", observer.sees)
        for group, observers in groups.items()
        for name, observer in observers.items()
    }


def test_the_gallery_of_a_suite_may_be_named_and_one_without_is_refused(cli, tmp_path, other, monkeypatch):
    """The gallery is that of three cases."""
    monkeypatch.setattr(gallery, "CASES", {name: CASES[name] for name in list(CASES)[:3]})
    code, out, err = cli("gallery", other.name, "--out", tmp_path / "gallery")
    assert (code, out) == (2, "")
    assert f"the suite '{other.name}' has no gallery" in one_line(err)
    code, out, _ = cli("gallery", "viprobe", "--out", tmp_path / "gallery", "--json")
    assert code == 0
    assert json.loads(out) == {"gallery": str(tmp_path / "gallery" / "index.html")}
