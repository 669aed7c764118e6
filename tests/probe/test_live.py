"""A page follows a run while it goes on: its counts are those of the store, and nobody else can read or change it."""

import json
import shutil
import socket
import threading
from contextlib import contextmanager
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

import veridical
from tests.ask.server import said as replied
from tests.ask.server import serve
from tests.report.devtools import evaluated
from veridical.media.decode import decode
from veridical.records import Media
from veridical.report.live.page import live_page
from veridical.verbs.runs.live_server import live_run

CHROMIUM = shutil.which("chromium")
HOSTILE = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>\u202e"
REPLIES = (HOSTILE, "<answer>1</answer>", "R1")
ASKED = {"settings": {"lens": "derived"}, "max_connections": 1, "base_url": None, "show": "quiet"}
PATIENCE = 60


def fetched(address, **headers):
    with urlopen(Request(address, headers=headers), timeout=PATIENCE) as answer:
        return answer.read()


def state_of(address):
    return json.loads(fetched(f"{address}state.json"))


@contextmanager
def going_on(whole, out):
    """A run of which some replies came in and no other does before the block ends: its page, and its state."""
    waiting, go_on = threading.Event(), threading.Event()

    def behave(request):
        if request.number > len(REPLIES):
            waiting.set()
            go_on.wait(PATIENCE)
        return replied(REPLIES[(request.number - 1) % len(REPLIES)])

    with serve(behave) as server, live_run(0, live_page("probe", "A probe", "run"), [out]) as live:
        options = {**ASKED, "base_url": server.url, "out": out, "live": live.state, "analyze": False}
        asking = threading.Thread(target=veridical.run, args=(whole, "m"), kwargs=options)
        asking.start()
        try:
            assert waiting.wait(PATIENCE)
            while not live.state.facts()["stages"] or live.state.facts()["stages"][0]["done"] < len(REPLIES):
                assert asking.is_alive()  # the thread that reads has not come to all of them yet
            yield live.url
        finally:
            go_on.set()
            asking.join()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return tmp_path_factory.mktemp("runs") / "run"


@pytest.fixture(scope="module")
def page(small, run):
    with going_on(small, run) as address:
        yield address


def test_counts_are_those_of_the_store_while_the_run_goes_on(page, run):
    (stage,) = state_of(page)["stages"]
    rows = veridical.open_run(run).outcomes()
    asked = rows.filter(rows["status"].is_not_null())
    assert stage["done"] == len(asked) == len(REPLIES)
    assert stage["planned"] == len(rows) > len(REPLIES)
    assert stage["statuses"] == dict(sorted(asked["status"].value_counts().iter_rows()))
    assert (stage["correct"], stage["marked"]) == (asked["correct"].sum(), asked["correct"].count())
    assert (stage["tokens_in"], stage["tokens_out"]) == (asked["input_tokens"].sum(), asked["output_tokens"].sum())


def test_the_latest_replies_come_first_each_with_small_pictures_of_what_was_shown(page, run):
    latest = state_of(page)["latest"]
    trials = veridical.open_run(run).run.trials_by_id()
    assert [each["serial"] for each in latest] == [3, 2, 1]
    assert latest[0]["reply"] == REPLIES[2]
    assert any(each["media"] for each in latest)
    for each in latest:
        shown = [part for message in trials[each["trial"]].messages for part in message.parts]
        assert len(each["media"]) == sum(isinstance(part, Media) for part in shown)
        for address in each["media"]:
            picture = decode(fetched(page + address), address)
            assert max(picture.width, picture.height) <= 200


@pytest.mark.parametrize(
    "place", ["media/1/99", "media/99/0", "media/../run.json", "run.json", "media/x/0", "//etc/passwd"]
)
def test_nothing_else_is_served(page, place):
    with pytest.raises(HTTPError) as refused:
        fetched(page + place)
    assert refused.value.code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_reading_is_allowed(page, method):
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(page, data=b"{}", method=method), timeout=PATIENCE)
    assert (refused.value.code, refused.value.headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize("host", ["example.org", "example.org:80", "127.0.0.1", "127.0.0.1.example.org"])
@pytest.mark.parametrize("place", ["", "state.json", "report"])
def test_another_sites_name_for_this_machine_is_refused(page, host, place):
    with pytest.raises(HTTPError) as refused:
        fetched(page + place, Host=host)
    assert refused.value.code == 403


def test_the_report_on_what_is_stored_so_far_is_made_on_request(page):
    report = fetched(f"{page}report").decode()
    assert "<title>probe · m</title>" in report
    assert "u003cimg src=x" in report
    assert "<img src=x" not in report


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_a_hostile_reply_is_shown_as_text(page, tmp_path):
    script = """
      const list = document.getElementById("latest");
      while (list.children.length < 3)
        await new Promise((done) => new MutationObserver(done).observe(list, { childList: true }));
      const replies = [...list.querySelectorAll(".text:last-child")].map((node) => node.textContent);
      return { title: document.title, replies, foreign: list.querySelectorAll("script, img[src=x]").length };
    """
    seen = evaluated(CHROMIUM, page, tmp_path / "profile", script)
    assert (seen["title"], seen["foreign"]) == ("run · probe · live", 0)
    assert seen["replies"][2] == HOSTILE.replace("\u202e", "\\u202e")


def test_a_port_in_use_is_refused_before_anything_is_asked(small, tmp_path, said):
    with serve() as server, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--model", "m", "--base-url", server.url, "--out", tmp_path / "run", "--yes")
        code, _, err = said("run", "probe", "--set", small.folder, *words, "--live-port", port)
    problem = "Address already in use; without it, a free port is taken"
    assert (code, err) == (2, f"veridical: --live-port {port}: {problem}\n")
    assert not server.requests
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_refused_in_one_line(port, small, tmp_path, said):
    words = ("--model", "veridical/eye", "--out", tmp_path / "run")
    code, _, err = said("run", "probe", "--set", small.folder, *words, "--live-port", port)
    assert (code, err) == (
        2,
        f"veridical: --live-port {port}: 0 to 65535 is allowed; without it, a free port is taken\n",
    )


def test_the_page_is_there_during_the_run_and_gone_after_it(small, tmp_path, said):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address, pages = f"http://127.0.0.1:{port}/", []

    def behave(request):
        pages.append(fetched(address))
        return replied("R1")

    with serve(behave) as server:
        words = ("--model", "m", "--base-url", server.url, "--out", tmp_path / "run", "--yes", "-S", "lens=derived")
        code, _, err = said("run", "probe", "--set", small.folder, *words, "--live", "--live-port", port)
    assert code == 0, err
    assert f"live: {address}" in err.splitlines()
    assert pages
    assert all(b"Latest replies" in page for page in pages)
    with pytest.raises(URLError):
        fetched(address)
