"""A local model's files, revision and arguments, and loading it with its processor; without pictures, it is refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veridical.ask.redact import one_line
from veridical.base.path_checks import sort_paths
from veridical.errors import InputError, unknown
from veridical.records import Json

DTYPES = ("auto", "float32", "bfloat16", "float16")
_LOADED = (".json", ".jinja", ".model", ".py", ".safetensors", ".txt")
_SPREAD = "auto"
_BLOCK, _BLOCKS = 2**16, 64


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The arguments of `veridical-hf/` models.

    `dtype` is the type of the weights (`auto`: as stored), `revision` a branch, tag or commit of the Hub, `device` a
    PyTorch device name (default: `cuda` if available, else `cpu`); `auto` spreads the layers over all GPUs, and needs
    the package accelerate. Code that comes with a model only runs with `trust_remote_code`.
    """

    dtype: str = "auto"
    device: str | None = None
    revision: str | None = None
    trust_remote_code: bool = False

    @classmethod
    def of(cls, stated: Mapping[str, Json]) -> Arguments:
        """The arguments from plain values; raises `InputError` for an unknown name or a wrong value."""
        kinds = {field.name: bool if field.name == "trust_remote_code" else str for field in fields(cls)}
        for name, value in stated.items():
            if name not in kinds:
                raise unknown("argument of a local model", name, kinds)
            if not isinstance(value, kinds[name]):
                allowed = "true or false" if kinds[name] is bool else "text"
                raise InputError(f"argument {name}={value}: {allowed} is needed")
        args = cls(**stated)
        if args.dtype not in DTYPES:
            raise InputError(f"argument dtype={args.dtype}: {', '.join(DTYPES)} are allowed")
        return args

    def options(self, token: str | None) -> dict[str, Any]:
        """The arguments for transformers whenever it loads a part of the model."""
        stated = {"revision": self.revision, "token": token}
        return {"trust_remote_code": self.trust_remote_code} | {k: v for k, v in stated.items() if v is not None}


@dataclass(frozen=True)
class LocatedModel:
    """A model whose configuration was read: its place, which is a folder or an id of the Hub, and its `revision`."""

    name: str
    place: str
    config: Any
    revision: str
    args: Arguments
    token: str | None = None


def folder_of(name: str, args: Arguments) -> Path | None:
    """The folder that a name means, `None` for a model of the Hub; nothing is loaded.

    Raises `InputError` for a folder that is missing, and for one with a `revision`.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        if args.revision is not None:
            raise InputError(f"argument revision={args.revision}: {folder} is a folder, which has only one revision")
        return folder
    if name.startswith((".", "/", "~")) or name.count("/") > 1 or "\\" in name:
        raise InputError(f"cannot open local model '{name}': there is no such folder")
    return None


def locate_model(name: str, args: Arguments, token: str | None = None) -> LocatedModel:
    """The model of this name; only its configuration is read.

    Its revision is the commit from the Hub or its cache, else a hash of the folder's content. Raises `InputError` if
    the extra `local` is not installed, or if there is no such model.
    """
    folder = folder_of(name, args)
    transformers = require_packages()
    place, which = (name, ", which is not a local folder") if folder is None else (str(folder), "")
    with one_line_errors(f"local model '{name}'{which}"), quiet(name):
        config = transformers.AutoConfig.from_pretrained(place, **args.options(token))
    return LocatedModel(
        name, place, config, getattr(config, "_commit_hash", None) or folder_hash(Path(place)), args, token
    )


def require_packages() -> Any:  # noqa: ANN401 - a module that may not be installed
    """The module `transformers`; raises `InputError`, which says what to install, if it or PyTorch is missing."""
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        raise InputError("local models need PyTorch and transformers: install veridical[local]") from None
    return transformers


@contextmanager
def one_line_errors(what: str) -> Iterator[None]:
    """Turns any exception of a library that cannot use a file into a one-line `InputError`."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        raise InputError(f"cannot open {what}: {one_line(lines[0], longest=160)}") from error


@contextmanager
def quiet(name: str) -> Iterator[None]:
    """Silences transformers; progress bars are only shown for possible downloads from the Hub."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    if Path(name).expanduser().is_dir():
        logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def folder_hash(folder: Path) -> str:
    """A hash of a model's files: their names, sizes and contents.

    Of a file above 4 MiB, 64 evenly spread blocks of 64 KiB are read, which is enough to distinguish weights.
    """
    digest = sha256()
    for path in sort_paths(each for each in folder.iterdir() if each.suffix in _LOADED and each.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with path.open("rb") as file:
            for start in _starts(size):
                file.seek(start)
                digest.update(file.read(_BLOCK))
    return f"sha256:{digest.hexdigest()[:16]}"


def _starts(size: int) -> list[int]:
    """The starts of the hashed blocks of a file of this size: all blocks, or 64 from its first to its last byte.

    >>> _starts(100), len(_starts(2**30)), _starts(2**30)[-1] + 2**16 == 2**30
    ([0], 64, True)
    """
    if size <= _BLOCK * _BLOCKS:
        return list(range(0, size, _BLOCK))
    return [(size - _BLOCK) * index // (_BLOCKS - 1) for index in range(_BLOCKS)]


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model with its processor, ready to be asked, and the `facts` that a run stores.

    `served` is its name with its revision.
    """

    name: str
    model: Any
    processor: Any
    facts: Mapping[str, Json]

    @property
    def served(self) -> str:
        return f"{self.name}@{self.facts['revision']}"


def load_model(
    name: str, stated: Mapping[str, Json], token: str | None = None, *, random_weights: int | None = None
) -> LoadedModel:
    """The model of this name, which is a folder or an id of the Hub, on its device.

    With `random_weights`, a seed, its weights are those from which its architecture starts to learn; none is read.
    Raises a one-line `InputError` for a wrong argument, and for a model that is missing, is incomplete, accepts no
    pictures, or has no chat template. Weights are only read as safetensors.
    """
    args = Arguments.of(stated)
    source = locate_model(name, args, token)
    _require_image_text_to_text(source)
    device = None if args.device == _SPREAD else _device(args.device)
    lacking = "" if find_spec("torchvision") else " (torchvision is not installed, and it may need it)"
    with one_line_errors(f"the processor of local model '{name}'{lacking}"), quiet(name):
        processor = _processor(source)
    with one_line_errors(f"the weights of local model '{name}'"), quiet(name):
        made = _model(source) if random_weights is None else _random_model(source, random_weights)
        model = made if device is None else made.to(device)
        model.eval()
    return LoadedModel(name, model, processor, _facts(source, model, processor))


def _require_image_text_to_text(source: LocatedModel) -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING

    own = getattr(source.config, "auto_map", None) or {}
    if type(source.config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return
    if source.args.trust_remote_code and "AutoModelForImageTextToText" in own:
        return
    kind = source.config.model_type
    raise _takes_no_pictures(source.name, f"its architecture '{kind}' is not a vision-language model")


def _takes_no_pictures(name: str, why: str) -> InputError:
    return InputError(f"local model '{name}' accepts no pictures: {why}; an image-text-to-text model is needed")


def _device(name: str | None) -> Any:  # noqa: ANN401 - of torch, which may not be installed
    import torch

    usual = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name or usual)
    except RuntimeError:
        raise InputError(f"argument device={name}: PyTorch has no such device; usual are cpu, cuda and auto") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"argument device={name}: PyTorch finds no CUDA device here; leave it out to use the CPU")
    return device


def _processor(source: LocatedModel) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoProcessor

    processor = AutoProcessor.from_pretrained(source.place, **source.args.options(source.token))
    if getattr(processor, "image_processor", None) is None:
        raise _takes_no_pictures(source.name, "its processor has no image processor")
    if not getattr(processor, "chat_template", None):
        raise InputError(f"local model '{source.name}' has no chat template: a chat-tuned model is needed")
    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return processor


def _model(source: LocatedModel) -> Any:  # noqa: ANN401 - of transformers
    from transformers import AutoModelForImageTextToText

    model, info = AutoModelForImageTextToText.from_pretrained(
        source.place,
        config=source.config,
        dtype=source.args.dtype,
        device_map=_SPREAD if source.args.device == _SPREAD else None,
        use_safetensors=True,
        output_loading_info=True,
        **source.args.options(source.token),
    )
    if missing := sorted(info["missing_keys"]):
        count = len(missing)
        raise InputError(f"local model '{source.name}' is incomplete: {count} weights are missing ({missing[0]})")
    model.generation_config = _greedy(model, source)
    return model


def _random_model(source: LocatedModel, seed: int) -> Any:  # noqa: ANN401 - of transformers
    import torch
    from transformers import AutoModelForImageTextToText

    if source.args.device == _SPREAD:
        raise InputError("argument device=auto: random weights are made on one device; name it")
    options = {} if source.args.dtype == "auto" else {"dtype": source.args.dtype}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        trusted = {"trust_remote_code": source.args.trust_remote_code}
        model = AutoModelForImageTextToText.from_config(source.config, **options, **trusted)
    model.generation_config = _greedy(model, source)
    return model


def _greedy(model: Any, source: LocatedModel) -> Any:  # noqa: ANN401 - of transformers
    """The model's own settings without sampling, which the request states, and with an end token."""
    settings = copy.deepcopy(model.generation_config)
    settings.update(do_sample=False, temperature=None, top_p=None, top_k=None, num_beams=1, max_length=None)
    if settings.eos_token_id is None:
        settings.eos_token_id = source.config.get_text_config().eos_token_id
    return settings


def _facts(source: LocatedModel, model: Any, processor: Any) -> dict[str, Json]:  # noqa: ANN401 - of transformers
    return {
        "revision": source.revision,
        "architecture": type(model).__name__,
        "processor": type(processor).__name__,
        "image_processor": type(processor.image_processor).__name__,
        "dtype": str(model.dtype).removeprefix("torch."),
        "device": str(model.device),
        "versions": {name: version(name) for name in ("transformers", "torch")},
    }
