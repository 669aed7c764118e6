"""Who is asked in which role, by flags and the file of models, and who is held to a JSON schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from veridical.answers import Readers
from veridical.ask import Sampling, is_embedded
from veridical.ask.capabilities import require_schemas
from veridical.ask.clients import Schema
from veridical.ask.local import PREFIX as LOCAL
from veridical.ask.local import is_local
from veridical.ask.models import require_openable, servers_of
from veridical.base.run_options import FLAGS, RunOptions
from veridical.errors import InputError, unknown
from veridical.records import Json, Trial
from veridical.suite.record import Suite
from veridical.suite.reply import REPLY, SCHEMA, is_held
from veridical.suite.stages import JUDGE, MODEL, PEOPLE, Stage
from veridical.verbs.runs.models import PLACE, entry, no_such_table, observer_of, table_entry
from veridical.verbs.runs.options import AskArguments, arguments_of, preset_of, require_kinds, with_stated
from veridical.verbs.runs.roster import facts_about

_RULES = {"rule": "veridical/rule"}
"""The rule judge, by its short name."""

STRUCTURED = "structured"
"""The argument of a model that holds its replies to the schemas of their readers, where these have one."""


@dataclass(frozen=True)
class RoleModel:
    """The model of a role, with the options that it is asked with; `key` is its own, where the file names one.

    `by_stage` has the arguments for its provider that hold in one stage alone, `table` is its name in the file of
    models, where it stands there. `preset` is what a published way of asking states of the role.
    """

    role: str
    model: str
    options: RunOptions
    how: AskArguments
    by_stage: Mapping[str, Mapping[str, Json]]
    key: str | None = None
    table: str | None = None
    preset: Mapping[str, Json] | None = None

    @property
    def model_args(self) -> Mapping[str, Json]:
        """The arguments for its provider."""
        return self.options.get("model_args") or {}

    @property
    def base_url(self) -> str | None:
        """The server of its own, the first where it has several, if it has one."""
        return next(iter(self.base_urls), None)

    @property
    def base_urls(self) -> tuple[str, ...]:
        """All its servers; raises `InputError` for one that is stated twice."""
        return servers_of(self.options.get("base_url"))

    def of_stage(self, stage: Stage, *, first: bool) -> RoleModel:
        """The same as asked in one stage: its arguments, and its sampling where the model's own is not stated."""
        own = {**self.model_args}
        if not first and self.role == MODEL:
            own.pop("answers", None)
        own |= self.by_stage.get(stage.name, {})
        stated = {name: value for name, value in asdict(self.how.sampling).items() if value is not None}
        sampling = replace(stage.sampling, **stated)
        options: RunOptions = {**self.options, "model_args": own}
        return replace(self, options=options, how=replace(self.how, sampling=sampling))


def roles_of(suite: Suite, model: str | None, options: RunOptions, *, keys: bool = True) -> dict[str, RoleModel]:
    """The models by role, with their `keys` unless nothing is to be sent.

    Raises `InputError` for a role that the suite has not, for a model that is not known, and for a key that is missing.
    """
    require_kinds(options)
    named = _named(suite, model, options)
    options = with_defaults(suite, named.get(MODEL, model), options)
    by_role = {} if model is None else {MODEL: _flagged(suite, model, options, keys=keys)}
    preset = preset_of(suite, options)
    named = {**({role: each.model for role, each in preset.roles.items()} if preset else {}), **named}
    by_role |= {role: _filed(suite, role, name, options, keys=keys) for role, name in named.items()}
    if MODEL in by_role:
        require_other_judge(by_role, by_role[MODEL].model, options)
    for asked in by_role.values():
        observer_of(asked.model, suite)  # a name that nobody has is told before anything is asked
        require_argument(suite, asked)
        servers_of(asked.options.get("base_url"))
    _require_local(by_role, options)
    return by_role


def _require_local(roles: Mapping[str, RoleModel], options: RunOptions) -> None:
    """Raises `InputError` where GPUs are stated, and no model is one that a cluster loads."""
    gpus = options.get("gpus_per_model")
    if gpus is not None and roles and not any(is_local(each.model) for each in roles.values()):
        models = " and ".join(sorted({each.model for each in roles.values()}))
        raise InputError(f"gpus_per_model {gpus} beside {models}: only {LOCAL}NAME is loaded on GPUs of a cluster")


def _named(suite: Suite, model: str | None, options: RunOptions) -> dict[str, str]:
    """The models that the options name by role; raises `InputError` for a role that has two, or is none of these."""
    named = {**(options.get("roles") or {})}
    if options.get("judge") is not None:
        judge = _RULES.get(str(options["judge"]), str(options["judge"]))
        other = named.setdefault(JUDGE, judge)
        if _RULES.get(other, other) != judge:
            raise InputError(f"the role {JUDGE} is given twice, as {judge} and as {other}: one model is allowed")
    if JUDGE in named:
        named[JUDGE] = _RULES.get(named[JUDGE], named[JUDGE])
    if MODEL in named:
        if model is not None:
            raise InputError("the model under test is given twice, by --model and by --role model=…: once is allowed")
        _require_none_of_flags(options)
    accepted = [role for role in suite.asking.roles if role != PEOPLE]
    for role in named:
        if role == PEOPLE:
            raise InputError("people are not asked by a run: `veridical people read` reads their answers")
        if role not in accepted:
            raise unknown(f"role of {suite.name}", role, accepted)
    return named


def with_defaults(suite: Suite, name: str | None, options: RunOptions) -> RunOptions:
    """The options with the levels that the suite takes for the model under test where they choose none.

    Raises `InputError` where the file of models cannot be read.
    """
    if name is None or suite.asking.defaults_for is None:
        return options
    usual = suite.asking.defaults_for(facts_about(name, _place(options)))
    return {**options, "settings": {**usual, **(options.get("settings") or {})}}


def require_other_judge(roles: Mapping[str, RoleModel], under_test: str, options: RunOptions) -> None:
    """Raises `InputError` if the model under test is its own judge, unless the option `self_judge` allows it.

    Embedded observers are told apart by their stages, so they may have both roles.
    """
    judge = roles.get(JUDGE)
    same = judge is not None and judge.model == under_test
    if same and not is_embedded(under_test) and not options.get("self_judge"):
        raise InputError(f"{under_test} is the model under test as its own judge: --self-judge allows it")


def _require_none_of_flags(options: RunOptions) -> None:
    """Raises `InputError` for what would be said of the model under test beside the table that says it."""
    for name in ("base_url", "served", "preset", *(each.name for each in fields(Sampling))):
        if options.get(name):
            raise InputError(f"{name} beside --role {MODEL}=…: its table in the file of models says that")


def _flagged(suite: Suite, name: str, options: RunOptions, *, keys: bool) -> RoleModel:
    """The model under test as the options say, and, where the file of models has a table of its name, as that says."""
    place = _place(options)
    of_table = table_entry(name, place)
    if of_table is not None:
        options = with_stated(options, of_table.options(), f"{place or PLACE}, where '{name}' has")
    own, by_stage = _apart(suite, options)
    merged: RunOptions = {**options, "model_args": own}
    if of_table is None:
        return RoleModel(MODEL, name, merged, arguments_of(suite, name, merged), by_stage)
    how = arguments_of(suite, of_table.model, merged, of_table.price)
    return RoleModel(MODEL, of_table.model, merged, how, by_stage, of_table.secret() if keys else None, name)


def require_place(role: RoleModel) -> None:
    """Raises `InputError`, with the nearest table, for a bare name without endpoint that the file of models lacks."""
    if role.table is not None or "/" in role.model or role.base_url:
        return
    problem = no_such_table(role.model, _place(role.options))
    if problem:
        raise InputError(f"{problem}; PROVIDER/NAME, and a server's own NAME with a base URL, are allowed too")


def require_ready(role: RoleModel) -> None:
    """Raises `InputError` for a model that cannot be opened, as far as that is known without loading anything."""
    if not is_embedded(role.model):
        require_place(role)
        require_openable(role.model, role.base_url, role.model_args, role.key)


def _place(options: RunOptions) -> Path | None:
    place = options.get("models")
    return None if place is None else Path(place)


def _filed(suite: Suite, role: str, name: str, options: RunOptions, *, keys: bool) -> RoleModel:
    preset = preset_of(suite, options)
    published = preset.roles.get(role) if preset is not None else None
    try:
        of_table = entry(name, _place(options))
        key = of_table.secret() if keys else None
    except InputError as error:
        if published is None or published.model != name:
            raise
        whose = f"the preset '{options.get('preset')}' has {published.name} as {role}"
        flag = f"--{JUDGE} M" if role == JUDGE else f"--role {role}=M"
        raise InputError(f"{whose}: {error}; {flag} names another") from None
    shared = {name: value for name, value in options.items() if FLAGS[name].shared}
    _, by_stage = _apart(suite, options)
    merged: RunOptions = {**shared, **of_table.options()}  # type: ignore[typeddict-item]
    stated = None
    if preset is not None and published is not None:
        sampled = {key: value for key, value in asdict(published.sampling).items() if value is not None}
        source, of = f"the preset '{options.get('preset')}', which has", f" of the {role} '{name}'"
        merged = with_stated(merged, sampled, source, of)
        stated = {"name": options.get("preset"), "source": preset.source, "role": role, "stated": published.stated()}
    how = arguments_of(suite, of_table.model, merged, of_table.price)
    return RoleModel(role, of_table.model, merged, how, by_stage, key, preset=stated)


def _apart(suite: Suite, options: RunOptions) -> tuple[dict[str, Json], dict[str, dict[str, Json]]]:
    """The model's arguments for every stage, and those named `KEY.STAGE`, for one."""
    stages = [stage.name for stage in suite.asking.ordered]
    own: dict[str, Json] = {}
    by_stage: dict[str, dict[str, Json]] = {}
    for name, value in (options.get("model_args") or {}).items():
        key, _, stage = name.rpartition(".")
        if key and stage in stages:
            by_stage.setdefault(stage, {})[key] = value
        else:
            own[name] = value
    return own, by_stage


def schema_for(readers: Readers, *, every: bool = False) -> Schema:
    """The schema of a trial's reader where the trial's settings hold the reply to it, or of `every` trial's."""

    def schema(trial: Trial) -> Mapping[str, Json] | None:
        return readers[trial.reader][0].schema if every or is_held(trial) else None

    return schema


def require_held(trials: Sequence[Trial], model: str, base_url: str | None) -> None:
    """Raises `InputError` where trials are to be held to a schema, and a model (none: nobody yet) cannot be."""
    if model and any(is_held(trial) for trial in trials):
        require_schemas(f"{REPLY}={SCHEMA}", model, base_url)


def require_argument(suite: Suite, asked: RoleModel) -> None:
    """Raises `InputError` for an argument `structured` that is no truth value, or that does not apply to the model."""
    own = {stage.name for stage in suite.asking.ordered if stage.role == asked.role}
    every = [asked.model_args, *(args for name, args in asked.by_stage.items() if name in own)]
    for value in [args[STRUCTURED] for args in every if STRUCTURED in args]:
        if not isinstance(value, bool):
            raise InputError(f"model argument {STRUCTURED} of '{asked.model}': true or false is allowed")
        if asked.role == MODEL and REPLY in suite.asking.settings:
            raise InputError(
                f"model argument {STRUCTURED} of '{asked.model}': it is for judges and other roles; the model under "
                f"test is held to a JSON schema by -S {REPLY}={SCHEMA}"
            )
        if value:
            require_schemas(f"{STRUCTURED}=true", asked.model, asked.base_url)
