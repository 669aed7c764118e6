"""Opening the model that is to be asked: by its provider's name, at an endpoint of its own, or embedded."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping
from dataclasses import fields

from veridical.ask.capabilities import EMBEDDED, require_seed
from veridical.ask.clients import Client
from veridical.ask.clients.by_inspect import InspectClient
from veridical.ask.clients.by_openai import OpenAIClient, endpoint_of, key_of
from veridical.ask.local import PREFIX as LOCAL
from veridical.ask.local import is_local
from veridical.ask.policy import MOST_CONNECTIONS, Policy, Sampling
from veridical.ask.redact import one_line, redactor
from veridical.errors import InputError
from veridical.records import Json

KEY_VARIABLE = "VERIDICAL_API_KEY"
NO_KEY = "none"
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
    return model.startswith(EMBEDDED)


def open_model(
    model: str,
    *,
    base_url: str | None,
    model_args: Mapping[str, Json],
    sampling: Sampling,
    policy: Policy,
    key: str | None = None,
) -> Client:
    """The model of that name, ready to be asked; nothing is sent.

    With a `base_url` the name goes as it is to an OpenAI-compatible server there, with the key in VERIDICAL_API_KEY if
    that is set, and no other; user info in the URL is sent as basic authentication, its query with every request.
    A name that begins with `openai-api/SERVICE/` keeps its service, and the service's variables for key and endpoint.
    Every other name is inspect-ai's. A `key` stands in place of any variable's. Raises `InputError` for a name, a
    key, a package or an argument that is missing or wrong, and for a seed that the provider does not take.
    """
    args = dict(model_args) if key is None else {**model_args, "api_key": key}
    if base_url is not None and is_embedded(model):
        raise InputError(f"model '{model}' is embedded and has no endpoint: leave out the base URL")
    if base_url is not None and is_local(model):
        raise InputError(f"model '{model}' is loaded into this process and has no endpoint: leave out the base URL")
    if base_url is None and "/" not in model:
        raise InputError(f"model '{model}' names no provider: {_FORMS} is allowed")
    if base_url is None and not model.startswith(_SERVED):
        return _of_inspect(model, args, sampling, policy)
    try:
        return _served(model, base_url, args, sampling, policy)
    except InputError as error:
        raise InputError(f"cannot open model '{model}': {redactor(base_url)(str(error))}") from None


def _served(
    model: str, base_url: str | None, args: dict[str, Json], sampling: Sampling, policy: Policy
) -> OpenAIClient:
    """A model behind an OpenAI-compatible endpoint."""
    own = model.removeprefix(_SERVED) if model.startswith(_SERVED) else f"veridical/{model}"
    service, _, name = own.partition("/")
    if not name:
        raise InputError("openai-api/SERVICE/NAME is what it should look like")
    given = args.pop("api_key", None)
    if model.startswith(_SERVED):
        place, used = base_url or endpoint_of(service), key_of(service, given)
    else:
        place, used = str(base_url), str(given or os.environ.get(KEY_VARIABLE) or NO_KEY)
    return OpenAIClient(f"{_SERVED}{own}", name, place, used, sampling=sampling, policy=policy, arguments=args)


def _of_inspect(model: str, args: dict[str, Json], sampling: Sampling, policy: Policy) -> InspectClient:
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    # A handler that does nothing keeps Python from printing what inspect-ai logs where no logging is set up.
    log = logging.getLogger("inspect_ai")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    if policy.attempt_timeout > _CLIENT_GIVES_UP and model.startswith("openai/"):
        args.setdefault("client_timeout", policy.attempt_timeout)
    config = GenerateConfig(
        max_retries=0,
        attempt_timeout=math.ceil(policy.attempt_timeout),
        max_connections=policy.max_connections if model.startswith(_BATCHING) else MOST_CONNECTIONS,
        **{field.name: getattr(sampling, field.name) for field in fields(sampling)},
    )
    try:
        opened = get_model(model, config=config, memoize=False, **args)
    except PrerequisiteError as error:
        raise _cannot_open(model, _without_markup(str(error.message)), None) from None
    except (ValueError, TypeError, ImportError, OSError) as error:
        raise _cannot_open(model, str(error), None) from None
    require_seed(opened, model)
    return InspectClient(opened, direct=is_embedded(model))


def _cannot_open(model: str, problem: str, base_url: str | None) -> InputError:
    told = one_line(redactor(base_url)(problem)).removeprefix("ERROR: ").rstrip(".:")
    return InputError(f"cannot open model '{model}': {told}; allowed: {_FORMS}")


def _without_markup(text: str) -> str:
    from rich.text import Text

    return Text.from_markup(text).plain
