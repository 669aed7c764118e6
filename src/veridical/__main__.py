"""The command `veridical`, also as `python -m veridical`.

This module alone must load on any Python and beside any dependency, so that it can say what is missing.
"""

from __future__ import annotations

import codecs
import io
import sys

_PLAIN = str.maketrans(
    {"−": "-", "–": "-", "…": "...", "≥": ">=", "≤": "<=", "±": "+/-", "×": "x", "→": "->", "←": "<-"}
)


def main() -> None:
    """Runs the command line; a Python or a dependency that does not fit ends in one line and exit code 2."""
    if sys.version_info < (3, 11):  # noqa: UP036 - started from its folder, any Python comes here
        _fail(f"Python 3.11 or newer is needed; this is Python {sys.version.split()[0]}")
    codecs.register_error("plain signs", _in_plain_signs)
    for stream in (sys.stdout, sys.stderr):
        # Windows pipes and plain locales cannot encode all signs that results have, such as the minus.
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
            stream.reconfigure(errors="plain signs")
    try:
        from veridical.cli import main as command_line

        command_line()
    except KeyboardInterrupt:  # while the command line was loaded
        _fail("stopped; nothing was begun", 130)
    except Exception as error:
        line = _misfit(error)
        if line is None:
            raise
        _fail(line)


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return text.encode("ascii", "replace").decode(), error.end


def _misfit(error: Exception) -> str | None:
    try:
        from veridical.base.requirements import misfit
    except ImportError as missing:
        return f"the package {missing.name} is not installed: pip install veridical"
    return misfit(error)


def _fail(line: str, code: int = 2) -> None:
    sys.stderr.write(f"veridical: {line}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
