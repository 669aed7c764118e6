"""A scene in three dimensions: what all of them share with drawn ones, and the stage that it is filmed on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.suites.hocabench.physics.rendering.stage import SceneStage
from veridical.suites.hocabench.physics.scene import EventScene
from veridical.suites.hocabench.physics.state import Base


@dataclass(frozen=True, kw_only=True)
class RenderedScene(EventScene):
    """A scene whose state logs are simulated in three dimensions; `stage` is what a unit is built from."""

    stage: Callable[[Base], SceneStage]
