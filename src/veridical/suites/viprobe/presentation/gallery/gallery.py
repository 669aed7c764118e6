"""The gallery: one page that shows every case with its questions and its truth, beside a folder of SVG files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from veridical.base.files import write_whole
from veridical.base.format import format_number, visible
from veridical.base.options import parsed
from veridical.errors import InputError
from veridical.media.draw import to_svg
from veridical.records import Json
from veridical.report.files import check_stems
from veridical.suites.viprobe.illusions import CASES, GROUPS, Case
from veridical.suites.viprobe.illusions.variants import CHANGED, VARIANTS, strength_text
from veridical.suites.viprobe.options import VIProbeOptions
from veridical.suites.viprobe.whole_picture import MOST_UNITS, drawn

_ROWS = (("Figure", "O", "P"), ("Control", "OC", "PC"), ("Clutter", "OS", "PS"), ("Hint", "OH", "PH"))
_TITLES = {"size": "Size", "color": "Color", "orientation": "Orientation", "novel": "Novel figures"}
_SIGNATURE = '<meta name="generator" content="veridical gallery">'
_FILES = re.compile(r"index\.html|svg/[^/]+/[^/]+\.svg|(svg/[^/]+/)?\.[^/]+\.tmp")
_FOLDERS = re.compile(r"svg(/[^/]+)?")
_MUCH_EASIER = 0.25


@dataclass(frozen=True, slots=True)
class Picture:
    """One variant of a base item at one strength, and its file inside the gallery."""

    case: Case
    base: Any
    variant: str
    alpha: float

    @property
    def file(self) -> str:
        strength = strength_text(self.alpha) if self.variant in CHANGED else ""
        return f"svg/{self.case.name}/{self.variant}{strength}.svg"

    @property
    def alt(self) -> str:
        strength = f" at strength {signed(self.alpha)}" if self.variant in CHANGED else ""
        return f"{self.case.title}, {VARIANTS[self.variant]} {self.variant}{strength}"

    def svg(self) -> bytes:
        return to_svg(self.case.geometry(self.base, self.alpha).scene(VARIANTS[self.variant])).encode()


def write_gallery(
    folder: Path, *, size: int = 512, seed: int = 0, alphas: Sequence[float] = (-1, -0.4, 0.4, 1)
) -> Path:
    """The path of `index.html` in the folder, after it and the SVG of each picture were written there.

    Shown is the first base item of every case, `size` px on the longer side; `alphas` are the strengths beside 0.
    Raises `InputError` for a number out of range, or a folder that is neither new, empty nor a former gallery.
    """
    strengths = parsed(VIProbeOptions, {"size": size, "seed": seed, "alphas": tuple(alphas)}).alphas
    check_stems("case", CASES)
    for case in CASES.values():
        if size < case.smallest_size:
            raise InputError(f"size {size}: {case.name} needs at least {case.smallest_size} px on the longer side")
    former = _former(folder)
    plates = {name: _plate(case, case.base(size, seed, 0), strengths) for name, case in CASES.items()}
    page = write_whole(folder / "index.html", _render(plates, size=size, seed=seed, strengths=strengths))
    written = {_write(folder, picture) for plate in plates.values() for picture in plate["pictures"]}
    for path in former - written:
        path.unlink(missing_ok=True)
    return page


def _former(folder: Path) -> set[Path]:
    """The pictures of a former gallery in the folder; raises `InputError` where it holds anything else."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    index = folder / "index.html"
    if not folder.is_dir() or not index.is_file() or _SIGNATURE.encode() not in index.read_bytes()[:1000]:
        raise InputError(f"{folder} holds something else: choose a new or empty folder, or one with a former gallery")
    paths = list(folder.rglob("*"))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not (_FOLDERS if path.is_dir() else _FILES).fullmatch(name):
            raise InputError(
                f"{folder} holds more than a former gallery ({visible(name)}): choose a new or empty folder"
            )
    return {path for path in paths if path.is_file() and path != index}


def _write(folder: Path, picture: Picture) -> Path:
    return write_whole(folder / picture.file, picture.svg())


def _plate(case: Case, base: Any, strengths: Iterable[float]) -> dict[str, Json]:  # noqa: ANN401
    """What the page shows of one case: its words with the base item filled in, column heads, rows of pictures."""
    alphas = sorted({0.0, *strengths})
    rows = [
        (name, code, [Picture(case, base, changed if alpha else code, alpha) for alpha in alphas])
        for name, code, changed in _ROWS
        if case.shows(VARIANTS[code])
    ]
    alone = None if case.inseparable else Picture(case, base, "I", 0.0)
    same, other = ("yes", "no") if case.yes_if_unchanged else ("no", "yes")
    return {
        "case": case,
        "base": base,
        "columns": [_column(case, base, alpha) for alpha in alphas],
        "original": alphas.index(0.0),
        "rows": rows,
        "alone": alone,
        "pictures": [picture for _, _, pictures in rows for picture in pictures] + [alone] * (alone is not None),
        "question": case.fill(base, case.question),
        "reversed": case.fill(base, case.question_reversed),
        "comparison": case.comparison and case.fill(base, case.comparison.question),
        "same": same,
        "other": other,
        "whole_picture": _easier_in_the_control(case),
    }


@cache
def _easier_in_the_control(case: Case) -> str:
    """What is to be said where a statistic of the whole picture tells the answer much better in the control."""
    aucs = drawn(case, units=MOST_UNITS, seed=0) or {}
    gaps = {name: each["control"] - each["figure"] for name, each in aucs.items()}
    name = max(gaps, key=lambda name: gaps[name], default="")
    if not name or gaps[name] < _MUCH_EASIER:
        return ""
    return (
        f"The control is easier for a statistic that looks at no target: {name}, AUC {aucs[name]['control']:.2f} "
        f"(figure {aucs[name]['figure']:.2f})."
    )


def _column(case: Case, base: Any, alpha: float) -> dict[str, Json]:  # noqa: ANN401
    direction = "congruent" if alpha > 0 else "opposing"
    return {
        "alpha": signed(alpha),
        "value": f"{signed(case.value(base, alpha))} {case.factor.unit}",
        "direction": direction if alpha and case.directed else "",
    }


def signed(value: float) -> str:
    """A number with its sign: two decimals, from 10 on one.

    >>> signed(-0.4), signed(102.345), signed(-0.0)
    ('−0.4', '+102.3', '0')
    """
    text = format_number(abs(round(value, 1 if abs(value) >= 10 else 2)))
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


def _render(plates: Mapping[str, Json], *, size: int, seed: int, strengths: Sequence[float]) -> bytes:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=finalize, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["number"] = format_number
    grouped = [
        (name, title, [plate for plate in plates.values() if GROUPS[name](plate["case"])])
        for name, title in _TITLES.items()
    ]
    page = environment.from_string(_resource("gallery.html.j2")).render(
        groups=[group for group in grouped if group[2]],
        count=len(plates),
        columns=len(strengths) + 1,
        size=size,
        seed=seed,
        version=version("veridical"),
        signature=Markup(_SIGNATURE),  # noqa: S704
        css=Markup(_resource("report.css", "veridical.report") + _resource("gallery.css")),  # noqa: S704
        policy="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'",
    )
    return page.encode()


def _resource(name: str, package: str = __package__) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
