"""Pages that are made from the records say what these say, also of a suite that is registered tomorrow."""

import re
from importlib import import_module
from types import FunctionType

import pytest

import veridical
from docs.pages import FOLDER, pages, write_pages
from docs.pages.api import EXTENSION
from docs.pages.glossary import terms
from docs.pages.suites import unit_in_words
from docs.pages.words import code, plain
from tests.probe_suite import SUITE as PROBE
from veridical.cli.front import ORDER
from veridical.records import Unit
from veridical.suite import registry


@pytest.fixture
def with_probe(monkeypatch):
    """The pages when one more suite is known, which has several stages and no gallery."""
    monkeypatch.setitem(registry._REGISTERED, PROBE.name, PROBE)
    return pages()


@pytest.fixture(scope="module")
def made():
    return pages()


def measures():
    return [
        (suite, name, measure)
        for suite in registry.all_suites(whole=True)
        for name, measure in suite.analysis.measures.items()
    ]


@pytest.mark.parametrize(("suite", "name", "measure"), measures(), ids=lambda each: each if type(each) is str else "")
def test_each_measure_stands_on_the_page_of_its_suite_with_all_that_its_record_says(made, suite, name, measure):
    page = made[f"suites/{suite.name}.md"]
    section = page.split(f"\n#### {plain(measure.title)}\n")[1].split("\n#### ")[0]
    assert plain(measure.definition) in section
    assert measure.formula in section
    assert code(name) in section
    assert measure.source in section
    assert unit_in_words(measure.unit) in section
    assert measure.better is None or f"{measure.better} is better" in section


def test_a_suite_that_is_registered_has_its_page_its_terms_and_its_place_in_the_list(with_probe):
    assert f"suites/{PROBE.name}" in with_probe["suites.md"]
    page, glossary = with_probe[f"suites/{PROBE.name}.md"], with_probe["glossary.md"]
    for name, measure in PROBE.analysis.measures.items():
        assert code(name) in page
        assert plain(measure.definition) in page
        assert f"\n{plain(measure.title)}\n" in glossary
    for stage in PROBE.asking.stages:
        assert code(stage.name) in page
    for setting, levels in PROBE.asking.settings.items():
        assert all(code(each) in page for each in (setting, *levels))
    for observer in PROBE.observers:
        assert code(f"veridical/{observer}") in page
    assert "veridical make probe" in page


def test_every_term_is_in_the_glossary_once_also_where_it_is_a_measure(made):
    entries = re.findall(r"^(\S.*)\n  ", made["glossary.md"].split("```{glossary}")[1], re.MULTILINE)
    titles = {measure.title for _, _, measure in measures()}
    assert sorted(entries) == sorted(plain(name) for name in {*terms(), *titles})


def test_every_verb_has_its_help_on_the_page_of_the_command_line(made):
    for verb in ORDER:
        assert f"\n## `veridical {verb}`\n" in made["commands.md"]
    assert "\n### `veridical people sample`\n" in made["commands.md"]
    longest = max(len(line) for line in made["commands.md"].splitlines() if line.startswith("  "))
    assert longest <= 88


def test_every_public_name_is_on_a_page_of_the_api(made):
    for name in veridical.__all__:
        assert re.search(rf"^\.\. auto\w+:: veridical\.{name}$", made["python.md"], re.MULTILINE)
    entries = set(re.findall(r"auto\w+:: (\S+)", made["python.md"] + made["extending.md"]))
    for module in EXTENSION:
        loaded = import_module(module)
        for name in getattr(loaded, "__all__", [each for each in vars(loaded) if each[0] != "_"]):
            each = getattr(loaded, name)
            if isinstance(each, type | FunctionType) and each.__module__ == module:
                assert {f"{module}.{name}", f"veridical.{name}"} & entries, name


def test_no_entry_of_the_api_stands_twice(made):
    entries = re.findall(r"auto\w+:: (\S+)", made["python.md"] + made["extending.md"])
    assert len(set(entries)) == len(entries)


def test_the_gallery_of_every_suite_that_has_one_is_linked(made):
    for suite in registry.all_suites(whole=True):
        assert (f"gallery/{suite.name}/index.html" in made["gallery.md"]) is (suite.presentation.gallery is not None)


def test_no_page_holds_a_path_of_this_machine(made):
    for name, text in made.items():
        assert str(FOLDER.parents[1]) not in text, name
        assert not re.search(r"(?<![\w.])/(home|root|tmp|usr|opt|work)/", text), name


def test_pages_are_written_as_they_are_made(tmp_path, made):
    for path in write_pages(tmp_path):
        assert path.read_text() == made[path.relative_to(tmp_path).as_posix()]


@pytest.mark.parametrize(
    ("low", "high", "neutral", "told"),
    [
        (None, None, None, "mm"),
        (0.0, None, 1.0, "mm, 0 or more; 1 is neutral"),
        (-1.0, 1.0, 0.0, "mm, −1 to 1; 0 is neutral"),
        (None, 2.0, None, "mm, at most 2"),
    ],
)
def test_a_unit_says_its_range_and_what_is_neutral(low, high, neutral, told):
    assert unit_in_words(Unit(name="length", digits=1, suffix=" mm", low=low, high=high, neutral=neutral)) == told
