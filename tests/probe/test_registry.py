"""Who is a suite, and what is refused: taken names, reserved names, broken packages, old formats."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import veridical
from tests.probe.packages import command, installed
from tests.probe_suite import SUITE
from tests.probe_suite.asking import ASKING
from tests.probe_suite.design import DESIGN
from veridical.suite import registry
from veridical.suite.record import Suite

NAMED_UNIT = replace(DESIGN, factors={"unit": str})
NAMED_SCORE = replace(DESIGN, factors={"score_total": float})
FREE = (replace(ASKING.stages[0], settings=None),)
ASKS_QUESTION = replace(ASKING, stages=FREE, settings={"question": ("one", "two")})
ASKS_INK = replace(ASKING, stages=FREE, settings={"ink": ("one", "two")})


def other(name, **parts):
    """The probe under another name, with some parts of this module's, which have no later stages."""
    places = {part: f"{__name__}:{record}" for part, record in parts.items()}
    later = () if "asking" in parts else SUITE.later_stages
    return replace(SUITE, name=name, parts={**SUITE.parts, **places}, later_stages=later)


@pytest.fixture
def known(monkeypatch):
    """Whatever is registered is forgotten afterwards."""
    before = dict(registry._REGISTERED)
    monkeypatch.setattr(registry, "_WARNED", set())
    yield
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


def test_a_package_offers_a_suite_by_an_entry_point(probe):
    assert probe is SUITE
    assert "probe" in registry.names()
    assert "probe" in {suite.name for suite in registry.all_suites(whole=True)}


def test_the_listing_has_what_the_record_says(said):
    code, out, _ = said("suites", "--json")
    found = {suite["name"]: suite for suite in json.loads(out)}["probe"]
    assert code == 0
    assert found["families"] == list(DESIGN.families)
    assert found["settings"] == {
        "tone": ["plain", "polite"],
        "lens": ["bare", "derived"],
        "severity": ["strict", "lenient"],
    }
    assert found["options"]["dots"]["maximum"] == 10
    assert set(found["recipes"]) == {"balanced", "quick"}
    assert "option dots: Most dots in a picture." in said("suites")[1]


def test_the_observers_of_a_suite_are_listed_with_what_they_see(said):
    code, out, _ = said("models", "--json")
    found = {each["name"]: each for each in json.loads(out)}["veridical/eye"]
    assert (code, found["suite"], found["sees"], found["reads"]) == (0, "probe", "messages", None)


def test_help_lists_the_suites_own_options_settings_and_releases(said):
    assert "--dots" in said("make", "probe", "--help")[1]
    asked = said("run", "probe", "--help")[1]
    assert "tone" in asked
    assert "Default: plain." in asked
    assert "once" in asked
    assert "probe-pictures" in said("import", "--help")[1]


def test_a_suite_has_commands_of_its_own(said):
    assert said("probe", "palette")[:2] == (0, "red\ngreen\nblue\nyellow\n")


def test_what_a_suite_does_not_have_is_said_in_one_line(tmp_path, said):
    for verb in ("gallery", "demo"):
        code, _, err = said(verb, "probe", "--out", tmp_path / "out")
        what = {"gallery": "gallery", "demo": "demonstration"}[verb]
        assert (code, err) == (2, f"veridical: the suite 'probe' has no {what}\n")


def test_a_suite_near_in_name_is_offered(said, tmp_path):
    code, _, err = said("make", "prob", "--out", tmp_path / "set")
    assert code == 2
    assert "probe" in err
    assert err.count("\n") == 1


def test_a_taken_name_is_refused_unless_it_is_to_be_replaced(known):
    with pytest.raises(veridical.InputError, match="a suite is called 'probe' already"):
        registry.register(SUITE)
    new = replace(SUITE, title="Another")
    assert registry.register(new, replace=True) is new
    assert registry.get("probe") is new


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"design": "NAMED_UNIT"}, "the suite x declares the factor 'unit', which is a general column's name"),
        ({"design": "NAMED_SCORE"}, "the suite x declares the factor 'score_total', which is a general column's name"),
        ({"asking": "ASKS_QUESTION"}, "the suite x declares the setting 'question', which is a general column's name"),
        ({"asking": "ASKS_INK"}, "the suite x declares 'ink' as a factor and as a setting"),
    ],
)
def test_a_factor_or_setting_named_like_a_general_column_is_refused(known, parts, line):
    with pytest.raises(veridical.InputError) as refused:
        registry.register(other("x", **parts))
    assert str(refused.value) == line
    assert "x" not in registry.names()


def test_a_part_that_is_missing_or_unknown_is_refused():
    with pytest.raises(ValueError, match="analysis missing"):
        Suite(name="x", title="X", citation="", parts={k: v for k, v in SUITE.parts.items() if k != "analysis"})
    with pytest.raises(ValueError, match="no part is called 'paintings'"):
        Suite(name="x", title="X", citation="", parts={**SUITE.parts, "paintings": "a:b"})


def test_a_suite_without_prompts_or_differences_says_so(known, small, tmp_path, said):
    bare = registry.register(other("probe", asking="WITHOUT_PROMPTS", analysis="WITHOUT_DIFFERENCES"), replace=True)
    run = veridical.run(small, "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False)
    assert run.suite is bare
    words = ("run", "probe", "--model", "veridical/eye", "--set", small.folder, "--out", tmp_path / "other")
    code, _, err = said(*words, "--prompts", tmp_path)
    assert (code, err) == (2, "veridical: the suite probe takes no other prompts\n")
    code, _, err = said(*words, "-S", "tone=plain")
    assert (code, err) == (2, "veridical: unknown setting 'tone': known: none\n")
    code, _, err = said("compare", run.folder, run.folder)
    assert (code, err) == (2, "veridical: the suite probe offers no comparison of runs\n")


def _in_one_tone(stimuli, asking, evidence):
    from veridical.suite.stages import AskingOptions

    levels = AskingOptions(levels={"tone": ("plain",), "lens": ("bare",)})
    yield from ASKING.stages[0].trials(stimuli, levels, evidence)


ALONE = (replace(FREE[0], trials=_in_one_tone),)
WITHOUT_PROMPTS = replace(ASKING, settings={}, defaults={}, prompts=None, stages=ALONE)


def _analysis():
    from tests.probe_suite.analysis import ANALYSIS

    return replace(ANALYSIS, differences=None)


WITHOUT_DIFFERENCES = _analysis()


def test_a_command_in_a_process_of_its_own_finds_the_suite(site, tmp_path, said):
    code, out, _ = command("make", "probe", "--out", tmp_path / "set", "--units", 1, "--json", packages=[site])
    assert (code, json.loads(out)["stimuli"]) == (0, 10)
    code, out, _ = said("check", tmp_path / "set")
    assert code == 0
    assert "10 stimuli, 10 verified, 0 failed" in out
    code, _, err = command("check", tmp_path / "set")
    assert code == 2
    assert "unknown suite 'probe'" in err
    assert err.count("\n") == 1


def test_a_broken_package_is_a_line_of_warning_and_breaks_no_other_command(site, tmp_path, known, said, monkeypatch):
    """The first command has a process of its own, as users have it."""
    broken = installed(tmp_path / "site", "broken-suite", ["broken = nowhere.at_all:SUITE", "number = math:pi"])
    monkeypatch.syspath_prepend(broken)
    for words in (("suites",), ("models",), ("suites", "--json"), ("import", "--help")):
        registry._WARNED.clear()
        code, out, err = command(*words, packages=[site, broken]) if words == ("suites",) else said(*words)
        assert code == 0
        assert "probe" in out
        lines = err.splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("veridical: warning: the suite 'broken' cannot be loaded: ModuleNotFoundError")
        assert lines[1] == "veridical: warning: the suite 'number' cannot be loaded: its entry point is no Suite"
    registry._WARNED.clear()
    code, _, err = said("make", "probe", "--out", tmp_path / "set", "--units", 1)
    assert code == 0
    assert "broken" not in err
    code, _, err = said("make", "broken", "--out", tmp_path / "other")
    assert code == 2
    assert err.startswith("veridical: the suite 'broken' cannot be loaded: ModuleNotFoundError")
    assert err.count("\n") == 1


@pytest.fixture
def half(tmp_path, known, monkeypatch):
    """Installs a package whose suite is the probe's with a part that is not there."""

    def install(part):
        place = installed(tmp_path / "site", "half-suite", ["half = half_suite:SUITE"])
        (place / "half_suite.py").write_text(
            "from dataclasses import replace\nfrom tests.probe_suite import SUITE as S\n"
            f'SUITE = replace(S, name="half", parts={{**S.parts, "{part}": "half_suite:NOT_THERE"}})\n'
        )
        monkeypatch.syspath_prepend(place)

    yield install
    sys.modules.pop("half_suite", None)


def test_a_suite_with_a_broken_part_breaks_no_other_suite(half, said):
    half("design")
    code, out, err = said("suites")
    assert code == 0
    assert "probe: Probe" in out
    assert err.startswith("veridical: warning: the suite 'half' cannot be loaded: its design (half_suite:NOT_THERE)")
    assert err.count("\n") == 1


def test_a_suite_whose_releases_are_broken_breaks_no_other_import(half, said, tmp_path):
    half("releases")
    code, _, err = said("import", "probe-pictures", tmp_path / "nowhere", "--out", tmp_path / "set")
    assert code == 2
    assert "nowhere" in err.splitlines()[-1]


def test_help_of_a_suite_loads_no_analysis(site):
    for words in (("--help",), ("make", "probe", "--help")):
        code, _, err = command(*words, packages=[site])
        assert (code, err) == (0, "")


def test_a_set_of_the_old_format_is_refused_in_one_line_that_says_to_make_it_again(made, tmp_path, said):
    old = Path(shutil.copytree(made.folder, tmp_path / "set"))
    manifest = json.loads((old / "manifest.json").read_bytes())
    (old / "manifest.json").write_text(json.dumps({**manifest, "format": 1}))
    line = f"veridical: {old} is a set of format 1, but this version reads 2: make it again\n"
    run = ("run", "probe", "--model", "veridical/eye", "--set", old, "--out", tmp_path / "run")
    for words in (("check", old), ("describe", old), run, ("trials", old, "--out", tmp_path / "t.jsonl")):
        code, _, err = said(*words)
        assert (code, err) == (2, line)


def test_a_run_of_the_old_format_is_refused_in_one_line_that_says_to_run_it_again(made, seeing, tmp_path, said):
    old = Path(shutil.copytree(seeing.folder, tmp_path / "run"))
    described = json.loads((old / "run.json").read_bytes())
    for name in ("run.json", "run.copy.json"):
        (old / name).write_text(json.dumps({**described, "format": 2}))
    line = f"veridical: {old} is a run of format 2, but this version reads 3: run it again\n"
    again = ("run", "probe", "--model", "veridical/eye", "--set", made.folder, "--out", old)
    for words in (("status", old), ("metrics", old), ("report", old), ("rescore", old), ("compare", old, old), again):
        code, _, err = said(*words)
        assert (code, err) == (2, line)
