"""Expressions of the tables of claims: arithmetic and comparisons of printed cells.

An expression is a small part of Python's grammar, read by Python's parser and computed here; nothing is executed. A
cell is `T2["GPT-5", "R"]` (table, row, column) or `T5["GPT-4o", "16f", "T-I"]` (group first). Numbers stand for every
value that rounds to them (`ranges`), counts and ranks for themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from operator import add, mul, sub, truediv
from typing import Any

from studies.published.printed import Cell, Sheet, sheet
from studies.published.ranges import Fact, Range, exact, shown
from veridical.errors import InputError
from veridical.published import names

Key = tuple[str, str, str, str, str]
"""A cell: paper, table, group (empty where none is named), row, column."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two quantities: whether it holds for all, some or no unrounded values, and what it says."""

    fact: Fact
    text: str
    gap: Range | None = None


@dataclass(frozen=True)
class Scope:
    """What the names of an expression mean: values, expressions to compute where they are used, tables, functions.

    `cells` collects each cell that was read.
    """

    paper: str
    functions: Mapping[str, Callable[..., Any]]
    values: Mapping[str, Any] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)
    cells: set[Key] = field(default_factory=set)

    def having(self, values: Mapping[str, Any], definitions: Mapping[str, str] | None = None) -> Scope:
        """The scope with more values and definitions; cells are collected in the same set."""
        more = {**self.definitions, **(definitions or {})}
        return Scope(self.paper, self.functions, {**self.values, **values}, more, self.cells)

    def name(self, name: str) -> Any:  # noqa: ANN401 (a table, a list, a text or a quantity)
        """What a name means. Raises `InputError` for an unknown one."""
        if name in self.values:
            return self.values[name]
        if name in self.definitions:
            return compute(self.definitions[name], self)
        table = name.removeprefix("T")
        if table in names(self.paper):
            return sheet(self.paper, table)
        raise InputError(f"unknown name '{name}' in an expression on {self.paper}")


def compute(text: str, scope: Scope) -> Any:  # noqa: ANN401 (a quantity, a comparison, a list, a table with labels)
    """The value of an expression. Raises `InputError` where it is none.

    >>> compute("(1.5 + 2) / 7", Scope("magic", {})), compute('T4["Gemma 3 12B", "Self-Heal"]', Scope("magic", {})).text
    (Fraction(1, 2), '31.5')
    """
    try:
        return _value(_parsed(text), scope)
    except (SyntaxError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise InputError(f"{scope.paper}: cannot compute '{text}': {error}") from error


def ranged(value: Any) -> Range:  # noqa: ANN401 (a number or a range)
    """A quantity as a range. Raises `TypeError` for anything else."""
    if isinstance(value, Range):
        return value
    if isinstance(value, int | Fraction):
        return exact(value)
    raise TypeError(f"{value!r} is no quantity")


def fact_of(value: Any) -> Fact:  # noqa: ANN401 (a comparison or a truth value)
    """Whether a comparison holds: for all unrounded values, for none (`False`), or for some (`None`)."""
    if isinstance(value, Comparison):
        return value.fact
    if isinstance(value, bool):
        return value
    raise TypeError(f"{value!r} is no comparison")


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def _value(node: ast.expr, scope: Scope) -> Any:  # noqa: ANN401 (what the rule for a kind of node gives)
    rule = _RULES.get(type(node))
    if rule is None:
        raise TypeError(f"'{ast.unparse(node)}' is not part of the language")
    return rule(node, scope)


def _constant(node: ast.Constant, _: Scope) -> Any:  # noqa: ANN401 (a text or a number)
    return Fraction(str(node.value)) if isinstance(node.value, float) else node.value


def _list(node: ast.List | ast.Tuple, scope: Scope) -> list[Any]:
    return [_value(part, scope) for part in node.elts]


def _text(node: ast.JoinedStr, scope: Scope) -> str:
    """A text with quantities as they are shown, and lists with commas."""
    parts = [_value(part.value if isinstance(part, ast.FormattedValue) else part, scope) for part in node.values]
    return "".join(
        shown(part) if isinstance(part, Range) else ", ".join(part) if isinstance(part, list) else str(part)
        for part in parts
    )


def _unary(node: ast.UnaryOp, scope: Scope) -> Any:  # noqa: ANN401 (a quantity or a comparison)
    value = _value(node.operand, scope)
    if isinstance(node.op, ast.USub):
        return -value
    return _combined([value], lambda facts: None if facts[0] is None else not facts[0])


def _binary(node: ast.BinOp, scope: Scope) -> Any:  # noqa: ANN401 (a quantity, a list or labeled facts)
    left, right = _value(node.left, scope), _value(node.right, scope)
    if isinstance(node.op, ast.Add) and isinstance(left, list):
        return left + right
    if isinstance(node.op, ast.Add) and isinstance(left, dict):
        return left | right
    operate = _ARITHMETIC[type(node.op)]
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return operate(Fraction(left), Fraction(right))
    return operate(ranged(left), ranged(right))


def _comparison(node: ast.Compare, scope: Scope) -> bool | Comparison:
    (operator,), (right,) = node.ops, node.comparators
    return _compared(operator, _value(node.left, scope), _value(right, scope))


def _logic(node: ast.BoolOp, scope: Scope) -> Comparison:
    return _combined([_value(part, scope) for part in node.values], _all if isinstance(node.op, ast.And) else _any)


def _choice(node: ast.IfExp, scope: Scope) -> Any:  # noqa: ANN401 (either value)
    return _value(node.body if fact_of(_value(node.test, scope)) else node.orelse, scope)


def _subscript(node: ast.Subscript, scope: Scope) -> Any:  # noqa: ANN401 (a cell of a table or an item of a list)
    of, key = _value(node.value, scope), _value(node.slice, scope)
    if not isinstance(of, Sheet):
        return of[key]
    *group, row, column = key
    cell = of.cell(row, column, group[0] if group else None)
    scope.cells.add((of.paper, of.name, group[0] if group else "", row, column))
    return cell


def _call(node: ast.Call, scope: Scope) -> Any:  # noqa: ANN401 (what the function gives)
    if not isinstance(node.func, ast.Name) or node.func.id not in scope.functions or node.keywords:
        raise TypeError(f"'{ast.unparse(node.func)}' is no function; known: {', '.join(sorted(scope.functions))}")
    return scope.functions[node.func.id](*(_value(part, scope) for part in node.args))


def _listed(node: ast.ListComp, scope: Scope) -> list[Any]:
    return [_value(node.elt, inner) for inner in _looped(node.generators, scope)]


def _labeled(node: ast.DictComp, scope: Scope) -> dict[str, Any]:
    return {str(_value(node.key, inner)): _value(node.value, inner) for inner in _looped(node.generators, scope)}


_RULES: Mapping[type[ast.expr], Callable[[Any, Scope], Any]] = {
    ast.Constant: _constant,
    ast.Name: lambda node, scope: scope.name(node.id),
    ast.JoinedStr: _text,
    ast.List: _list,
    ast.Tuple: _list,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _comparison,
    ast.BoolOp: _logic,
    ast.IfExp: _choice,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.ListComp: _listed,
    ast.DictComp: _labeled,
}

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}


def _looped(loops: list[ast.comprehension], scope: Scope) -> Iterator[Scope]:
    """The scope with each combination of the loops' names."""
    if not loops:
        yield scope
        return
    loop, *rest = loops
    if not isinstance(loop.target, ast.Name):
        raise TypeError("a loop has one name")
    for value in _value(loop.iter, scope):
        inner = scope.having({loop.target.id: value})
        if all(fact_of(_value(test, inner)) for test in loop.ifs):
            yield from _looped(rest, inner)


def _compared(operator: ast.cmpop, left: Any, right: Any) -> bool | Comparison:  # noqa: ANN401 (texts or quantities)
    match operator:
        case ast.In():
            return left in right
        case ast.NotIn():
            return left not in right
        case ast.Eq() if not isinstance(left, Range):
            return bool(left == right)
        case ast.NotEq():
            return bool(left != right)
    one, other = ranged(left), ranged(right)
    if type(operator) not in _ORDER:
        raise TypeError("a comparison is <, <=, ==, >=, >, in")
    limit = not isinstance(other, Cell) and other.low == other.high
    text = f"{shown(one)} (limit {shown(other)})" if limit else f"{shown(one)} against {shown(other)}"
    return Comparison(_ORDER[type(operator)](one, other), text, one - other)


def _least(one: Range, other: Range) -> Fact:
    return True if one.low >= other.high else False if one.high < other.low else None


_ORDER: Mapping[type[ast.cmpop], Callable[[Range, Range], Fact]] = {
    ast.Gt: lambda one, other: one.above(other),
    ast.Lt: lambda one, other: other.above(one),
    ast.GtE: _least,
    ast.LtE: lambda one, other: _least(other, one),
    ast.Eq: lambda one, other: one.meets(other),
}


def _combined(parts: list[Any], rule: Callable[[list[Fact]], Fact]) -> Comparison:
    texts = [part.text for part in parts if isinstance(part, Comparison)]
    return Comparison(rule([fact_of(part) for part in parts]), "; ".join(texts))


def _all(facts: Iterable[Fact]) -> Fact:
    parts = list(facts)
    return False if False in parts else None if None in parts else True


def _any(facts: Iterable[Fact]) -> Fact:
    parts = list(facts)
    return True if True in parts else None if None in parts else False
