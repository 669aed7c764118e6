"""Where a local model's files are, with which arguments they are loaded, and which version of them it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from veridical.ask.redact import one_line
from veridical.errors import InputError, unknown
from veridical.records import Json

DTYPES = ("auto", "float32", "bfloat16", "float16")
_LOADED = (".json", ".jinja", ".model", ".py", ".safetensors", ".txt")
_BLOCK, _BLOCKS = 2**16, 64


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """How a model is loaded: all arguments that `veridical-hf/` takes.

    `dtype` is that of the weights (`auto`: as they are stored), `device` a name that PyTorch knows (default: `cuda`
    where there is one, else `cpu`), `revision` a branch, tag or commit of the Hub. Code that comes with a model runs
    only with `trust_remote_code`.
    """

    dtype: str = "auto"
    device: str | None = None
    revision: str | None = None
    trust_remote_code: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Json]) -> Arguments:
        """The arguments as they were given; raises `InputError` for one that there is not, and for a wrong value."""
        kinds = {field.name: bool if field.name == "trust_remote_code" else str for field in fields(cls)}
        for name, value in given.items():
            if name not in kinds:
                raise unknown("argument of a local model", name, kinds)
            if not isinstance(value, kinds[name]):
                allowed = "true or false" if kinds[name] is bool else "text"
                raise InputError(f"argument {name}={value}: {allowed} is needed")
        args = cls(**given)
        if args.dtype not in DTYPES:
            raise InputError(f"argument dtype={args.dtype}: {', '.join(DTYPES)} are allowed")
        return args


@dataclass(frozen=True)
class Located:
    """A model whose configuration was found: its place, a folder or an id of the Hub, and its `revision`."""

    name: str
    place: str
    config: Any
    revision: str
    args: Arguments
    token: str | None = None

    def options(self) -> dict[str, Any]:
        """What transformers is told besides the place, wherever it loads a part of the model."""
        return _options(self.args, self.token)


def located(name: str, args: Arguments, token: str | None = None) -> Located:
    """The model of that name, with nothing but its configuration read.

    Its revision is the commit that the Hub or its cache has, else a hash of what is in the folder. Raises `InputError`
    where the extra `local` is not installed, and where there is no such model.
    """
    transformers = require_packages()
    folder = Path(name).expanduser()
    if folder.is_dir() and args.revision is not None:
        raise InputError(f"argument revision={args.revision}: {folder} is a folder, and has no other revision")
    if not folder.is_dir() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise InputError(f"cannot open local model '{name}': there is no such folder")
    place = str(folder) if folder.is_dir() else name
    which = "" if folder.is_dir() else ", which is no folder here"
    with told_in_one_line(f"local model '{name}'{which}"), quiet(name):
        config = transformers.AutoConfig.from_pretrained(place, **_options(args, token))
    return Located(name, place, config, getattr(config, "_commit_hash", None) or folder_hash(folder), args, token)


def require_packages() -> Any:  # noqa: ANN401 - a module that may not be installed
    """The module `transformers`, with PyTorch; raises `InputError`, which says what to install, without both."""
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        raise InputError("local models need PyTorch and transformers: install veridical[local]") from None
    return transformers


@contextmanager
def told_in_one_line(what: str) -> Iterator[None]:
    """Turns whatever a library raises for files that it cannot use into an `InputError` of one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        raise InputError(f"cannot open {what}: {one_line(lines[0], longest=160)}") from error


@contextmanager
def quiet(name: str) -> Iterator[None]:
    """Within it, transformers says nothing; bars are shown for what may come from the Hub alone."""
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
    """A hash of what a model is loaded from: names and sizes of its files, and their content.

    Of a file above 4 MiB, 64 blocks of 64 KiB spread evenly over it are read, which other weights do not share.
    """
    digest = sha256()
    for path in sorted(each for each in folder.iterdir() if each.suffix in _LOADED and each.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with path.open("rb") as file:
            for start in _starts(size):
                file.seek(start)
                digest.update(file.read(_BLOCK))
    return f"sha256:{digest.hexdigest()[:16]}"


def _starts(size: int) -> list[int]:
    """Where the blocks of a file of that size begin that are hashed: all, or 64 from its first to its last byte.

    >>> _starts(100), len(_starts(2**30)), _starts(2**30)[-1] + 2**16 == 2**30
    ([0], 64, True)
    """
    if size <= _BLOCK * _BLOCKS:
        return list(range(0, size, _BLOCK))
    return [(size - _BLOCK) * index // (_BLOCKS - 1) for index in range(_BLOCKS)]


def _options(args: Arguments, token: str | None) -> dict[str, Any]:
    stated: dict[str, Any] = {"trust_remote_code": args.trust_remote_code}
    if args.revision is not None:
        stated["revision"] = args.revision
    if token is not None:
        stated["token"] = token
    return stated
