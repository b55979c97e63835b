"""Simplifying programs: common subexpressions are merged, constants folded, and rewrite rules applied until none fits.

The outputs for samples must not change: ``arcloom.search.review.simplified`` runs both programs and compares.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any

from arcloom.dsl.declare import Meter, Primitive, metered
from arcloom.dsl.signature import Misfit, Type, type_of
from arcloom.dsl.signature import rule as type_rule
from arcloom.dsl.values import INT_LIMIT, Failure
from arcloom.program.kinds import Kind, kind_of
from arcloom.program.print import literal_text
from arcloom.program.rewrite_rules import VARIABLES, RewriteRule, all_rules
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term, canonical, walk

FOLDED = 4
"""Maximum number of numbers in a folded constant. Larger constants are less readable than the call."""

FIRST_LINE = 2
"""The line of the first call in a printed program."""

Bound = dict[str, Term]


def simplify(program: Program, rules: Iterable[RewriteRule] | None = None) -> Program:
    """The simplified program; the program itself if it cannot be simplified."""
    (simple,) = simplify_all([program], rules)
    return simple


def simplify_all(programs: Sequence[Program], rules: Iterable[RewriteRule] | None = None) -> list[Program]:
    """The simplified programs. Common parts are simplified once.

    A rule that replaces a call by several can make a program larger if other calls use the call, too. Therefore the
    result is the smaller of two: with all rules, and with only those whose right side has at most one call.
    """
    chosen = tuple(all_rules() if rules is None else rules)
    simplifiers = Simplifier(chosen), Simplifier([rule for rule in chosen if _size(rule.replacement) <= 1])
    return [_smallest(program, simplifiers) for program in programs]


def rules_used(program: Program) -> list[RewriteRule]:
    """The rules that simplify this program."""
    simplifier = Simplifier(all_rules())
    simplifier.term(program.output)
    return list(dict.fromkeys(simplifier.used))


def measure(output: Term) -> tuple[int, int, int]:
    """The size of a program: its numbers of calls, of higher-order calls, and of arguments, compared in this order."""
    calls = list(walk(output))
    return len(calls), sum(map(_is_of_functions, calls)), sum(len(call.args) for call in calls)


def _is_of_functions(call: Call) -> bool:
    return not isinstance(call.function, Function) or call.function.primitive.higher_order


def _size(term: Term) -> int:
    return sum(1 for _ in walk(term))


def _smallest(program: Program, simplifiers: Iterable["Simplifier"]) -> Program:
    """The smallest result of the simplifiers, or the program itself."""
    found = [program.output]
    try:
        for simplifier in simplifiers:
            simple = simplifier.term(program.output)
            if simplifier.changed:
                found.append(simple)
            if not simplifier.rewrote:
                break
    except RecursionError:  # deeply nested functions, which only untyped programs have
        pass
    smallest = min(found, key=measure) if len(found) > 1 else program.output
    if smallest is program.output:
        return program
    return Program(program.name, program.inputs, smallest).with_lines(count(FIRST_LINE))


class Simplifier:
    """Simplifies terms by some rules. Equal terms of all programs become the same object.

    ``changed``: the last term was changed. ``rewrote``: a rule or constant folding changed it, not only the merging of
    equal parts. ``used``: the rules that changed any term.
    """

    def __init__(self, rules: Sequence[RewriteRule]) -> None:
        self.used: list[RewriteRule] = []
        self.changed = self.rewrote = False
        self._rules = _indexed(rules)
        self._leaves: dict[Any, Term] = {}
        self._known: dict[Term, Term] = {}
        self._made: dict[tuple[int, ...], tuple[Term, bool]] = {}
        self._kinds: dict[int, Kind] = {}

    def term(self, output: Term) -> Term:
        """The simplified term."""
        done: dict[Term, Term] = {}
        self.rewrote = False
        for call in walk(output):
            parts = [done.get(part) or self._leaf(part) for part in (call.function, *call.args)]
            done[call], rewrote = self._call(parts[0], tuple(parts[1:]))
            self.rewrote |= rewrote
        self.changed = self.rewrote or len(set(done.values())) < len(done)
        return done.get(output) or self._leaf(output)

    def _leaf(self, term: Term) -> Term:
        """The unique object for all leaves that equal this one."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._leaves.setdefault(_key(term), term)
            self._kinds[id(found)] = kind_of(found, self._kinds)
        return found

    def _call(self, function: Term, args: tuple[Term, ...]) -> tuple[Term, bool]:
        """The simplified call of simplified terms, and whether it differs from the call."""
        key = (id(function), *map(id, args))
        found = self._made.get(key)
        if found is None:
            call = Call(function, args, FIRST_LINE)
            simple = self._rewritten(call)
            found = self._made[key] = simple or call, simple is not None
            self._kinds[id(found[0])] = kind_of(found[0], self._kinds)
        return found

    def _rewritten(self, call: Call) -> Term | None:
        """A call of simplified terms, rewritten by the first rule that fits."""
        constant = folded(call)
        if constant is not None:
            return self._leaf(constant)
        for rule in self._rules(call):
            bound: Bound = {}
            if self._matches(rule.pattern, call, bound):
                self.used.append(rule)
                return self._built(rule.replacement, bound)
        return None

    def _matches(self, pattern: Term, term: Term, bound: Bound) -> bool:
        match pattern:
            case Input(name):
                return self._binds(name, term, bound)
            case Call(function, args):
                return (
                    isinstance(term, Call)
                    and len(args) == len(term.args)
                    and self._matches(function, term.function, bound)
                    and all(self._matches(part, arg, bound) for part, arg in zip(args, term.args, strict=True))
                )
            case _:
                return not isinstance(term, Call) and _key(pattern) == _key(term)

    def _binds(self, name: str, term: Term, bound: Bound) -> bool:
        wanted = VARIABLES[name]
        if wanted and self._kinds[id(term)] not in wanted:
            return False
        return bound.setdefault(name, term) is term

    def _built(self, replacement: Term, bound: Bound) -> Term:
        match replacement:
            case Input(name):
                return bound[name]
            case Call(function, args):
                return self._call(self._built(function, bound), tuple(self._built(arg, bound) for arg in args))[0]
            case _:
                return self._leaf(replacement)


def _key(leaf: Term) -> Any:
    """A key that is equal for equal leaves."""
    match leaf:
        case Input(name):
            return name
        case Literal(value):
            return canonical(value)
        case Function(primitive):
            return primitive
        case Lambda(body, captured):
            return "lambda", captured, body.shape
    raise ValueError("a call is not a leaf")


def _head(term: Term) -> Any:
    """The primitive that a call calls, or None."""
    return term.function.primitive if isinstance(term, Call) and isinstance(term.function, Function) else None


def _mark(arg: Term) -> Any:
    """The primitive that an argument is or calls, or None: a cheap first test of a pattern."""
    return (arg.primitive,) if isinstance(arg, Function) else _head(arg)


def _indexed(rules: Sequence[RewriteRule]) -> Callable[[Call], Iterator[RewriteRule]]:
    """An index of rules: a function that returns the rules that may fit a call, by its primitive and the mark of one
    argument."""
    found: dict[tuple[Any, int, Any], list[RewriteRule]] = defaultdict(list)
    for rule in rules:
        marks = ((k, _mark(arg)) for k, arg in enumerate(rule.pattern.args) if _mark(arg) is not None)
        found[_head(rule.pattern), *next(marks, (0, None))].append(rule)

    def fitting(call: Call) -> Iterator[RewriteRule]:
        head = _head(call)
        yield from found.get((head, 0, None), ())
        for k, arg in enumerate(call.args):
            mark = _mark(arg)
            if mark is not None:
                yield from found.get((head, k, mark), ())

    return fitting


# Constants


def folded(call: Call) -> Literal | None:
    """The value of a call of constants as a constant; None if it fails or is not short."""
    if not isinstance(call.function, Function) or not all(isinstance(arg, Literal) for arg in call.args):
        return None
    values = tuple(arg.value for arg in call.args if isinstance(arg, Literal))
    types = tuple(map(type_of, values))
    if not values or None in types or not _takes(call.function.primitive, types):
        return None
    try:
        with metered(Meter(FOLDED * FOLDED)):
            value = call.function.primitive(*values)
    except Failure:
        return None
    return Literal(value, literal_text(value)) if _is_short(value) else None


@cache
def _takes(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> bool:
    if primitive.higher_order:
        return False
    try:
        type_rule(primitive, types)
    except (Misfit, RecursionError):
        return False
    return True


def _is_short(value: Any) -> bool:
    """Whether a value can be a constant with at most FOLDED numbers."""
    return 0 < _numbers(value) <= FOLDED


def _numbers(value: Any) -> int:
    """The number of numbers in a constant; zero if the value cannot be a constant."""
    if isinstance(value, tuple):
        counts = list(map(_numbers, value))
        return sum(counts) if counts and all(counts) else 0
    return int(isinstance(value, int) and abs(value) <= INT_LIMIT)
