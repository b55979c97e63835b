"""The statements of a program's source, each as a program that returns the value of that statement."""

import ast
import warnings
from dataclasses import dataclass, replace

from arcloom.dsl.python import BUILTINS
from arcloom.program.parse import parse_one, read
from arcloom.program.print import to_text
from arcloom.program.term import Call, Function, Lines, Program, Term
from arcloom.program.texts import as_solver

ALIAS = "_value_of_statement_{}"
"""The name of the additional variable with the value of a statement: see ``_with_aliases``."""


@dataclass(frozen=True)
class Statement:
    """A statement at the top level of a program: its first line, its source text, and a program that returns its value.

    ``program`` is None if the value is not computed, as after a conditional in which the program may have returned.
    """

    line: int
    text: str
    program: Program | None


def statements_of(program: Program, source: str | None = None) -> list[Statement]:
    """The statements of a program in its source text; without a text, there is a statement for each call.

    The value of an assignment is the variable afterwards. The value of a conditional or a loop is the last variable
    that it assigns. Statements that do not affect the result have values, too. The last statement is the result.
    """
    defined = None if source is None else _definition(program.name, source)
    if source is None or defined is None:
        source = to_text(program)
        program, defined = parse_one(source), _definition(program.name, source)
        assert defined is not None
    body = [node for node in defined.body if _variable(node)]
    terms = _terms(program, source, defined, body) or _terms_by_line(program, body)
    lines = source.splitlines()
    found = [
        Statement(node.lineno, _text(lines, node), None if term is None else replace(program, output=term))
        for node, term in zip(body, terms, strict=True)
    ]
    is_plain = len(terms) > 1 and terms[-1] is terms[-2] and _variable(body[-1]) == _variable(body[-2])
    return found[:-1] if is_plain else found  # a final "return O" after "O = ..." is redundant


def _definition(name: str, source: str) -> ast.FunctionDef | None:
    """The last definition with this name. The source is parsed and never executed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except SyntaxError:  # in another definition of the file
            return None
    nodes = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    return nodes[-1] if nodes else None


def _text(lines: list[str], node: ast.stmt) -> str:
    """The source of a statement without the indentation of its first line."""
    first, *others = lines[node.lineno - 1 : node.end_lineno]
    indent = len(first) - len(first.lstrip())
    return "\n".join((first.strip(), *(line[min(indent, len(line) - len(line.lstrip())) :] for line in others)))


def _variable(node: ast.AST) -> str:
    """The expression of a statement's value; empty if it has none."""
    match node:
        case ast.Return(value=value) if value is not None:
            return ast.unparse(value)
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[target]) | ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return ast.unparse(target)
        case ast.If() | ast.For() | ast.While():
            return next(filter(None, map(_variable, [*node.orelse, *node.body][::-1])), "")
        case _:
            return ""


def _terms(program: Program, source: str, defined: ast.FunctionDef, body: list[ast.stmt]) -> list[Term] | None:
    """The terms of the statements, parsed from a copy of the source that returns all their values in a tuple.

    None if that is not possible, for example because the program returns inside a conditional.
    """
    if not defined.args.args or not isinstance(body[-1], ast.Return):
        return None
    text, origin = _with_aliases(source, defined.args.args[0].arg, body)
    found = [entry for entry in read(text) if isinstance(entry, Program) and entry.name == program.name]
    if not found:
        return None
    match as_solver(found[-1].with_lines(_relined(found[-1].lines, origin))).output:
        case Call(Function(primitive), args) if primitive is BUILTINS["(,)"] and len(args) == len(body) + 1:
            return list(args[1:])
    return None


def _with_aliases(source: str, parameter: str, body: list[ast.stmt]) -> tuple[str, list[int]]:
    """A copy of the source that stores the value of each statement in a variable and returns all in a tuple.

    Also returns the original line of each line. The tuple begins with a parameter of the program, so that it is never a
    constant.
    """
    lines = source.splitlines()
    indent = lines[body[0].lineno - 1][: body[0].col_offset]
    names = [ALIAS.format(number) for number in range(len(body) - 1)]
    aliases = [f"{indent}{name} = {_variable(node)}" for name, node in zip(names, body, strict=False)]
    aliases.append(f"{indent}return ({', '.join((parameter, *names, _variable(body[-1])))})")
    ends = [*(node.end_lineno or node.lineno for node in body[:-1]), body[-1].lineno - 1]
    new: list[str] = []
    origin: list[int] = []
    done = 0
    for node, alias, end in zip(body, aliases, ends, strict=True):
        new += [*lines[done:end], alias]
        origin += [*range(done + 1, end + 1), node.lineno]
        done = max(done, end)
    return "\n".join(new) + "\n", origin


def _relined(lines: Lines, origin: list[int]) -> Lines:
    """The line numbers of a program, mapped to those of the original source."""
    return tuple((origin[line - 1], tuple(_relined(inner, origin) for inner in within)) for line, within in lines)


def _terms_by_line(program: Program, body: list[ast.stmt]) -> list[Term | None]:
    """For each statement the last call in its lines, if any; for the last statement the result of the program."""
    ranges = [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in body]
    calls = [[call for call in program.calls if call.line in lines] for lines in ranges]
    found: list[Term | None] = [inside[-1] if inside else None for inside in calls]
    return [*found[:-1], program.output]
