"""Serving a study: on this machine alone, or, with invitations, on its network."""

from __future__ import annotations

import socket
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

import uvicorn

from veridical.errors import InputError
from veridical.people.app import study_app
from veridical.people.hosts import is_local
from veridical.people.invitations import Invitation, people_of
from veridical.people.study import Study


def require_invited(study: Study, host: str) -> None:
    """Raises `InputError` for a host beyond this machine where nobody has an open invitation to the study."""
    if not is_local(host) and not any(person.revoked is None for person in people_of(study)):
        raise InputError(f"--host {host}: nobody is invited: `veridical people invite {study.folder}` first")


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket on a port of a host (0: a free one); raises `InputError` where that is not possible."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "0 to 65535 is allowed"
        raise InputError(f"{host}:{port} cannot be served: {reason}") from None


def start_of(at: socket.socket, host: str) -> str:
    """The start of every address of a server, as people type it: with this machine's name where it serves on all."""
    named = socket.gethostname() if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"http://{f'[{named}]' if ':' in named else named}:{at.getsockname()[1]}"


def person_addresses(invitations: Sequence[Invitation], start: str) -> list[str]:
    """A line for each person: their name and address."""
    return [f"{each.name}  {start}/s/{each.token}/" for each in invitations]


def dashboard_address(study: Study, start: str) -> str:
    """The address of the dashboard of who runs a study."""
    return f"{start}/d/{study.dashboard_token}/"


def serve(study: Study, at: socket.socket, starts: Collection[str]) -> None:
    """Serves a study until it is stopped, under the names in the starts of its addresses and no other's."""
    names = [urlsplit(start).hostname or "" for start in starts]
    config = uvicorn.Config(study_app(study, names), log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[at])
