"""The renderers of scenes in three dimensions: what each of them needs, and how it films a stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from veridical.base.requirements import versions_of
from veridical.media.figures.render import Pixels
from veridical.suites.hocabench.physics.rendering.engine import GL
from veridical.suites.hocabench.physics.rendering.libraries import DrawingLibrary
from veridical.suites.hocabench.physics.rendering.mitsuba.library import LLVM
from veridical.suites.hocabench.physics.rendering.mitsuba.studio import MitsubaStudio
from veridical.suites.hocabench.physics.rendering.mujoco_studio import MujocoStudio
from veridical.suites.hocabench.physics.rendering.stage import Lens, SceneStage
from veridical.suites.hocabench.physics.rendering.view import RenderedView, Renderer
from veridical.suites.hocabench.physics.state import State


class Studio(Protocol):
    """A stage that is set to one state after the other and filmed; to be closed."""

    def picture(self, state: State, lens: Lens) -> Pixels:
        """A state as the lens sees it, shape (height, width, 3), from as many passes as the view says."""

    def close(self) -> None:
        """Frees what the renderer holds."""


@dataclass(frozen=True, slots=True)
class StageRenderer:
    """A renderer: its studio, the packages that determine its pixels, and the libraries that it draws with.

    The last library is its back end; MuJoCo's is needed by all, for masks.
    """

    studio: Callable[[SceneStage, RenderedView], Studio]
    packages: tuple[str, ...]
    libraries: tuple[DrawingLibrary, ...]

    def versions(self) -> dict[str, str]:
        """The versions of packages and back end by name; raises `InputError` where one is missing or does not work."""
        name, library = [each.require() for each in self.libraries][-1]
        return {**versions_of(*self.packages), "back end": f"{Path(name).name} ({library})"}


RENDERERS: dict[Renderer, StageRenderer] = {
    "mujoco": StageRenderer(MujocoStudio, ("mujoco",), (GL,)),
    "mitsuba": StageRenderer(MitsubaStudio, ("mujoco", "mitsuba", "mitsuba-oidn"), (GL, LLVM)),
}
