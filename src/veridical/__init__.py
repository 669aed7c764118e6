"""Does a vision-language model perceive what is in front of it, or recall what is usually there?

`import veridical as v`: the verbs of the command line as functions, what they give, and the types that a suite of your
own is written with. Each is loaded when it is first used; the stub beside this file lists them.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _public() -> Any:  # noqa: ANN401 - three things that a package has
    # Not on top: a missing package is told by __main__, which loads this module first.
    import lazy_loader

    return lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Loads a public name when it is first used, so that importing the package costs nothing."""
    if name == "__version__":
        from importlib.metadata import version

        return version("veridical")
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'veridical' has no attribute '{name}'")
    load, _, names = _public()
    if name == "__all__":
        return names
    if name not in names:
        raise AttributeError(f"module 'veridical' has no attribute '{name}'")
    return load(name)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
