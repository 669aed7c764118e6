"""The server of a study: a page for each person, what they are asked next, media under blind names, and their votes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from functools import partial
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from secrets import compare_digest
from typing import Any

import sqlalchemy as sa
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from veridical.errors import InputError
from veridical.people.blinding import is_blind
from veridical.people.clip_frames import ClipFrames
from veridical.people.file_stamps import FileStamps
from veridical.people.hosts import OwnHosts
from veridical.people.invitations import Person, person_of
from veridical.people.sessions import Screen, consent, earlier_screen, screen_of, store_vote
from veridical.people.status_text import agreement_text, progress_text, remarks, seconds_text
from veridical.people.store import MEDIA, AwayError, Vote
from veridical.people.study import Study
from veridical.people.study_status import DISCUSSED, StatusCache

PAGES = Path(__file__).parent / "pages"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_KEPT = {**_HEADERS, "Cache-Control": "private, max-age=86400"}
_LARGEST_VOTE = 1_000_000
_MOST_REVISIONS = 10_000
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_UNKNOWN = "This address is not known, or its invitation has ended. Ask whoever sent it to you."
_AWAY = "The database does not answer. Nothing of your last answer was stored; please try again in a minute."


class Refusal(Exception):  # noqa: N818 (what a person reads, no fault of the program)
    """A sentence for the page, and the status that goes with it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def study_app(study: Study, hosts: Collection[str] = ()) -> Starlette:
    """The application that serves a study; every address of a person begins with their token.

    It answers to this machine's own names, to addresses in numbers, and to the names in `hosts`.
    """
    own = _StudyPages(study)
    routes = [
        Route("/s/{token}/", own.page),
        Route("/s/{token}/next", own.next),
        Route("/s/{token}/items/{item}", own.earlier),
        Route("/s/{token}/consent", own.consent, methods=["POST"]),
        Route("/s/{token}/votes", own.vote, methods=["POST"]),
        Route("/s/{token}/media/{name}", own.medium),
        Route("/s/{token}/media/{name}/{frame:int}.jpg", own.frame),
        Route("/d/{token}/", own.dashboard),
        Route("/static/{name}", own.static),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(OwnHosts, names=hosts)],
        exception_handlers={Refusal: _refused, AwayError: _away, InputError: _invalid},
    )


class _StudyPages:
    """What the addresses of a study answer."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._pages = Environment(loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined)
        self._pages.filters |= {"seconds": seconds_text, "agreement": agreement_text, "remarks": remarks}
        self._frames = ClipFrames(study.folder)
        self._status = StatusCache(study)
        self._hashes: FileStamps[str] = FileStamps()
        self._static = {path.name: path.read_bytes() for path in PAGES.iterdir() if path.suffix in _TYPES}

    async def page(self, request: Request) -> Response:
        await self._person(request)
        text = self._pages.get_template("study.html.j2").render(task=self.study.task, title=self.study.design.title)
        return Response(text, headers=_HEADERS, media_type="text/html")

    async def dashboard(self, request: Request) -> Response:
        if not compare_digest(request.path_params["token"].encode(), self.study.dashboard_token.encode()):
            raise Refusal(404, _UNKNOWN)
        status = await run_in_threadpool(self._status.status)
        title = self.study.design.title or f"{self.study.task.title}, {self.study.design.suite}"
        text = self._pages.get_template("dashboard.html.j2").render(
            title=title, status=status, progress=progress_text(status), discussed=DISCUSSED
        )
        return Response(text, headers=_HEADERS, media_type="text/html")

    async def next(self, request: Request) -> Response:
        return await self._screen(request, lambda person: screen_of(self.study, person))

    async def earlier(self, request: Request) -> Response:
        item = _blind_name(request, "item")
        return await self._screen(request, lambda person: earlier_screen(self.study, person, item))

    async def consent(self, request: Request) -> Response:
        _require_own_page(request)

        def agreed(person: Person) -> Screen:
            consent(self.study, person)
            return screen_of(self.study, person._replace(consented="now"))

        return await self._screen(request, agreed)

    async def vote(self, request: Request) -> Response:
        _require_own_page(request)
        body = await _body(request)

        def stored(person: Person) -> Screen:
            outcome = store_vote(self.study, person, _vote(person, body))
            return {**screen_of(self.study, person), **outcome}

        return await self._screen(request, stored)

    async def medium(self, request: Request) -> Response:
        await self._person(request)
        path = await run_in_threadpool(self._file, _blind_name(request, "name"))
        return FileResponse(path, headers=_KEPT, media_type=guess_type(path.name)[0])

    async def frame(self, request: Request) -> Response:
        await self._person(request)
        name, number = _blind_name(request, "name"), request.path_params["frame"]
        path = await run_in_threadpool(self._file, name)
        content = await run_in_threadpool(self._frames.frame, name, path, number)
        if content is None:
            raise Refusal(404, "The clip has no such frame.")
        return Response(content, headers=_KEPT, media_type="image/jpeg")

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._static:
            raise Refusal(404, "There is no such file.")
        return Response(self._static[name], headers=_HEADERS, media_type=_TYPES[Path(name).suffix])

    async def _person(self, request: Request) -> Person:
        return await run_in_threadpool(self._invited, request.path_params["token"])

    def _invited(self, token: str) -> Person:
        person = person_of(self.study, token)
        if person is None or person.revoked is not None:
            raise Refusal(404, _UNKNOWN)
        return person

    async def _screen(self, request: Request, screen: Callable[[Person], Screen]) -> Response:
        def answer() -> Screen:
            person = self._invited(request.path_params["token"])
            changed = self.study.changed()
            if changed:
                raise Refusal(409, f"This study cannot go on: {changed}.")
            return screen(person)

        return JSONResponse(await run_in_threadpool(answer), headers=_HEADERS)

    def _file(self, name: str) -> Path:
        """The file of a medium by its blind name, if it is still the one that the study was made with."""
        with self.study.store.reading() as connection:
            row = connection.execute(sa.select(MEDIA).where(MEDIA.c.name == name)).first()
        if row is None:
            raise Refusal(404, "There is no such picture or clip.")
        path = Path(row.path)
        if not path.is_file() or self._hashes.result(path, partial(_hash_of, path)) != row.sha256:
            raise Refusal(409, "A picture or clip has changed since the study was made, so it is not shown.")
        return path


def _hash_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _blind_name(request: Request, part: str) -> str:
    """A name in an address; any that blinding does not give is not known."""
    name = request.path_params[part]
    if not is_blind(name):
        raise Refusal(404, "There is nothing at this address.")
    return str(name)


def _require_own_page(request: Request) -> None:
    """A vote comes from the study's own page: other sites can neither send JSON here nor name this origin."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refusal(415, "JSON is needed.")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refusal(403, "Another site sent this.")


async def _body(request: Request) -> Any:  # noqa: ANN401 (JSON)
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _LARGEST_VOTE:
            raise Refusal(413, "This answer is too long.")
    try:
        body = json.loads(content)
        # Neither halves of characters nor numbers that are none: no file could hold them later.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise Refusal(400, "This is no JSON.") from None
    return body


def _vote(person: Person, body: Any) -> Vote:  # noqa: ANN401 (JSON)
    match body:
        case {"key": str(key), "item": str(item), "revision": int(revision), "answer": dict(answer)} if (
            _KEY.fullmatch(key) and is_blind(item) and 0 <= revision <= _MOST_REVISIONS
        ):
            seconds = body.get("seconds")
            known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < 1e7
            return Vote(key, person.name, item, int(revision), answer, float(seconds) if known else None)
    raise Refusal(400, "A vote has a key, an item, a revision and an answer.")


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse({"sentence": str(error)}, error.status, headers=_HEADERS)


async def _invalid(_: Request, error: Exception) -> Response:
    return JSONResponse({"sentence": str(error)}, 422, headers=_HEADERS)


async def _away(_: Request, __: Exception) -> Response:
    return JSONResponse({"sentence": _AWAY}, 503, headers=_HEADERS)
