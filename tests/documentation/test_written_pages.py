"""What is written by hand holds: links lead somewhere, commands and options exist, examples are what is read."""

import ast
import json
import re
import shlex
import tomllib
from importlib import import_module
from importlib.resources import files
from typing import get_args

import pytest
import typer

import veridical
from docs.pages import FOLDER, pages
from tests.documentation.written import ROOT, TEXTS, blocks, prose, slugs
from veridical.ask import read_prices
from veridical.base.markdown import table
from veridical.cli import app
from veridical.cli.suite_verbs import VERBS
from veridical.errors import InputError
from veridical.observers.replay import read_answers
from veridical.suite import registry
from veridical.suite.evaluation import ABILITIES, PROTOTYPES, RecipeName
from veridical.verbs.evaluation.choices import Choices, evaluated_suites
from veridical.verbs.runs.models import entry

SUITES = {
    name: name
    for name in ("viprobe", "viabench", "magic", "magicbench", "hocabench", "hoca-annotate", "magic-annotate")
} | {"judge-audit": "judges"}
"""The suites whose commands pages show, each with the word for its own commands; the library works without them."""


@pytest.fixture(scope="module")
def made():
    """The pages that are made from the code's records, by their paths."""
    return {(FOLDER / page).resolve(): text for page, text in pages().items()}


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_to_a_file_leads_to_one(name, made):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(TEXTS[name])):
        if re.match(r"\w+:", link):
            continue
        file, _, anchor = link.partition("#")
        path = ((ROOT / name).parent / file).resolve() if file else ROOT / name
        assert path in made or path.is_file(), f"{name}: {link}"
        if anchor:
            assert anchor in slugs(made.get(path) or path.read_text()), f"{name}: {link}"


def test_the_readme_is_short_and_links_to_nothing_that_only_the_site_has():
    assert len(TEXTS["README.md"].splitlines()) <= 150
    assert "docs/generated" not in TEXTS["README.md"]


def test_the_readme_shows_figure_commands_and_table_before_anything_else():
    lines = TEXTS["README.md"].splitlines()
    at = [next(i for i, line in enumerate(lines) if line.startswith(start)) for start in ("![", "make demo", "| obs")]
    assert at == sorted(at)
    assert at[-1] < 45
    assert at[-1] < lines.index("## Ask your own model")


@pytest.mark.parametrize("name", [name for name in TEXTS if name.startswith("docs/") and name != "docs/index.md"])
def test_every_page_has_its_place_in_the_contents(name):
    page = name.removeprefix("docs/").removesuffix(".md")
    assert re.search(rf"^(.+ <{page}>|{page})$", TEXTS["docs/index.md"], re.MULTILINE)


def shell_lines():
    for name, text in blocks("sh"):
        for line in text.replace("\\\n", " ").splitlines():
            yield name, shlex.split(line, comments=True)


def command_lines():
    return ((name, words[1:]) for name, words in shell_lines() if words[:1] == ["veridical"])


def parsed(words, application=app):
    """Follows the words of a command line; a command, suite or option that does not exist raises."""
    command = typer.main.get_command(application)
    context = command.make_context("veridical", [], resilient_parsing=True)
    while hasattr(command, "list_commands"):
        command = command.get_command(context, words[0])
        assert command is not None, words
        context = command.make_context(words[0], [], parent=context, resilient_parsing=True)
        words = words[1:]
    _, rest, _ = command.make_parser(context).parse_args(list(words))
    taken = sum(
        each.nargs if each.nargs > 0 else len(rest) for each in command.params if each.param_type_name == "argument"
    )
    assert len(rest) <= taken, rest


def removed(words):
    """The suite of a command line, if it is one of the library's whose folder was deleted."""
    missing = SUITES.keys() - set(registry.names())
    return next((name for name in missing if words[0] in (name, SUITES[name]) or name in words[:2]), None)


@pytest.mark.parametrize(
    ("name", "words"), list(command_lines()), ids=lambda each: each if type(each) is str else " ".join(each)[:60]
)
def test_every_command_and_option_exists(name, words):
    if {"longer", "signs"} & set(words):  # the suites that a page writes, and whose tests run them
        return
    if suite := removed(words):
        pytest.skip(f"without {suite}")
    for suite in SUITES.keys() & set(registry.names()) if "SUITE" in words else [None]:
        parsed([suite if word == "SUITE" else word for word in words])


@pytest.mark.parametrize("words", [["make", "viprobes"], ["viprobes", "study"], ["mak", "set"]], ids=" ".join)
def test_a_misspelled_suite_or_command_is_seen_whatever_suites_there_are(words):
    assert removed(words) is None
    with pytest.raises((InputError, AssertionError)):
        parsed(words)


def test_each_suite_whose_commands_pages_show_is_one_that_may_be_removed():
    shown = {word for _, words in command_lines() for word in words[:2]}
    for suite in registry.all_suites():
        own = suite.group or suite.name
        if {suite.name, own} & shown:
            assert SUITES.get(suite.name) == own


def flags(name, command):
    """The longest spelling of each option of a command and of those below it, with the command's name."""
    inner = getattr(command, "commands", None)
    if inner is None:
        return {(max(each.opts, key=len), name) for each in command.params if each.param_type_name == "option"}
    return set().union(*(flags(f"{name} {verb}", each) for verb, each in inner.items()))


def test_every_option_is_told_of_on_a_page():
    every = flags("", typer.main.get_command(app))
    for suite in registry.all_suites():
        if isinstance(suite.commands, typer.Typer):
            every |= flags(suite.name, typer.main.get_command(suite.commands))
    told = set(re.findall(r"(?<![\w-])--?[\w-]+", "\n".join(TEXTS.values())))
    assert len(every) > 100
    assert sorted({flag for flag, _ in every} - told) == []


def study_lines():
    """The commands of studies in blocks, in tables, and in the Makefile."""
    texts = {**TEXTS, "Makefile": (ROOT / "Makefile").read_text()}
    for name, text in texts.items():
        for module, rest in re.findall(r"python -m (studies[.\w]+)([^`\n#]*)", text):
            yield name, module, shlex.split(rest.replace("$(NETWORKS)", "textbook").replace("$(SEEDS)", "0"))


@pytest.mark.parametrize(("name", "module", "words"), list(study_lines()))
def test_every_command_and_option_of_a_study_exists(name, module, words):
    if not (ROOT / module.replace(".", "/")).is_dir() and module.rpartition(".")[2] in SUITES:
        pytest.skip(f"without {module}")
    parsed(words, import_module(f"{module}.commands").app)


def test_pages_name_every_study():
    folders = {path.parent.name for path in (ROOT / "studies").glob("*/__main__.py")}
    assert folders <= {module.rpartition(".")[2] for _, module, _ in study_lines()}


def test_commands_are_found_at_all():
    assert {words[0] for _, words in command_lines()} >= {*VERBS, "metrics", "report", "compare", "people", "import"}


@pytest.mark.parametrize(("name", "text"), blocks("python"), ids=lambda each: each[:20])
def test_examples_in_python_use_what_there_is(name, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "v":
            assert node.attr in veridical.__all__


def test_the_files_of_prices_and_models_that_pages_show_are_read(tmp_path):
    ((_, prices),) = blocks("toml", ["docs/howto/api.md"])
    (tmp_path / "prices.toml").write_text(prices)
    assert read_prices(tmp_path / "prices.toml").of("openai/gpt-4o").cached_input == 1.25
    ((_, models),) = blocks("toml", ["docs/howto/judges.md"])
    (tmp_path / "models.toml").write_text(models)
    assert entry("careful-judge", tmp_path / "models.toml").options()["temperature"] == 0
    assert tomllib.loads(models)["careful-judge"]["group"] == "open"


def test_the_replies_that_a_page_shows_are_read(tmp_path):
    ((_, lines),) = blocks("json", ["docs/howto/batch.md"])
    rows = [json.loads(line) | {"id": f"t{number}"} for number, line in enumerate(lines.splitlines())]
    (tmp_path / "replies.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert [each.error for each in read_answers(tmp_path / "replies.jsonl").values()] == [None, "timeout"]


def test_the_guide_to_evaluations_says_what_each_recipe_decides_and_what_each_prototype_is():
    text = TEXTS["docs/howto/evaluate.md"]
    recipes = [each for each in get_args(RecipeName) if each != "demo"]
    for _, part in evaluated_suites():
        cells = [part.short, *(part.designs[name].decides for name in recipes)]
        assert table(["suite", *recipes], [cells]).splitlines()[-1] in text
    observers = [[f"`veridical/{name}`", words] for name, words in PROTOTYPES.items()]
    assert table(["observer", "mechanism"], observers) in text
    assert all(f"| {name} | {words} |" in text for name, words in ABILITIES.items())


def test_the_fields_of_a_profile_and_of_an_evaluations_file_are_in_the_table_of_formats():
    text = TEXTS["docs/files.md"].split("## Evaluation")[1].split("\n## ")[0]
    named = set(re.findall(r"`([\w.]+)`", text))
    schema = json.loads(files("veridical.report.profiles").joinpath("profile.schema.json").read_text())
    fields = {*schema["properties"], *(key for each in schema["$defs"].values() for key in each["properties"])}
    assert {*fields, *Choices.model_fields} - named - {"asking", "settings"} == set()
