"""A command that failed before anything was answered leaves nothing in the way of the corrected one."""

import json
import re
import subprocess
import sys

import pytest

from tests.ask.server import refused
from tests.probe.staged import EYE, answering, drawn, replies
from veridical.ask import Run


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2)


WRONG = {
    "no such provider": ("opnai/gpt", None, "the provider opnai|not recognized"),
    "no provider": ("gpt", None, "names no provider"),
    "no such observer": ("veridical/eyes", None, "did you mean 'veridical/eye'"),
    "404": ("org/aye", refused(404, "no model", code="model_not_found"), "is not there .HTTP 404"),
    "401": ("org/eye", refused(401, "bad key"), "refuses the key .HTTP 401"),
    "403": ("org/eye", refused(403, "not yours"), "HTTP 403"),
    "400": ("org/eye", refused(400, "no such thing"), "refuses the first trial .HTTP 400"),
}


@pytest.mark.parametrize("case", WRONG)
def test_the_corrected_command_takes_the_folder(few, tmp_path, said, case):
    model, answer, told = WRONG[case]
    out = tmp_path / "run"
    words = ("run", "probe", "--set", few.folder, "--out", out, "--yes")
    with answering(lambda _: answer) as server:
        place = ("--base-url", server.url) if answer is not None else ()
        for _ in range(2):
            code, _, err = said(*words, "-S", "tone=polite", "--model", model, *place)
            assert code == 2
            assert err.splitlines()[-1].startswith("veridical: ")
            assert re.search(told, err), err
        server.behaviour = replies()
        code, shown, err = said(*words, "--model", EYE, "--base-url", server.url, "--json")
    assert code == 0, err
    assert json.loads(shown)["counts"]["answered"] == 4
    run = Run.open(out)
    assert (run.identity["model"], run.missing(), run.remarks()) == (EYE, 0, [])


def test_a_model_that_answered_nothing_but_errors_gives_way_too(few, tmp_path, said):
    out = tmp_path / "run"
    words = ("run", "probe", "--set", few.folder, "--out", out, "--yes", "--max-requests", 1)
    with answering(lambda _: refused(500)) as server:
        assert said(*words, "--model", "org/aye", "--base-url", server.url)[0] == 1
        server.behaviour = replies()
        code, _, err = said(*words, "--model", EYE, "--base-url", server.url)
    assert code == 0, err
    assert (out / "responses.unanswered.jsonl").read_bytes().count(b"\n") == 4


CLIENTS = ("openai", "anthropic", "google")
KEYLESS = ("openai/gpt-4o", "anthropic/claude-sonnet-4-5")


def test_a_dry_run_needs_no_key_and_makes_no_client(few, tmp_path):
    """One process tries them all: what a command loaded would be loaded after the next ones, too."""
    from tests.probe.packages import installed

    site, server = (
        installed(tmp_path / "site", "probe-suite", ["probe = tests.probe_suite:SUITE"]),
        "http://127.0.0.1:9/v1",
    )
    models = tmp_path / "models.toml"
    models.write_text(f'["org/eye"]\nbase_url = "{server}"\nkey = "NOT_SET_KEY"\n')
    asked = [["--model", model] for model in KEYLESS]
    asked += [["--model", "m", "--base-url", server]]
    asked += [["--models", str(models), "--role", "model=org/eye", "--judge", "org/eye", "--self-judge"]]
    words = ["run", "probe", "--set", str(few.folder), "--out", str(tmp_path / "run"), "--dry-run"]
    script = (
        "import os, sys\n"
        "for name in list(os.environ):\n    if name.endswith('_API_KEY'): del os.environ[name]\n"
        f"sys.path[:0] = [{str(site)!r}]\n"
        "from veridical import cli\n"
        f"for words in {asked!r}:\n"
        f"    sys.argv = ['veridical', *{words!r}, *words]\n"
        "    try: cli.main()\n"
        "    except SystemExit as ended:\n"
        f"        loaded = [name for name in {CLIENTS!r} if name in sys.modules]\n"
        "        print('ended', ended.code, words, 'loaded', loaded)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    ended = [place for place, line in enumerate(lines) if line.startswith("ended")]
    assert [lines[place] for place in ended] == [f"ended 0 {each} loaded []" for each in asked], done.stderr
    assert [lines[place - 1].strip() for place in ended] == ["nothing was sent"] * len(asked)
    assert not (tmp_path / "run").exists()
