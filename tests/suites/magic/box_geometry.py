"""What the geometry of a question's boxes tells of which of them matter, to learners that see no picture."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veridical.suites.magic.scenes.compose import compose
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.make import marked_question

WIDTH, HEIGHT = 640, 480
FOLDS, TREES = 3, 40


class Boxes(NamedTuple):
    """The boxes of a question, shape (boxes, 4), and which of them matter."""

    boxes: np.ndarray
    relevant: np.ndarray


def gaps(boxes):
    """How far each box is from each other one, shape (boxes, boxes): 0 where they touch; infinite from itself."""
    low, high = boxes[:, :2], boxes[:, 2:]
    apart = np.maximum(np.maximum(low[:, None] - high[None], low[None] - high[:, None]), 0)
    return np.hypot(*np.moveaxis(apart, -1, 0)) + np.diag([np.inf] * len(boxes))


def contacts(boxes):
    """How long the border is that two boxes share, shape (boxes, boxes); 0 where they do not touch."""
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.where((high >= low).all(-1), (high - low).max(-1), 0)
    return np.where(np.eye(len(boxes), dtype=bool), 0, shared)


def in_line(low, high):
    """The share of the shorter side of two boxes that they have in common along an axis, shape (boxes, boxes)."""
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    share = np.maximum(shared, 0) / np.minimum((high - low)[:, None], high - low)
    return np.where(np.eye(len(low), dtype=bool), 0, share)


def groups(touching):
    """How many boxes each box hangs together with, itself included."""
    reached = touching | np.eye(len(touching), dtype=bool)
    for _ in touching:
        reached = reached @ reached
    return reached.sum(1)


def geometry(boxes):
    """What a learner knows of each box, shape (boxes, features): its own measures, and their ranks in the question."""
    boxes = boxes.astype(float)
    (x0, y0, x1, y1), gap, contact = boxes.T, gaps(boxes), contacts(boxes)
    wide, high = x1 - x0, y1 - y0
    touching = contact > 0
    level = touching & (np.abs(y0[:, None] - y1[None]) < 1)
    measures = np.stack(
        [
            wide, high, np.sqrt(wide * high), np.log(wide / high), (x0 + x1) / 2, (y0 + y1) / 2, y1,
            np.minimum(gap.min(1), 400), contact.max(1), contact.max(1) / wide, touching.sum(1), groups(touching),
            level.sum(1), level.sum(0), in_line(x0, x1).max(1), in_line(y0, y1).max(1),
        ],
        1,
    )  # fmt: skip
    return np.concatenate([measures, rankdata(measures, axis=0) / len(boxes)], 1)


LEARNERS = {
    "linear": lambda: make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000)),
    "forest": lambda: RandomForestClassifier(TREES, min_samples_leaf=3, random_state=0),
}


def within(score, relevant):
    """How often a box that matters scores higher than one that does not, of one question."""
    steps = score[relevant][:, None] - score[~relevant][None]
    return float(((steps > 0) + 0.5 * (steps == 0)).mean())


def auc_by_geometry(questions):
    """The mean AUC within question of each learner in questions that it has not seen, by name."""
    seen = [geometry(each.boxes) for each in questions]
    found = {}
    for name, learner in LEARNERS.items():
        scores = []
        for known, new in KFold(FOLDS, shuffle=True, random_state=0).split(seen):
            fitted = learner().fit(
                np.concatenate([seen[k] for k in known]), np.concatenate([questions[k].relevant for k in known])
            )
            scores += [within(fitted.predict_proba(seen[k])[:, 1], questions[k].relevant) for k in new]
        found[name] = float(np.mean(scores))
    return found


@lru_cache(maxsize=2)
def boxes_by_template(kind, scenes, seed=7):
    """The boxes of the questions about so many scenes of a kind, by template; no two of a template share a scene."""
    found = defaultdict(list)
    for index in range(scenes):
        scene = compose(kind, WIDTH, HEIGHT, seed, index)
        graph = Graph(scene.setting)
        for name, form in scene.forms.items():
            marked = marked_question(scene, graph, name, seed, f"{kind}/{index:04}")
            matter = {marked.numbers[place] for place in marked.question.places}
            numbers = range(1, len(marked.boxes) + 1)
            found[form].append(Boxes(np.array(marked.boxes), np.array([each in matter for each in numbers])))
    return dict(found)
