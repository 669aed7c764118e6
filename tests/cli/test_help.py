"""Help is made from the suites' records, is whole on any terminal, and loads little."""

import subprocess
import sys

import pytest
import typer

from veridical.base.run_options import RunOptions
from veridical.cli import app
from veridical.cli.suite_verbs import VERBS
from veridical.suite import registry

HEAVY = ("polars", "numpy", "matplotlib", "inspect_ai", "scipy", "av", "torch")
SUITES = registry.names()


def pages():
    """The words of every help page."""
    top = typer.main.get_command(app)
    yield ()
    for name, command in top.commands.items():
        yield (name,)
        inner = SUITES if name in VERBS else getattr(command, "commands", {})
        yield from ((name, each) for each in inner)
    for suite in registry.all_suites():
        if suite.commands is not None:
            yield (suite.name,)
            yield from ((suite.name, each) for each in typer.main.get_group(suite.commands).commands)


def flat(text):
    return " ".join(text.split())


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("words", list(pages()), ids=" ".join)
def test_no_help_page_is_wider_than_the_terminal_or_clipped(cli, words, columns):
    code, out, err = cli(*words, "--help", columns=columns)
    assert (code, err) == (0, "")
    for line in out.splitlines():
        assert len(line) <= columns
        assert line.startswith("Usage:") or not line.endswith("...")


@pytest.mark.parametrize("words", list(pages()), ids=" ".join)
def test_no_help_page_shows_a_type_of_python(cli, words):
    assert "list[" not in cli(*words, "--help")[1]


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (("--help",), (*HEAVY, "pydantic", "rich", "veridical.suite", "veridical.suites", "veridical.records")),
        (("make", "--help"), (*HEAVY, "veridical.records")),
        *((("make", name, "--help"), (*HEAVY, "veridical.records")) for name in SUITES),
        *((("plan", name, "--bogus"), (*HEAVY, "veridical.records")) for name in SUITES),
    ],
)
def test_help_loads_nothing_heavy(words, absent):
    script = (
        "import atexit, sys\n"
        "from veridical import cli\n"
        f"sys.argv = ['veridical', *{words!r}]\n"
        f"atexit.register(lambda: print('loaded:', *(name for name in {absent!r} if name in sys.modules)))\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == (0 if "--help" in words else 2)
    assert done.stdout.splitlines()[-1].strip() == "loaded:"


@pytest.mark.parametrize("verb", ["make", "plan"])
@pytest.mark.parametrize("name", SUITES)
def test_the_options_of_a_suite_are_flags_with_what_its_record_says(cli, verb, name):
    suite = registry.get(name)
    _, out, _ = cli(verb, name, "--help")
    listed = {word for line in out.splitlines() for word in line.split()[:1]}
    for option, field in suite.options.model_fields.items():
        flag = f"--{option.replace('_', '-')}"
        assert flag in listed
        if option != "recipe" and flag != "--seed":
            assert field.description in flat(out)
    for recipe in suite.recipes.values():
        assert flat(recipe.note) in flat(out)


@pytest.mark.parametrize("verb", ["run", "plan"])
@pytest.mark.parametrize("name", SUITES)
def test_the_settings_of_a_suite_stand_in_the_help_with_their_levels(cli, verb, name):
    asking = registry.get(name).asking
    _, out, _ = cli(verb, name, "--help")
    for setting, levels in asking.settings.items():
        usual = asking.defaults.get(setting, levels)
        default = "all" if usual == levels else ", ".join(usual)
        assert f"{setting} {', '.join(levels)}. Default: {default}." in flat(out)
    for preset, published in asking.presets.items():
        assert f"{preset} {published.source}" in flat(out)


def test_help_says_what_an_option_is_by_default_and_in_recipes(cli, other):
    _, out, _ = cli("make", other.name, "--help")
    told = flat(out)
    for text in (
        "--recipe <str> Named design, listed below. Default: calm.",
        "--tempo <float> Speed. Default: 1.5 (calm: 0.5; wild: 9.0).",
        "--loud / --no-loud Whether there is sound. Default: no (wild: yes).",
        "--color red|green Color of the ball. Default: red.",
        "--sizes N,… Sizes. Default: 1,2 (wild: 8,9).",
        "--names NAME,… Names.",
        "--weights JSON Weights by name.",
        "--long-name <str> A name of two words. Default: x.",
        "calm Slow and quiet. wild Fast and loud.",
    ):
        assert text in told


def test_an_option_that_is_named_like_a_flag_of_the_verb_is_called_otherwise(cli, other):
    made = flat(cli("make", other.name, "--help")[1])
    assert "--limit <int> Has the name of an option of a run." in made
    assert "--set-out <str> Has the name of an option of make." in made
    planned = flat(cli("plan", "--help")[1])
    assert "--set-seed <int> The same seed gives the same pixels." in planned
    assert "--limit <int> Maximum number of base items" in planned


@pytest.mark.parametrize("verb", list(VERBS))
def test_a_verb_without_a_suite_shows_help_with_the_suites(cli, verb):
    code, out, err = cli(verb)
    assert (code, out) == (2, "")
    assert f"Usage: veridical {verb} SUITE [OPTIONS]" in err
    for suite in registry.all_suites():
        assert f"{suite.name} {suite.title}" in flat(err)
    code, out, _ = cli(verb, "--help")
    assert (code, out) == (0, err)


def test_the_help_of_run_has_all_options_of_a_run_also_without_a_suite(cli):
    _, out, _ = cli("run", "--help")
    short = {"settings": "--setting", "model_args": "-M", "roles": "--role"}
    for name in RunOptions.__annotations__:
        assert short.get(name, f"--{name.replace('_', '-')}") in out.split() or short.get(name) in out


def test_the_help_of_report_says_that_runs_of_several_suites_are_taken(cli):
    code, out, _ = cli("report", "--help", columns=120)
    assert code == 0
    assert "of one suite or of several" in " ".join(out.split())


def test_the_help_of_import_lists_what_the_suites_import(cli):
    _, out, _ = cli("import", "--help")
    for suite in registry.all_suites():
        for name, release in suite.releases.items():
            assert f"{name} {release.help}" in flat(out)
