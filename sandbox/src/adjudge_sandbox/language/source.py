"""From source text to code: size, syntax, policy and signature, in this order."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from adjudge_sandbox.language.policy import Exports, Policy
from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import Diagnostic

FILENAME = "<judge>"
"""What tells the program's own lines apart in a traceback."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program that passed every check.

    Args:
        code: the compiled module.
        arguments: names that the function takes, of those that it may get.
        imported: names of the modules that it imports.
        suspends: whether generators or coroutines may be left behind.
    """

    code: types.CodeType
    arguments: tuple[str, ...]
    imported: frozenset[str]
    suspends: bool


class SourceRefused(Exception):  # noqa: N818 - a verdict on the source, told to its author
    """The source is refused.

    Args:
        diagnostics: every reason that was found.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a source must offer.

    Args:
        function: name of the function that is run.
        parameters: names that it may take.
        needs: of these it must take one, when any are given.
    """

    function: str
    parameters: tuple[str, ...]
    needs: tuple[str, ...]


def load(source: str, wanted: Wanted, exports: Exports, limits: Limits) -> Loaded:
    """Check and compile untrusted source; nothing of it runs.

    Args:
        source: the text.
        wanted: the function that must be there.
        exports: names that each importable module gives.
        limits: bounds of size.

    Returns:
        The code to run for every input.

    Raises:
        SourceRefused: with every reason.
    """
    tree = _parse(source)
    policy = Policy(exports)
    function = function_of(tree, wanted.function)
    try:
        _measure(tree, limits)
        policy.visit(tree)
    except RecursionError:
        raise SourceRefused(_too_deep()) from None
    found = [*policy.diagnostics, *_signature(function, wanted)]
    if found:
        raise SourceRefused(*sorted(found, key=lambda one: (one.line, one.column)))
    assert function is not None
    return Loaded(
        code=_compile(tree),
        arguments=arguments_of(function.args, wanted.parameters),
        imported=frozenset(policy.imported),
        suspends=policy.suspends,
    )


def _parse(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, FILENAME)
    except SyntaxError as problem:
        where = Diagnostic(problem.lineno or 0, problem.offset or 0, "syntax", problem.msg)
        raise SourceRefused(where) from None
    except (MemoryError, RecursionError):
        raise SourceRefused(_too_deep()) from None
    except (ValueError, UnicodeError) as problem:
        raise SourceRefused(Diagnostic(0, 0, "syntax", str(problem))) from None


def _compile(tree: ast.Module) -> types.CodeType:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.fix_missing_locations(tree)
            code: types.CodeType = compile(tree, FILENAME, "exec", dont_inherit=True)
            return code
    except SyntaxError as problem:
        where = Diagnostic(problem.lineno or 0, problem.offset or 0, "syntax", problem.msg)
        raise SourceRefused(where) from None
    except (MemoryError, RecursionError):
        raise SourceRefused(_too_deep()) from None


def _too_deep() -> Diagnostic:
    return Diagnostic(0, 0, "size", "the source is nested too deeply to be read", "split it into steps")


def _measure(tree: ast.Module, limits: Limits) -> None:
    """Count without recursion; a chain of elif does not count as nesting."""
    count = 0
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if count > limits.nodes:
            text = f"the source has more than {limits.nodes} syntax nodes"
            raise SourceRefused(Diagnostic(0, 0, "size", text, "move data into the reference"))
        if depth > limits.depth:
            line = getattr(node, "lineno", 0)
            text = f"nested more than {limits.depth} levels deep"
            raise SourceRefused(Diagnostic(line, 0, "size", text, "split it into steps"))
        waiting.extend((child, depth + 1) for child in _children(node))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.If) and isinstance(child, ast.If) and child in node.orelse:
            yield from _children(child)
        else:
            yield child


Function = ast.FunctionDef | ast.AsyncFunctionDef


def function_of(tree: ast.Module, name: str) -> Function | None:
    """The last definition at the top level, also inside a top-level if or try."""
    found = None
    waiting: list[ast.stmt] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function) and node.name == name:
            found = node
        elif isinstance(node, ast.If | ast.Try | ast.With):
            inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
            waiting.extend(reversed(inner))
    return found


def _signature(function: Function | None, wanted: Wanted) -> Iterator[Diagnostic]:
    if function is None:
        hint = f"write def {wanted.function}({', '.join(wanted.parameters[:1])}): at the left margin"
        yield Diagnostic(0, 0, "signature", f"no function {wanted.function} at the top level", hint)
        return
    given = function.args
    line, column = function.lineno, function.col_offset + 1
    may = ", ".join(wanted.parameters)
    for argument in given.posonlyargs:
        text = f"parameter {argument.arg} can't be given by name"
        yield Diagnostic(line, column, "signature", text, "leave out the / in the parameters")
    for name in _required(given):
        if name not in wanted.parameters:
            yield Diagnostic(line, column, "signature", f"parameter {name} is unknown", f"may take: {may}")
    if wanted.needs and not set(wanted.needs).intersection(arguments_of(given, wanted.parameters)):
        needs = " or ".join(wanted.needs)
        text = f"{wanted.function} must take {needs}"
        yield Diagnostic(line, column, "signature", text, f"may take: {may}")


def _required(given: ast.arguments) -> list[str]:
    positional = [argument.arg for argument in given.args]
    required = positional[: len(positional) - len(given.defaults)] if given.defaults else positional
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return required + [argument.arg for argument, default in pairs if default is None]


def arguments_of(given: ast.arguments, parameters: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the possible arguments that a function takes; all of them with `**`."""
    if given.kwarg is not None:
        return parameters
    named = {argument.arg for argument in (*given.args, *given.kwonlyargs)}
    return tuple(name for name in parameters if name in named)
