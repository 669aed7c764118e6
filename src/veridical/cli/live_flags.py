"""The flags `--live` and `--live-port` of `run`, and the page that they serve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.shards import shard_folder

if TYPE_CHECKING:
    from veridical.verbs.runs.live_state import LiveState

LiveFlag = Annotated[
    bool, typer.Option("--live", help="Show counts, latest replies and the report in a browser while the run goes on.")
]
LivePort = Annotated[int | None, typer.Option(metavar="PORT", help="Port of --live on 127.0.0.1. Default: a free one.")]


@contextmanager
def run_page(
    suite: str, out: Path, names: Sequence[str], shard: str | None, *, live: bool, port: int | None
) -> Iterator[LiveState | None]:
    """What a page that is served while the block lasts follows; `None` where no flag asks for a page.

    Raises `InputError` for a port that cannot be used.
    """
    if not live and port is None:
        yield None
        return
    from veridical.report.live.page import live_page
    from veridical.suite import registry
    from veridical.verbs.runs.live_server import live_run
    from veridical.verbs.runs.model_runs import folder_of

    chosen = registry.get(suite)
    wholes = [folder_of(out, name) for name in names] if len(names) > 1 else [out]
    folders = [shard_folder(whole, shard) for whole in wholes]
    with live_run(port or 0, live_page(chosen.name, chosen.title, out.resolve().name), folders) as run:
        typer.echo(f"live: {run.url}", err=True)
        yield run.state
