"""A path that is wrong is refused in one line, before anything that takes time is loaded."""

import subprocess
import sys

import pytest

HEAVY = ("polars", "numpy", "matplotlib", "inspect_ai", "scipy", "av", "torch", "veridical.ask", "veridical.verbs")
ASKED = ("run", "judge-audit", "--out", "out", "--model", "openai/x")
NO_RUN, NO_SET = "nowhere holds no run: run.json is missing", "nowhere holds no stimulus set"
GONE = "nowhere cannot be read: No such file or directory"

WRONG = {
    "status": (("status", "nowhere"), NO_RUN),
    "metrics": (("metrics", "nowhere"), NO_RUN),
    "report": (("report", "whole", "nowhere"), NO_RUN),
    "rescore": (("rescore", "nowhere"), NO_RUN),
    "repair": (("repair", "nowhere"), NO_RUN),
    "judge": (("judge", "nowhere", "--judge", "openai/x"), NO_RUN),
    "compare, first": (("compare", "nowhere", "whole"), NO_RUN),
    "compare, second": (("compare", "whole", "nowhere"), NO_RUN),
    "compare, third": (("compare", "whole", "whole", "nowhere"), NO_RUN),
    "adopt": (("adopt", "nowhere", "--out", "out"), NO_RUN),
    "check": (("check", "nowhere"), NO_SET),
    "describe": (("describe", "nowhere"), NO_SET),
    "derive": (("derive", "nowhere"), NO_SET),
    "share": (("share", "nowhere", "--out", "out.zip"), NO_SET),
    "trials": (("trials", "nowhere", "--out", "out"), NO_SET),
    "sample": (("people", "sample", "nowhere", "--out", "out", "--per-person", "1"), NO_SET),
    "read": (("people", "read", "nowhere", "file", "--out", "out"), NO_SET),
    "import": (("import", "any", "nowhere", "--out", "out"), GONE),
    "run --set": ((*ASKED, "--set", "nowhere"), NO_SET),
    "plan --set": (("plan", "judge-audit", "--set", "nowhere"), NO_SET),
    "run --prompts": ((*ASKED, "--prompts", "nowhere"), "prompts nowhere: No such file or directory"),
    "run --prices": ((*ASKED, "--prices", "nowhere"), GONE),
    "plan --prices": (("plan", "judge-audit", "--prices", "nowhere"), GONE),
    "run --models": ((*ASKED, "--models", "nowhere"), GONE),
    "report --models": (("report", "whole", "--models", "nowhere"), GONE),
    "report --set": (("report", "whole", "--set", "nowhere"), NO_SET),
    "people's answers": (("people", "read", "whole", "nowhere"), GONE),
    "a file for a run": (("metrics", "file"), "file is not a folder, so it holds no run"),
    "a file for a set": ((*ASKED, "--set", "file"), "file is not a folder, so it holds no stimulus set"),
    "a file for prompts": ((*ASKED, "--prompts", "file"), "prompts file: Not a directory"),
    "a file to run in": (
        ("run", "judge-audit", "--out", "file", "--model", "m"),
        "file cannot be used: Not a directory",
    ),
    "a folder for prices": ((*ASKED, "--prices", "whole"), "whole cannot be read: Is a directory"),
    "a half-made set": (("check", "half"), "half holds no stimulus set (it is only partly made"),
}


@pytest.fixture
def places(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "run.json").write_text("{}")
    (tmp_path / "half" / ".parts").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_path_is_refused_in_one_line_and_nothing_is_made(case, places, cli):
    words, told = WRONG[case]
    code, out, err = cli(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"veridical: {told}")
    assert sorted(path.name for path in places.iterdir()) == ["file", "half", "whole"]
    assert (places / "file").read_text() == "mine"


FLAGS = {
    "a batch for nobody": (("--batch",), "--batch needs --model NAME"),
    "a batch with truth": (("--batch", "--model", "m", "--gold"), "--gold beside --batch"),
    "no batch": (("--temperature", "0"), "--temperature without --batch"),
}
EARLY = ["metrics", "compare, second", "run --set", "run --prompts", "run --prices", "plan --prices", "trials", *FLAGS]


@pytest.mark.parametrize("case", EARLY)
def test_a_wrong_path_or_flag_is_refused_before_anything_heavy_is_loaded(case, places):
    (places / "made").mkdir()
    (places / "made" / "manifest.json").write_text("{}")
    early = {name: (("trials", "made", "--out", "out", *flags), told) for name, (flags, told) in FLAGS.items()}
    words, told = {**WRONG, **early}[case]
    script = (
        "import atexit, sys\n"
        "from veridical import cli\n"
        f"sys.argv = ['veridical', *{words!r}]\n"
        f"atexit.register(lambda: print('loaded:', *(name for name in {HEAVY!r} if name in sys.modules)))\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (2, "loaded:")
    assert done.stderr.startswith(f"veridical: {told}")
