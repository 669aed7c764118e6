"""Verbs whose flags depend on their suite: `VERB SUITE`, with help made from the suite's record."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from veridical.cli import set_words
from veridical.cli.common import app, suites_with
from veridical.cli.front import USAGE, Click
from veridical.cli.options import flags, own_parameters
from veridical.cli.remote_words import takes_urls
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.suite.record import Suite

Verb = Callable[..., None]
_LAST = "as_json"
_WIDEST = 30
"""The widest first column of a list in a help page, as click has it."""


@dataclass(frozen=True)
class SuiteVerb:
    """A verb that takes a suite first.

    `verb` is called with the suite's name, its own parameters, `chosen` (the options of a set) if it draws sets, and
    the options of a run if it `asks`. `recipe` names the recipe of a suite that is used if none is named.
    """

    verb: Verb
    asks: bool
    recipe: Callable[[Suite], str]

    @property
    def draws(self) -> bool:
        return "chosen" in inspect.signature(self.verb).parameters

    def own(self) -> list[inspect.Parameter]:
        """The parameters that do not depend on the suite: the verb's own, then the options of a run."""
        own = [each for each in own_parameters(self.verb) if each.name not in ("suite", "chosen")]
        return own + (flags() if self.asks else [])

    def command(self, name: str, suite: Suite | None) -> Click:
        """The command for a suite; for `None`, with the shared options alone."""
        from veridical.base.options import Options

        own = self.own()
        kind = suite.options if suite else Options
        taken = _taken(own)

        def called(**words: Any) -> None:  # noqa: ANN401
            assert suite is not None
            arguments = {each.name: words[each.name] for each in own}
            chosen = {"chosen": set_words.values(kind, taken, words)} if self.draws else {}
            self.verb(suite.name, **chosen, **arguments)

        recipes, recipe = (suite.recipes, self.recipe(suite)) if suite else ({}, None)
        sets = list(set_words.parameters(kind, recipes, recipe, taken)) if self.draws else []
        needed = [each for each in own if each.default is each.empty]
        others = [each for each in own if each not in needed and each.name != _LAST]
        described: Any = called
        described.__signature__ = inspect.Signature(
            [*needed, *sets, *others, *(each for each in own if each.name == _LAST)]
        )
        described.__annotations__ = {each.name: each.annotation for each in [*own, *sets]}
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(
            name, help=inspect.getdoc(self.verb), cls=_command_class(suite, draws=self.draws, asks=self.asks)
        )(described)
        return typer.main.get_command(single)


VERBS: dict[str, SuiteVerb] = {}


def takes_suite(recipe: Callable[[Suite], str], *, asks: bool = False) -> Callable[[Verb], Verb]:
    """Registers a function `verb(suite, …)` as the command `VERB SUITE`."""

    def registered(verb: Verb) -> Verb:
        name = verb.__name__
        VERBS[name] = SuiteVerb(verb, asks, recipe)
        group = typer.Typer(cls=SuiteVerbs, help=inspect.getdoc(verb), no_args_is_help=True, rich_markup_mode=None)
        app.add_typer(group, name=name)
        return verb

    return registered


class SuiteVerbs(TyperGroup):
    """A verb whose subcommands are the suites, each made when it is first used."""

    def list_commands(self, ctx: Click) -> list[str]:  # noqa: ARG002
        from veridical.suite import registry

        return list(registry.names())

    def get_command(self, ctx: Click, cmd_name: str) -> Click:  # noqa: ARG002
        from veridical.suite import registry

        if cmd_name.startswith("-"):
            return None
        return takes_urls(self._verb.command(cmd_name, registry.get(cmd_name)))

    def collect_usage_pieces(self, ctx: Click) -> list[str]:  # noqa: ARG002
        return ["SUITE", "[OPTIONS]"]

    def parse_args(self, ctx: Click, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if ctx.resilient_parsing else self._suite_first(ctx, args))

    def format_options(self, ctx: Click, formatter: Click) -> None:
        rows = [(suite.name, suite.title) for suite in suites_with("options")]
        with formatter.section("Suites"):
            formatter.write_dl(rows or [("none", "")])
        self._verb.command(str(self.name), None).format_options(ctx, formatter)

    def format_epilog(self, ctx: Click, formatter: Click) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(
                f"`{ctx.command_path} SUITE --help` adds the suite's own options. SUITE may be the path of a file that "
                "holds a suite, such as my_suite.py."
            )

    @property
    def _verb(self) -> SuiteVerb:
        return VERBS[str(self.name)]

    def _suite_first(self, ctx: Click, args: list[str]) -> list[str]:
        """The words with the suite's name, or its file, first, if options precede it."""
        from veridical.suite.suite_files import is_suite_file

        if not args or not args[0].startswith("-") or args[0] in ctx.help_option_names:
            return args
        suites = self.list_commands(ctx)
        named = [(at, word) for at, word in enumerate(args) if word in suites or is_suite_file(word)]
        orders = [[word, *args[:at], *args[at + 1 :]] for at, word in named]
        if not orders:
            raise InputError(f"{self.name}: no suite is named; known: {', '.join(suites) or 'none'}")
        return next((order for order in orders if self._fits(ctx, order)), orders[0])

    def _fits(self, ctx: Click, words: list[str]) -> bool:
        try:
            _, rest, _ = self.get_command(ctx, words[0]).make_parser(ctx).parse_args(words[1:])
        except USAGE:
            return False
        return not rest


def _taken(own: Collection[inspect.Parameter]) -> set[str]:
    """The names in use by flags of a verb."""
    options = [option for each in own for option in get_args(each.annotation)[1:]]
    spelled = {str(word) for option in options for word in (option.default, *(option.param_decls or ()))}
    return {each.name for each in own} | {word.removeprefix("--").replace("-", "_") for word in spelled} | {"help"}


def _command_class(suite: Suite | None, *, draws: bool, asks: bool) -> type[TyperCommand]:
    """A command whose help ends with the suite's recipes, settings and presets."""

    class SuiteCommand(TyperCommand):
        def format_options(self, ctx: Click, formatter: Click) -> None:
            super().format_options(ctx, formatter)
            for title, rows in _sections(suite, draws=draws, asks=asks) if suite else ():
                if rows:
                    with formatter.section(title):
                        formatter.write_dl(_with_whole_names(rows, formatter.width))

    return SuiteCommand


def _with_whole_names(rows: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """The rows with texts that are wrapped between words alone, for they hold names with dashes; click breaks these."""
    room = max(width - min(max(len(name) for name, _ in rows), _WIDEST) - 4, 10)
    return [(name, "\b\n" + "\n".join(wrap(text, room, break_on_hyphens=False))) for name, text in rows]


def _sections(suite: Suite, *, draws: bool, asks: bool) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    if draws:
        yield "Recipes (--recipe NAME)", [(name, recipe.note or "–") for name, recipe in suite.recipes.items()]
    if asks:
        part = suite.asking
        levels = [(name, _levels(allowed, part.defaults.get(name, allowed))) for name, allowed in part.settings.items()]
        yield "Settings (-S NAME=LEVEL,…)", levels
        yield "Presets (--preset NAME)", [(name, preset.source) for name, preset in part.presets.items()]


def _levels(allowed: tuple[str, ...], usual: tuple[str, ...]) -> str:
    default = "all" if usual == allowed else ", ".join(usual)
    return f"{', '.join(allowed)}. Default: {default}."
