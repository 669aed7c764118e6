"""What each suite draws, asks and measures, from its record: a page per registered suite, and the list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from docs.pages.glossary import terms
from docs.pages.words import code, codes, page, plain, table
from veridical.base.options import Options
from veridical.records import Measure, Unit
from veridical.suite import registry
from veridical.suite.record import Suite


def suite_pages() -> dict[str, str]:
    """The list of suites, and the page of each, by path."""
    suites = list(registry.all_suites(whole=True))
    return {"suites.md": _index(suites)} | {f"suites/{suite.name}.md": _page(suite) for suite in suites}


def _index(suites: list[Suite]) -> str:
    rows = [
        (f"[{plain(suite.name)}](suites/{suite.name}.md)", plain(suite.title), plain(suite.citation))
        for suite in suites
    ]
    names = "\n".join(f"suites/{suite.name}" for suite in suites)
    return page(
        "# What each suite measures",
        "A suite is one diagnostic: what it draws, how it asks, and what it concludes. These pages are made from the "
        "records of the registered suites.",
        table(["suite", "title", "source"], rows),
        f"```{{toctree}}\n:hidden:\n\n{names}\n```",
    )


def _page(suite: Suite) -> str:
    sections: tuple[Callable[[Suite], Iterator[str]], ...] = (_measures, _draws, _asks, _else)
    parts = [part for section in sections for part in section(suite)]
    return page(
        f"# {plain(suite.title)}",
        f"Suite `{suite.name}`. Source: {plain(suite.citation)}. `veridical make {suite.name}` draws its pictures; "
        f"`veridical run {suite.name}` asks a model.",
        *parts,
    )


def _measures(suite: Suite) -> Iterator[str]:
    measures, headline = suite.analysis.measures, suite.analysis.headline
    yield "## Measures"
    yield (
        "Each estimate has a value, a 95 % interval, its counts and its method. A value that cannot be estimated is "
        "`null` with a reason. [Statistics](../../statistics.md) has the intervals and tests. In formulas, n is a "
        "number of pairs or answers, p is a share of replies, and the name of a variant stands for the accuracy on it."
    )
    first = {name: measures[name] for name in headline if name in measures}
    rest = {name: each for name, each in measures.items() if name not in first}
    if first:
        yield "### Headline figures"
        yield "A report opens with these."
        yield from _each(first)
    if rest:
        yield "### Other figures" if first else ""
        yield from _each(rest)


def _each(measures: Mapping[str, Measure]) -> Iterator[str]:
    known = terms()
    for name, measure in measures.items():
        facts = [f"Name: {code(name)}", f"unit: {unit_in_words(measure.unit)}"]
        if measure.better:
            facts.append(f"{measure.better} is better")
        facts.append(f"source: {plain(measure.source) or 'this library'}")
        yield f"#### {plain(measure.title)}"
        yield " ".join(filter(None, (known.get(measure.title), plain(measure.definition))))
        yield f"```text\n{measure.formula}\n```" if measure.formula else ""
        yield f"{{.facts}}\n{'; '.join(facts)}."


def unit_in_words(unit: Unit) -> str:
    """A unit with its range and its neutral point.

    >>> from veridical.records import POINTS, PROPORTION
    >>> unit_in_words(PROPORTION), unit_in_words(POINTS)
    ('%, 0 to 100', 'pts; 0 is neutral')
    """
    ends = [end if end is None else f"{end * unit.scale:g}".replace("-", "−") for end in (unit.low, unit.high)]
    spans = {
        (True, True): f", {ends[0]} to {ends[1]}",
        (True, False): f", {ends[0]} or more",
        (False, True): f", at most {ends[1]}",
        (False, False): "",
    }
    span = spans[unit.low is not None, unit.high is not None]
    neutral = "" if unit.neutral is None else f"; {unit.neutral * unit.scale:g} is neutral"
    return f"{plain(unit.suffix.strip() or unit.name)}{span}{neutral}"


def _draws(suite: Suite) -> Iterator[str]:
    families, variants = suite.design.families, suite.presentation.variants
    yield "## Pictures and clips"
    yield f"{len(families)} {'family' if len(families) == 1 else 'families'}: {codes(families)}."
    if variants:
        yield "### Variants of a base item"
        yield table(["variant", "what it is"], [(code(name), plain(text)) for name, text in variants.items()])
    if suite.design.factors:
        yield "### Factors"
        yield "What varies within a base item, as typed columns of every table."
        rows = [(code(name), code(kind.__name__)) for name, kind in suite.design.factors.items()]
        yield table(["factor", "type"], rows)
    yield "### Recipes"
    yield "Named designs: `--recipe NAME`."
    yield table(["recipe", "what it is for"], [(code(n), plain(recipe.note)) for n, recipe in suite.recipes.items()])
    own = {name: each for name, each in suite.options.model_fields.items() if name not in Options.model_fields}
    if own:
        yield "### Options"
        yield f"Besides `--recipe`, `--units` and `--seed`; `veridical make {suite.name} --help` has the defaults."
        rows = [(code(f"--{name.replace('_', '-')}"), plain(each.description or "")) for name, each in own.items()]
        yield table(["option", "what it sets"], rows)


def _asks(suite: Suite) -> Iterator[str]:
    part = suite.asking
    yield "## Questions"
    if len(part.ordered) > 1:
        yield "### Stages"
        yield "A stage is asked once its role has a model and the stages that it needs are answered."
        stages = [(code(stage.name), plain(stage.role), codes(stage.needs)) for stage in part.ordered]
        yield table(["stage", "role", "needs"], stages)
    if part.settings:
        yield "### Settings"
        yield "Ways of asking: `-S NAME=LEVEL,…`; several levels are crossed."
        settings = [
            (code(name), codes(levels), codes(part.defaults.get(name, levels)))
            for name, levels in part.settings.items()
        ]
        yield table(["setting", "levels", "default"], settings)
    if part.presets:
        yield "### Presets"
        yield "Published ways of sampling: `--preset NAME`."
        yield table(["preset", "source"], [(code(name), plain(each.source)) for name, each in part.presets.items()])
    yield "### Readers"
    yield "They turn a reply into an answer, the default first. [How replies are read](../../readers.md)."
    readers = [(code(name), codes(reader.name for reader in each)) for name, each in part.readers.items()]
    yield table(["kind of answer", "readers"], readers)


def _else(suite: Suite) -> Iterator[str]:
    if suite.observers:
        yield "## Embedded observers"
        yield "Models that come with the library. `messages` is what any model sees: text and media."
        rows = [
            (code(f"veridical/{name}"), plain(each.help), plain(each.sees)) for name, each in suite.observers.items()
        ]
        yield table(["model", "what it does", "sees"], rows)
    if suite.releases:
        yield "## Imports"
        yield "`veridical import NAME PLACE --out SET` makes a stimulus set of these."
        yield table(["name", "what is read"], [(code(name), plain(each.help)) for name, each in suite.releases.items()])
