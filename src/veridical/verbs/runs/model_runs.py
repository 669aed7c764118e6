"""Asking several models about one set in one call: a run folder each, one display, one budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Unpack

import polars as pl

from veridical.ask import RunBoard, is_embedded
from veridical.base.path_checks import RUN
from veridical.base.run_options import RunOptions
from veridical.base.shards import shard_folder
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.live_state import LiveState
from veridical.verbs.runs.places import slug_of
from veridical.verbs.runs.roles import roles_of
from veridical.verbs.runs.run import place_of_run
from veridical.verbs.runs.run_start import RunStart, Show
from veridical.verbs.runs.setup import Setup
from veridical.verbs.sets import SetDesign, folder_for

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

ConfirmAll = Callable[[Sequence[Setup]], bool]


class Runs(list[RunResult]):
    """The runs of several models in the order in which they were named; `problems` says why a model has none.

    `left` are the models that were not come to, since a person stopped the call.
    """

    def __init__(
        self, runs: Iterable[RunResult], problems: Mapping[str, InputError] | None = None, left: Sequence[str] = ()
    ) -> None:
        super().__init__(runs)
        self.problems, self.left = dict(problems or {}), tuple(left)

    @property
    def complete(self) -> bool:
        """Whether every model was asked everything that it can be asked."""
        return not self.problems and not self.left and all(each.complete and not each.stopped for each in self)

    def frame(self) -> pl.DataFrame:
        """One row per model: its folder, its counts, whether the run is complete, and what the problem was."""
        texts, numbers = ("model", "run", "problem"), ("planned", "asked", "answered")
        rows: list[dict[str, str | int | bool | None]] = [
            {
                "model": each.model,
                "run": str(each.folder),
                "complete": each.complete,
                **{name: getattr(each.counts, name) for name in numbers},
                "problem": each.stopped,
            }
            for each in self
        ]
        rows += [{"model": model, "complete": False, "problem": str(why)} for model, why in self.problems.items()]
        rows += [{"model": model, "complete": False, "problem": "not asked yet"} for model in self.left]
        schema = {"model": pl.String, "run": pl.String, "complete": pl.Boolean, **dict.fromkeys(numbers, pl.Int64)}
        return pl.DataFrame(rows, schema={**schema, texts[2]: pl.String})

    def __repr__(self) -> str:
        failed = f", {len(self.problems)} refused" if self.problems else ""
        left = f", {len(self.left)} not asked yet" if self.left else ""
        return f"<Runs of {', '.join(each.model for each in self) or 'nobody'}{failed}{left}>"


def run_models(
    stimuli: StimulusSet | SetDesign | Path | str,
    names: Sequence[str],
    *,
    out: Path | str | None = None,
    show: Show = "auto",
    confirm: ConfirmAll | None = None,
    analyze: bool = True,
    live: LiveState | None = None,
    **options: Unpack[RunOptions],
) -> Runs:
    """The runs of several models on a set, one after the other, each in a folder of its own inside `out`.

    `names` are those of models, or of tables of the file of models (see `run`, whose keywords these are); `folder_of`
    says which folder a model has. What is wrong with the set, the options or a model's name is told before anything is
    sent. A model that then cannot be asked stands in the result's `problems`, and the others are asked all the same.
    Budgets hold for all models together, a limit of time for the whole call. The same call asks what is missing, and
    may name further models. `confirm` gets what is planned for all models that are not embedded, and may say no.
    """
    _require_apart(names, folder := folder_for(out))
    place, suite = place_of_run(stimuli, options)
    board, agreed, began = RunBoard(names, show), set[str](), monotonic()

    def agrees(setup: Setup) -> bool:
        """Whether a person agrees to a later stage, such as a judge, which nobody was asked about at the beginning."""
        assert confirm is not None
        with board.paused():
            return confirm([setup])

    folders = {name: shard_folder(folder_of(folder, name), options.get("shard")) for name in names}
    starts = {
        name: RunStart(
            suite,
            place,
            own,
            roles_of(suite, name, options),
            options,
            show,
            agrees if confirm else None,
            began=began,
            agreed=agreed,
            beside=[each for other, each in folders.items() if other != name],
            shown=partial(board.of, name),
            live=live,
        )
        for name, own in folders.items()
    }
    firsts = [setup for start in starts.values() if (setup := start.first()) is not None]
    sent = [setup for setup in firsts if setup.planned and not is_embedded(setup.model)]
    if sent and confirm is not None:
        if not confirm(sent):
            raise InputError("nothing was sent: say yes, or give --yes")
        agreed.update(setup.model for setup in sent)
    return _in_turn(starts, board, analyze=analyze)


def _in_turn(starts: Mapping[str, RunStart], board: RunBoard, *, analyze: bool) -> Runs:
    """The runs that starts come to, one after the other, by model, until a person stops one."""
    results: list[RunResult] = []
    problems: dict[str, InputError] = {}
    with board:
        for name, start in starts.items():
            try:
                results.append(start.result(analyze=analyze))
            except InputError as error:
                problems[name] = error
                board.tell(name, "refused")
                continue
            if results[-1].stopped == "interrupted" and start.limited:
                return Runs(results, problems, [*starts][[*starts].index(name) + 1 :])
    return Runs(results, problems)


def _require_apart(names: Sequence[str], out: Path) -> None:
    """Raises `InputError` where no model is named, or one twice, and where the folder for all of them is a run."""
    for name in names:
        if list(names).count(name) > 1:
            raise InputError(f"the model {name} is given twice: once is allowed")
    if not names:
        raise InputError("no model is named")
    if (out / RUN).exists():
        raise InputError(f"{out} is a run: name another folder, in which each model gets one of its own")


def folder_of(out: Path, model: str) -> Path:
    """The run folder of a model, or of a table of the file of models, inside `out`; two names have two folders.

    >>> folder_of(Path("runs"), "veridical/pixel").as_posix(), folder_of(Path("runs"), "my-vlm").as_posix()
    ('runs/veridical--pixel', 'runs/my-vlm')
    >>> folder_of(Path("runs"), "Qwen/Qwen2.5-VL:free").as_posix()
    'runs/Qwen-Qwen2.5-VL-free-ab2a3134'
    """
    plain = model.replace("/", "--")
    if _PLAIN.fullmatch(plain) and "--" not in model:
        return out / plain
    return out / f"{slug_of(model)}-{sha256(model.encode()).hexdigest()[:8]}"
