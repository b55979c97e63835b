"""Lowering comprehensions to terms: ``apply``, ``sfilter`` and ``mapply`` with functions."""

import ast

from arcloom.program.lower import FALSE, HANDLERS, Build, Expressions, primitive
from arcloom.program.scope import Scope
from arcloom.program.term import Term


class Comprehensions(Expressions):
    """Lowers expressions including comprehensions."""

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Term:
        return self.comprehended(node.elt, node.generators, scope, ordered=True)

    def _set_comprehension(self, node: ast.SetComp, scope: Scope) -> Term:
        return self.operation("frozenset", node, self.comprehended(node.elt, node.generators, scope, ordered=False))

    def comprehended(
        self, element: ast.expr, generators: list[ast.comprehension], scope: Scope, *, ordered: bool
    ) -> Term:
        """The values of a comprehension: a tuple if they are ``ordered``, otherwise any container."""
        first, *rest = generators
        source = self._source(first, scope, ordered)
        for test in first.ifs:
            holds = self.mapped(first.target, lambda inner, test=test: self.condition(test, inner), scope)  # type: ignore[misc]
            source = self.call(primitive("sfilter"), (source, holds), first.target)
        if not rest and _same_name(element, first.target):
            return source
        value: Build = lambda inner: (  # noqa: E731
            self.comprehended(element, rest, inner, ordered=ordered) if rest else self.element(element, inner)
        )
        function = self.mapped(first.target, value, scope)
        return self.call(primitive("mapply" if rest else "apply"), (function, source), element)

    def element(self, node: ast.expr, scope: Scope) -> Term:
        """The element of a comprehension. It must not be a function: Python would bind its names too late."""
        if isinstance(node, ast.Lambda):
            raise self.error("a comprehension cannot make functions: call the function in it", node)
        return self.term(node, scope)

    def _source(self, generator: ast.comprehension, scope: Scope, ordered: bool) -> Term:
        if generator.is_async:
            raise self.error("an async comprehension cannot be used in a program: use for", generator.target)
        source = self.term(generator.iter, scope)
        return self.operation("tuple", generator.iter, source) if ordered else source

    def exists(self, element: ast.expr, generators: list[ast.comprehension], scope: Scope, *, wanted: bool) -> Term:
        """Whether the truth value of an expression is ``wanted`` for some elements of the generators."""
        first, *rest = generators

        def holds(inner: Scope) -> Term:
            return self._after(element, first.ifs, rest, inner, wanted)

        source = self._source(first, scope, ordered=True)
        return self.operation("any of", element, self.mapped(first.target, holds, scope), source)

    def _after(
        self, element: ast.expr, tests: list[ast.expr], rest: list[ast.comprehension], scope: Scope, wanted: bool
    ) -> Term:
        if tests:
            following: Build = lambda inner: self._after(element, tests[1:], rest, inner, wanted)  # noqa: E731
            return self.choose(element, scope, self.condition(tests[0], scope), following, lambda _: FALSE)
        if rest:
            return self.exists(element, rest, scope, wanted=wanted)
        value = self.term(element, scope)
        return self.truth(value, element) if wanted else self.operation("not", element, value)


def _same_name(a: ast.expr, b: ast.expr) -> bool:
    return isinstance(a, ast.Name) and isinstance(b, ast.Name) and a.id == b.id


HANDLERS[ast.ListComp] = HANDLERS[ast.GeneratorExp] = Comprehensions._comprehension
HANDLERS[ast.SetComp] = Comprehensions._set_comprehension
