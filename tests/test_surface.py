"""The package as a user meets it: what it lists, what is loaded, what verbs give, and that all of it is typed."""

import ast
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from veridical.records import POINTS, PROPORTION, Counts, Estimate, Estimates

pytestmark = pytest.mark.usefixtures("no_figures")

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "veridical"
TYPED = Path(__file__).parent / "typed"


def imported():
    """The public names and their modules, as a type checker reads them."""
    tree = ast.parse((SOURCE / "__init__.pyi").read_text())
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname: ".".join(("veridical", *([node.module] if node.module else ())))
        for node in froms
        for alias in node.names
    }


def test_what_is_listed_is_there_and_is_what_a_type_checker_takes_it_for():
    names = imported()
    assert dir(veridical) == sorted([*names, "__version__"])
    assert veridical.__all__ == sorted(names)
    for name, module in names.items():
        assert getattr(veridical, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match="'veridical' has no attribute 'runs'"):
        _ = veridical.runs


def test_no_public_name_is_that_of_a_room_which_would_take_its_place_when_loaded():
    rooms = {path.stem for path in SOURCE.iterdir() if path.suffix in ("", ".py")}
    others = rooms & set(veridical.__all__)
    assert all(getattr(veridical, name) is import_module(f"veridical.{name}") for name in others), others


def test_the_verbs_and_what_suites_are_written_with_are_listed():
    verbs = {name for name in veridical.__all__ if name.islower()}
    assert {"make", "check", "plan", "run", "judge", "compare", "rescore", "people", "write_report"} <= verbs
    types = {name for name in veridical.__all__ if inspect.isclass(getattr(veridical, name))}
    assert {"Suite", "Stage", "Reader", "Medium", "Stimulus", "Evidence", "Observer", "RunOptions"} <= types
    assert verbs | types == set(veridical.__all__)


def test_importing_the_package_loads_nothing_else():
    script = "import sys, veridical; dir(veridical); print(*(n for n in sys.modules if n.startswith('veridical')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["veridical"]


LEVELS = st.one_of(st.text(max_size=4), st.booleans(), st.integers(-9, 9), st.none())
SLICES = st.dictionaries(st.sampled_from(["case", "variant", "unit", "metric", "p"]), LEVELS, max_size=3)
NUMBERS = st.none() | st.floats(-1, 1)


@st.composite
def estimates(draw):
    counts = {name: draw(st.integers(0, 99)) for name in Counts.__dataclass_fields__}
    return Estimate(
        suite="s",
        metric=draw(st.sampled_from(["PFA", "I"])),
        slice=draw(SLICES),
        value=draw(NUMBERS),
        low=draw(NUMBERS),
        high=draw(NUMBERS),
        unit=draw(st.sampled_from([PROPORTION, POINTS])),
        n_units=draw(st.integers(0, 10**6)),
        counts=Counts(**counts),
        method="m",
        reason=draw(st.none() | st.just("because")),
        p=draw(NUMBERS),
    )


@given(st.lists(estimates(), max_size=6))
def test_the_table_of_estimates_has_all_that_they_have(listed):
    table = Estimates(listed).frame()
    assert len(table) == len(listed)
    taken = {"unit", "metric", "p"}
    for each, row in zip(listed, table.iter_rows(named=True), strict=True):
        for name in ("suite", "metric", "value", "low", "high", "level", "p", "n_units", "method", "reason"):
            assert row[name] == getattr(each, name)
        assert row["unit"] == each.unit.name
        assert all(row[name] == getattr(each.counts, name) for name in Counts.__dataclass_fields__)
        for key, value in each.slice.items():
            told = value if isinstance(value, str) else json.dumps(value)
            assert row[f"slice_{key}" if key in taken else key] == told
    assert Estimates(listed[:0]).frame().columns[:2] == ["suite", "metric"]


@given(estimates())
def test_an_estimate_is_one_short_line_to_look_at(each):
    shown = repr(each)
    assert len(shown.splitlines()) == 1
    assert ("undefined: " in shown) == (each.value is None and not each.between)
    assert not each.between or f" {each.between}: " in shown
    assert f"{each.n_units:,} units" in shown


def mypy(*files):
    """The findings of mypy in strict mode as (file, line, code)."""
    words = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, files)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr == ""
    found = [re.match(r"(.+?):(\d+): error: .*\[([\w-]+)\]$", line) for line in done.stdout.splitlines()]
    return {(Path(match[1]).name, int(match[2]), match[3]) for match in found if match}


def test_a_users_script_is_typed_and_mistakes_in_it_are_found():
    wrong = TYPED / "wrong.py"
    expected = {
        ("wrong.py", number, line.split("# error: ")[1])
        for number, line in enumerate(wrong.read_text().splitlines(), 1)
        if "# error: " in line
    }
    assert len(expected) > 10
    assert mypy(TYPED / "script.py", TYPED / "suite.py", wrong) == expected


def test_a_suite_of_a_users_own_runs(monkeypatch):
    from tests.typed import suite
    from veridical.suite import registry

    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    (row,) = suite.main().rows(named=True)
    assert (row["metric"], row["value"], row["planned"]) == ("right", 1.0, 3)
