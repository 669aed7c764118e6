"""`python -m bench.sizing`: what a trial takes on disk, on the wire and in tokens, by suite, and the page that says so.

Each suite's quick set is drawn at its usual size, and an embedded observer is asked, so that the sizes of files are
those of real runs. They stand in `docs/sizing.json`, and `docs/howto/sizing.md` is made of them; with `--page` the page
alone is made anew. Only the questions in a second of a core depend on how fast the machine is.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import veridical as v
from bench.asking import core
from bench.sizing_page import page
from veridical.ask.run_folder import RESPONSES, TRIALS
from veridical.base.files import write_whole
from veridical.base.path_checks import DERIVED
from veridical.records import Media, Trial
from veridical.verbs.plans.forecast import text_tokens
from veridical.verbs.sets import reader_of

_DOCS = Path(__file__).parents[1] / "docs"
MEASURED, PAGE = _DOCS / "sizing.json", _DOCS / "howto" / "sizing.md"
_FEW: dict[str, dict[str, Any]] = {"hocabench": {"units": 1, "panels": 0, "sequences": 0}, "magicbench": {"units": 1}}
_SUITES = ("viprobe", "viabench", "magic", "magicbench", "hocabench")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, unless the page alone is wanted, and writes both files."""
    parser = argparse.ArgumentParser(prog="python -m bench.sizing", description="What a trial takes, by suite.")
    parser.add_argument("--page", action="store_true", help="make the page of what was measured before")
    if not parser.parse_args(arguments).page:
        write_whole(MEASURED, (json.dumps(measured(), indent=1) + "\n").encode())
    write_whole(PAGE, page(json.loads(MEASURED.read_text(encoding="utf-8"))).encode())
    sys.stdout.write(f"{PAGE}\n")


def measured() -> dict[str, Any]:
    """The sizes by suite, and the questions that a core of the client asks in a second."""
    with tempfile.TemporaryDirectory(prefix="veridical-bench-") as folder:
        suites = {name: sizes(name, Path(folder)) for name in _SUITES}
    rate = core(500, 3)["questions_per_cpu_s"]
    return {"suites": suites, "questions_per_cpu_s": rate, "analyzed": analyzed()}


def analyzed() -> dict[str, dict[str, float]]:
    """What verbs take on a run of a million outcomes, in CPU seconds and MB, as `bench/README.md` has it."""
    found: dict[str, dict[str, float]] = {
        verb: {} for verb in ("metrics", "report", "status", "resumed", "rest", "whole")
    }
    for line in (Path(__file__).parent / "README.md").read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| `(\w+)`, (CPU s|MB) (?:\|[^|]*){3}\| ([\d.,]*\d)", line)
        if row and row[1] in found:
            found[row[1]][row[2]] = float(row[3].replace(",", ""))
    return found


def sizes(suite: str, folder: Path) -> dict[str, float]:
    """Means over the trials of a small run: bytes on disk and on the wire, pictures, clips and tokens of text."""
    made = v.make(suite, out=folder / suite, recipe="quick", **_FEW.get(suite, {}))
    out = folder / f"{suite}-run"
    run = v.run(made, "veridical/simulated", out=out, show="quiet", analyze=False).run
    trials, responses = run.trials(), run.responses().values()
    read, asked = reader_of(made, [out]), {trial.stimulus for trial in trials}
    shown = [part for trial in trials for part in _media(trial)]
    lengths = {file: len(read(file)) for file in {part.file for part in shown}}
    own = sum(len(made.read(part.file)) for each in made.stimuli if each.id in asked for part in each.media)
    derived = sum(path.stat().st_size for path in made.folder.glob(f"{DERIVED}/**/*") if path.is_file())
    text = sum(len(each.text.encode()) for each in responses)
    many = len(trials)
    return {
        "trials": many,
        "trials_per_stimulus": round(many / len(asked), 2),
        "media_kb_per_stimulus": round(own / len(asked) / 1000, 1),
        "derived_kb_per_stimulus": round(derived / len(made.stimuli) / 1000, 1),
        "pictures": round(sum(part.kind == "image" for part in shown) / many, 2),
        "clips": round(sum(part.kind == "video" for part in shown) / many, 2),
        "sent_kb": round(sum(lengths[part.file] for part in shown) * 4 / 3 / many / 1000, 1),
        "text_tokens": round(sum(map(text_tokens, trials)) / many),
        "response_bytes": round(((out / RESPONSES).stat().st_size - text) / len(responses)),
        "trial_bytes": round((out / TRIALS).stat().st_size / many),
    }


def _media(trial: Trial) -> list[Media]:
    return [part for message in trial.messages for part in message.parts if isinstance(part, Media)]


if __name__ == "__main__":
    main()
