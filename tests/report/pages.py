"""Reports of toy runs, written and read back; among them one in which every text is hostile."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from tests.report import toy
from veridical.records import Message, Text
from veridical.report import ReportRun, write_report
from veridical.suite import Figure, Table

STIMULI = toy.design(("muller_lyer", "ponzo", "zollner"), 3, (-0.5, 0.5, 1.0))
TRIALS = toy.trials(STIMULI)
HOSTILE = (
    "</script><script>alert(1)</script><!--<script>\"'><img src=x onerror=alert(1)><svg onload=alert(1)>"
    " javascript:alert(1) {{ 7*7 }} {% raw %} \u202egnp.exe\u202c \x00 \u2028 ]]> &lt;b&gt;"
)


class Page(HTMLParser):
    """Elements in order, and the text inside scripts, styles and everywhere else."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.scripts, self.words, self.open = [], [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.open = ""

    def handle_data(self, data):
        if self.open == "script":
            self.scripts[-1] += data
        elif self.open != "style":
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))

    @property
    def items(self):
        return json.loads(self.scripts[0])

    @property
    def policy(self):
        return next(a["content"] for t, a in self.elements if t == "meta" and "http-equiv" in a)


def media(file):
    stimulus = STIMULI[file.removeprefix("media/").removesuffix(".png")]
    return toy.png(stimulus.alpha)


def report(folder, runs=None, **options):
    options = {"stimuli": STIMULI, "media": media, "suite": toy.suite()} | options
    runs = runs or [toy.run("model-a", TRIALS)]
    path = write_report(options.pop("suite"), runs, folder / "report.html", **options)
    return Page(path.read_text(encoding="utf-8"))


def hostile_run(text):
    """A run and its stimuli in which every free text is this text."""
    stimuli = {
        name: replace(s, id=text + name, unit=text + s.unit, family=text, variant=text + s.variant, side=text)
        for name, s in STIMULI.items()
    }
    stimuli = {s.id: replace(s, truth={text: text}, measured={text: [text]}, media=(text,)) for s in stimuli.values()}
    planned = {}
    for trial in toy.trials(stimuli).values():
        messages = tuple(Message(role, (Text(text), Text(text))) for role in ("system", "user", "assistant"))
        planned[text + trial.id] = replace(
            trial, id=text + trial.id, messages=messages, gold=text, settings={text: text}
        )
    reply = {"status": "answered", "text": text, "reasoning": text, "reason": text, "stop_reason": text}
    run = toy.run(text, planned, lambda _: reply | {"answer": text}, {text: {text: [text]}, "model": text})
    estimates = [toy.estimate(text, 0.5, None, 0.6, method=text, reason=text)]
    return ReportRun(replace(run.result, estimates=estimates), planned, run.identity), stimuli


def hostile_suite(text):
    cells = (text, toy.estimate(text, 0.5, 0.4, 0.6, reason=text), toy.estimate(text, None, None, None, reason=text))
    table = Table("t", text, text, (text, text, text), (cells,))
    return toy.suite(
        title=text,
        citation=text,
        headline=(text,),
        tables=lambda _: [table],
        figures=lambda _: [Figure("f", text, text, toy.SVG)],
    )
