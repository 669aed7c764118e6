"""No key and no credential is written or told, wherever a server may send it back."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.ask.plans import picture, plan, put
from tests.ask.server import Request, Server, refused, said
from veridical.ask import Policy, Run, Sampling, ask, clean_endpoint, open_model, progress
from veridical.errors import InputError

KEY, USER, PASSWORD, QUERY = "sentinel-key-1", "sentinel-user", "sentinel:pass@2", "sentinel query 3"
SECRETS = [KEY, USER, PASSWORD, QUERY]
FORMS = [
    *(form for secret in SECRETS for form in (secret, quote(secret, safe=""))),
    base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode(),
]


def secret_url(server: Server) -> str:
    user = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
    return server.url.replace("http://", f"http://{user}@") + f"?token={quote(QUERY, safe='')}"


def leaks(folder: Path) -> list[str]:
    written = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
    return [form for form in ("sentinel", *FORMS) if form.encode() in written]


def echo(request: Request) -> str:
    return f"You sent {request.path} with {dict(request.headers)} and {KEY}"


def put_with_header(folder: Path, server: Server, header: str) -> None:
    trials, policy = plan(1, 1), Policy(max_requests=1)
    args = {"default_headers": {"X-Own": header}}
    model = open_model("m", base_url=server.url, model_args=args, sampling=Sampling(), policy=policy)
    run = Run.start(folder, {"model": "m", "model_args": args}, {}, trials)
    ask(run, trials, model, media=picture, policy=policy, progress=progress(1, "quiet"))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_API_KEY", KEY)


def test_a_server_that_sends_credentials_back_puts_none_of_them_into_the_run(tmp_path: Path, server: Server):
    def behave(request: Request):
        text = echo(request)
        if "p001" in request.text:
            return refused(429, text, code=KEY)
        if "p002" in request.text:
            return refused(400, text)
        return said(text, reasoning_content=text)

    server.behaviour = behave
    put(tmp_path, secret_url(server), plan(3, 1))
    sent = " ".join(echo(request) for request in server.requests)
    assert [form for form in FORMS if form in sent], "the server saw no secret, so this test shows nothing"
    assert "You sent /v1/chat/completions?token=[redacted]" in (tmp_path / "responses.jsonl").read_text()
    assert leaks(tmp_path) == []


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refused_first_trial_is_told_without_credentials(
    tmp_path: Path, server: Server, status: int, capfd: pytest.CaptureFixture[str]
):
    server.behaviour = lambda request: refused(status, echo(request))
    with pytest.raises(InputError) as caught:
        put(tmp_path, secret_url(server), plan())
    told = str(caught.value)
    assert clean_endpoint(server.url) in told
    assert "You sent /v1" in told
    assert [form for form in FORMS if form in told + "".join(capfd.readouterr())] == []
    assert leaks(tmp_path) == []


def test_a_secret_in_an_own_header_stays_out_of_the_run(tmp_path: Path, server: Server):
    server.behaviour = lambda request: said(echo(request))
    put_with_header(tmp_path, server, "Bearer sentinel-user-of-a-header")
    assert "x-own" in (tmp_path / "responses.jsonl").read_text()
    assert leaks(tmp_path) == []
