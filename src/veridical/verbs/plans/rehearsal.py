"""The first requests of a run as they would be sent, with nothing sent and nothing written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Unpack

import polars as pl

from veridical.ask import UNSTATED, opens_reply, require_continuation, seed_of
from veridical.ask.capabilities import require_media, shows
from veridical.ask.clients import Continuation
from veridical.ask.models import require_known
from veridical.ask.pending_trials import PendingTrial, group_by_stimulus, pending_items
from veridical.base.path_checks import derived_rule
from veridical.base.run_options import RunOptions
from veridical.media import decode
from veridical.records import Json, Media, Text, canonical
from veridical.report import visible
from veridical.stimulus_set import StimulusSet
from veridical.verbs.runs.other_levels import level_without_continuation
from veridical.verbs.runs.preparation import prepare
from veridical.verbs.runs.setup import Setup

SHOWN = 3

_FORMATS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/webp": "WebP",
    "video/mp4": "MP4",
    "video/quicktime": "MOV",
    "video/webm": "WebM",
    "video/x-matroska": "Matroska",
}


@dataclass(frozen=True, kw_only=True)
class RequestPicture:
    """A picture in a request, by its format, size in pixels, and the number and sha256 of the bytes that are sent."""

    format: str
    width: int
    height: int
    bytes: int
    sha256: str

    def __str__(self) -> str:
        return f"[{self.format} {self.width}x{self.height}, {self._sent()}]"

    def _sent(self) -> str:
        return f"{self.bytes:,} bytes, sha256 {self.sha256[:16]}…"


@dataclass(frozen=True, kw_only=True)
class RequestClip(RequestPicture):
    """A clip in a request, which also has a number of frames."""

    frames: int

    def __str__(self) -> str:
        return f"[{self.format} {self.width}x{self.height}, {self.frames:,} frames, {self._sent()}]"


@dataclass(frozen=True, kw_only=True)
class Unmade:
    """A medium that a rule derives from the stimulus's own, and that the run makes before it asks."""

    rule: str
    digest: str
    place: int

    def __str__(self) -> str:
        return f"[medium {self.place + 1} of the rule {self.rule} ({self.digest}), which the run makes]"


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request: to whom, with which settings besides the model's own, and what is said, parts in order.

    It goes to one of the model's `servers`, if it has any of its own. `trial` and `repeat` tell which it is, and are
    not sent.
    """

    trial: str
    repeat: int
    model: str
    servers: tuple[str, ...]
    settings: Mapping[str, Json]
    messages: tuple[tuple[str, tuple[str | RequestPicture | Unmade, ...]], ...]

    def facts(self) -> dict[str, Json]:
        """The request as a JSON value."""
        facts: dict[str, Json] = {"trial": self.trial, "repeat": self.repeat, "model": self.model}
        facts |= {"servers": list(self.servers), "settings": dict(self.settings)}
        facts["messages"] = [{"role": role, "parts": list(map(_part, parts))} for role, parts in self.messages]
        return facts

    def lines(self) -> Iterator[str]:
        """The request for people; hidden characters are written out."""
        where = f" at {' or '.join(self.servers)}" if self.servers else ""
        yield visible(f"trial {self.trial}, repeat {self.repeat}, to {self.model}{where}")
        stated = {key: canonical(value) if isinstance(value, dict) else value for key, value in self.settings.items()}
        settings = ", ".join(f"{key} {value}" for key, value in stated.items())
        yield f"sampling: {settings or 'left to the model'}"
        for role, parts in self.messages:
            yield f"{role}:"
            for part in parts:
                yield from (f"  {line}" for line in visible(str(part)).split("\n"))


class Requests(list[Request]):
    """Requests in order, and as a table."""

    def frame(self) -> pl.DataFrame:
        """One row per request; `servers`, `settings` and `messages` are JSON text, as `Request.facts` has them."""
        texts = ("trial", "model", "servers", "settings", "messages")
        rows = [{**each.facts(), **{name: canonical(each.facts()[name]) for name in texts[2:]}} for each in self]
        schema = dict.fromkeys(texts, pl.String)
        return pl.DataFrame(rows, schema={"trial": pl.String, "repeat": pl.Int64, **schema})

    def __repr__(self) -> str:
        return f"<{len(self)} requests{f' to {self[0].model}' if self else ''}, not sent>"


def dry_run(stimuli: StimulusSet | Path | str, model: str | None, **options: Unpack[RunOptions]) -> Requests:
    """The first 3 requests of a new run with these arguments, one at a time; nothing is sent, nothing is written.

    They are of the first stage, since those of later ones are made from replies. The keywords are those of `run`. No
    key is needed, and a client is made only where it decides what can be sent. What `run` refuses before it sends
    anything is refused here, keys and clients apart: raises `InputError`.
    """
    setup = prepare(stimuli, model, **options)
    continuation = _continuation(setup, skip=options.get("skip_unsupported", False))
    able = [trial for trial in setup.trials if continuation.problem is None or not opens_reply(trial)]
    groups = group_by_stimulus(pending_items(able, setup.repeats, {}, frozenset()))
    first = islice((item for group in groups for item in group), SHOWN)
    return Requests(
        Request(
            trial=item.trial.id,
            repeat=item.repeat,
            model=setup.model,
            servers=tuple(setup.servers),
            settings=_settings(setup, item, continuation.body if opens_reply(item.trial) else None),
            messages=tuple(
                (message.role, tuple(p.text if isinstance(p, Text) else _shown(setup, p) for p in message.parts))
                for message in item.trial.messages
            ),
        )
        for item in first
    )


def _continuation(setup: Setup, *, skip: bool) -> Continuation:
    """How the model continues an assistant's turn; raises `InputError` for what it cannot be asked."""
    special = any(opens_reply(trial) or shows(trial, "video") for trial in setup.trials)
    if not special and setup.observer is None and setup.how.sampling.seed is None:
        require_known(setup.model, setup.role.base_url)
        return Continuation(None)
    opened = setup.open(keyless=True)
    require_media(setup.trials, opened, setup.model)
    return require_continuation(setup.trials, opened, setup.model, skip=skip, instead=level_without_continuation(setup))


def _settings(setup: Setup, item: PendingTrial, body: Mapping[str, Json] | None) -> dict[str, Json]:
    settings = {name: value for name, value in setup.how.sampling.stated().items() if value != UNSTATED}
    if setup.how.sampling.seed is not None:
        settings["seed"] = seed_of(setup.how.sampling.seed, item.repeat)
    schema = setup.schema(item.trial)
    return {**settings, **(body or {}), **({} if schema is None else {"schema": dict(schema)})}


def _part(part: str | RequestPicture | Unmade) -> dict[str, Json]:
    if isinstance(part, str):
        return {"text": part}
    if isinstance(part, Unmade):
        return {"derived": asdict(part)}
    return {"clip" if isinstance(part, RequestClip) else "picture": asdict(part)}


def _shown(setup: Setup, medium: Media) -> RequestPicture | Unmade:
    digest = derived_rule(medium.file)
    if digest is not None and not medium.sha256:
        place = medium.file.rpartition("/")[2]
        (rule,) = [rule for key, rule in setup.rules.items() if key.startswith(digest)]
        return Unmade(rule=rule.name, digest=digest, place=int(place))
    content = setup.read(medium.file)
    decoded = decode.decode(content, medium.file)
    facts: dict[str, Json] = {
        "format": _FORMATS[decode.mime_of(content, medium.file)],
        "width": decoded.width,
        "height": decoded.height,
        "bytes": len(content),
        "sha256": sha256(content).hexdigest(),
    }
    return (
        RequestPicture(**facts) if isinstance(decoded, decode.Picture) else RequestClip(**facts, frames=decoded.count)
    )
