"""Serving a study: on this machine alone, or, with invitations, on its network."""

from __future__ import annotations

import socket
from collections.abc import Sequence

import uvicorn

from veridical.errors import InputError
from veridical.people.app import study_app
from veridical.people.invitations import Invitation
from veridical.people.study import Study

HOST = "127.0.0.1"


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket on a port of a host (0: a free one); raises `InputError` where that is not possible."""
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "0 to 65535 is allowed"
        raise InputError(f"{host}:{port} cannot be served: {reason}") from None


def addresses(invitations: Sequence[Invitation], host: str, port: int) -> list[str]:
    """The address of each person."""
    return [f"http://{host}:{port}/s/{each.token}/" for each in invitations]


def serve(study: Study, at: socket.socket) -> None:
    """Serves a study until it is stopped."""
    config = uvicorn.Config(study_app(study), log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[at])
