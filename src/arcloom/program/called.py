"""Lowering calls to terms: of primitives, of functions that a program defines, and of Python's functions."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from arcloom.dsl.python import NAMES
from arcloom.dsl.values import INT_LIMIT
from arcloom.program.comprehensions import Comprehensions
from arcloom.program.lower import FALSE, HANDLERS, NOTHING, TRUE, Build, lookup, number, primitive
from arcloom.program.refusal import not_defined, printable
from arcloom.program.scope import Deferred, Scope
from arcloom.program.templates import FUNCTIONS, TRUNCATED, filled
from arcloom.program.term import Function, Literal, Term

_CONTAINERS = {"tuple": False, "list": False, "set": True, "frozenset": True}
"""Functions that make containers, and whether the container is a set."""

_REWRITTEN = frozenset({"next", "float", *(name for name, _ in FUNCTIONS)})
"""Functions that are rewritten to other expressions."""

_ITERATORS = frozenset({"filter", "map", "zip", "enumerate", "reversed"})

_KEYWORDS = {"sorted": ("key", "reverse"), "max": ("key", "default"), "min": ("key", "default")}
_OPTIONAL = {"enumerate": "start", "sum": "start"}


class Calls(Comprehensions):
    """Lowers expressions including calls."""

    def _call(self, node: ast.Call, scope: Scope) -> Term:
        self.deeper(node)
        result = self._called(node, scope)
        self.depth -= 1
        return result

    def _called(self, node: ast.Call, scope: Scope) -> Term:
        function = self._function(node, scope)
        if isinstance(function, Deferred):
            args = self._given(node, function, scope)
            return self.call(self.resolved(function, node, scope, bound=False), args, node)
        if function is None:
            return self._rewritten(node, scope)
        if isinstance(function, Literal):
            raise self.error("a constant cannot be called", node)
        if isinstance(function, Function) and function.primitive is NAMES.get(function.primitive.name):
            return self._builtin(function, node, scope)
        count = len(function.primitive.params) if isinstance(function, Function) else None
        args = self._positional(node, scope, count)
        named = self._keywords(node, scope)
        if isinstance(function, Function):
            args = self._arranged(node, function, args, named)
        elif named:
            raise self.error(f"the argument {printable(next(iter(named)))} must be given by its position", node)
        return self.call(function, args, node)

    def _function(self, node: ast.Call, scope: Scope) -> Term | Deferred | None:
        """The called function; None for those that are rewritten to other expressions."""
        called = node.func
        if isinstance(called, ast.Lambda):
            return self.deferred("function", called, scope)
        if not isinstance(called, ast.Name):
            return self.term(called, scope)
        name = called.id
        found = scope.find(name) or self.elsewhere(name)
        if found is None:
            self.check_name(name, called)
            return lookup(name) or (None if name in _REWRITTEN else self.free(name, called, scope))
        return found if isinstance(found, Deferred) else self.meaning(found, called, scope)

    def _positional(self, node: ast.Call, scope: Scope, params: int | None = None) -> list[Term]:
        """The positional arguments. ``params`` is the number of parameters of the function, if it is fixed: one of the
        arguments may then be a starred container."""
        starred = [k for k, arg in enumerate(node.args) if isinstance(arg, ast.Starred)]
        if params is None or len(starred) != 1:
            return [self.term(arg, scope) for arg in node.args]
        count = params - (len(node.args) - 1) - len(node.keywords)
        if count < 1:
            raise self.error(
                f"no argument is left for the elements of {printable(ast.unparse(node.args[starred[0]]))}", node
            )
        args: list[Term] = []
        for arg in node.args:
            args += self._elements(arg.value, count, scope) if isinstance(arg, ast.Starred) else [self.term(arg, scope)]
        return args

    def _elements(self, node: ast.expr, count: int, scope: Scope) -> list[Term]:
        """The elements of a container, which must have ``count``."""
        parts = self.operation("unpacked", node, self.term(node, scope), number(count))
        return [self.operation("[]", node, parts, number(k)) for k in range(count)]

    def _keywords(self, node: ast.Call, scope: Scope) -> dict[str, Term]:
        named: dict[str, Term] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.error("unpacking cannot be used in a program: name the arguments one by one", keyword)
            if keyword.arg in named:
                raise self.error(f"the argument {printable(keyword.arg)} is given twice", keyword)
            named[keyword.arg] = self.term(keyword.value, scope)
        return named

    def _arranged(self, node: ast.Call, called: Function, given: list[Term], named: dict[str, Term]) -> list[Term]:
        """Positional and keyword arguments in the order of the primitive's parameters."""
        params = called.primitive.params
        self._check_keywords(node, called.text, params, given, named)
        if len(given) + len(named) != len(params):
            takes = f"{called.text} takes {len(params)} arguments ({', '.join(params)})"
            raise self.error(f"{takes}, and {len(given) + len(named)} are given", node)
        return [*given, *(named[name] for name in params[len(given) :])]

    def _check_keywords(
        self, node: ast.Call, text: str, params: Sequence[str], given: list[Term], named: dict[str, Term]
    ) -> None:
        for keyword in node.keywords:
            if keyword.arg in params[: len(given)]:
                raise self.error(f"{text} is given the argument {printable(keyword.arg or '')} twice", keyword)
            if keyword.arg not in params:
                takes = f"{text} takes no argument named {printable(keyword.arg or '')}"
                raise self.error(f"{takes} (its arguments are {', '.join(params)})", keyword)

    def _given(self, node: ast.Call, written: Deferred, scope: Scope) -> list[Term]:
        """Positional and keyword arguments of a function that the program defines, in the order of its parameters."""
        params = [arg.arg for arg in written.node.args.args]
        given, named = self._positional(node, scope, len(params)), self._keywords(node, scope)
        self._check_keywords(node, printable(written.name), params, given, named)
        defaults = {name: scope.import_from(written.origin, term) for name, term in written.defaults.items()}
        rest = defaults | named
        args = [*given, *(rest[name] for name in params[len(given) :] if name in rest)]
        if len(args) != len(params) or len(given) > len(params):
            takes = f"{printable(written.name)} takes {len(params)} arguments ({', '.join(map(printable, params))})"
            raise self.error(f"{takes}, and {len(given) + len(named)} are given", node)
        return args

    # Python's functions

    def _builtin(self, function: Function, node: ast.Call, scope: Scope) -> Term:
        name = function.primitive.name
        special = _SPECIAL.get(name)
        result = None if special is None else special(self, name, node, scope)
        if result is not None:
            return result
        args = self._positional(node, scope)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg != _OPTIONAL.get(name) or len(args) != 1:
                raise self.error(f"{name} takes no argument named {printable(keyword.arg or '**')}", keyword)
            args.append(self.term(keyword.value, scope))
        if not function.primitive.accepts(len(args)):
            raise self.error(f"{name} cannot take {len(args)} arguments", node)
        return self.call(function, args, node)

    def _container_call(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        """``tuple``, ``list``, ``set`` and ``frozenset`` of nothing or of a generator."""
        match node:
            case ast.Call(args=[], keywords=[]):
                return Literal(frozenset(), "frozenset()") if _CONTAINERS[name] else Literal((), "()")
            case ast.Call(args=[ast.GeneratorExp(elt=element, generators=generators)], keywords=[]):
                values = self.comprehended(element, generators, scope, ordered=not _CONTAINERS[name])
                return self.operation("frozenset", node, values) if _CONTAINERS[name] else values
        return None

    def _quantifier(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        """``any`` or ``all`` of a generator, which stops at the first element that decides."""
        match node:
            case ast.Call(args=[ast.GeneratorExp(elt=element, generators=generators)], keywords=[]):
                found = self.exists(element, generators, scope, wanted=name == "any")
                return found if name == "any" else self.operation("not", node, found)
            case ast.Call(args=[ast.Call(func=ast.Name(id="map"), args=[function, values], keywords=[])], keywords=[]):
                if scope.find("map") is None:
                    args = self.term(function, scope), self.term(values, scope)
                    return self.operation(f"{name} of", node, *args)
        return None

    def _zip(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        match node:
            case ast.Call(args=[ast.Starred(value=rows)], keywords=[]):
                return self.operation("zip*", node, self.term(rows, scope))
        return None

    def _options(self, name: str, node: ast.Call, scope: Scope) -> dict[str, Term]:
        """The keyword arguments of a function that has some."""
        named = self._keywords(node, scope)
        for keyword in node.keywords:
            if keyword.arg not in _KEYWORDS[name]:
                raise self.error(f"{name} takes no argument named {printable(keyword.arg or '')}", keyword)
        return {key: value for key, value in named.items() if key != "key" or value is not NOTHING}

    def _extreme(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        options = self._options(name, node, scope)
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            args = [self.term(ast.copy_location(ast.Tuple(node.args, ast.Load()), node), scope)]
        else:
            args = self._positional(node, scope)
        if not args:
            raise self.error(f"{name} needs an argument", node)
        if not options:
            return self.operation(name, node, *args)
        values = args[0] if len(args) == 1 else self.tuple_of(args, node)
        key = options.get("key")

        def best(inner: Scope) -> Term:
            among = inner.admit_term(values) if inner is not scope else values
            if key is None:
                return self.operation(name, node, among)
            function = inner.admit_term(key) if inner is not scope else key
            return self.call(primitive(f"arg{name}"), (among, function), node)

        if "default" not in options:
            return best(scope)
        default: Build = lambda inner: inner.admit_term(options["default"])  # noqa: E731
        return self.choose(node, scope, self.truth(values, node), best, default)

    def _sorted(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        options = self._options(name, node, scope)
        args = self._positional(node, scope)
        if len(args) != 1:
            raise self.error(f"sorted takes one container, and {len(args)} arguments are given", node)
        reverse = options.get("reverse", FALSE)
        if not isinstance(reverse, Literal):
            raise self.error("the argument reverse must be True or False", node)
        if reverse.value:
            return self.operation("sorted-", node, args[0], options.get("key", primitive("identity")))
        if "key" not in options:
            return self.operation("sorted", node, args[0])
        return self.call(primitive("order"), (args[0], options["key"]), node)

    def first_of(self, node: ast.Call, scope: Scope) -> Term:
        """``next`` of a generator, with or without a default."""
        match node:
            case ast.Call(
                args=[ast.GeneratorExp(elt=element, generators=[ast.comprehension() as only]), *default], keywords=[]
            ) if len(default) < 2 and len(only.ifs) < 2:
                pass
            case ast.Call(args=[values, *default], keywords=[]) if len(default) < 2 and _makes_iterator(values):
                return self._first_of_all(node, values, default, scope)
            case _:
                raise self.error("next takes a generator: use first, extract or next(iter(x))", node)
        source = self._source(only, scope, ordered=True)
        holds = self.mapped(only.target, lambda inner: self._all_of(only.ifs, inner), scope)
        value = self.mapped(only.target, lambda inner: self.element(element, inner), scope)

        def first(inner: Scope) -> Term:
            parts = [term if inner is scope else inner.admit_term(term) for term in (source, holds, value)]
            found = self.call(primitive("extract"), parts[:2], node)
            return self.call(parts[2], (found,), node)

        if not default:
            return first(scope)
        otherwise = self.term(default[0], scope)
        found = self.operation("any of", node, holds, source)
        return self.choose(node, scope, found, first, lambda inner: inner.admit_term(otherwise))

    def _first_of_all(self, node: ast.Call, values: ast.expr, default: list[ast.expr], scope: Scope) -> Term:
        """The first of the values of an iterator, all of which are computed."""
        listed = self.operation("tuple", node, self.term(values, scope))
        if default:
            listed = self.operation("+", node, listed, self.tuple_of([self.term(default[0], scope)], node))
        return self.operation("[]", node, listed, number(0))

    def _rewritten(self, node: ast.Call, scope: Scope) -> Term:
        """A call of a function that can be written with others."""
        match node:
            case ast.Call(func=ast.Name(id="next")):
                return self.first_of(node, scope)
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
                sign = {"inf": 1, "-inf": -1}.get(text.lower().replace("infinity", "inf"))
                if sign is not None:
                    return number(sign * INT_LIMIT)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if (name, len(args)) in FUNCTIONS:
                parts = dict(zip("ABC", args, strict=False))
                return self.term(filled(FUNCTIONS[name, len(args)], node, **parts), scope)
        name = node.func.id  # type: ignore[attr-defined]
        raise self.error(not_defined(name, ()), node)

    def _int(self, name: str, node: ast.Call, scope: Scope) -> Term | None:
        """``int`` of a quotient."""
        match node:
            case ast.Call(args=[ast.BinOp(left=a, op=ast.Div(), right=b)], keywords=[]):
                return self.term(filled(TRUNCATED, node, A=a, B=b), scope)
        return None

    def _all_of(self, tests: list[ast.expr], scope: Scope) -> Term:
        return self.condition(tests[0], scope) if tests else TRUE


def _makes_iterator(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _ITERATORS
        case _:
            return isinstance(node, ast.GeneratorExp)


Special = Callable[[Any, str, ast.Call, Scope], Term | None]

_SPECIAL: dict[str, Special] = {
    **dict.fromkeys(_CONTAINERS, Calls._container_call),
    "any": Calls._quantifier,
    "all": Calls._quantifier,
    "max": Calls._extreme,
    "min": Calls._extreme,
    "sorted": Calls._sorted,
    "zip": Calls._zip,
    "int": Calls._int,
}
"""Functions with keyword arguments or with special treatment of generators."""

HANDLERS[ast.Call] = Calls._call
