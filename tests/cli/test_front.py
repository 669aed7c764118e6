"""The version, the short flag of help, and what a shell completes."""

import shutil
import subprocess
import sys
from importlib.metadata import version

import pytest

from tests.cli.test_help import pages
from veridical.suite import registry

PAGES = list(pages())


@pytest.fixture
def completed(monkeypatch, cli):
    """What a shell completes the last of some words to, with the exit code and errors."""

    def called(*words):
        monkeypatch.setenv("_VERIDICAL_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(["veridical", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        code, out, err = cli()
        assert (code, err) == (0, "")
        return out.split()

    return called


def commands_of(text):
    """The names under `Commands:` in a help page."""
    _, _, below = text.partition("\nCommands:\n")
    lines = below.split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]


def options_of(text):
    """The long flags of a help page's options."""
    _, _, below = text.partition("\nOptions:\n")
    heads = [line.split("  ")[1] for line in below.split("\n\n")[0].splitlines() if line.startswith("  -")]
    words = (word.strip(",") for head in heads for part in head.split(" / ") for word in part.split())
    return {word for word in words if word.startswith("--")}


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_that_of_the_installed_package(cli, flag):
    assert cli(flag) == (0, f"veridical {version('veridical')}\n", "")


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_the_short_flag_shows_the_same_help(cli, words):
    shown = cli(*words, "--help")
    assert cli(*words, "-h") == shown
    assert shown[0] == 0


def test_a_shell_completes_the_first_word_to_the_verbs_and_the_suites_with_commands(cli, completed):
    listed = commands_of(cli("--help")[1])
    assert listed
    with_commands = [suite.name for suite in registry.all_suites() if suite.commands is not None]
    assert completed("") == [*listed, *with_commands]
    assert completed("re") == [name for name in listed if name.startswith("re")]


@pytest.mark.parametrize("words", [words for words in PAGES if words], ids=" ".join)
def test_a_shell_completes_the_options_that_help_lists(cli, completed, words):
    shown = cli(*words, "--help", columns=120)[1]
    listed, found = options_of(shown), completed(*words, "--")
    if commands_of(shown):  # an option may follow the command alone
        listed &= {"--help"}
    if len(words) == 1 and found == ["--help"]:  # so it is where a suite is to follow
        listed &= {"--help"}
    assert set(found) == listed


def test_a_shell_completes_the_words_that_an_option_takes(completed, other):
    assert completed("make", other.name, "--recipe", "") == ["calm", "wild"]
    assert completed("make", other.name, "--color", "g") == ["green"]
    assert completed("make", "") == list(registry.names())
    assert completed("make", "--units", "3", "else") == [other.name]
    assert completed("run", "--bogus", "3", "else") == [other.name]


def test_a_shell_completes_what_can_be_imported(completed):
    assert set(completed("import", "")) == {name for suite in registry.all_suites() for name in suite.releases}


@pytest.mark.parametrize(
    "words",
    [
        ("make", "nosuch", "--u"),
        ("nosuch", "--u"),
        ("check", "nowhere"),
        ("metrics", "nowhere", "--fail-if", "nonsense", ""),
        ("make", "viprobe", "--units", "many", "--nothing-like-it"),
    ],
)
def test_a_shell_gets_no_message_whatever_the_words_before(completed, words):
    assert completed(*words) == []


def test_a_shell_completes_an_option_after_a_path_that_is_wrong(completed):
    assert completed("check", "nowhere", "--js") == ["--json"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="without bash")
def test_a_shell_can_be_told_how_to_complete():
    # The shell is looked for among the processes that began the command.
    words = ["bash", "-c", '"$0" -m veridical --show-completion; exit $?', sys.executable]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert "_VERIDICAL_COMPLETE=complete_bash" in told.stdout
