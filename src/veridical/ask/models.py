"""Opening a model: by provider and name, at an endpoint, or embedded."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, replace
from importlib.util import find_spec
from typing import Any

from veridical.ask.capabilities import EMBEDDED, require_sampling
from veridical.ask.clients import Client, Schema, free_form
from veridical.ask.clients.inspect_client import InspectClient
from veridical.ask.clients.openai_client import OpenAIClient, endpoint_of, key_of
from veridical.ask.clients.server_group import ServerGroup
from veridical.ask.clients.transformers_client import TransformersClient
from veridical.ask.connections import steps_of
from veridical.ask.local import is_local, require_local
from veridical.ask.policy import Policy, Sampling
from veridical.ask.providers import as_in_a_script, prepare
from veridical.ask.redact import clean_endpoint, one_line, redactor, secrets_in_url
from veridical.base.requirements import extra_needed
from veridical.base.run_options import MOST_CONNECTIONS
from veridical.errors import InputError
from veridical.records import Json

KEY_VARIABLE = "VERIDICAL_API_KEY"
NO_KEY = "none"
_SERVED = "openai-api/"
_CLIENT_GIVES_UP = 600.0
# inspect-ai applies the first limit that it sees for a key to the whole process, whatever the endpoint, so our loop
# limits connections itself. For inspect-ai's own local models the limit is the batch size.
_BATCHING = "hf/"
# By the prefix of a model's name; every other provider uses NAME_API_KEY.
_KEYS = {
    "openai-api/veridical": KEY_VARIABLE,
    "openai/azure": "AZUREAI_OPENAI_API_KEY",
    "openai/bedrock": "BEDROCK_OPENAI_API_KEY",
    "anthropic/azure": "AZUREAI_ANTHROPIC_API_KEY",
    "anthropic/bedrock": "the credentials of AWS",
    "anthropic/vertex": "the credentials of Google Cloud",
    "google/vertex": "VERTEX_API_KEY or the credentials of Google Cloud",
    "google": "GOOGLE_API_KEY or GEMINI_API_KEY",
    "mistral/azure": "AZUREAI_MISTRAL_API_KEY",
    "bedrock": "the credentials of AWS",
    "sagemaker": "the credentials of AWS",
    "cloudflare": "CLOUDFLARE_API_TOKEN",
    "grok": "XAI_API_KEY",
    "hf": "HF_TOKEN",
    "hf-inference-providers": "HF_TOKEN",
}
# What one of must be set for these providers; others have more ways than one to be let in.
_NEEDED = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_USE_ADC", "GOOGLE_GENAI_USE_VERTEXAI", "VERTEX_API_KEY"),
}
_FORMS = (
    "PROVIDER/NAME (openai/..., anthropic/..., google/...), veridical-hf/NAME (a folder, or a model of the Hub), "
    "veridical/NAME, or a server's own NAME with a base URL"
)


def is_embedded(model: str) -> bool:
    """Whether a model is embedded in the library and needs no network.

    >>> is_embedded("veridical/pixel"), is_embedded("openai/gpt-4o"), is_embedded("veridical-hf/org/some-vlm")
    (True, False, False)
    """
    return model.startswith(EMBEDDED)


def runs_here(model: str) -> bool:
    """Whether a model runs in this process, where more questions at a time do not come from another machine.

    >>> runs_here("veridical/pixel"), runs_here("hf/org/some-vlm"), runs_here("openai/gpt-4o")
    (True, True, False)
    """
    return is_embedded(model) or is_local(model) or model.startswith(_BATCHING)


def key_variable(model: str) -> str:
    """The source of a model's key, by inspect-ai's name for the model: usually an environment variable.

    >>> key_variable("anthropic/claude-x"), key_variable("google/gemini-x"), key_variable("openai-api/my-lab/m")
    ('ANTHROPIC_API_KEY', 'GOOGLE_API_KEY or GEMINI_API_KEY', 'MY_LAB_API_KEY')
    """
    first, _, rest = model.partition("/")
    second = rest.partition("/")[0]
    service = second if f"{first}/" == _SERVED else first
    named = f"{service.upper().replace('-', '_')}_API_KEY"
    return _KEYS.get(f"{first}/{second}") or _KEYS.get(first) or named


def require_openable(model: str, base_url: str | None, args: Mapping[str, Json], key: str | None) -> None:
    """Raises `InputError` for what `open_model` would refuse as far as that is known without loading anything.

    That is a name without a provider, a missing folder of a local model, and a hosted model whose key is nowhere.
    """
    _require_place(model, base_url)
    require_local(model, args)
    if _needs_inspect(model, base_url):
        with _providers(model):
            if find_spec("inspect_ai") is None:  # to import it takes seconds
                raise ModuleNotFoundError(name="inspect_ai")
    provider, _, name = model.partition("/")
    if base_url is not None or key is not None or args or name.split("/")[0] in ("azure", "bedrock", "vertex"):
        return
    needed = _NEEDED.get(provider, ())
    if needed and not any(os.environ.get(variable) for variable in needed):
        raise InputError(f"cannot open model '{model}': no key is set: set {key_variable(model)}")


def servers_of(base_url: str | Sequence[str] | None) -> tuple[str, ...]:
    """The addresses of the servers that a base URL, or a list of them, names; none where nothing is stated.

    Raises `InputError` for an address that stands twice, which is shown without user info and query.

    >>> servers_of("http://a/v1"), servers_of(["http://a/v1", "http://b/v1"]), servers_of(None)
    (('http://a/v1',), ('http://a/v1', 'http://b/v1'), ())
    """
    every = (base_url,) if isinstance(base_url, str) else tuple(base_url or ())
    places = [clean_endpoint(url) for url in every] if len(every) > 1 else []
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise InputError(f"the base URL {twice} is given twice: each server once is allowed")
    return every


def open_model(
    model: str,
    *,
    base_url: str | Sequence[str] | None,
    model_args: Mapping[str, Json],
    sampling: Sampling,
    policy: Policy,
    key: str | None = None,
    schema: Schema = free_form,
    embedded: Callable[[str], Client] | None = None,
) -> Client:
    """The model of this name, ready to be asked; nothing is sent.

    An embedded observer is opened by `embedded`. A local model is loaded into this process.

    With a `base_url`, the name goes unchanged to the OpenAI-compatible server there, with the key from
    VERIDICAL_API_KEY, if set, and no other key. User info in the URL is sent as basic authentication, its query with
    every request. With a list of them, all these servers are asked in the same way (`ServerGroup`). A name that begins
    with `openai-api/SERVICE/` uses the service's variables for key and endpoint. All other names are inspect-ai's.
    A `key` overrides all variables. A `schema` is sent whatever the provider makes of it (see
    `capabilities.require_schemas`). Raises `InputError` for a missing or wrong name, key, package or argument, and
    for a seed that the provider does not support.
    """
    urls = servers_of(base_url)
    first = urls[0] if urls else None
    _require_place(model, first)
    how: dict[str, Any] = {"sampling": sampling, "policy": policy, "schema": schema}
    if is_embedded(model) or is_local(model):
        with _errors_in_one_line(model):
            return _in_process(model, model_args, how, key, embedded)
    args = dict(model_args) if key is None else {**model_args, "api_key": key}
    if _needs_inspect(model, first):
        return _of_inspect(model, args, sampling, policy, schema)
    if len(urls) > 1:  # when others fail, one server may get all that is in flight
        policy = replace(policy, max_connections=policy.max_connections or steps_of(len(urls))[-1])
    try:
        clients = [_served(model, url, dict(args), sampling, policy, schema) for url in urls or (None,)]
    except InputError as error:
        hidden = redactor(keys=[secret for url in urls for secret in secrets_in_url(url)])
        raise InputError(f"cannot open model '{model}': {hidden(str(error))}") from None
    return ServerGroup(clients) if len(clients) > 1 else clients[0]


def _served(
    model: str, base_url: str | None, args: dict[str, Json], sampling: Sampling, policy: Policy, schema: Schema
) -> OpenAIClient:
    own = model.removeprefix(_SERVED) if model.startswith(_SERVED) else f"veridical/{model}"
    service, _, name = own.partition("/")
    if not name:
        raise InputError("the form is openai-api/SERVICE/NAME")
    key_argument = args.pop("api_key", None)
    if model.startswith(_SERVED):
        place, used = base_url or endpoint_of(service), key_of(service, key_argument)
    else:
        place, used = str(base_url), str(key_argument or os.environ.get(KEY_VARIABLE) or NO_KEY)
    return OpenAIClient(
        f"{_SERVED}{own}", name, place, used, sampling=sampling, policy=policy, arguments=args, schema=schema
    )


def _in_process(
    model: str,
    args: Mapping[str, Json],
    how: Mapping[str, Any],
    key: str | None,
    embedded: Callable[[str], Client] | None,
) -> Client:
    if is_local(model):
        return TransformersClient(model, args, key=None if key == NO_KEY else key, **how)
    if embedded is None:
        raise InputError(f"model '{model}' is embedded: only runs, or inspect-ai's runner, allow it")
    return embedded(model)


def _of_inspect(model: str, args: dict[str, Json], sampling: Sampling, policy: Policy, schema: Schema) -> InspectClient:
    with _providers(model):
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import GenerateConfig, get_model

    # A null handler keeps Python from printing inspect-ai's log records if logging is not set up.
    log = logging.getLogger("inspect_ai")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    if policy.attempt_timeout > _CLIENT_GIVES_UP and model.startswith("openai/"):
        args.setdefault("client_timeout", policy.attempt_timeout)
    config = GenerateConfig(
        max_retries=0,
        attempt_timeout=math.ceil(policy.attempt_timeout),
        max_connections=policy.batch if model.startswith(_BATCHING) else MOST_CONNECTIONS,
        **{field.name: getattr(sampling, field.name) for field in fields(sampling)},
    )
    try:
        with as_in_a_script(), _errors_in_one_line(model):
            opened = get_model(model, config=config, memoize=False, **args)
    except PrerequisiteError as error:
        from rich.text import Text

        raise _cannot_open(model, Text.from_markup(str(error.message)).plain) from None
    require_sampling(opened, model)
    prepare(opened)
    return InspectClient(opened, schema=schema, tops=policy.tops)


@contextmanager
def _errors_in_one_line(model: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, ImportError, OSError) as error:
        raise _cannot_open(model, str(error)) from None


def require_known(model: str, base_url: str | None) -> None:
    """Raises `InputError` for a name that `open_model` would refuse; creates no client and needs no key."""
    _require_place(model, base_url)
    if base_url is not None:
        clean_endpoint(base_url)
    if not _needs_inspect(model, base_url):
        return
    with _providers(model):
        import inspect_ai.model  # noqa: F401 - registers the providers
        from inspect_ai._util.registry import registry_find, registry_unqualified_name

    provider = model.partition("/")[0]
    if not registry_find(lambda info: info.type == "modelapi" and registry_unqualified_name(info) == provider):
        raise _cannot_open(model, f"the provider {provider} is unknown")


def _needs_inspect(model: str, base_url: str | None) -> bool:
    return not (base_url or model.startswith(_SERVED) or is_embedded(model) or is_local(model))


def _providers(model: str) -> AbstractContextManager[None]:
    return extra_needed("providers", f"model '{model}'")


def _require_place(model: str, base_url: str | None) -> None:
    if base_url is not None and is_embedded(model):
        raise InputError(f"model '{model}' is embedded and has no endpoint: leave out the base URL")
    if base_url is not None and is_local(model):
        raise InputError(f"model '{model}' is loaded into this process and has no endpoint: leave out the base URL")
    if base_url is None and "/" not in model:
        raise InputError(f"model '{model}' names no provider: {_FORMS} is allowed")


def _cannot_open(model: str, problem: str) -> InputError:
    reason = one_line(redactor()(problem)).removeprefix("ERROR: ").rstrip(".:")
    return InputError(f"cannot open model '{model}': {reason}; allowed: {_FORMS}")
