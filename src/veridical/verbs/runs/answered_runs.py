"""Runs whose trials need not be planned again, told from what the start before was made from, and their rest."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veridical.ask import Run
from veridical.ask.earlier_replies import RemainingTrials
from veridical.ask.folder import plain_json
from veridical.ask.identity_differences import differences
from veridical.base.path_checks import holds_run
from veridical.errors import InputError
from veridical.records import Json, canonical

if TYPE_CHECKING:
    from veridical.suite.record import Suite
    from veridical.verbs.runs.setup import Setup

PLANNED_FROM = "planned_from"
"""The key of a start under which stands the digest of what its trials were planned from."""
_OF_TRIALS = ("prompts", "derived", "trials", "all_trials", "repeats")
"""The keys of an identity that only planned trials tell, and the repeats, which stand beside them."""
_OF_START = ("started", "ended", "loaded")
_SOURCES = (".py", ".md", ".toml")


def planned_from(setup: Setup) -> str | None:
    """The digest of what the first stage's trials follow from: library, suite, set, settings, wordings, limit.

    `None` where the suite's own files cannot be told, as in a notebook.
    """
    sources, prompts = _suite_sources(setup.suite), setup.asking.prompts
    if sources is None:
        return None
    wordings = None if prompts is None else _files_digest(prompts)
    levels = {name: list(chosen) for name, chosen in setup.asking.levels.items()}
    own = [setup.options.get("limit"), setup.options.get("shard"), setup.repeats]
    facts = [version("veridical"), setup.suite.name, sources, setup.stimuli.digest, levels, wordings, *own]
    return sha256(canonical(facts).encode()).hexdigest()


class UnaskedRest(NamedTuple):
    """What a start is left with: the run if it has every reply (`answered`), else the `remaining` trials.

    Neither is there where all trials have to be planned.
    """

    answered: Run | None = None
    remaining: RemainingTrials | None = None


def unasked_rest(folder: Path, setup: Setup, *, followed: bool) -> UnaskedRest:
    """What a start of a first stage is left with, as far as that can be told without planning its trials.

    A start that is `followed` on a page or board goes through all of its steps even if nothing is left to ask.
    """
    run = _planned_run(folder, setup)
    if run is None:
        return UnaskedRest()
    same = not followed and _start(run.executions[-1]) == _start(plain_json(setup.execution()))
    with suppress(InputError):  # planning all trials comes to the same error
        resumable = _is_resumable(run, setup)
        if same and _is_complete(run, setup, counted=resumable):
            return UnaskedRest(answered=run)
        remaining = RemainingTrials.of(run) if resumable else None
        if same and remaining is not None and not remaining.trials:
            return UnaskedRest(answered=run)
        return UnaskedRest(remaining=remaining)
    return UnaskedRest()


def _planned_run(folder: Path, setup: Setup) -> Run | None:
    """The run in a folder if planning a first stage anew would give the trials that it has stored, else `None`.

    That is so if its latest start was made from the same files and versions, for the same model.
    """
    digest = planned_from(setup)
    if digest is None or setup.how.retry or not holds_run(folder):
        return None
    with suppress(InputError):
        run = Run.open(folder)
        latest = run.executions[-1] if run.executions else {}
        differing = differences(_without(run.identity), _without(plain_json(setup.identity())))
        same = latest.get(PLANNED_FROM) == digest and latest.get("versions") == setup.execution()["versions"]
        return run if same and not differing else None
    return None


def _is_complete(run: Run, setup: Setup, *, counted: bool) -> bool:
    """Whether a run has a reply to all that can be asked; `counted`: only if that was counted and stored before."""
    from veridical.verbs.results.result import RunResult
    from veridical.verbs.results.status import fingerprint, read_status

    if counted and read_status(run.folder, fingerprint(run.folder, setup.suite)) is None:
        return False
    first = RunResult(run).staged[0]
    unreadable = first.counts.unparsed + first.counts.truncated
    return first.complete and not (unreadable and setup.stage.most_tries > 1)


def _is_resumable(run: Run, setup: Setup) -> bool:
    """Whether the stored trials that lack a reply are all that is needed to ask the rest of such a run.

    It is not where a reply depends on other trials, where media are derived or replies read to know what to ask, and
    where a server is named now and was not before, or the reverse: then other limits of requests hold.
    """
    stage, observer = setup.stage, setup.observer
    alone = observer is None or observer.sees == "messages"
    plain = not stage.shares_replies and (stage.most_tries == 1 or observer is not None)
    served = bool(run.servers) == bool(setup.servers)
    return alone and plain and served and "derived" not in run.identity


def _start(execution: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in execution.items() if key not in _OF_START}


def _without(identity: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in identity.items() if key not in _OF_TRIALS}


def _suite_sources(suite: Suite) -> str | None:
    """The digest of the files that a suite is made of; `None` where they are not known."""
    if suite.files:
        return suite.origin()["suite_sha256"]
    packages = {place.partition(":")[0].rpartition(".")[0] for place in suite.parts.values() if isinstance(place, str)}
    if not packages or not all(isinstance(place, str) for place in suite.parts.values()):
        return None
    roots = sorted(name for name in packages if not any(name.startswith(f"{other}.") for other in packages))
    specs = [find_spec(name) if name else None for name in roots]
    folders = [place for spec in specs if spec for place in spec.submodule_search_locations or ()]
    if len(folders) < len(roots):
        return None
    return sha256("".join(_files_digest(Path(folder)) for folder in folders).encode()).hexdigest()


def _files_digest(folder: Path) -> str:
    digest = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES and path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()
