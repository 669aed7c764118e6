"""The library without the extra `providers`: what needs it says so in one line, and nothing else misses it."""

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.ask.server import serve

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "veridical"
# inspect-ai, and what would not be installed without it.
WITHOUT = """
import sys
class Missing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("inspect_ai", "tenacity", "boto3", "botocore", "mcp", "tiktoken"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing)
"""
COMMANDS = """
import json
from veridical.__main__ import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["veridical", *words]
    try:
        main()
    except SystemExit as ended:
        print("ended with", ended.code or 0)
        if ended.code:
            break
"""
CURE = 'pip install "veridical[providers]"'


def ran(code, *words, cwd=None):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *words], cwd=cwd, capture_output=True, text=True, timeout=600
    )


def commands(folder, *every):
    words = [[str(word) for word in each] for each in every]
    return ran(COMMANDS, json.dumps(words), cwd=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a small set, `set`, which was made and checked without the extra."""
    folder = tmp_path_factory.mktemp("plain")
    small = ("--cases", "zollner", "--units", "1", "--levels", "2", "--size", "96")
    done = commands(folder, ("--help",), ("make", "viprobe", *small, "--out", "set"), ("check", "set"))
    assert done.stdout.count("ended with 0") == 3, done.stderr
    return folder


def test_embedded_observers_a_server_a_rule_and_the_report_need_no_provider(folder):
    run = ("run", "viprobe", "--set", "set", "--yes")
    with serve() as server:
        served = (*run, "--model", "org/some-model", "--base-url", server.url, "--out", "served")
        done = commands(
            folder,
            (*run, "--model", "veridical/pixel", "--out", "pixel"),
            (*run, "--model", "veridical/simulated", "-M", "mechanism=competition", "--out", "simulated"),
            (*run, "--model", "veridical/replay", "-M", "answers=pixel/responses.jsonl", "--out", "replay"),
            ("run", "viprobe", "--set", "set", "--model", "veridical/text", "--dry-run", "--out", "text"),
            served,
            ("report", "pixel", "served"),
        )
    assert done.stdout.count("ended with 0") == 6, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    versions = json.loads((folder / "pixel" / "run.json").read_text())["execution"][0]["versions"]
    assert versions.keys() >= {"veridical", "openai"}
    assert texts(folder / "pixel") == texts(folder / "replay")


def texts(run):
    lines = map(json.loads, (run / "responses.jsonl").read_text().splitlines())
    return {(line["trial"], line["repeat"]): line["text"] for line in lines}


def test_a_judge_by_rule_needs_no_provider_and_another_judge_is_refused_before_anything_is_asked(tmp_path):
    run = ("run", "viabench", "--set", "set", "--model", "veridical/simulated", "--limit", "1")
    done = commands(
        tmp_path,
        ("make", "viabench", "--recipe", "quick", "--units", "1", "--puzzles", "muller_lyer", "--out", "set"),
        (*run, "--judge", "rule", "--out", "run"),
        (*run, "--judge", "anthropic/claude", "--yes", "--out", "judged"),
    )
    assert done.stdout.count("ended with 0") == 2, done.stderr
    assert list(tmp_path.glob("run/stages/*/veridical-rule-*/responses.jsonl"))
    assert done.stderr.splitlines()[-1] == f"veridical: model 'anthropic/claude' needs inspect_ai: {CURE}"
    assert not (tmp_path / "judged").exists()


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_a_model_of_a_provider_is_refused_in_one_line_that_says_what_to_install(folder, words):
    done = commands(
        folder, ("run", "viprobe", "--set", "set", "--model", "openai/gpt-4o", "--yes", "--out", "x", *words)
    )
    assert "ended with 2" in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"needs inspect_ai: {CURE}")
    assert not (folder / "x").exists()


@pytest.mark.parametrize("module", ["inspect_tasks", "provider"])
def test_what_is_for_inspects_runner_says_in_one_line_what_to_install(module):
    code = f"from veridical.errors import InputError\ntry:\n    import veridical.verbs.{module}\n"
    done = ran(f"{code}except InputError as error:\n    print(error)")
    assert done.stdout.splitlines() == [done.stdout.strip()]
    assert done.stdout.strip().endswith(f"of inspect needs inspect_ai: {CURE}")


def test_without_the_extra_the_package_and_its_public_names_load():
    done = ran("import veridical\nfor name in veridical.__all__:\n    getattr(veridical, name)\nprint('loaded')")
    assert done.stdout.strip() == "loaded", done.stderr


NAMES = {
    "PIL": "pillow",
    "google": "google-genai",
    "mlflow": "mlflow-skinny",
    "scenedetect": "scenedetect-headless",
}


def imported(tree):
    """The packages that code imports, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def test_every_package_that_the_library_imports_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines]
    declared = {canonicalize_name(Requirement(line).name) for line in (*project["dependencies"], *extras)}
    found = {}
    for path in SOURCE.rglob("*.py"):
        for root in imported(ast.parse(path.read_text(encoding="utf-8"))):
            if root not in sys.stdlib_module_names and root not in ("veridical", "_typeshed"):
                found[canonicalize_name(NAMES.get(root, root))] = path.name
    assert {"pydantic-core", "markupsafe"} <= found.keys()
    assert {name: file for name, file in found.items() if name not in declared} == {}
