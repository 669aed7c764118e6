"""People at the page of a study that the command line serves, who answer by keyboard alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.people.conftest import next_item, shown
from tests.people.raters import hidden_of
from veridical.people.study import open_study

ROOT = Path(__file__).parent.parent.parent
HOSTILE = "=1+1<img src=x onerror=alert(1)></script><script>alert(2)</script>{{7*7}}"
"""What would be an element, a formula, or an expression of a template if it were taken for more than text."""
NOTE = ("m", "typed:" + HOSTILE, "Escape")
"""The keys that write a hostile note."""


class ServedStudy(NamedTuple):
    """A study that is being served: its folder, the addresses of its people, and that of its dashboard."""

    folder: Path
    addresses: list[str]
    dashboard: str


@contextmanager
def serving(folder, *words, people=2):
    """A new study served by `veridical people serve` in a process of its own, each item asked of everybody."""
    numbers = ["--people", people, "--per-item", people]
    command = [sys.executable, "-m", "veridical", "people", "serve", *words, "--out", folder, *numbers]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    try:
        lines = [process.stdout.readline() for _ in range(people + 2)]
        assert lines[1].startswith("dashboard"), "".join(lines) + process.stdout.read()
        dashboard, *addresses = [line.split()[-1] for line in lines[1:]]
        yield ServedStudy(folder, addresses, dashboard)
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate()[0]
    assert "Traceback" not in rest


class Seat:
    """Somebody at their address, who answers every question with the keys that `keys_of` gives for what is hidden."""

    def __init__(self, context, address):
        self.page, self.problems = context.new_page(), []
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.goto(address)
        self.page.get_by_role("button", name="Begin").wait_for()
        self.page.keyboard.press("Enter")
        shown(self.page)

    def press(self, *keys):
        for key in keys:
            if key.startswith("typed:"):
                self.page.keyboard.insert_text(key.removeprefix("typed:"))
            else:
                self.page.keyboard.press(key)

    def answer_all(self, keys_of, hidden):
        while not self.page.get_by_role("heading", name="Done").is_visible():
            item = hidden[self.page.evaluate("history.state.item")]
            if not item["right"]:
                with next_item(self.page):
                    self.press(*keys_of(item))
                    require_text_alone(self.page)
                continue
            self.press(*keys_of(item))
            self.page.locator(".feedback").wait_for()
            with next_item(self.page):
                self.press("Enter")
        assert not self.problems


def require_text_alone(page):
    """Nothing that was written by others is an element of the page, or was run by it."""
    assert page.locator("[onerror], main script, header script, [src=x]").count() == 0
    assert "49" not in page.title()


def tab_to(page, selector):
    """Goes on by the Tab key until the element is focused."""
    for _ in range(page.locator("button, input, textarea, [tabindex]").count()):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by the Tab key")


def step_to(page, frame):
    """Steps on, frame by frame, until this one is shown."""
    track = page.get_by_role("slider", name="Frame")
    assert frame < int(track.get_attribute("aria-valuemax"))
    while int(track.get_attribute("aria-valuenow")) - 1 < frame:
        page.keyboard.press(".")


def all_answered(context, study, *raters):
    """Each rater answers all that they are asked; returns the text of the dashboard, and what is hidden of items."""
    opened = open_study(study.folder)
    hidden = hidden_of(opened)
    opened.store.close()
    for address, rater in zip(study.addresses, raters, strict=True):
        seat = Seat(context, address)
        seat.answer_all(lambda item, rater=rater, seat=seat: rater(item, seat.page), hidden)
        seat.page.close()
    page = context.new_page()
    page.goto(study.dashboard)
    require_text_alone(page)
    text = page.locator("body").inner_text()
    page.close()
    return text, {name: item for name, item in hidden.items() if not item["right"]}
