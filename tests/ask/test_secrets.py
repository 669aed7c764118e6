"""No key and no credential is written or told, wherever a server may send it back."""

from __future__ import annotations

import base64
from contextlib import nullcontext
from pathlib import Path
from time import process_time
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import picture, plan, put
from tests.ask.server import Request, Server, refused, said
from veridical.ask import Policy, Run, Sampling, ask, clean_endpoint, open_model, progress
from veridical.ask.redact import redactor
from veridical.errors import InputError

KEY, USER, PASSWORD, QUERY = "sentinel-key-1", "sentinel-user", "sentinel:pass@2", "sentinel query 3"
SECRETS = [KEY, USER, PASSWORD, QUERY]


def forms(secret: str) -> list[str]:
    """A secret raw, percent-encoded in part and in whole, in hexadecimal, and in base64 inside of longer texts too."""
    content = secret.encode()
    inside = [before + content + after for before in (b"", b"a", b"ab") for after in (b"", b":", b"::")]
    base64s = [encode(text).decode() for text in inside for encode in (base64.b64encode, base64.urlsafe_b64encode)]
    whole = "".join(f"%{byte:02x}" for byte in content)
    digits = [content.hex(), content.hex().upper(), content.hex(":"), content.hex(" ").upper()]
    return [secret, quote(secret, safe=""), quote_plus(secret), whole, whole.upper(), *digits, *base64s]


FORMS = [form for secret in SECRETS for form in forms(secret)]


def secret_url(server: Server) -> str:
    user = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
    return server.url.replace("http://", f"http://{user}@") + f"?token={quote(QUERY, safe='')}"


def leaks(folder: Path, told: str = "") -> list[str]:
    written = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()) + told.encode()
    return [form for form in ("sentinel", *FORMS) if form.encode() in written]


def echo(request: Request) -> str:
    digits = str(dict(request.headers)).encode().hex()
    return f"You sent {request.path} with {dict(request.headers)} and {KEY}, {digits}, {KEY.encode().hex('-')}"


def put_with_header(folder: Path, server: Server, header: str) -> None:
    trials, policy = plan(1, 1), Policy(max_requests=1)
    args = {"default_headers": {"X-Own": header}}
    model = open_model("m", base_url=server.url, model_args=args, sampling=Sampling(), policy=policy)
    run = Run.start(folder, {"model": "m", "model_args": args}, {}, trials, factors={})
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
    assert "You sent /v1/chat/completions?[redacted]" in (tmp_path / "responses.jsonl").read_text()
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


def test_no_encoding_of_a_secret_is_found_in_the_run_in_the_cache_or_in_what_is_told(
    tmp_path: Path, server: Server, capfd: pytest.CaptureFixture[str]
):
    def behave(request: Request):
        text = "Yes: " + " ".join(FORMS)
        if "p001" in request.text:
            return refused(503, text, code=base64.b64encode(KEY.encode()).decode())
        return said(text, reasoning_content=text)

    server.behaviour = behave
    policy = Policy(max_requests=1)
    for name in "ab":
        put(tmp_path / name, secret_url(server), plan(3, 1), policy, mode="plain", cache=tmp_path / "kept")
    assert b"Yes: [redacted]" in (tmp_path / "kept" / "replies.sqlite").read_bytes()
    assert "Yes: [redacted]" in (tmp_path / "b" / "responses.jsonl").read_text()
    assert leaks(tmp_path, "".join(capfd.readouterr())) == []


@pytest.mark.parametrize("first", [True, False])
def test_a_secret_in_the_text_of_an_exception_is_told_nowhere(
    tmp_path: Path, first: bool, capfd: pytest.CaptureFixture[str]
):
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    class Careless(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            if first or "p001" in input[-1].text:
                raise PermissionError(1, f"no entry with {KEY}, {quote(KEY)}", base64.b64encode(KEY.encode()))
            return ModelOutput.from_content("toy", "Yes")

    name = f"careless{first}".lower()
    modelapi(name=name)(Careless)
    model = open_model(f"{name}/any", base_url=None, model_args={}, sampling=Sampling(), policy=Policy())
    run = Run.start(tmp_path, {"model": name}, {}, plan(2, 1), factors={})
    with pytest.raises(InputError, match="PermissionError") if first else nullcontext() as caught:
        ask(run, plan(2, 1), model, media=picture, policy=Policy(), progress=progress(2, "plain"))
    if not first:
        assert run.responses()["p001/q0", 1].detail == "PermissionError"
    assert leaks(tmp_path, f"{''.join(capfd.readouterr())}{caught and caught.value}") == []


def test_the_text_around_a_secret_stays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTHER_TOKEN", "abcdef")
    redact = redactor("http://user-name@host/v1?key=very+secret")
    assert redact("[abcdef] fedcba user-name! very secret, abcde %61bcdef 100 % a+b") == (
        "[[redacted]] fedcba [redacted]! [redacted], abcde [redacted] 100 % a+b"
    )


@given(st.text(min_size=6, max_size=20), st.text(max_size=9), st.text(max_size=9))
def test_a_secret_is_found_in_any_encoding_wherever_it_stands(secret: str, before: str, after: str):
    redact = redactor(keys=[secret])
    for encoded in (secret, quote(secret, safe=""), quote_plus(secret)):
        assert encoded not in redact(before + encoded + after).replace("[redacted]", "\0")
    whole = base64.b64encode((before + secret + after).encode()).decode()
    assert "[redacted]" in redact(whole)


def test_a_giant_reply_is_cleaned_in_a_moment():
    redact, began = redactor(keys=["sentinel-key-1"]), process_time()
    assert "sentinel" not in redact("s%65ntinel-key-1 " + "Yes + 100 % s" * 100_000)
    assert process_time() - began < 5


def test_a_secret_in_an_own_header_stays_out_of_the_run(tmp_path: Path, server: Server):
    server.behaviour = lambda request: said(echo(request))
    put_with_header(tmp_path, server, "Bearer sentinel-user-of-a-header")
    assert "x-own" in (tmp_path / "responses.jsonl").read_text()
    assert leaks(tmp_path) == []


def test_a_key_that_was_read_with_its_line_feed_is_hidden_without_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOME_API_KEY", f"{KEY}\n")
    told = repr(f"Bearer {KEY}\n".encode())
    assert redactor()(f"Illegal header value {told}") == "Illegal header value b'Bearer [redacted]\\n'"
