"""What is released says one version and one date everywhere, and is checked on every Python that it names."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def changelog_entry():
    """The version and the date of the changelog's first entry."""
    return re.search(r"^## (\S+) \(([^)]+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).groups()


def test_project_citation_and_changelog_name_one_version():
    assert PROJECT["version"] == CITATION["version"] == changelog_entry()[0]


def test_the_changelog_and_the_citation_have_one_date_or_both_have_none():
    date = changelog_entry()[1]
    assert date == str(CITATION.get("date-released", "unreleased"))


def test_the_check_runs_on_each_python_that_the_package_names():
    named = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    jobs = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text())["jobs"]
    assert {each["python"] for each in jobs["check"]["strategy"]["matrix"]["include"]} == named


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_each_action_is_pinned_to_a_major_version_and_only_what_publishes_may_write(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        for step in job["steps"]:
            assert re.search(r"@(release/)?v\d+$", step.get("uses", "@v1"))
        written = {key for key, value in job.get("permissions", {}).items() if value == "write"}
        assert not written or job["environment"], name
