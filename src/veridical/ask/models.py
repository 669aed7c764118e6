"""Opening the model that is to be asked: by its provider's name, at an endpoint of its own, or embedded."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from veridical.ask.capabilities import require_seed
from veridical.ask.local import PREFIX as LOCAL
from veridical.ask.local import is_local
from veridical.ask.policy import MOST_CONNECTIONS, Policy, Sampling
from veridical.ask.redact import clean_endpoint, one_line, redactor
from veridical.errors import InputError
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.model import Model

KEY_VARIABLE = "VERIDICAL_API_KEY"
NO_KEY = "none"
_EMBEDDED = "veridical/"
_SERVED = "openai-api/"
_CLIENT_GIVES_UP = 600.0
# The first limit that inspect-ai sees for a key holds for the process, whatever the endpoint; ours is kept by the loop.
# To a local model it is the size of a batch.
_BATCHING = ("hf/", LOCAL)
_FORMS = (
    "PROVIDER/NAME (openai/..., anthropic/..., google/...), veridical-hf/NAME (a folder, or a model of the Hub), "
    "veridical/NAME, or a server's own NAME with a base URL"
)


def is_embedded(model: str) -> bool:
    """Whether a model is one of the library's own, which needs no network.

    >>> is_embedded("veridical/pixel"), is_embedded("openai/gpt-4o"), is_embedded("veridical-hf/org/some-vlm")
    (True, False, False)
    """
    return model.startswith(_EMBEDDED)


def open_model(
    model: str,
    *,
    base_url: str | None,
    model_args: Mapping[str, Json],
    sampling: Sampling,
    policy: Policy,
    key: str | None = None,
) -> Model:
    """The model of that name, ready to be asked; nothing is sent.

    With a `base_url` the name goes as it is to an OpenAI-compatible server there, with the key in VERIDICAL_API_KEY if
    that is set, and no other; user info in the URL is sent as basic authentication, its query with every request.
    A name that begins with `openai-api/SERVICE/` keeps its service and the service's key variable. Without a
    `base_url` the name is inspect-ai's. A `key` stands in place of any variable's. Raises `InputError` for a name, a
    key, a package or an argument that is missing or wrong, and for a seed that the provider does not take.
    """
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    # A handler that does nothing keeps Python from printing what inspect-ai logs where no logging is set up.
    log = logging.getLogger("inspect_ai")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    name, args = model, dict(model_args)
    if key is not None:
        args["api_key"] = key
    if base_url is not None:
        name, args = _at_endpoint(model, base_url, args)
    elif "/" not in model:
        raise InputError(f"model '{model}' names no provider: {_FORMS} is allowed")
    if policy.attempt_timeout > _CLIENT_GIVES_UP and name.startswith((_SERVED, "openai/")):
        args.setdefault("client_timeout", policy.attempt_timeout)
    config = GenerateConfig(
        max_retries=0,
        attempt_timeout=math.ceil(policy.attempt_timeout),
        max_connections=policy.max_connections if name.startswith(_BATCHING) else MOST_CONNECTIONS,
        **{field.name: getattr(sampling, field.name) for field in fields(sampling)},
    )
    try:
        opened = get_model(name, config=config, memoize=False, **args)
    except PrerequisiteError as error:
        raise _cannot_open(model, _without_markup(str(error.message)), base_url) from None
    except (ValueError, TypeError, ImportError, OSError) as error:
        raise _cannot_open(model, str(error), base_url) from None
    require_seed(opened, model)
    return opened


def secrets_of(model: Model) -> tuple[str, ...]:
    """What a model was opened with that nobody else may read: its key, and the values of its own headers and query."""
    known = [getattr(model.api, "api_key", None), model.model_args.get("api_key")]
    for name in ("default_headers", "default_query"):
        values = [str(value) for value in (model.model_args.get(name) or {}).values()]
        known += [*values, *(value.split(" ")[-1] for value in values)]
    return tuple(key for key in known if isinstance(key, str))


def _at_endpoint(model: str, base_url: str, args: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    clean_endpoint(base_url)
    if is_embedded(model):
        raise InputError(f"model '{model}' is embedded and has no endpoint: leave out the base URL")
    if is_local(model):
        raise InputError(f"model '{model}' is loaded into this process and has no endpoint: leave out the base URL")
    parts = urlsplit(base_url)
    query = dict(parse_qsl(parts.query)) | dict(args.get("default_query") or {})
    args["base_url"] = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    if query:
        args["default_query"] = query
    if model.startswith(_SERVED):
        return model, args
    args.setdefault("api_key", os.environ.get(KEY_VARIABLE) or NO_KEY)
    return f"{_SERVED}veridical/{model}", args


def _cannot_open(model: str, problem: str, base_url: str | None) -> InputError:
    told = one_line(redactor(base_url)(problem)).removeprefix("ERROR: ").rstrip(".:")
    return InputError(f"cannot open model '{model}': {told}; allowed: {_FORMS}")


def _without_markup(text: str) -> str:
    from rich.text import Text

    return Text.from_markup(text).plain
