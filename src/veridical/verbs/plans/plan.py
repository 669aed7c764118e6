"""What a run would take and could find, before anything is asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Unpack

import numpy as np

from veridical.ask import Price, is_embedded, read_prices
from veridical.ask.answer_logprobs import FORCED_TOKENS
from veridical.base.options import Options
from veridical.base.run_options import RunOptions, require_allowed
from veridical.base.shards import Shard
from veridical.errors import InputError
from veridical.records import Chunk, Kind, Media, Trial
from veridical.stats.power import detectable
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.suite.reply import require_some_held
from veridical.suite.sequential import STOP_AT, SequentialPart
from veridical.suite.stages import MODEL, AskingOptions
from veridical.verbs.plans.forecast import (
    FORCED,
    Effect,
    Forecast,
    ForecastPiece,
    Later,
    RoundsForecast,
    later,
    text_tokens,
)
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.runs.options import arguments_of
from veridical.verbs.runs.picture_limits import no_sizes, sizes_in, told_limits
from veridical.verbs.runs.question_rounds import goal_of
from veridical.verbs.runs.roles import require_held, roles_of
from veridical.verbs.runs.stage_trials import shard_trials, trials_of
from veridical.verbs.sets import SetDesign, limited_units, open_set, record_of

BASES = (0.9, 0.8, 0.5)
"""Rates under the easier condition for which the minimum detectable effect is computed."""

CORRELATION, STRONG = 0.2, 0.5
"""How outcomes of one unit under one condition are taken to be correlated, and how strongly beside that."""


def plan(
    stimuli: StimulusSet | SetDesign | Path | str,
    model: str | None = None,
    *,
    image_tokens: int | None = None,
    output_tokens: int | None = None,
    correlation: float = CORRELATION,
    rate: float | None = None,
    rate_of: RunResult | Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[RunOptions],
) -> Forecast:
    """What a run on a set, or on the set of a design (`sets.design`), would take and could find; nothing is sent.

    The keywords are those of `run`. Of a design one unit of each family is drawn, and counts for all units of it. A
    picture counts `image_tokens` (default: unknown), a reply `output_tokens` (default: `max_tokens`, else what is usual
    in the suite). Effects are computed for outcomes of one unit and condition that correlate by `correlation`, and by
    0.5. `rate` is how many questions a second the model answers; `rate_of` takes it from an earlier run of that model.
    `model` is needed for a price, and is held against that of the earlier run. Raises `InputError` for what a user can
    put right.
    """
    _require_possible(correlation, rate, image_tokens=image_tokens, output_tokens=output_tokens)
    rate, rate_from = _rate(rate, rate_of, model)
    whole = stimuli if isinstance(stimuli, SetDesign) else open_set(stimuli)
    suite = registry.get(whole.suite) if isinstance(whole, SetDesign) else record_of(whole)
    roles = roles_of(suite, model, options, keys=False)
    how = roles[MODEL].how if MODEL in roles else arguments_of(suite, None, _priced(options, model))
    settings = (roles[MODEL].options if MODEL in roles else options).get("settings")
    goal = goal_of(suite, options)
    if isinstance(goal, SequentialPart):
        settings = goal.settings
    asking, limit = suite.asked(settings, options.get("prompts")), options.get("limit")
    shard = None if options.get("shard") is None else Shard.parse(str(options.get("shard")))
    if isinstance(whole, SetDesign):
        if shard is not None:
            raise InputError(f"shard {shard} of a design: only a set says which units it has; make it, and name it")
        pieces, source = _drawn(suite, whole.options, asking, limit, progress), f"recipe {whole.options.recipe}"
    else:
        planned = shard_trials(trials_of(suite, whole, asking, limit), shard)
        in_shard = [each for each in limited_units(whole.stimuli, limit) if shard is None or shard.holds(each.unit)]
        pieces, source = [ForecastPiece(planned, 1, in_shard)], str(whole.folder)
    if MODEL in roles:
        asked = [trial for piece in pieces for trial in piece.trials]
        require_held(asked, roles[MODEL].model, roles[MODEL].base_url)
    trials = sum(len(piece.trials) * piece.times for piece in pieces)
    requests = trials * how.repeats
    text = how.repeats * sum(text_tokens(trial) * piece.times for piece in pieces for trial in piece.trials)
    shown = how.repeats * sum(len(_media(piece.trials, "image")) * piece.times for piece in pieces)
    picture_tokens = None if image_tokens is None else shown * image_tokens
    reply, reply_from = _reply_tokens(suite, how.sampling.max_tokens, output_tokens)
    tokens_in, tokens_out = text + (picture_tokens or 0), requests * reply
    needed = {"model": model, "prices": options.get("prices")}
    under_test, sizes = roles.get(MODEL), no_sizes if isinstance(whole, SetDesign) else sizes_in(whole, {})
    price = Price(input=0.0, output=0.0) if model is not None and is_embedded(model) else how.limits.price
    forecast = Forecast(
        suite=suite.name,
        source=source,
        units=sum(len({trial.unit for trial in piece.trials}) * piece.times for piece in pieces),
        pictures=_different(pieces, "image"),
        clips=_different(pieces, "video"),
        trials=trials,
        repeats=how.repeats,
        requests=requests,
        text_tokens=text,
        picture_tokens=picture_tokens,
        input_tokens=tokens_in,
        reply_tokens=reply,
        reply_tokens_from=reply_from,
        output_tokens=tokens_out,
        rate=rate,
        rate_from=rate_from,
        usd=price.cost(tokens_in, tokens_out) if price else None,
        price_needs=tuple(name for name, value in needed.items() if price is None and value is None),
        effects=tuple(_effects(suite, pieces, correlation)),
        resolution=tuple(suite.analysis.resolution((piece.trials, piece.times) for piece in pieces)),
        named_from=suite.presentation.named_from,
        too_large=() if under_test is None else told_limits(suite, under_test, asking, pieces, sizes),
        later=tuple(
            later(suite, stage, asking, pieces, roles.get(stage.role), how.repeats)
            for stage in suite.asking.ordered[1:]
        ),
    )
    if goal is not None:
        usual, most = (goal.usual, goal.most) if isinstance(goal, SequentialPart) else (None, trials)
        rounds = RoundsForecast(goal=str(options.get(STOP_AT)), usual=usual, of=trials)
        forecast = rounds.of_most(forecast, options.get("max_questions") or most)
    return _with_forced_answers(forecast, model, price) if how.policy.forced_answer else forecast


def _with_forced_answers(forecast: Forecast, model: str | None, price: Price | None) -> Forecast:
    """The forecast with the second requests, which send all that the first ones do."""
    tokens_out = FORCED_TOKENS * forecast.requests
    forced = Later(
        stage=FORCED,
        role=MODEL,
        model=model,
        requests=forecast.requests,
        input_tokens=forecast.input_tokens,
        output_tokens=tokens_out,
        usd=price.cost(forecast.input_tokens, tokens_out) if price else None,
        assumed="if every reply gives reasons before its answer",
    )
    return replace(forecast, later=(forced, *forecast.later))


def _require_possible(correlation: float, rate: float | None, **tokens: int | None) -> None:
    if rate is not None and not 0 < rate < math.inf:
        raise InputError(f"rate {rate:g}: more than 0 questions per second is allowed")
    for name, count in tokens.items():
        if count is not None and count < 0:
            raise InputError(f"{name} {count}: 0 or more are allowed")
    if not 0 <= correlation < 1:
        raise InputError(f"correlation {correlation:g}: 0 to below 1 is allowed")


def _rate(stated: float | None, earlier: RunResult | Path | str | None, model: str | None) -> tuple[float | None, str]:
    """The questions per second, and where that is from; raises `InputError` where a run has none to tell."""
    if earlier is None:
        return stated, "as stated"
    if stated is not None:
        raise InputError("rate and rate_of exclude each other: state a rate, or name a run that has one")
    run = open_run(earlier).run
    asked = str(run.identity["model"])
    if model is not None and asked.rpartition("/")[2] != model.rpartition("/")[2]:
        raise InputError(f"{run.folder} asked {asked}, not {model}: name a run of that model, or state a rate")
    answered = run.rate()
    if answered is None:
        raise InputError(f"{run.folder} has too few replies to tell a rate: state one, in questions per second")
    return answered, f"as in {run.folder}"


def _priced(options: RunOptions, model: str | None) -> RunOptions:
    """The options without a table of prices where no model is named whose price it could give; it is read all the same.

    Raises `InputError` for a table that is none.
    """
    table = options.get("prices")
    if model is not None or table is None:
        return options
    read_prices(Path(table))
    return {**options, "prices": None}


def _drawn(
    suite: Suite,
    options: Options,
    asking: AskingOptions,
    limit: int | None,
    progress: Callable[[int, int], None] | None,
) -> list[ForecastPiece]:
    """One unit of each family, with how many the design has of it; `limit` of them in all, evenly over the families."""
    require_allowed({"limit": limit})
    seen: Counter[str] = Counter()
    ranked: list[tuple[int, str]] = []
    first: dict[str, Chunk] = {}
    for chunk in suite.design.chunks(options):
        first.setdefault(chunk.family, chunk)
        ranked.append((seen[chunk.family], chunk.family))
        seen[chunk.family] += 1
    kept = Counter(family for _, family in sorted(ranked, key=lambda each: each[0])[:limit])
    pieces, stage = [], suite.asking.ordered[0]
    for done, (family, times) in enumerate(kept.items(), 1):
        stimuli = suite.design.outlined(options, first[family])
        pieces.append(ForecastPiece(list(stage.trials(stimuli, asking.of_stage(stage), Evidence({}))), times, stimuli))
        if progress:
            progress(done, len(kept))
    if not any(piece.trials for piece in pieces):
        raise InputError(f"the recipe {options.recipe} has nothing to ask about in this way")
    require_some_held([trial for piece in pieces for trial in piece.trials], asking.of_stage(stage).levels)
    return pieces


def _media(trials: Sequence[Trial], kind: Kind) -> list[Media]:
    """The media of a kind that trials show, each as often as it is shown."""
    parts = (part for trial in trials for message in trial.messages for part in message.parts)
    return [part for part in parts if isinstance(part, Media) and part.kind == kind]


def _different(pieces: Sequence[ForecastPiece], kind: Kind) -> int:
    return sum(len({medium.file for medium in _media(piece.trials, kind)}) * piece.times for piece in pieces)


def _reply_tokens(suite: Suite, max_tokens: int | None, stated: int | None) -> tuple[int, str]:
    if stated is not None:
        return stated, "as stated"
    if max_tokens is not None:
        return max_tokens, "the maximum of a reply"
    return suite.asking.reply_tokens, "usual in this suite; --output-tokens N sets it"


def _effects(suite: Suite, pieces: Sequence[ForecastPiece], correlation: float) -> Iterator[Effect]:
    """Over all units, and over those of the family that has the fewest, if there are several."""
    contrast = suite.asking.contrast
    what = f"{contrast[0]} − {contrast[1]}" if contrast else "two runs on the same trials"
    families: dict[str, list[tuple[int, int]]] = {}
    for piece in pieces:
        for family, rows in _rows(piece, contrast):
            families.setdefault(family, []).extend([rows] * piece.times)
    everything = [rows for each in families.values() for rows in each]
    scopes = {what: everything} if everything else {}
    if len(families) > 1:
        scopes[f"{what}, in one case"] = min(families.values(), key=len)
    for (name, units), alike in product(scopes.items(), dict.fromkeys((correlation, STRONG))):
        for base in BASES:
            effect = detectable(np.array(units), base, correlation=alike)
            points = None if effect is None else 100 * effect
            yield Effect(difference=name, units=len(units), correlation=alike, base=base, points=points)


def _rows(piece: ForecastPiece, contrast: tuple[str, str] | None) -> Iterator[tuple[str, tuple[int, int]]]:
    """The family of each unit with its number of pictures under both conditions, where it has any."""
    units: dict[tuple[str, str], dict[str, str]] = {}
    for trial in piece.trials:
        units.setdefault((trial.family, trial.unit), {})[trial.stimulus] = trial.variant
    for (family, _), pictures in units.items():
        types = Counter(pictures.values())
        rows = (types[contrast[0]], types[contrast[1]]) if contrast else (len(pictures), len(pictures))
        if min(rows) > 0:
            yield family, rows
