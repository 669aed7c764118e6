"""A study of items that a test makes, served on this machine, and a browser in which people answer it."""

import shutil
from contextlib import contextmanager
from threading import Thread

import pytest
import uvicorn

from tests.probe_suite import SUITE
from veridical.people import tasks
from veridical.people.app import study_app
from veridical.people.blinding import fill_study
from veridical.people.invitations import invite
from veridical.people.serve import bound_socket
from veridical.people.store import StudyStore, file_database
from veridical.people.study import DATABASE, Study, StudyDesign
from veridical.suite import registry
from veridical.suite.people_tasks import PeopleTask

CHROMIUM = shutil.which("chromium")
PATIENCE = 120_000


def study_of(folder, items, practice=(), **design):
    """A study of these items, which rests on no set."""
    made = StudyDesign(task="page", suite="probe", places=[], **design)
    study = Study(folder, made, StudyStore(file_database(folder / DATABASE)), "secret")
    fill_study(study.store, study.secret, items, practice, made.seed, 0)
    return study


@contextmanager
def served(study):
    """The addresses of the people of a study while it is served."""
    at = bound_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(study_app(study), log_level="error"))
    thread = Thread(target=server.run, kwargs={"sockets": [at]})
    thread.start()
    try:
        start = f"http://127.0.0.1:{at.getsockname()[1]}"
        yield [f"{start}/s/{each.token}/" for each in invite(study, study.design.people)]
    finally:
        server.should_exit = True
        thread.join()
        study.store.close()


@pytest.fixture
def page_task(monkeypatch):
    """A task that the studies of these tests are of; `instructions` may be replaced."""
    task = PeopleTask(title="Task", help="", instructions="Look, and answer.", items=lambda *_: (), read=None)
    monkeypatch.setitem(registry._REGISTERED, "probe", SUITE)
    monkeypatch.setitem(tasks.GENERAL, "page", task)


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH")
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def context(browser):
    # For those who ask for it, clips stand still until they are played.
    window = {"viewport": {"width": 1300, "height": 900}, "locale": "en-US", "reduced_motion": "reduce"}
    made = browser.new_context(**window)
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def asked(tmp_path, page_task, context):
    """Opens the page of the first person of a study of items; returns the page and the study, which is being served."""
    with_servers = []

    def opened(items, practice=(), begin=True, **design):
        study = study_of(tmp_path, items, practice, **design)
        serving = served(study)
        study_addresses = serving.__enter__()
        with_servers.append(serving)
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: page.problems.append(line.text) if "Content Security" in line.text else None)
        page.goto(study_addresses[0])
        page.addresses = study_addresses
        if begin:
            page.get_by_role("button", name="Begin").wait_for()
            page.keyboard.press("Enter")
            shown(page)
        return page, study

    yield opened
    for serving in with_servers:
        serving.__exit__(None, None, None)


def shown(page):
    """Waits until an item is painted."""
    page.locator("main[data-painted] .item").wait_for()


@contextmanager
def next_item(page):
    """Waits, after what is done inside, for another item or the end."""
    before = page.locator("main").evaluate("(main) => (main.dataset.screen)")
    yield
    page.locator(f"main:not([data-screen='{before}'])[data-painted]").wait_for()


def answers(study):
    """What the people of a study stated last, by item and person."""
    return {(vote.item, vote.person): vote.answer for vote in study.votes()}
