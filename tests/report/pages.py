"""Reports of toy runs, written and read back; among them one in which every text is hostile."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from tests.report import found, toy
from veridical.records import PROPORTION, Measure, Media, Message, Text
from veridical.report import ReportRun, write_report
from veridical.suite.opening import Chart, ChartCurve, Finding, FoldedRuns, Opening, Reasons
from veridical.suite.parts import PresentationPart
from veridical.suite.results import Figure, PublishedTable, Result, Table

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
    return toy.png(stimulus.factors["alpha"])


def report(folder, runs=None, *, suite=None, stimuli=STIMULI, media=media, **options):
    """The page of runs of the toy suite, or of another record of it."""
    runs = runs or [toy.run("model-a", TRIALS)]
    runs = [replace(run, suite=suite) for run in runs] if suite else runs
    name = runs[0].suite.name
    files = {} if media is None else {name: media}
    path = write_report(runs, folder / "report.html", stimuli={name: toy.finder(stimuli)}, media=files, **options)
    return Page(path.read_text(encoding="utf-8"))


def hostile_run(text):
    """A run and its stimuli in which every free text is this text."""
    stimuli = {
        name: replace(
            s, id=text + name, unit=text + s.unit, family=text, variant=text, question=text, factors={text: text}
        )
        for name, s in STIMULI.items()
    }
    truth = {text: text, "regions": {text: [1, 2, 30, 40]}}
    stimuli = {
        s.id: replace(
            s, truth=truth, measured={text: [text]}, media=tuple(replace(m, file=text + m.file) for m in s.media)
        )
        for s in stimuli.values()
    }
    planned = {}
    for trial in toy.trials(stimuli).values():
        shown = (*stimuli[trial.stimulus].media, replace(stimuli[trial.stimulus].media[0], file=text, kind="video"))
        parts = (Text(text), *map(Media.of, shown), Text(text))
        messages = tuple(Message(role, parts) for role in ("system", "user", "assistant"))
        planned[text + trial.id] = replace(
            trial, id=text + trial.id, messages=messages, gold=text, settings={text: text}, expects={"regions": text}
        )
    scores = (f"score_{text}",)
    reply = {"status": "answered", "answer": text, "correct": False, scores[0]: 0.5}
    reply |= dict.fromkeys(("text", "reasoning", "reason", "stop_reason"), text)
    table = toy.outcomes(text, planned, lambda _: reply, factors={text: str}, scores=scores)
    unit = replace(PROPORTION, name=text, suffix=text)
    estimates = [toy.estimate(text, 0.5, None, 0.6, method=text, reason=text, unit=unit)]
    identity = {text: {text: [text]}, "model": text}
    return ReportRun(hostile_suite(text), Result(text, table, estimates), planned, identity), stimuli


def hostile_opening(text):
    part = Reasons(
        about=text,
        verdict=text,
        tone="bad",
        weights={text: 0.7, "b": 0.3},
        evidence=(text,),
        parameters={text: text},
    )
    reasons = replace(part, parts=(part,), folded=(FoldedRuns(text, text, (text,)),))
    curve = ChartCurve(text, found.pieces(0.5))
    finding = Finding(
        model=text,
        verdict=text,
        sentence=text,
        sure=text,
        tone="bad",
        basis=text,
        counts=found.SOME,
        rates=((found.rate(None, reason=text), text),),
        chart=Chart(title=text, curves=(curve,), ends=(text, text)),
        needs=(text,),
        reasons=(reasons, reasons),
    )
    return Opening(text, (text, text), {text: text}, (finding, finding), {text: text, "b": text})


def hostile_suite(text):
    cells = (text, toy.estimate(text, 0.5, 0.4, 0.6, reason=text), toy.estimate(text, None, None, None, reason=text))
    table = Table("t", text, text, (text, text, text), (cells,))
    published = PublishedTable(table, text, ((text, text, text),))
    measure = Measure(title=text, definition=text, unit=PROPORTION, source=text)
    return toy.suite(
        name=f"hostile {text}",
        title=text,
        citation=text,
        analysis=replace(toy.ANALYSIS, headline=(text,), measures={text: measure}),
        presentation=PresentationPart(
            variants={text: text},
            names={text: text},
            answers={text: text},
            terms={text + "(term)": text},
            opening=lambda _: hostile_opening(text),
            tables=lambda _: [table],
            figures=lambda _: [Figure("f", text, text, toy.SVG)],
            published=lambda *_: ([published], {text: text}),
        ),
    )
