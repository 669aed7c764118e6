"""The house: a room imports only from rooms above its own, suites never from each other, and nothing unsafe is used.

The core knows no suite: it imports none, and names none, nor what one declares. Readers alone decide who is right.
What stands beside the library, such as the studies, imports it, and is never imported by it. What is defined has a
user, and what is measured is shown.
"""

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_args

import veridical
from docs.pages.api import EXTENSION
from tests.probe_suite import SUITE as PROBE
from tests.uses import Package, shown_nowhere
from veridical.records import Kind
from veridical.suite import registry
from veridical.suite.frames import VIDEO
from veridical.suite.reply import REPLY

ROOT = Path(__file__).parent.parent
SOURCE, DOCS = ROOT / "src" / "veridical", ROOT / "docs"
LINES = (
    {"errors", "records"},
    {"base"},
    {"media"},
    {"stats", "answers"},
    {"stimulus_set"},
    {"ask"},
    {"observers"},
    {"suite"},
    {"judges"},
    {"published"},
    {"internals"},
    {"report"},
    {"verbs"},
    {"people"},
    {"rewards"},
    {"suites"},
    {"whitebox", "annotate"},
    {"cli", "__init__"},
    {"__main__"},
)
PLACE = {room: index for index, line in enumerate(LINES) for room in line}
FILES = sorted(SOURCE.rglob("*.py"))
STUDIES = sorted((ROOT / "studies").rglob("*.py"))


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(tree):
    return tuple(ast.walk(tree))


def offenders(found, paths=FILES):
    """What a rule finds wrong, by file: one list of all of them."""
    return {name_of(path): wrong for path in paths if (wrong := list(found(path)))}


def name_of(path):
    return path.relative_to(SOURCE if path.is_relative_to(SOURCE) else ROOT).as_posix()


def room_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return parts[0]


def imports(path):
    """Full names of what a file imports from the library, wherever in the file the import stands."""
    for node in nodes(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("veridical"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("veridical"):
            if node.module == "veridical":
                yield from (f"veridical.{alias.name}" for alias in node.names)
            else:
                yield node.module


def complaints(path, names):
    own = room_of(path)
    for name in names:
        room = name.split(".")[1] if "." in name else "__init__"
        if room != own and PLACE[room] >= PLACE[own]:
            yield f"{own} imports {name}"
        inner = name.split(".")
        if own == "suites" and room == "suites" and len(inner) > 2:
            mine = path.relative_to(SOURCE).parts[1].removesuffix(".py")
            there = inner[2]
            if (SOURCE / "suites" / there).is_dir() and there != mine and mine != "__init__":
                yield f"suite {mine} imports suite {there}"


def test_a_room_imports_only_from_rooms_above_its_own():
    assert not offenders(lambda path: complaints(path, imports(path)))


def test_an_import_from_a_room_below_would_be_seen():
    assert list(complaints(SOURCE / "media" / "draw" / "scene.py", ["veridical.ask.loop"]))
    assert list(complaints(SOURCE / "media" / "draw" / "scene.py", ["veridical.stats"]))
    assert not list(complaints(SOURCE / "ask" / "loop.py", ["veridical.records"]))


BESIDE = {"studies", "bench", "docs", "tests"}


def beside(tree):
    """What code imports of what stands beside the library and is not in the wheel."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in BESIDE)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in BESIDE and not node.level:
            yield node.module


def test_the_library_imports_nothing_that_stands_beside_it():
    assert STUDIES
    assert not offenders(lambda path: beside(tree_of(path)))
    assert list(beside(ast.parse("import studies.viprobe"))) == ["studies.viprobe"]
    assert list(beside(ast.parse("def f():\n    from studies.published import replicate"))) == ["studies.published"]


def test_every_room_has_its_line_in_the_plan():
    assert {room_of(path) for path in FILES} <= set(PLACE)


def unsafe(tree):
    """Modules that load code from data, and calls that run text."""
    for node in nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            yield from names & {"pickle", "marshal", "shelve", "yaml"}
        if isinstance(node, ast.Call):
            yield from {getattr(node.func, "id", "")} & {"eval", "exec", "compile", "__import__"}


def test_nothing_unsafe_is_used():
    assert not offenders(lambda path: unsafe(tree_of(path)), [*FILES, *STUDIES])
    assert list(unsafe(ast.parse("import pickle"))) == ["pickle"]
    assert list(unsafe(ast.parse("from yaml import load\neval(text)"))) == ["yaml", "eval"]


APART = ("suites", "published")
"""Rooms that may name suites: their own, and that of the papers."""
CORE = [path for path in FILES if room_of(path) not in APART]
PAGES = sorted(path for room in SOURCE.iterdir() if room.name not in APART for path in room.rglob("*.*"))
PAGES = [path for path in PAGES if path.suffix in (".j2", ".js", ".css", ".html")]


def foreign(names):
    """Modules of suites among those imported; the package `suites` itself is what the registry looks into."""
    return [name for name in names if name.startswith("veridical.suites.")]


def test_no_core_room_imports_a_suite():
    assert not offenders(lambda path: foreign(imports(path)), CORE)


def test_an_import_of_a_suite_would_be_seen():
    assert foreign(["veridical.records", "veridical.suites.viprobe.design"])
    mine, other = SOURCE / "suites" / "probe" / "design.py", "veridical.suites.viprobe.design"
    assert (SOURCE / "suites" / "viprobe").is_dir() is bool(list(complaints(mine, [other])))


OWN = {*get_args(Kind), *VIDEO, REPLY}
"""Words of the core itself, which a suite may use too: kinds of media, how the kit shows clips, forms of replies."""


def declared():
    """What the registered suites, and the probe, call themselves, and what they call their factors and settings."""
    suites = {suite.name: suite for suite in [*registry.all_suites(), PROBE]}
    names = {name for each in suites.values() for name in (*each.design.factors, *each.asking.settings)}
    return set(suites), names - OWN


def documented(tree):
    """Strings that stand for themselves: docstrings of modules, classes and functions, and of constants."""
    return {
        id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def named(tree, suites, names):
    """Strings in code that name a suite, or that are the name of a factor or setting, with or without dashes."""
    passed = documented(tree)
    for node in nodes(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in passed:
            continue
        if node.value.startswith("."):
            continue  # the name of a hidden file
        word = node.value.removeprefix("--").replace("-", "_")
        if word in names or word.removeprefix("score_") in names or set(re.findall(r"\w+", node.value)) & suites:
            yield node.lineno, node.value


def test_no_core_room_names_a_suite_or_what_one_declares():
    suites, names = declared()
    assert not offenders(lambda path: named(tree_of(path), suites, names), CORE)


def test_no_page_of_the_core_names_a_suite_or_what_one_declares():
    suites, names = declared()

    def named_in(path):
        text = path.read_text(encoding="utf-8")
        quoted = {match[1] for match in re.finditer(r"""["'`]([\w-]+)["'`]""", text)}
        return set(re.findall(r"\w+", text)) & suites | quoted & names

    assert not offenders(named_in, PAGES)


def test_a_name_of_a_suites_own_would_be_seen():
    found = [
        *named(ast.parse('frame.filter(pl.col("ink") == "red")'), *declared()),
        *named(ast.parse('typer.Option("--dot-count")'), *declared()),
        *named(ast.parse('registry.get("probe")'), *declared()),
        *named(ast.parse('f"make probe {name}"'), *declared()),
    ]
    assert len(found) == 4
    assert not list(named(ast.parse('def f():\n    """The ink of the probe."""\n    return "inks"'), *declared()))


def mentions(node, word):
    """Whether a word is a name, an attribute or a string in an expression."""
    return any(
        word in (getattr(each, "id", None), getattr(each, "attr", None), getattr(each, "value", None))
        for each in ast.walk(node)
    )


def sides(node):
    """The two sides of a comparison, written as an operator or as a call of a frame's method."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        yield node.left, node.comparators[0]
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"eq", "ne", "eq_missing", "ne_missing"}:
        yield from ((node.func.value, argument) for argument in node.args)


def marked_anew(tree):
    """Lines where an answer is held against a gold, outside of what marks: a function that gives `Marks`."""
    marking = {
        id(inner)
        for node in nodes(tree)
        if isinstance(node, ast.FunctionDef) and getattr(node.returns, "id", "") == "Marks"
        for inner in ast.walk(node)
    }
    for node in nodes(tree):
        for first, second in sides(node):
            pair = any(mentions(a, "answer") and mentions(b, "gold") for a, b in ((first, second), (second, first)))
            if pair and id(node) not in marking:
                yield node.lineno


def test_only_readers_hold_an_answer_against_the_gold():
    others = [path for path in FILES if room_of(path) != "answers"]
    assert not offenders(lambda path: marked_anew(tree_of(path)), [*others, *STUDIES])


def test_an_answer_held_against_the_gold_would_be_seen():
    for text in (
        'rows.filter(pl.col("answer") == pl.col("gold"))',
        'pl.col("gold").eq_missing(pl.col("answer"))',
        "reading.answer != trial.gold",
        'row["gold"] == row["answer"].lower()',
    ):
        assert list(marked_anew(ast.parse(text)))
    assert not list(marked_anew(ast.parse("def mark(answer, trial) -> Marks:\n    return Marks(answer == trial.gold)")))
    assert not list(marked_anew(ast.parse('pl.col("answer") == pl.col("answer_of_b")')))


WRITERS = {
    "base/files.py": "what the others write with",
    "ask/responses.py": "a file that grows by whole lines",
    "verbs/exchange/line_files.py": "several files that take their places together",
    "stimulus_set/derive.py": "derived media, which are whole when their manifest stands",
    "stimulus_set/imports/write_import.py": "media of a set, which is whole when its manifest stands",
    "studies/viprobe/training/taught_pictures.py": "pictures, which are whole when the facts beside them stand",
    "studies/viprobe/training/teach.py": "a log that grows by lines",
}
"""Modules that write files otherwise than whole, each with the reason why a reader never meets half of one."""

WRITES = re.compile(
    r"(write|sink)_(text|bytes|csv|parquet|ipc\w*|(nd)?json|excel|avro)|save(z\w*|fig|txt)?|to(file|_csv|_json)|"
    "open_memmap"
)
OF_MODULES = {"json": {"dump"}, "shutil": {"copy", "copy2", "copyfile", "copyfileobj", "copytree", "move"}}
INSIDE = {"replace_atomically", "locked_temporary", "BytesIO", "StringIO"}
"""Calls that give a place to write to that is none of the reader's."""


def called(node):
    """The name of what is called, without what it is an attribute of."""
    return getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""


def places(tree):
    """Names that stand for a place inside: given by a call in `INSIDE`, or opened from such a name."""
    bound = [(item.context_expr, item.optional_vars) for node in nodes(tree) for item in getattr(node, "items", [])]
    bound += [(node.value, node.targets[0]) for node in nodes(tree) if isinstance(node, ast.Assign)]
    named = [(value, target.id) for value, target in bound if isinstance(target, ast.Name)]
    found = {name for value, name in named if called(value) in INSIDE}
    opened = {name for value, name in named if called(value) == "open" and at(value) & found}
    return found | opened


def at(call):
    """The names that a call has to do with: what it is a method of, and its arguments."""
    parts = [getattr(call.func, "value", None), *call.args]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def writes(call):
    """Whether a call writes a file; a table written to nowhere is text, and a formatter writes help."""
    name, of = called(call), getattr(getattr(call.func, "value", None), "id", "")
    if name in OF_MODULES.get(of, ()) or (name == "write" and of == "os"):
        return True
    if name == "open":
        inner = list(ast.walk(call))
        words = [each.value for each in inner if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        modes = [word for word in words if re.fullmatch(r"[rwaxbt+]{1,4}", word)]
        flags = {each.attr for each in inner if isinstance(each, ast.Attribute)}
        return any(set(mode) & set("wax+") for mode in modes) or bool(flags & {"O_WRONLY", "O_RDWR", "O_CREAT"})
    return bool(WRITES.fullmatch(name)) and bool(call.args or call.keywords) and of != "formatter"


def written_directly(tree):
    """Lines that write a file to the place where it is read."""
    inside = places(tree)
    for node in nodes(tree):
        if isinstance(node, ast.Call) and writes(node) and not at(node) & inside:
            yield node.lineno


def test_files_are_written_whole():
    others = [path for path in (*FILES, *STUDIES) if name_of(path) not in WRITERS]
    assert not offenders(lambda path: written_directly(tree_of(path)), others)


def place_of(name):
    return (ROOT if name.startswith("studies/") else SOURCE) / name


def is_of_a_suite_that_is_deleted(name):
    room, suite, *_ = name.split("/")
    return room in ("suites", "studies") and not place_of(f"{room}/{suite}").is_dir()


def test_each_module_that_writes_otherwise_does():
    stated = {place_of(name) for name in WRITERS if not is_of_a_suite_that_is_deleted(name)}
    assert not {str(path) for path in stated if not list(written_directly(tree_of(path)))}


def test_a_file_written_where_it_is_read_would_be_seen():
    for text in (
        "path.write_text(page)",
        "(folder / name).write_bytes(data)",
        'frame.write_parquet(folder / "outcomes.parquet")',
        "lazy.sink_csv(path)",
        'with open(path, "w") as file: pass',
        'with path.open("ab") as file: pass',
        'path.open(mode="x")',
        "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "figure.savefig(path)",
        "image.save(path)",
        "np.savez(path, a=a)",
        "json.dump(value, file)",
        "shutil.copy(a, b)",
    ):
        assert list(written_directly(ast.parse(text))), text
    for text in (
        "with replace_atomically(path) as place:\n    frame.write_parquet(place)",
        'with replace_atomically(path) as place, place.open("wb") as file:\n    np.savez(file, a=a)',
        "file = io.BytesIO()\nframe.write_parquet(file)",
        "write_whole(path, data)",
        'path.open("rb")',
        "path.open()",
        "array.copy()",
        "frame.write_csv()",
        "formatter.write_text(help)",
    ):
        assert not list(written_directly(ast.parse(text))), text


IRREGULAR = """
told shown given found known seen said held kept left made done taken lost won sent meant built drawn written begun
gone fallen hidden chosen spoken broken thrown grown felt dealt heard paid bound understood brought bought caught
taught sought led fed met hung stuck struck
"""
ADVERBS = """
within without apart among amid in of on at by to from with under above below before after between beside besides
against along across about around behind beyond through toward towards until upon into onto off out up down near since
than via per as again anew together away here there where when now yet still also both either neither every all any
none else otherwise only just never always once twice whose which who has have is are was were several few many most
"""
"""Prepositions, adverbs and other words that neither name a thing nor say what is done."""
NOUNS = """
anomaly blinding butterfly ceiling crossing curling drawing ending family finding grading ground grounding heading
healing hen hering judging lapping listing marking matching meeting numbering opening plumbing pointing pouring ranking
reading reasoning rendering reply ring ruling sampling setting shorten spelling spending staging tally thing thinking
timing training wording
"""
"""Nouns and verbs that look like participles."""
SHAPE = {"asking": "a part of each suite", "published": "the room about papers, beside which rows stand as published"}
"""Words of the architecture itself, each with what it stands for."""


def words_of(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def is_bare(name):
    """Whether a public name is a participle, a preposition or an adverb alone, or opens with a preposition."""
    first, *others = words_of(name)
    if others:
        return first in {"in", "of", "by", "at", "on", "under", "between", "within", "beside", "among"}
    looks = re.search(r"(ed|ing|en|ly)$", first) or first in f"{IRREGULAR} {ADVERBS}".split()
    return bool(looks) and first not in NOUNS.split() and first not in SHAPE


def defined(tree):
    """Public functions and classes of a module."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]


def bare_names(path):
    """A file's public names that do not say what they name: of its module, its functions and its classes."""
    stem = path.parent.name if path.stem == "__init__" else path.stem
    return [name for name in (stem, *defined(tree_of(path))) if not name.startswith("_") and is_bare(name)]


def test_no_public_name_is_a_bare_participle_or_preposition():
    assert not offenders(bare_names)


def test_a_bare_name_would_be_seen():
    assert all(
        map(is_bare, ("asked", "telling", "shown", "within", "Embedded", "AtMost", "in_order", "by_judge", "few"))
    )
    assert not any(map(is_bare, ("asked_rows", "reading", "Opening", "order_stages", "stated_letter", "with_settings")))


def test_a_class_has_a_name_of_its_own():
    classes = [
        node.name
        for path in FILES
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert not sorted({name for name in classes if classes.count(name) > 1})


def module_of(path):
    """The full name of a file's module."""
    return ".".join(("veridical", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def is_public(module, name):
    """Whether the library exports a name, a page of the API has it, or the docs state it in full."""
    listed = [import_module(each) for each in EXTENSION]
    exported = {name for each in (veridical, *listed) for name in getattr(each, "__all__", ())}
    here = {each.__name__ for each in listed if not hasattr(each, "__all__")}
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    stated = any(f"{module}.{name}" in page.read_text(encoding="utf-8") for page in pages)
    return name in exported or (module in here and not name.startswith("_")) or stated


SUITES = ("hocabench", "judge_audit", "magic", "magicbench", "viabench", "viprobe")
"""Where one of them is deleted, the core may have what only that one used."""


def test_what_the_core_defines_has_a_user_or_is_public():
    unused = Package({module_of(path): tree_of(path) for path in FILES}).unused()
    core = {module_of(path) for path in CORE}
    left = [(module, name) for module, name in unused if module in core and not is_public(module, name)]
    assert not (left and all((SOURCE / "suites" / name).is_dir() for name in SUITES)), left


def test_a_definition_that_nothing_uses_would_be_seen():
    texts = {
        "veridical.base": "from veridical.base.files import again, used, whole",
        "veridical.base.files": "def used(): 1\ndef again(): again()\nclass whole: 1\nLEFT = 1\nLATE = 1\n_own = LATE",
        "veridical.ask": "from veridical.base import used\nfrom veridical.base import files\nused(), files.whole()",
        "veridical.cli": "@app.command()\ndef run(): pass\nNAMED = 1\nPLACE = 'veridical.cli:NAMED'\nPLACE",
    }
    found = Package({name: ast.parse(text) for name, text in texts.items()}).unused()
    assert found == [("veridical.base.files", name) for name in ("LEFT", "_own", "again")]
    assert not is_public(*found[0])
    assert is_public("veridical.suite.registry", "register")


EXPLAINED = {
    "viprobe": {
        "response": ("verdicts.md", "| response,"),
        "rise": ("verdicts.md", "gap, rise"),
        "asymmetry": ("validation.md", "congruent − opposing"),
        "detection_threshold": ("howto/people.md", "veridical viprobe threshold"),
    }
}
"""Measures of a suite that no report shows: a page of the docs explains, prints or checks them, in these words."""
SHOWING = {"differences.py", "verdict.py", "rules.py", "commands.py"}
"""Files that compare runs, conclude, or print; besides these, what makes tables, and the rooms of `ROOMS`, show."""
ROOMS = {"presentation", "verdicts"}


def is_showing(path):
    """Whether a file of a suite shows measures to people."""
    tables = "veridical.suite.results" in imports(path) and "Table(" in path.read_text(encoding="utf-8")
    return path.name in SHOWING or tables or bool(ROOMS & set(path.relative_to(SOURCE).parts))


def test_what_a_suite_measures_is_shown():
    for suite in registry.all_suites():
        folder = Path(*Path(inspect.getfile(suite.analysis.estimates)).relative_to(SOURCE).parts[:2])
        shown = [tree_of(path) for path in FILES if (SOURCE / folder) in path.parents and is_showing(path)]
        others = set(suite.analysis.measures) - set(suite.analysis.headline) - set(EXPLAINED.get(suite.name, ()))
        assert not shown_nowhere(sorted(others), shown), suite.name


def test_a_measure_that_no_report_shows_is_explained():
    every = [(page, words) for measures in EXPLAINED.values() for page, words in measures.values()]
    assert not [each for each in every if each[1] not in (DOCS / each[0]).read_text(encoding="utf-8")]


def test_a_measure_that_is_shown_nowhere_would_be_seen():
    texts = ('find(result, "gap", {})', 'find(result, f"{part} error", {})', 'f"{one} {two}"')
    trees = [ast.parse(text) for text in texts]
    assert shown_nowhere(["gap", "vtg error", "gap error rate", "left over"], trees) == ["gap error rate", "left over"]
    assert shown_nowhere(["gap"], []) == ["gap"]
