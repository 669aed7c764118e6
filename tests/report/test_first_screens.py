"""The first screen of each suite, measured in a real browser at the widths of a phone, a tablet and a laptop."""

import re

import pytest

from tests.report import openings
from tests.report.devtools import evaluated_at
from tests.report.pages import STIMULI, media
from tests.report.test_browser import CHROMIUM, write

WIDTHS = (390, 1000, 1300)
NARROWEST = 90
MEASURED = """
const page = document.documentElement, wide = page.clientWidth;
const parts = [...document.querySelectorAll(".opening, .why")];
const nodes = parts.flatMap((part) => [...part.querySelectorAll("*")]);
const all = nodes.filter((node) => !node.closest(".unseen, details"));
const named = (node) => `${node.className}: ${node.textContent.slice(0, 40)}`;
const clipped = all.filter((node) => getComputedStyle(node).overflowX !== "visible" && !node.closest("svg, .weights")
  && node.scrollWidth > node.clientWidth).map(named);
const outside = all.filter((node) => node.getBoundingClientRect().right > wide + 1).map(named);
const narrow = [...document.querySelectorAll(".findings tbody > tr > *")]
  .map((node) => [node.getBoundingClientRect().width, named(node)]).filter(([width]) => width < NARROWEST);
const split = [];
for (const part of parts) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) split.push(word[0]);
    }
  }
}
return {sideways: page.scrollWidth - wide, clipped, outside, narrow, split};
""".replace("NARROWEST", str(NARROWEST))
CLEAN = {"sideways": 0, "clipped": [], "outside": [], "narrow": [], "split": []}
STILTED = re.compile(
    r"heal itself|thing's being|gap of the layers|\bp \d|\bis open\b|what cannot be|carries? mistakes|into its mouth"
)


@pytest.fixture(scope="module", params=openings.RESULTS)
def run(request, tmp_path_factory, one_process, no_figures):
    return openings.run(request.param, tmp_path_factory.mktemp(request.param))


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_no_first_screen_overflows_clips_text_splits_words_or_has_a_narrow_column(run, tmp_path):
    page = write(tmp_path, [run], STIMULI, media=media)
    measured = evaluated_at(CHROMIUM, page.as_uri(), tmp_path / "profile", MEASURED, WIDTHS)
    assert dict(zip(WIDTHS, measured, strict=True)) == dict.fromkeys(WIDTHS, CLEAN)


def test_first_screens_speak_as_a_colleague_does(run):
    opening = run.suite.presentation.opening([])
    said = [opening.title, *opening.lines, *opening.rates, *opening.rates.values()]
    for finding in opening.findings:
        said += [finding.sentence, finding.sure, *finding.needs, *(size for _, size in finding.rates)]
        for reasons in finding.reasons:
            said += [reasons.about, *reasons.evidence]
            said += [line for part in reasons.parts for line in (part.about, *part.evidence)]
    assert not [text for text in said if STILTED.search(text)]
    assert all(finding.sentence.endswith(".") and finding.sure.endswith(".") for finding in opening.findings)
