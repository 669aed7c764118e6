"""`python -m docs.pages DEMO` makes what the site needs before Sphinx builds it.

DEMO is the folder of a demo; exits with 1 where a page shows other figures than the demo found.
"""

from __future__ import annotations

import sys
from pathlib import Path

from docs.pages import FOLDER, write_pages
from docs.pages.demonstration import problems
from docs.pages.extra import write_extra

demo = Path(sys.argv[1])
for path in [*write_pages(), *write_extra(FOLDER / "extra", demo)]:
    sys.stdout.write(f"{path.relative_to(FOLDER.parents[1])}\n")
if found := list(problems(demo)):
    sys.exit("\n".join(found))
