"""What the pages that are written by hand say of VI-Probe is what its records say."""

import re

from tests.documentation.written import TEXTS, blocks
from veridical.suite import registry
from veridical.suites.viprobe.releases.own_pictures import OPTIONAL, REQUIRED
from veridical.suites.viprobe.verdicts.names import IN_THE_PAPER, NAMES


def test_the_table_of_pictures_that_a_page_shows_has_the_columns_that_are_read():
    ((_, text),) = blocks("text", ["docs/howto/own-pictures.md"])
    head, *rows = (line.split(",") for line in text.splitlines())
    assert set(REQUIRED) <= set(head) <= {*REQUIRED, *OPTIONAL}
    assert all(len(row) == len(head) for row in rows)


def test_names_of_verdicts_recipes_and_settings_on_pages_are_those_of_the_suite():
    table = TEXTS["docs/verdicts.md"].split("## What each verdict needs")[1].split("##")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|\s*([^|]*?)\s*\|$", table, re.MULTILINE)[1:]
    assert [name for name, _ in rows] == list(NAMES)
    assert {name: paper for name, paper in rows if paper} == dict(IN_THE_PAPER)
    suite, design = registry.get("viprobe"), TEXTS["docs/howto/design.md"]
    for name in suite.recipes:
        assert f"| `{name}`" in design
    for name in suite.asking.settings.keys() - {"polarity"}:
        assert f"| `{name}` | {', '.join(f'`{level}`' for level in suite.asking.settings[name])} |" in design
