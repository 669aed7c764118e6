"""Scripts run in a page of a real browser, awaited: what they promise is there, however slow the machine is."""

import json
import os
import subprocess
from contextlib import suppress
from itertools import count

OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-pipe"
)
PATIENCE = 120


class _Browser:
    """The two pipes of a browser that reads commands as JSON, each ended by a NUL."""

    def __init__(self, commands: int, events: int):
        self.commands, self.events = os.fdopen(commands, "wb"), os.fdopen(events, "rb")
        self.numbers, self.rest = count(1), b""

    def call(self, method, session=None, **params):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        return self.until(lambda event: event.get("id") == number)["result"]

    def until(self, wanted):
        while True:
            while b"\0" not in self.rest:
                read = self.events.read1(65536)
                assert read, "the browser ended"
                self.rest += read
            line, _, self.rest = self.rest.partition(b"\0")
            event = json.loads(line)
            if wanted(event):
                return event


def evaluated(chromium, address, profile, script):
    """The value of an asynchronous script in a page that is loaded; the page's own policy stays in force."""
    return evaluated_at(chromium, address, profile, script, [1600])[0]


def evaluated_at(chromium, address, profile, script, widths):
    """The values of a script in a page that is loaded, one for each width of the window in pixels."""
    (child_reads, commands), (events, child_writes) = os.pipe(), os.pipe()

    def plumb():
        # Copies first: one of the ends may itself be 3 or 4.
        ends = [os.dup(child_reads), os.dup(child_writes)]
        for place, end in zip((3, 4), ends, strict=True):
            os.dup2(end, place)

    process = subprocess.Popen(
        [chromium, *OPTIONS.split(), f"--user-data-dir={profile}"],
        preexec_fn=plumb,
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(child_reads)
    os.close(child_writes)
    browser = _Browser(commands, events)
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.call("Page.enable", session)
        browser.call("Page.navigate", session, url=address)
        browser.until(lambda event: event.get("method") == "Page.loadEventFired")
        return [_value(browser, session, script, width) for width in widths]
    finally:
        with suppress(AssertionError, OSError):
            browser.call("Browser.close")
        process.wait(PATIENCE)
        browser.commands.close()
        browser.events.close()


def _value(browser, session, script, width):
    window = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", session, **window)
    asked = {"awaitPromise": True, "returnByValue": True}
    value = browser.call("Runtime.evaluate", session, expression=f"(async () => {{{script}}})()", **asked)
    assert "exceptionDetails" not in value, value["exceptionDetails"]
    return value["result"]["value"]
