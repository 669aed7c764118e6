"""By which names a study may be asked for: a web page elsewhere must not reach it under a name of its own."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL = "localhost"


def is_local(host: str) -> bool:
    """Whether a host is this machine alone.

    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == LOCAL or ip_address(host).is_loopback
    except ValueError:
        return False


class OwnHosts:
    """Refuses requests for a host whose name is not the server's: a foreign name may be made to point here.

    An address in numbers cannot be, so each is answered.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = {LOCAL, *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_own(Headers(scope=scope).get("host", "")):
            refused = JSONResponse({"sentence": "This server does not answer under this name."}, 421)
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_own(self, stated: str) -> bool:
        try:
            name = urlsplit(f"//{stated}").hostname or ""
            return name in self._names or bool(ip_address(name))
        except ValueError:
            return False
