"""The policy: checks a syntax tree, and turns it into one that runs natively.

What can be decided by reading the source is decided here, once, so that the code itself runs
without guards. A guard is left only where a name is made up at run time, where an attribute is
written, and where the object decides whether an attribute is harmless.
"""

# ruff: noqa: N802 - the names of visitors are given by the syntax tree

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from RestrictedPython.transformer import RestrictingNodeTransformer

from adjudge_sandbox.language import names
from adjudge_sandbox.language.names import NameRefused
from adjudge_sandbox.outcome import Diagnostic

Exports = Mapping[str, frozenset[str]]
"""Names that each importable module gives."""

UNAVAILABLE: Mapping[str, str] = {
    "eval": "code can't be made at run time",
    "exec": "code can't be made at run time",
    "compile": "code can't be made at run time",
    "open": "there are no files inside the sandbox",
    "input": "nobody is there to answer",
    "globals": "use the names themselves",
    "locals": "use the names themselves",
    "vars": "use getattr with a name, or dataclasses.asdict",
    "dir": "use hasattr with a name",
    "breakpoint": "use print; what is printed is kept",
    "help": "use print; what is printed is kept",
    "exit": "return from the function instead",
    "quit": "return from the function instead",
    "memoryview": "use bytes",
}
"""Builtins that the sandbox does not have, and what to do instead."""

_Node = TypeVar("_Node", bound=ast.AST)


class Policy(RestrictingNodeTransformer):
    """Checks one source text and rewrites it.

    Args:
        exports: names that each importable module gives.
    """

    def __init__(self, exports: Exports) -> None:
        super().__init__()
        self.diagnostics: list[Diagnostic] = []
        self.imported: set[str] = set()
        self.suspends = False
        self._exports = exports
        self._bound: set[str] = set()
        self._read: list[ast.Name] = []
        self._scopes: list[type[ast.AST]] = [ast.Module]
        self._tries = 0

    # Findings

    def refuse(self, node: ast.AST, rule: str, message: str, hint: str = "") -> None:
        """Note a reason why the source is refused."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1
        self.diagnostics.append(Diagnostic(line, column, rule, message, hint))

    def error(self, node: ast.AST, info: str) -> None:
        """Note a finding of the base class."""
        self.refuse(node, "statement", info)

    def not_allowed(self, node: ast.AST) -> None:
        """Refuse a kind of node that the policy does not know, whichever Python brings it."""
        self.refuse(node, "statement", f"{_spoken(node)} is not available")

    def _identifier(self, node: ast.AST, name: str) -> str:
        try:
            return names.own_identifier(name)
        except NameRefused as refusal:
            self.refuse(node, "name", str(refusal), _name_hint(name))
            return name

    def _binding(self, node: ast.AST, name: str) -> str:
        self._bound.add(name)
        return self._identifier(node, name)

    def _attribute(self, node: ast.AST, name: str) -> str:
        try:
            return names.own_attribute(name)
        except NameRefused as refusal:
            self.refuse(node, "attribute", f"{refusal} (.{name})", _attribute_hint(name))
            return name

    # Module

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Check the whole source, and the builtins that it counts on."""
        node = self.node_contents_visit(node)
        for name in self._read:
            if name.id in UNAVAILABLE and name.id not in self._bound:
                self.refuse(name, "name", f"{name.id} is not available", UNAVAILABLE[name.id])
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Give names with an underscore their private form; `__name__` is a constant."""
        if node.id == "__name__" and isinstance(node.ctx, ast.Load):
            return ast.copy_location(ast.Constant("judge"), node)
        if isinstance(node.ctx, ast.Load):
            self._read.append(node)
            return _renamed(node, self._identifier(node, node.id))
        return _renamed(node, self._binding(node, node.id))

    # Attributes and calls

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Check the name; leave a guard where the object or the writing decides."""
        loads = isinstance(node.ctx, ast.Load)
        if loads and node.attr in _READERS:
            return self._guarded(_READERS[node.attr], node, self.visit(node.value))
        if node.attr in names.METHODS and _is_super(node.value):
            return self.node_contents_visit(node)
        attribute = self._attribute(node, node.attr)
        value = self.visit(node.value)
        if loads and node.attr in names.DYNAMIC:
            return self._guarded("_getattr_", node, value, ast.Constant(node.attr))
        node.attr = attribute
        node.value = value if loads else self._guarded("_write_", node.value, value)
        return node

    def _guarded(self, guard: str, place: ast.expr, *arguments: ast.expr) -> ast.Call:
        call = ast.Call(ast.Name(guard, ast.Load()), list(arguments), [])
        return ast.fix_missing_locations(ast.copy_location(call, place))

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Calls run natively; keywords of `dict` are data and stay as they are."""
        if not _is_super(node):
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        is_data = isinstance(node.func, ast.Name) and node.func.id == "dict"
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
            if keyword.arg is not None and not is_data:
                keyword.arg = self._identifier(keyword, keyword.arg)
        return node

    # Binding statements

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Annotations of parameters are dropped, never evaluated."""
        node.annotation = None
        node.arg = self._binding(node, node.arg)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """An annotated assignment is a plain one; in a class its name stays declared."""
        if self._scopes[-1] is ast.ClassDef and node.simple and not _is_class_variable(node):
            node.annotation = ast.copy_location(ast.Constant(""), node.annotation)
            return self.node_contents_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        plain = ast.Assign(targets=[node.target], value=node.value)
        return self.node_contents_visit(ast.copy_location(plain, node))

    def visit_Global(self, node: ast.Global) -> ast.Global:
        """Names of a global statement are plain strings."""
        node.names = [self._binding(node, name) for name in node.names]
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.Nonlocal:
        """Names of a nonlocal statement are plain strings."""
        node.names = [self._binding(node, name) for name in node.names]
        return node

    def visit_Try(self, node: ast.Try) -> ast.Try:
        """Inside a try with handlers, a module that is not there may be caught."""
        self._tries += bool(node.handlers)
        node.body = [kept for part in node.body for kept in self._statements(part)]
        self._tries -= bool(node.handlers)
        for field in ("handlers", "orelse", "finalbody"):
            parts = getattr(node, field)
            setattr(node, field, [kept for part in parts for kept in self._statements(part)])
        return node

    def _statements(self, node: ast.AST) -> list[Any]:
        visited = self.visit(node)
        return [] if visited is None else [visited]

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        """A bare except catches what `except Exception` catches: the sandbox's own pass."""
        node = self.node_contents_visit(node)
        if node.name is not None:
            node.name = self._binding(node, node.name)
        if node.type is None:
            node.type = ast.copy_location(ast.Name("_exception_", ast.Load()), node)
        return node

    # Functions and classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Functions run natively; annotations of the result are dropped."""
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        """Coroutines are driven to their end by the worker."""
        self.suspends = True
        return self._function(node)

    def _function(self, node: _Node) -> _Node:
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if getattr(node, "type_params", None):
            self.refuse(node, "statement", "type parameters are not available", "leave them out")
        is_method = self._scopes[-1] is ast.ClassDef
        if not (is_method and node.name in names.METHODS):
            node.name = self._binding(node, node.name)
        node.returns = None
        return self._inside(type(node), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """Lambdas run natively."""
        return self._inside(ast.Lambda, node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Classes run natively; the bases are checked when the class is made."""
        for keyword in node.keywords:
            self.refuse(node, "class", f"class keyword {keyword.arg} is not available", "leave it out")
        node.keywords = []
        node.name = self._binding(node, node.name)
        return self._inside(ast.ClassDef, node)

    def _inside(self, scope: type[ast.AST], node: _Node) -> _Node:
        self._scopes.append(scope)
        try:
            return self.node_contents_visit(node)
        finally:
            self._scopes.pop()

    def visit_Yield(self, node: ast.Yield) -> ast.Yield:
        """Generators may be left suspended, which the worker has to clean up after."""
        self.suspends = True
        return self.node_contents_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.YieldFrom:
        """As `yield`."""
        self.suspends = True
        return self.node_contents_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """Generator expressions run natively, and need no cleaning up: they hold no finally."""
        return self.node_contents_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Comprehensions run natively."""
        if node.is_async:
            self.not_allowed(node)
        return self.node_contents_visit(node)

    # Imports

    def visit_Import(self, node: ast.Import) -> ast.Import:
        """Only modules of the gate can be imported."""
        for alias in node.names:
            self._module(node, alias.name)
            if alias.asname is not None:
                alias.asname = self._binding(node, alias.asname)
            else:
                self._binding(node, alias.name.split(".")[0])
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        """Only names that the gate gives can be imported."""
        if node.module == "__future__":
            return None
        if node.level or node.module is None:
            self.refuse(node, "module", "relative imports are not available", "there is no package")
            return node
        known = self._module(node, node.module)
        for alias in node.names:
            self._import_name(node, alias, known)
        return node

    def _import_name(self, node: ast.ImportFrom, alias: ast.alias, known: frozenset[str] | None) -> None:
        if alias.name == "*":
            self.refuse(node, "module", "star imports are not available", "name what you need")
            return
        alias.asname = self._binding(node, alias.asname or alias.name)
        if known is not None and alias.name not in known and not self._tries:
            hint = "available: " + ", ".join(sorted(known))
            self.refuse(node, "module", f"{node.module}.{alias.name} is not available", hint)
        alias.name = self._attribute(node, alias.name)

    def _module(self, node: ast.AST, name: str) -> frozenset[str] | None:
        self.imported.add(name)
        known = self._exports.get(name)
        if known is None and not self._tries:
            hint = "allowed: " + ", ".join(sorted(self._exports))
            self.refuse(node, "module", f"module {name} is not available", hint)
        return known

    # Matching: captures and attribute names are plain strings

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.MatchAs:
        """A capture binds a name."""
        if node.name is not None:
            node.name = self._binding(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.MatchStar:
        """A capture of the rest binds a name."""
        if node.name is not None:
            node.name = self._binding(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.MatchMapping:
        """A capture of other keys binds a name."""
        if node.rest is not None:
            node.rest = self._binding(node, node.rest)
        return self.node_contents_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.MatchClass:
        """A class pattern reads attributes natively, so those that need a guard are refused."""
        for name in names.DYNAMIC.intersection(node.kwd_attrs):
            self.refuse(node, "attribute", f"attribute {name} can't be used in a pattern")
        node.kwd_attrs = [self._attribute(node, name) for name in node.kwd_attrs]
        return self.node_contents_visit(node)


def _native_visit(kind: str) -> Callable[[Policy, Any], Any]:
    def visit(self: Policy, node: Any) -> Any:
        return self.node_contents_visit(node)

    visit.__name__ = f"visit_{kind}"
    visit.__doc__ = f"{kind} runs natively."
    return visit


def _allow(kinds: Iterable[str]) -> None:
    for kind in kinds:
        setattr(Policy, f"visit_{kind}", _native_visit(kind))


_PLAIN = (
    "Assign AugAssign Subscript For With NamedExpr Await Match match_case MatchValue MatchSingleton"
    " MatchSequence MatchOr ListComp SetComp DictComp"
)
_allow(_PLAIN.split())

_READERS = {"__class__": "_class_of_", "__name__": "_name_of_"}
"""Special attributes that may be read, through a guard of their own."""


def _renamed(node: ast.Name, name: str) -> ast.Name:
    return ast.copy_location(ast.Name(name, node.ctx), node)


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_class_variable(node: ast.AnnAssign) -> bool:
    return any(
        getattr(part, "id", getattr(part, "attr", "")) == "ClassVar" for part in ast.walk(node.annotation)
    )


def _spoken(node: ast.AST) -> str:
    spoken = {
        "TryStar": "except*",
        "AsyncFor": "async for",
        "AsyncWith": "async with",
        "comprehension": "an async comprehension",
    }
    return spoken.get(type(node).__name__, f"{type(node).__name__} syntax")


def _name_hint(name: str) -> str:
    if name in names.RESERVED:
        return f"call it as {name}()"
    return "use a name without the underscores" if name.startswith("_") else "use another name"


def _attribute_hint(name: str) -> str:
    if name in names.METHODS:
        return f"call it as super().{name}(...) inside a method, or use the operator"
    return "only an object's public attributes can be read"
