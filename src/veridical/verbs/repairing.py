"""Making a run whose stored responses are damaged readable again."""

from __future__ import annotations

from pathlib import Path

from veridical.ask.folder import STAGES
from veridical.ask.lock import held
from veridical.ask.repair import Repaired, repair
from veridical.verbs.result import RunResult, open_run


def repair_run(run: RunResult | Path | str) -> list[Repaired]:
    """What was set aside of the responses of a run, stage by stage; a file in which all is whole is left alone.

    Nothing is thrown away and nothing is sent (see `repair`). Raises `InputError` for what is no run, and while another
    process writes to it.
    """
    folder = open_run(run).folder
    with held(folder):
        places = [folder, *sorted(place.parent for place in folder.glob(f"{STAGES}/*/*/responses.jsonl"))]
        return [found for place in places if (found := repair(place)).lines]
