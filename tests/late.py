"""Modules that take seconds to load, loaded where they are first used: looking for tests costs little."""

from importlib import import_module
from typing import Any


class Late:
    """Has what a module has."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith(("_", "pytest")):  # pytest looks for these in all that a module of tests holds
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)


inspect_ai = Late("inspect_ai")
inspect_log = Late("inspect_ai.log")
inspect_model = Late("inspect_ai.model")
inspect_tasks = Late("veridical.verbs.inspect_tasks")
inspect_provider = Late("veridical.verbs.provider")
