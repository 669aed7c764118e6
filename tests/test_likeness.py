"""Suites share the kit, and copy nothing from one another: no long run of equal lines, names and texts apart."""

import ast
import io
import keyword
import tokenize
from collections import defaultdict
from pathlib import Path

import veridical

SUITES = Path(veridical.__file__).parent / "suites"
RUN = 13
"""So many equal lines of code in a row are a copy."""
ALLOWED = {}
"""Pairs of files that may hold a copy of one another's lines: the reason why."""
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def body_lines(tree):
    """The numbers of the lines that stand in functions, docstrings apart: imports and lists of records may be alike."""
    numbers = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            numbers |= set(range(node.lineno, node.end_lineno + 1))
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                numbers -= set(range(first.lineno, first.end_lineno + 1))
    return numbers


def code_lines(source):
    """The lines of functions as (number, tokens); a name is a pair, so that it can be renamed."""
    lines, within = defaultdict(list), body_lines(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in LAYOUT or token.start[0] not in within:
            continue
        is_name = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
        text = "text" if token.type in (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)) else token.string
        lines[token.start[0]].append(("name", text) if is_name else text)
    return sorted(lines.items())


def without_names(window):
    """The lines with each name replaced by the order of its first use, so that a copy with other names is the same."""
    order = {}
    return tuple(
        tuple(order.setdefault(token, len(order)) if isinstance(token, tuple) else token for token in tokens)
        for _, tokens in window
    )


def copies(sources, length=RUN):
    """Places where two suites hold equal lines: {(file, file): (line, line)} of the first run of each pair."""
    places = defaultdict(list)
    for name, source in sources.items():
        lines = code_lines(source)
        for start in range(len(lines) - length + 1):
            window = lines[start : start + length]
            places[without_names(window)].append((name, window[0][0]))
    pairs = {}
    for same in places.values():
        for one, line in same:
            for other, other_line in same:
                if one.split("/")[0] < other.split("/")[0]:
                    pairs.setdefault((one, other), (line, other_line))
    return pairs


def suite_sources():
    return {path.relative_to(SUITES).as_posix(): path.read_text(encoding="utf-8") for path in SUITES.rglob("*.py")}


def test_no_suite_holds_a_copy_of_anothers_lines():
    found = copies(suite_sources())
    assert {pair: lines for pair, lines in found.items() if pair not in ALLOWED} == {}
    assert set(ALLOWED) <= set(found), "a copy that is no longer there is still allowed"


def test_a_copy_with_other_names_and_texts_would_be_seen():
    sources = suite_sources()
    longest = max(sources, key=lambda name: len(code_lines(sources[name])))
    names = {
        token.string
        for token in tokenize.generate_tokens(io.StringIO(sources[longest]).readline)
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string)
    }
    renamed = tokenize.untokenize(
        (token.type, f"other_{token.string}" if token.string in names else token.string)
        for token in tokenize.generate_tokens(io.StringIO(sources[longest]).readline)
    )
    assert ("another/copy.py", longest) in copies({longest: sources[longest], "another/copy.py": renamed})
