"""The page on writing a suite holds a suite that works as it stands there."""

import re
import shlex
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests.probe.packages import ROOT, command, installed
from veridical.media.draw import encode_png
from veridical.suite import registry

PAGE = (ROOT / "docs" / "writing-a-suite.md").read_text()
FILES = {
    match[1]: match[2] for match in re.finditer(r"^`([\w/.]+)`\n```\w+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
}
SHORT, PHOTOS, FULL = (
    [line for line in text.splitlines() if line] for text in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The files of the page in a folder, offered by the entry point of its pyproject.toml."""
    folder = tmp_path_factory.mktemp("guide")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    offered = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]["veridical.suites"]
    return installed(folder, "longer-suite", [f"{name} = {place}" for name, place in offered.items()])


def test_the_page_is_short_and_its_files_are_those_that_the_record_names():
    short, rest = PAGE.split("## From picture files")
    photos, full = rest.split("## As a package")
    assert len(FILES["longer.py"].splitlines()) <= 30
    assert len(short.splitlines()) <= 70
    assert len(photos.splitlines()) <= 45
    assert len(full.splitlines()) <= 200
    parts = re.findall(r'"(longer_suite\.\w+):', FILES["longer_suite/__init__.py"])
    assert {f"{part.replace('.', '/')}.py" for part in parts} < set(FILES)


@pytest.fixture
def forgotten():
    """What the page registers and loads is forgotten afterwards."""
    registered, loaded = dict(registry._REGISTERED), set(sys.modules)
    yield
    registry._REGISTERED.clear()
    registry._REGISTERED.update(registered)
    for name in set(sys.modules) - loaded:
        if name.split(".")[0] in ("longer_suite", "veridical_suite_file_longer", "veridical_suite_file_signs"):
            del sys.modules[name]


def test_the_file_of_the_page_works_with_its_commands(tmp_path, monkeypatch, said, forgotten):
    (tmp_path / "longer.py").write_text(FILES["longer.py"])
    monkeypatch.chdir(tmp_path)
    name, _, value = SHORT[0].removeprefix("export ").partition("=")
    monkeypatch.setenv(name, value)
    outputs = []
    for line in SHORT[1:]:
        program, *words = shlex.split(line)
        assert program == "veridical"
        code, out, err = said(*words)
        assert code == 0, err
        outputs.append(out)
    assert "40 stimuli in set" in outputs[0]
    assert "40 verified, 0 failed" in outputs[1]
    assert "not measurable" not in outputs[1]
    assert "planned 40, asked 40: 40 answered" in outputs[2]
    assert "fins" in outputs[3]
    assert "above chance" in Path("run/report.html").read_text()


def test_the_file_of_picture_files_works_with_its_commands_and_copies_them(tmp_path, monkeypatch, said, forgotten):
    for name in ("photos/signs.csv", "signs.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FILES[name])
    files = [line.partition(",")[0] for line in FILES["photos/signs.csv"].splitlines()[1:]]
    contents = [encode_png(np.full((32, 32, 3), 40 * number, np.uint8)) for number in range(len(files))]
    for file, content in zip(files, contents, strict=True):
        (tmp_path / "photos" / file).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    name, _, value = PHOTOS[0].removeprefix("export ").partition("=")
    monkeypatch.setenv(name, value)
    outputs = []
    for line in PHOTOS[1:]:
        code, out, err = said(*shlex.split(line)[1:])
        assert code == 0, err
        outputs.append(out)
    assert "4 stimuli in set" in outputs[0]
    assert "4 not measurable" in outputs[1]
    copied = [path for path in Path("set", "media").rglob("*") if path.is_file()]
    assert {path.read_bytes() for path in copied} == set(contents)
    assert not {path.name for path in copied} & set(files)
    assert "night" in Path("run/report.html").read_text()


def test_every_command_of_the_page_works_with_the_code_of_the_page(written, tmp_path, monkeypatch, said, forgotten):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(written))
    outputs = []
    for line in FULL:
        program, *words = shlex.split(line)
        assert program == "veridical"
        code, out, err = said(*words)
        assert code == 0, err
        outputs.append(out)
    assert "10 stimuli in set" in outputs[0]
    assert "10 verified, 0 failed" in outputs[1]
    assert "planned 20, asked 20: 20 answered" in outputs[2]
    assert "stage verdict (judge), complete: planned 20, asked 20: 20 answered" in outputs[3]
    assert "100.0 %" in outputs[4]
    assert Path("run/report.html").stat().st_size > 10_000


def test_help_has_the_option_of_the_page(written):
    code, out, _ = command("make", "longer", "--help", packages=[written])
    assert code == 0
    assert "Difference in length in px. 1 to 60. Default: 20." in " ".join(out.split())
