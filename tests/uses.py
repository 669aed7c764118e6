"""Who uses a definition, and which names of measures are shown, by the syntax trees of a package's files."""

import ast
import re
from functools import cached_property

from veridical.judges.blind import METRIC, floor_of

MOST_ALIKE = 3
"""A formatted string that has no more letters than this of its own could be any name."""
DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Package:
    """The modules of a package, by their names, with what they define at their top level.

    `trees` has the syntax tree of each module by its full name.
    """

    def __init__(self, trees):
        self.trees = trees
        self.defined = {(name, each): node for name, tree in trees.items() for each, node in definitions(tree)}
        self.imported = {name: dict(self._imports(name)) for name in trees}

    def unused(self):
        """Module and name of each definition that has no user, in order."""
        return sorted(set(self.defined) - self.used)

    @cached_property
    def used(self):
        used = set(self._registered()) | set(self._named_in_strings())
        for module, tree in self.trees.items():
            for node in tree.body:
                own = {(module, name) for name, each in definitions(tree) if each is node}
                used |= set(self._references(module, node)) - own
        return used

    def _imports(self, module):
        """What each local name of a module stands for: a module, or a name in one."""
        for node in ast.walk(self.trees[module]):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    exported = (node.module, alias.name) in self.defined or self._exports(node.module, alias.name)
                    is_module = inner in self.trees and not exported
                    yield alias.asname or alias.name, (inner, None) if is_module else (node.module, alias.name)
            elif isinstance(node, ast.Import):
                yield from ((alias.asname, (alias.name, None)) for alias in node.names if alias.asname)

    def _exports(self, package, name):
        """Whether the file of a package imports a name from elsewhere than the package's own modules as such."""
        nodes = ast.walk(self.trees[package]) if package in self.trees else ()
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module != package
            and any((alias.asname or alias.name) == name for alias in node.names)
            for node in nodes
        )

    def _resolved(self, module, name):
        """The definition that a name of a module stands for; the name of a module; or nothing."""
        for _ in range(9):
            if (module, name) in self.defined:
                return module, name
            target = self.imported.get(module, {}).get(name)
            if target is None:
                return None
            module, name = target
            if name is None:
                return module
        return None

    def _references(self, module, node):
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                yield self._resolved(module, each.id)
            elif isinstance(each, ast.Attribute):
                yield self._of_attribute(module, each)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) < 200:
                yield from ((module, word) for word in re.findall(r"\w+", each.value) if word[0].isupper())

    def _of_attribute(self, module, node):
        """The definition that `alias.name` stands for, where the alias is a module."""
        chain = [node.attr]
        while isinstance(node := node.value, ast.Attribute):
            chain.insert(0, node.attr)
        found = self._resolved(module, node.id) if isinstance(node, ast.Name) else None
        while isinstance(found, str) and chain:
            inner = f"{found}.{chain[0]}"
            found = inner if inner in self.trees else self._resolved(found, chain[0])
            chain = chain[1:]
        return found

    def _registered(self):
        """Definitions that a decorator takes, such as commands."""
        for (module, name), node in self.defined.items():
            if any(isinstance(each, ast.Call) for each in getattr(node, "decorator_list", ())):
                yield module, name

    def _named_in_strings(self):
        """Definitions that modules with `__getattr__` name, and those that stand as "module:NAME" or by dots."""
        every = {module: set(strings(tree)) for module, tree in self.trees.items()}
        lazy = [module for module, tree in self.trees.items() if loads_lazily(tree)]
        words = {word for module in lazy for text in every[module] for word in re.findall(r"\w+", text)}
        texts = set().union(*every.values())
        dotted = {text.replace(":", ".") for text in texts if re.fullmatch(r"[\w.:]+", text)}
        for module, name in self.defined:
            if name in words or f"{module}.{name}" in dotted:
                yield module, name


def definitions(tree):
    """The names that a module defines at its top level, each with its node; tuples that are unpacked are left out."""
    for node in tree.body:
        if isinstance(node, DEFINED):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = getattr(node, "targets", None) or [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            names = []
        yield from ((name, node) for name in names if not name.startswith("__"))


def loads_lazily(tree):
    """Whether a module has a function `__getattr__`."""
    return any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in ast.walk(tree))


def strings(tree):
    """All strings of a module, but for the parts of formatted ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def patterns(tree):
    """Regular expressions of the strings of a module: those as they are, and formatted ones with words of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
            if sum(character.isalpha() for part in parts if part for character in part) > MOST_ALIKE:
                yield "".join(".+" if part is None else re.escape(part) for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value)
        elif isinstance(node, ast.Name) and node.id == floor_of.__name__:
            yield re.escape(METRIC)


def shown_nowhere(names, trees):
    """The names of measures that stand in none of the modules that show something."""
    every = re.compile("|".join({pattern for tree in trees for pattern in patterns(tree)}) or "(?!)")
    return [name for name in names if not every.fullmatch(name)]
