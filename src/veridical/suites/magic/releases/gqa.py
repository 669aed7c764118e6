"""Questions of GQA with AiR-D's saliency maps on a user's disk, with the regions that Algorithm 1 makes of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from veridical.errors import InputError
from veridical.media.pictures import decode_picture
from veridical.records import Json
from veridical.stimulus_set.imports import ExcludedItem, Import, ImportItem
from veridical.stimulus_set.imports.item import content_of, file_inside
from veridical.suite.releases import UnusableItemError, error_place, errors_as, use_each
from veridical.suites.magic.regions.choose import ADVERSARIAL
from veridical.suites.magic.regions.pipeline import Map, regions, same_shape
from veridical.suites.magic.releases.gqa_files import (
    Files,
    GqaGraph,
    GqaQuestion,
    files_in,
    graphs_of,
    members,
    objects_of,
    question_of,
)
from veridical.suites.magic.releases.items import NO_PICTURE, SEED, photo, picture_size
from veridical.suites.magic.stimuli import FACTORS, NAME

_MOST_OBJECTS = 60
"""How many objects a question may be annotated with."""
GQA = "gqa"
ABOUT: dict[str, Json] = {
    "source": "GQA (val) and AiR-D, from a copy on disk",
    "license": "not stated",
    "attribution": "the authors of GQA, Visual Genome and AiR-D",
    "may_be_passed_on": None,
}


def read_gqa(place: Path) -> Import:
    """The questions of a folder with GQA's val split that have a saliency map of correct answers in AiR-D.

    A question that cannot be used is left out with the reason. Raises `InputError` where one of the files is missing
    or cannot be read, and where another split is mixed into the scene graphs.
    """
    files = files_in(place, saliency=True)
    maps = {path.stem: path for path in sorted(files.maps.iterdir()) if path.suffix.lower() == ".png"}  # type: ignore[union-attr]
    if not maps:
        raise InputError(f"{files.maps} holds no saliency map (.png)")
    release = Gqa(files, maps.__contains__)
    left_out = [*release.left_out]
    for name in sorted(maps.keys() - release.ids):
        detail = f"{maps[name].name}: {files.questions.name} lacks its question"
        left_out.append(ExcludedItem(maps[name].name, "a saliency map without a question", detail))
    items = []
    for question in release.questions:
        try:
            items.append(release.item(question, maps[question.id]))
        except UnusableItemError as error:
            left_out.append(ExcludedItem(question.id, error.reason, error.detail))
    return Import(
        name=GQA,
        title="MagiC's regions on GQA and AiR-D",
        suite=NAME,
        items=items,
        about=ABOUT,
        facts={**release.facts(), "questions_without_saliency": len(release.ids) - len(release.ids & maps.keys())},
        left_out=left_out,
        factors=FACTORS,
        kinds=("image",),
    )


class Gqa:
    """GQA's questions and scene graphs in a folder.

    `questions` are the usable ones whose ids are `wanted`, by picture; `ids` those of all questions, and `left_out`
    has the wanted ones whose record cannot be used.
    """

    def __init__(self, files: Files, wanted: Callable[[str], bool]) -> None:
        self.ids: set[str] = set()
        self.counts: Counter[str] = Counter()
        self._files, self._graphs = files, graphs_of(files.graphs)
        self._about: dict[str, list[frozenset[str]]] = defaultdict(list)

        def raw() -> Iterator[tuple[str, tuple[str, Json]]]:
            for name, value in members(files.questions):
                self.ids.add(name)
                if isinstance(value, dict) and isinstance(value.get("imageId"), str):
                    self._about[value["imageId"]].append(objects_of(value))
                if wanted(name):
                    yield name[:40], (name, value)

        questions, self.left_out = use_each(raw(), lambda record: question_of(*record))
        self.questions = sorted(questions, key=lambda question: (question.picture, question.id))

    def facts(self) -> dict[str, Json]:
        """What the manifest says: the questions in all, files of other splits, and the special cases of Algorithm 1."""
        return {
            "read": [self._files.graphs.name, self._files.questions.name],
            "not_read": self._files.others,
            "questions": len(self.ids),
            "regions": dict(sorted((+self.counts).items())),
        }

    def item(self, question: GqaQuestion, map_path: Path | None = None, **factors: Json) -> ImportItem:
        """A question as an item; without a saliency map it has the annotated objects alone, and no adversarial boxes.

        `factors` add to its own. Raises `UnusableItemError` for a question that cannot be used.
        """
        with error_place(question.id):
            return self._item(question, map_path, factors)

    def _item(self, question: GqaQuestion, map_path: Path | None, factors: dict[str, Json]) -> ImportItem:
        graph = self._graphs.get(question.picture)
        if graph is None:
            raise UnusableItemError("a picture without a scene graph", f"there is no scene graph of {question.picture}")
        if len(question.objects) > _MOST_OBJECTS:
            detail = f"{len(question.objects):,} annotated objects: at most {_MOST_OBJECTS} are used"
            raise UnusableItemError("too many annotated objects", detail)
        file = self._picture(question, graph)
        saliency = None if map_path is None else self._saliency(map_path, graph)
        others = frozenset[str]().union(*self._about[question.picture]) - question.objects
        made = regions(
            [graph.boxes[name] for name in sorted(question.objects) if name in graph.boxes],
            [graph.boxes[name] for name in sorted(others) if name in graph.boxes],
            saliency,
            (graph.width, graph.height),
            SEED,
            question.id,
            wanted=0 if map_path is None else ADVERSARIAL,
        )
        if made is None:
            detail = "neither a hot spot nor an annotated object lies in the picture"
            raise UnusableItemError("no relevant region", detail)
        self.counts.update(made.counts)
        record = photo(
            picture=question.picture,
            identity=question.id,
            kind=question.kind,
            question=question.text,
            short=question.short,
            full=question.full,
            numbering=made.numbering,
            factors={"taken_from": GQA, **factors},
        )
        return ImportItem(record=record, files=(file,), places=(f"media/{question.picture}",))

    def _picture(self, question: GqaQuestion, graph: GqaGraph) -> Path:
        """The file of a question's picture; `UnusableItemError` where it is missing or not of its graph's size."""
        file = file_inside(self._files.pictures, f"{question.picture}.jpg")
        if file is None:
            raise UnusableItemError(NO_PICTURE, f"there is no file '{question.picture}.jpg'")
        size = picture_size(file)
        if size != (graph.width, graph.height):
            detail = f"{file.name} is {size[0]}x{size[1]}, its scene graph {graph.width}x{graph.height}"
            raise UnusableItemError("a picture that does not match its graph", detail)
        return file

    def _saliency(self, path: Path, graph: GqaGraph) -> Map:
        with errors_as("a saliency map that cannot be read"):
            saliency: Map = decode_picture(content_of(path), str(path)).mean(axis=2)
        size, own = (saliency.shape[1], saliency.shape[0]), (graph.width, graph.height)
        if not same_shape(size, own):
            detail = f"{path.name} is {size[0]}x{size[1]}, the picture {own[0]}x{own[1]}"
            raise UnusableItemError("saliency of another shape", detail)
        self.counts["saliency scaled"] += size != own
        return saliency
