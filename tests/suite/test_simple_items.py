"""What a simple suite accepts, what it refuses and in which words, and the set that is made of its items."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as v
from tests.calling import call
from veridical.media.decode import decode_picture
from veridical.media.draw import encode_png
from veridical.records import Response
from veridical.suite import registry, suite_files
from veridical.suite.simple_answers import AnswerForm

pytestmark = pytest.mark.usefixtures("forgotten")
LEVELS = {"dark": 40, "middle": 128, "bright": 220}
SQUARE = np.full((8, 8, 3), 40, np.uint8)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(registry, "_WARNED", set())
    monkeypatch.setattr(suite_files, "_LOADED", {})
    monkeypatch.delenv(suite_files.VARIABLE, raising=False)


def square(level):
    return np.full((8, 8, 3), LEVELS[level], np.uint8)


def level_of(pixels):
    return min(LEVELS, key=lambda name: abs(int(pixels[0, 0, 0]) - LEVELS[name]))


def suite(**changes):
    usual = {
        "name": "levels",
        "items": [{"picture": square(level), "truth": level} for level in LEVELS],
        "question": "How bright is the square?",
        "options": list(LEVELS),
    }
    return v.simple_suite(**{**usual, **changes})


def made(record, **options):
    registry.register(record, replace=True)
    return v.make(record.name, **options)


GOOD = {"picture": SQUARE, "truth": "dark"}
REFUSED = {
    "a name": ({"name": "My Suite"}, "name 'My Suite': lower-case letters, digits and dashes are allowed"),
    "no items": ({"items": []}, "levels: there are no items"),
    "a mapping": ({"items": {"a": 1}}, "levels: items are a list of mappings, or a function of the seed, no dict"),
    "nothing": ({"items": None}, "levels: items are a list of mappings, or a function of the seed, no NoneType"),
    "an option": ({"options": 3}, "levels: options 3: 2 to 26 different answers"),
    "a tolerance in words": ({"options": "number", "tolerance": "2"}, "levels: tolerance '2': 0 or more is allowed"),
    "a truth": ({"truth": {"a": "dark"}}, "levels: truth {'a': 'dark'}: the key of an item, or a function"),
    "a number": ({"items": [7]}, "levels, item 1: a mapping with id, picture, unit, group, question is needed"),
    "a key": (
        {"items": [GOOD, {"pictur": SQUARE, "truth": "dark"}]},
        "levels, item 2: unknown key 'pictur': did you mean 'picture'?",
    ),
    "no picture": ({"items": [{"truth": "dark"}]}, "levels, item 1: it has no picture"),
    "no truth": ({"items": [{"picture": SQUARE}]}, "levels, item 1: it has no truth"),
    "a missing file": ({"items": [{**GOOD, "picture": "not-there.png"}]}, r"item 1: there is no picture .*not-there"),
    "another truth": (
        {"items": [{**GOOD, "truth": "purple"}]},
        "levels, item 1: the truth 'purple' is none of dark, middle, bright",
    ),
    "an id twice": (
        {"items": [{**GOOD, "id": "a"}, {**GOOD, "id": "A"}]},
        "levels, item 2: item 1 has the id 'A' too: state an id of its own",
    ),
    "a unit and group twice": (
        {"items": [{**GOOD, "unit": 1, "group": "g"}] * 2},
        "levels, item 2: item 1 has the id '1/g' too",
    ),
    "an id that is a path": ({"items": [{**GOOD, "id": "../a"}]}, r"levels, item 1: id '../a': letters, digits"),
    "one option": ({"options": ["dark"]}, r"levels: options \['dark'\]: 2 to 26 different answers, or \"number\""),
    "options alike": ({"options": ["dark", "Dark"]}, "2 to 26 different answers"),
    "a word": ({"options": "digits"}, "2 to 26 different answers"),
    "a tolerance": ({"tolerance": 1}, 'levels: tolerance 1: 0 or more is allowed, beside options="number"'),
    "below 0": ({"options": "number", "tolerance": -1}, "tolerance -1: 0 or more is allowed"),
    "no whole number": (
        {"options": "number", "items": [{**GOOD, "truth": 2.5}]},
        "levels, item 1: the truth '2.5' is no whole number",
    ),
    "no question": ({"question": " "}, "levels, item 1: it has no question, and neither has the suite"),
}


@pytest.mark.parametrize(("changes", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_with_a_call_is_one_line(changes, words):
    with pytest.raises(v.InputError, match=words) as refused:
        suite(**changes)
    assert "\n" not in str(refused.value)


WRONG_WHEN_MADE = {
    "floats": ([{**GOOD, "picture": lambda: np.zeros((4, 4, 3))}], "its picture has shape .*float64.*uint8 is needed"),
    "no pixels": ([{**GOOD, "picture": lambda: 1 / 0}], "its picture of 0001 cannot be made: ZeroDivisionError"),
    "other pixels": ([{**GOOD, "picture": square("bright")}], "its truth is dark, and its picture says bright"),
}


@pytest.mark.parametrize(("items", "words"), WRONG_WHEN_MADE.values(), ids=WRONG_WHEN_MADE)
def test_what_only_shows_when_a_picture_is_drawn_is_one_line_too(items, words, tmp_path):
    with pytest.raises(v.InputError, match=words):
        made(suite(items=items, truth=level_of), out=tmp_path / "set")


def test_items_of_a_function_are_checked_when_they_are_made(tmp_path):
    record = suite(items=lambda seed: [{**GOOD, "truth": f"purple-{seed}"}])
    with pytest.raises(v.InputError, match="levels, item 1: the truth 'purple-3' is none of"):
        made(record, seed=3, out=tmp_path / "set")
    with pytest.raises(v.InputError, match="levels: its items cannot be made: KeyError: 0"):
        made(suite(items=lambda seed: {}[seed]), out=tmp_path / "set")


@given(seed=st.integers(0, 2**40), levels=st.lists(st.sampled_from(list(LEVELS)), min_size=1, max_size=6))
def test_the_truth_of_every_stimulus_is_what_its_pixels_show(seed, levels):
    def items(drawn):
        for unit, name in enumerate(levels):
            pixels = np.clip(square(name) + np.random.default_rng(drawn).integers(-9, 9), 0, 255).astype(np.uint8)
            yield {"unit": unit, "group": "noisy", "picture": pixels}

    whole = made(suite(items=items, truth=level_of), seed=seed)
    assert [stimulus.label for stimulus in whole.stimuli] == levels
    for stimulus in whole.stimuli:
        assert level_of(decode_picture(whole.read(stimulus.media[0].file), "it")) == stimulus.label
        assert sorted(stimulus.truth["options"]) == sorted(LEVELS)
    checked = v.check(whole)
    assert (checked.verified, checked.failed, checked.not_measurable) == (len(levels), [], {})


def test_items_of_a_unit_have_one_order_of_options_that_the_seed_draws():
    items = [{"picture": SQUARE, "truth": "dark", "unit": k, "group": g} for k in range(12) for g in ("a", "b")]
    orders = {}
    for seed in (0, 1):
        by_unit = {}
        for stimulus in made(suite(items=items), seed=seed).stimuli:
            by_unit.setdefault(stimulus.unit, set()).add(tuple(stimulus.truth["options"]))
        assert all(len(each) == 1 for each in by_unit.values())
        orders[seed] = [next(iter(each)) for each in by_unit.values()]
    assert len(set(orders[0])) > 3
    assert orders[0] != orders[1]


def test_a_smaller_set_is_the_beginning_of_a_larger_one():
    items = [{"picture": square(level), "truth": level, "unit": level, "group": g} for g in "ab" for level in LEVELS]
    few, all_of_them = (made(suite(items=items), **options) for options in ({"units": 2}, {}))
    assert [each.id for each in few.stimuli] == ["dark/a", "dark/b", "middle/a", "middle/b"]
    assert list(few.stimuli) == list(all_of_them.stimuli[:4])


def test_pictures_of_files_are_kept_byte_for_byte(tmp_path):
    content = encode_png(square("bright"))
    (tmp_path / "b.png").write_bytes(content)
    whole = made(suite(items=[{"picture": tmp_path / "b.png", "truth": "bright", "id": "one"}]))
    assert whole.read("media/one.png") == content
    assert v.check(whole).not_measurable == {"true answers are stated": 1}


def test_a_changed_picture_is_found():
    whole = made(suite(truth=level_of))
    (whole.folder / whole.stimuli[0].media[0].file).write_bytes(encode_png(square("bright")))
    assert [each["id"] for each in v.check(whole).failed] == ["0001"]


@given(truth=st.integers(-999, 999), off=st.integers(-9, 9), tolerance=st.integers(0, 5))
def test_a_number_is_right_within_the_tolerance(truth, off, tolerance):
    form = AnswerForm.of("number", tolerance)
    record = v.Stimulus(
        id="a", suite="s", family="f", unit="u", variant="v", category="c", question="q", label=str(truth), seed=0
    )
    (trial,) = form.trials([record], None, None)
    reply = Response(trial=trial.id, text=f"<answer>{truth + off}</answer>")
    assert form.readers["number"][0].read(reply, trial).correct is (abs(off) <= tolerance)


FILE = """
import veridical as v

suite = v.simple_suite(
    name="{name}",
    items=[{{"picture": "a.png", "truth": "{truth}"}}],
    question="Is it dark?",
    options=("yes", "no"),
)
"""


@pytest.fixture
def written(tmp_path):
    (tmp_path / "a.png").write_bytes(encode_png(SQUARE))

    def write(text, name="mine.py"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def refused(monkeypatch, capsys, path, out):
    """The words of the refusal, which are the same from Python and from the command line."""
    with pytest.raises(v.InputError) as error:
        v.make(str(path), out=out)
    code, _, err = call(monkeypatch, capsys, "make", path, "--out", out)
    assert (code, err) == (2, f"veridical: {error.value}\n")
    return str(error.value)


BROKEN = {
    "without a suite": ("x = 1\n", r"mine.py holds no suite: a top-level `suite = veridical.simple_suite\(…\)`"),
    "that raises": ("x = 1\n\n1 / 0\n", r"mine.py, line 3: ZeroDivisionError: division by zero$"),
    "that ends": ("raise SystemExit('no')\n", r"mine.py, line 1: SystemExit: no$"),
    "that is no Python": ("x = (\n", r"mine.py, line 1: SyntaxError: '\(' was never closed"),
    "with another truth": (FILE.format(name="mine", truth="maybe"), "^mine, item 1: the truth 'maybe' is none of yes"),
    "with a name that is taken": (
        FILE.format(name="taken", truth="yes"),
        r"mine.py: a suite is called 'taken' already in .*test_simple_items.py: choose",
    ),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
def test_a_file_is_refused_in_the_same_words_everywhere(text, words, written, monkeypatch, capsys, tmp_path):
    registry.register(suite(name="taken"))
    assert re.search(words, refused(monkeypatch, capsys, written(text), tmp_path / "set"))


def test_a_file_that_is_not_there_is_refused(monkeypatch, capsys, tmp_path):
    words = refused(monkeypatch, capsys, tmp_path / "none.py", tmp_path / "set")
    assert words == f"{tmp_path / 'none.py'} cannot be read: No such file or directory"


def test_built_in_names_and_those_of_other_files_are_taken(written):
    name = next(iter(registry.names()))
    with pytest.raises(v.InputError, match=f"a suite is called '{name}' already: choose another name"):
        v.register(written(FILE.format(name=name, truth="yes")))
    first = v.register(written(FILE.format(name="mine", truth="yes")))
    assert v.register(written(FILE.format(name="mine", truth="yes"))) is first
    changed = v.register(written(FILE.format(name="mine", truth="no")))
    assert registry.get("mine") is changed
    other = written(FILE.format(name="mine", truth="yes"), "other.py")
    with pytest.raises(v.InputError, match=r"other.py: a suite is called 'mine' already in .*mine.py: choose another"):
        v.register(other)


def test_files_in_the_environment_are_found_by_the_names_of_their_suites(written, monkeypatch, tmp_path):
    path, broken = written(FILE.format(name="mine", truth="yes")), written("1 / 0", "broken.py")
    monkeypatch.setenv(suite_files.VARIABLE, f"{broken}{suite_files.os.pathsep}{path}")
    with pytest.warns(registry.BrokenSuiteWarning, match="broken.py, line 1: ZeroDivisionError"):
        assert "mine" in registry.names()
    assert v.make("mine").manifest["arguments"]["suite_file"] == "mine.py"


def test_a_set_says_which_file_it_is_of_and_nothing_runs_that_file(written, monkeypatch, tmp_path):
    path = written(FILE.format(name="mine", truth="yes"))
    whole = v.make(str(path), out=tmp_path / "set")
    assert v.make(str(path), out=tmp_path / "set").digest == whole.digest
    v.run(whole, "veridical/simulated", out=tmp_path / "run", show="quiet")
    written(f"open({str(tmp_path / 'ran')!r}, 'w')")
    registry._REGISTERED.pop("mine")
    monkeypatch.chdir(tmp_path)
    for act in (lambda: v.check("set"), lambda: v.open_run("run").suite, lambda: v.run("set", "veridical/simulated")):
        with pytest.raises(v.InputError, match=r"the suite 'mine' was in the file .*mine.py: set VERIDICAL_SUITES to"):
            act()
    assert not (tmp_path / "ran").exists()


def test_a_notebook_needs_no_file(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(encode_png(SQUARE))
    monkeypatch.chdir(tmp_path)
    for place in ({}, {"__file__": "<stdin>"}):
        cell = {"v": v, **place}
        exec(FILE.format(name="cell", truth="yes"), cell)
        assert v.register(cell["suite"], replace=True).files == ()
        assert "suite_file" not in v.make("cell").manifest["arguments"]


@pytest.mark.parametrize("changed", ["mine.py", "a.png"])
def test_a_set_of_a_changed_file_or_picture_is_another_set(changed, written, tmp_path):
    path = written(FILE.format(name="mine", truth="yes"))
    v.make(str(path), out=tmp_path / "set")
    content = {"mine.py": b"# more\n" + path.read_bytes(), "a.png": encode_png(square("bright"))}
    (tmp_path / changed).write_bytes(content[changed])
    with pytest.raises(v.InputError, match=r"holds another set \(suite_sha256 differs\): choose another folder"):
        v.make(str(path), out=tmp_path / "set")
