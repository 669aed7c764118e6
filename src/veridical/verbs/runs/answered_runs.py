"""Whether a start would ask nothing, told from what the start before it was made from, without planning its trials."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.ask import Run
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


def is_answered(folder: Path, setup: Setup) -> bool:
    """Whether a folder has the run of a first stage, whose trials need not be planned, with nothing left to ask.

    That is so if its latest start was made as this one is, from the same files, and each of its trials has a reply.
    """
    digest = planned_from(setup)
    if digest is None or setup.how.retry or not holds_run(folder):
        return False
    from veridical.verbs.results.result import RunResult

    with suppress(InputError):
        run = Run.open(folder)
        same = run.executions and _start(run.executions[-1]) == _start(plain_json(setup.execution()))
        if not same or differences(_without(run.identity), _without(plain_json(setup.identity()))):
            return False
        first = RunResult(run).staged[0]
        unreadable = first.counts.unparsed + first.counts.truncated
        return first.complete and not (unreadable and setup.stage.most_tries > 1)
    return False


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
