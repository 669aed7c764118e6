"""Meshes of balls, boxes and cylinders in unit size, with the coordinates of their grains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.suites.hocabench.physics.rendering.mitsuba.surfaces import is_clear
from veridical.suites.hocabench.physics.rendering.stage import BodyPart

Points = NDArray[np.float64]
_FINE = 24
"""Into how many cells a side of a face is cut where it is bent."""
_PLATE = 0.1
"""How thick a thin plate is at most, as a share of its longest side."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitMesh:
    """A surface within −1 to 1: its vertices (n, 3), faces (m, 3), normals (n, 3), and coordinates of grains (n, 2)."""

    vertices: Points
    faces: NDArray[np.uint32]
    normals: Points
    grains: Points


def unit_mesh(part: BodyPart) -> UnitMesh:
    """The mesh of a part in unit size; a grain that is `flat` is laid on from above and repeats as its material says.

    A thin plate of something clear is one surface in its middle: light that is reflected at both of its sides would
    only make noise.
    """
    if is_clear(part.material) and part.shape == "box" and min(part.size) < _PLATE * max(part.size):
        return _pane(int(np.argmin(part.size)))
    mesh = _MESHES[part.shape]()
    if not part.material.flat:
        return mesh
    return UnitMesh(mesh.vertices, mesh.faces, mesh.normals, mesh.vertices[:, :2] / 2 * part.material.repeat)


def half_sides(part: BodyPart) -> Points:
    """By how much a part is larger than its mesh of unit size, along each axis, in m."""
    if part.shape == "cylinder":
        return np.array([part.size[0], part.size[0], part.size[1]])
    return np.array(part.size if part.shape == "box" else part.size * 3)


@cache
def _pane(axis: int) -> UnitMesh:
    """A square in the middle, across an axis: a side of the box that is put there."""
    box, own = _box(), slice(8 * axis, 8 * axis + 4)
    vertices = box.vertices[own] * (np.arange(3) != axis)
    return UnitMesh(vertices, box.faces[:2], box.normals[own], box.grains[own])


@cache
def _box() -> UnitMesh:
    points, normals, grains = _cube(1)
    return UnitMesh(points, _cells(1, len(points)), normals, grains)


@cache
def _ball() -> UnitMesh:
    points, _, grains = _cube(_FINE)
    points = points / np.linalg.norm(points, axis=1, keepdims=True)
    return UnitMesh(points, _cells(_FINE, len(points)), points, grains)


@cache
def _cylinder() -> UnitMesh:
    """A cube whose sides are bent around its axis; each of the six sides has the whole grain."""
    points, normals, grains = _cube(_FINE)
    across = np.abs(points[:, :2]).max(1, keepdims=True)
    far = np.linalg.norm(points[:, :2], axis=1, keepdims=True)
    round_ = np.concatenate([points[:, :2] * across / np.maximum(far, 1e-12), points[:, 2:]], 1)
    side = np.abs(normals[:, 2:]) < 0.5
    outward = np.concatenate([round_[:, :2], np.zeros((len(points), 1))], 1)
    return UnitMesh(round_, _cells(_FINE, len(points)), np.where(side, outward, normals), grains)


_MESHES = {"box": _box, "sphere": _ball, "cylinder": _cylinder}
Axis = Literal[0, 1, 2]
_SIDES: tuple[tuple[Axis, int, tuple[Axis, int], tuple[Axis, int]], ...] = (
    (0, 1, (2, -1), (1, -1)),
    (0, -1, (2, 1), (1, -1)),
    (1, 1, (0, 1), (2, 1)),
    (1, -1, (0, 1), (2, -1)),
    (2, 1, (0, 1), (1, -1)),
    (2, -1, (0, -1), (1, -1)),
)
"""Of each side of a cube its axis and sign, and along which axes a picture on it goes right and down, as in OpenGL."""


def _cube(cells: int) -> tuple[Points, Points, Points]:
    """Points of the six sides of a cube, cut into so many cells, their normals and the coordinates of their grains."""
    angles = np.tan(np.linspace(-np.pi / 4, np.pi / 4, cells + 1))
    along, down = (each.ravel() for each in np.meshgrid(angles, angles))
    points, normals = np.zeros((2, 6, len(along), 3))
    for k, (axis, sign, right, below) in enumerate(_SIDES):
        points[k, :, axis] = normals[k, :, axis] = sign
        points[k, :, right[0]], points[k, :, below[0]] = right[1] * along, below[1] * down
    grains = np.tile(np.stack([along + 1, 1 - down], 1) / 2, (6, 1))
    return points.reshape(-1, 3), normals.reshape(-1, 3), grains


def _cells(cells: int, count: int) -> NDArray[np.uint32]:
    """Two triangles of each cell of six sides with `count` points, counterclockwise as seen from outside."""
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    below = corner + cells + 1
    side = np.concatenate([np.stack([corner, below, corner + 1], 1), np.stack([corner + 1, below, below + 1], 1)])
    return np.concatenate([side + k * (count // 6) for k in range(6)]).astype(np.uint32)
