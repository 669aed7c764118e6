"""The house: a room imports only from rooms above its own, suites never from each other, and nothing unsafe is used."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "veridical"
LINES = (
    {"errors", "records"},
    {"base"},
    {"media"},
    {"stats", "answers"},
    {"stimulus_set"},
    {"ask"},
    {"observers"},
    {"suite"},
    {"judge"},
    {"published"},
    {"report"},
    {"verbs"},
    {"suites"},
    {"whitebox", "annotate"},
    {"cli", "__init__"},
)
PLACE = {room: index for index, line in enumerate(LINES) for room in line}
FILES = sorted(SOURCE.rglob("*.py"))


def room_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return parts[0]


def imports(path):
    """Full names of what a file imports from the library, wherever in the file the import stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("veridical"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("veridical"):
            if node.module == "veridical":
                yield from (f"veridical.{alias.name}" for alias in node.names)
            else:
                yield node.module


def complaints(path, names):
    own = room_of(path)
    for name in names:
        room = name.split(".")[1] if "." in name else "__init__"
        if room != own and PLACE[room] >= PLACE[own]:
            yield f"{own} imports {name}"
        inner = name.split(".")
        if own == "suites" and room == "suites" and len(inner) > 2:
            mine = path.relative_to(SOURCE).parts[1].removesuffix(".py")
            there = inner[2]
            if (SOURCE / "suites" / there).is_dir() and there != mine and mine != "__init__":
                yield f"suite {mine} imports suite {there}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_above_its_own(path):
    assert not list(complaints(path, imports(path)))


def test_an_import_from_a_room_below_would_be_seen():
    assert list(complaints(SOURCE / "media" / "draw" / "scene.py", ["veridical.ask.loop"]))
    assert list(complaints(SOURCE / "media" / "draw" / "scene.py", ["veridical.stats"]))
    assert not list(complaints(SOURCE / "ask" / "loop.py", ["veridical.records"]))


def test_every_room_has_its_line_in_the_plan():
    assert {room_of(path) for path in FILES} <= set(PLACE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_unsafe_is_used(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & {"pickle", "marshal", "shelve", "yaml"}
        if isinstance(node, ast.Call):
            assert getattr(node.func, "id", "") not in {"eval", "exec", "compile", "__import__"}
