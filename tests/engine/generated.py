"""Random well-typed programs, and shrinking a program that shows a fault.

A program grows call by call: a primitive is drawn, then arguments of types that it takes. Each new call is traced, so
that its type is known, and evaluated on a few small samples, so that calls that always fail can be dropped.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.constants import CONSTANTS
from arcloom.dsl.declare import Meter, Primitive, metered
from arcloom.dsl.signature import BOOL, INT, NEVER, SAMPLES, Misfit, Type, as_tuple, coerces, rule, unify
from arcloom.dsl.values import Failure
from arcloom.engine.results import Sample
from arcloom.program.abstract import Abstract
from arcloom.program.graph import Graph, Node
from arcloom.program.parse import parse
from arcloom.program.print import to_text
from arcloom.program.term import Call, Function, Input, Literal, Program, Term
from arcloom.program.trace import STANDARD_INPUTS, Mismatch, TraceError, Tracer, trace

INPUTS = ("I", "S")
NUMBERS = ("NEG_ONE", "ZERO", "ONE", "TWO", "THREE", "FIVE", "NINE")
OTHERS = ("T", "F", "ORIGIN", "UNITY", "DOWN", "LEFT", "TWO_BY_TWO", "THREE_BY_THREE")

TRIES = 12
"""Maximum number of attempts to draw arguments or functions."""

FAILING = 0.15
"""Probability of keeping a call that fails for all small samples."""

FIRST_ORDER = tuple(p for p in PRIMITIVES.values() if not p.higher_order)
BINARY = tuple(p for p in FIRST_ORDER if p.arity == 2)

FAILED = object()
"""The value of a call that fails, or depends on a call that fails, for a sample."""

TRIED: tuple[Sample, ...] = (
    {"I": ((0, 2, 2), (1, 0, 0), (1, 3, 0), (5, 3, 5)), "S": ((((1, 0), (0, 2)), ((2, 0), (0, 1))),)},
    {"I": ((4, 0), (0, 4)), "S": ((((3,),), ((1, 1),)), (((5, 3), (0, 3)), ((3, 0), (3, 7))))},
)
"""The samples on which new calls are evaluated to decide whether to keep them."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a program: its term, its traced value, and its value for each sample."""

    term: Term
    abstract: Abstract
    values: tuple[Any, ...]

    @property
    def type(self) -> Type | None:
        """The type, or None for functions and containers of functions."""
        return self.abstract.type if isinstance(self.abstract, Node) else None


@cache
def fits(primitive: Primitive[..., Any], types: tuple[Type, ...]) -> bool:
    """Whether the first arguments of a primitive can have these types."""
    try:
        rule(primitive, (*types, *[NEVER] * (primitive.arity - len(types))))
    except Misfit as misfit:
        return misfit.position >= len(types)
    except RecursionError:
        return False
    return True


@cache
def unary(type: Type) -> tuple[Primitive[..., Any], ...]:
    """The primitives of one argument that take this type."""
    return tuple(p for p in FIRST_ORDER if p.arity == 1 and fits(p, (type,)))


def _extends(primitive: Primitive[..., Any], types: tuple[Type, ...], piece: Piece) -> bool:
    return piece.type is not None and fits(primitive, (*types, piece.type))


def element_of(type: Type | None) -> Type | None:
    """The element type of a container type, or None."""
    if type is None:
        return None
    listed = type if type.kind == "set" else as_tuple(type)
    return None if listed is None else listed.element


def _is_condition(type: Type) -> bool:
    return coerces(type, BOOL)


def _is_container(type: Type) -> bool:
    return element_of(type) is not None


class Growth:
    """A growing pool of pieces, each built from earlier ones. A method that fails to build a piece returns None."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.tracer = Tracer(Graph())
        self.calls = 0
        self.pool = [*map(self._input, INPUTS), *map(self._constant, (*NUMBERS, *OTHERS))]
        self.grown: list[Piece] = []
        self._probes: dict[Type, Node] = {}
        self._moves: tuple[Callable[[], Piece | None], ...] = (
            *[self._first_order] * 12,
            *[self._mapped] * 6,
            *[self._side_by_side] * 2,
            *[self._ranked, self._of_samples, self._called, self._called, self._function],
            *[self._branched, self._of_functions, self._chosen_function, self._family],
        )

    def grow(self, count: int) -> None:
        """Add ``count`` pieces, not counting the functions that they need."""
        for _ in range(count):
            made = None
            while made is None:
                made = self.chance.choice(self._moves)()
            self.pool.append(made)
            self.grown.append(made)

    # Leaves

    def _input(self, name: str) -> Piece:
        node = self.tracer.graph.node("input", (), STANDARD_INPUTS[name], data=name)
        return Piece(Input(name), node, tuple(sample[name] for sample in TRIED))

    def _constant(self, name: str) -> Piece:
        value = CONSTANTS[name]
        return Piece(Literal(value, name), self.tracer.constant(value), (value,) * len(TRIED))

    def _primitive(self, name: str) -> Piece:
        primitive = PRIMITIVES[name]
        return Piece(Function(primitive, name), self.tracer.closure(primitive), (primitive,) * len(TRIED))

    # Calls

    def call(self, function: Piece, *args: Piece | None) -> Piece | None:
        """The call as a piece; None if it has no types or an argument is None."""
        given = [arg for arg in args if arg is not None]
        if len(given) < len(args):
            return None
        try:
            abstract = self.tracer.call(function.abstract, *[arg.abstract for arg in given])
        except (Mismatch, Misfit, RecursionError):
            return None
        values = tuple(_value(*parts) for parts in zip(function.values, *[arg.values for arg in given], strict=True))
        if all(value is FAILED for value in values) and self.chance.random() > FAILING:
            return None
        self.calls += 1
        return Piece(Call(function.term, tuple(arg.term for arg in given), self.calls + 1), abstract, values)

    def named(self, name: str, *args: Piece | None) -> Piece | None:
        """A call of a primitive."""
        return self.call(self._primitive(name), *args)

    def _draw(self, test: Callable[[Piece], bool]) -> Piece | None:
        """A random piece of the pool. Later ones are more likely, so that programs become deep; constants less."""
        groups = (self.grown[-4:], [*self.pool[: len(INPUTS)], *self.grown], self.pool)
        start = self.chance.choice((0, 0, 0, 1, 1, 1, 2))
        for group in groups[start:]:
            fitting = [piece for piece in group if test(piece)]
            if fitting:
                return self.chance.choice(fitting)
        return None

    def _first_order(self) -> Piece | None:
        primitive = self.chance.choice(FIRST_ORDER)
        return self.named(primitive.name, *self._arguments(primitive))

    def _arguments(self, primitive: Primitive[..., Any]) -> list[Piece | None]:
        types: tuple[Type, ...] = ()
        chosen: list[Piece | None] = []
        for _ in range(primitive.arity):
            piece = self._draw(partial(_extends, primitive, types))
            chosen.append(piece)
            if piece is None or piece.type is None:
                break
            types = (*types, piece.type)
        return chosen if len(chosen) == primitive.arity else [None]

    # Functions

    def result(self, function: Piece, *types: Type) -> Type | None:
        """The type of a function's result for arguments of these types, or None if it does not take them."""
        try:
            result = self.tracer.call(function.abstract, *map(self._probe, types))
        except (Mismatch, Misfit, RecursionError):
            return None
        return result.type if isinstance(result, Node) else None

    def _probe(self, type: Type) -> Node:
        return self.tracer.graph.node("input", (), type, data=f"probe of {type}")

    def of_one(self, type: Type, wanted: Callable[[Type], bool] = lambda _: True, depth: int = 2) -> Piece | None:
        """A function that takes one argument of this type and whose result type fulfils ``wanted``."""
        for _ in range(TRIES):
            makers = [self._plain, self._plain, self._bound]
            if depth:
                makers += [self._composed, self._forked, self._matched, self._repeated, self._either, self._inner]
                makers.append(self._holding)
            made = self.chance.choice(makers)(type, depth - 1)
            given = None if made is None else self.result(made, type)
            if given is not None and wanted(given):
                return made
        return None

    def of_two(self, left: Type, right: Type) -> Piece | None:
        """A function that takes two arguments of these types."""
        fitting = [p for p in BINARY if fits(p, (left, right))]
        if not fitting or self.chance.random() < 0.1:
            return self._primitive("astuple")
        return self._primitive(self.chance.choice(fitting).name)

    def _plain(self, type: Type, depth: int) -> Piece | None:
        if self.chance.random() < 0.15:
            return self._draw(lambda piece: callable(piece.abstract))
        return self._primitive(self.chance.choice((*unary(type), PRIMITIVES["identity"])).name)

    def _bound(self, type: Type, depth: int) -> Piece | None:
        primitive, left = self.chance.choice(BINARY), self.chance.random() < 0.5

        def takes(piece: Piece) -> bool:
            return piece.type is not None and fits(primitive, (piece.type, type) if left else (type, piece.type))

        return self.named("lbind" if left else "rbind", self._primitive(primitive.name), self._draw(takes))

    def _composed(self, type: Type, depth: int) -> Piece | None:
        first = self.of_one(type, depth=depth)
        between = None if first is None else self.result(first, type)
        second = None if between is None else self.of_one(between, depth=depth)
        if second is None or first is None or between is None or self.chance.random() < 0.7:
            return self.named("compose", second, first)
        given = self.result(second, between)
        return self.named("chain", None if given is None else self.of_one(given, depth=depth), second, first)

    def _forked(self, type: Type, depth: int) -> Piece | None:
        left, right = self.of_one(type, depth=depth), self.of_one(type, depth=depth)
        if left is None or right is None:
            return None
        types = self.result(left, type), self.result(right, type)
        outer = None if types[0] is None or types[1] is None else self.of_two(types[0], types[1])
        return self.named("fork", outer, left, right)

    def _matched(self, type: Type, depth: int) -> Piece | None:
        function = self.of_one(type, depth=depth)
        given = None if function is None else self.result(function, type)
        target = self._draw(lambda piece: piece.type is given) or self._draw(lambda piece: piece.type is not None)
        return self.named("matcher", function, target)

    def _repeated(self, type: Type, depth: int) -> Piece | None:
        function = self.of_one(type, lambda given: given is type, depth)
        return self.named("power", function, self._draw(lambda piece: piece.type is INT))

    def _either(self, type: Type, depth: int) -> Piece | None:
        yes = self.of_one(type, depth=depth)
        given = None if yes is None else self.result(yes, type)
        no = self.of_one(type, lambda other: other is given, depth)
        return self.named("branch", self._draw(lambda piece: piece.type in (BOOL, INT)), yes, no)

    def _inner(self, type: Type, depth: int) -> Piece | None:
        """A higher-order primitive with its function fixed, for elements that are containers."""
        element = element_of(type)
        if element is None:
            return None
        name = self.chance.choice(("apply", "mapply", *_CHOOSING))
        function = self._for_form(name, element, depth)
        return self.named("lbind" if name in ("apply", "mapply") else "rbind", self._primitive(name), function)

    def _holding(self, type: Type, depth: int) -> Piece | None:
        """A function that makes another function, which captures a value of its argument, and maps it."""
        held, container = self.of_one(type, depth=depth), self.of_one(type, _is_container, depth)
        if held is None or container is None:
            return None
        left, right = self.result(held, type), element_of(self.result(container, type))
        function = None if left is None or right is None else self.of_two(left, right)
        binder = self.named("lbind", self._primitive("lbind"), function)
        return self.named("fork", self._primitive("apply"), self.named("compose", binder, held), container)

    def _function(self) -> Piece | None:
        """A function of the type of a piece in the pool, to be called or mapped later."""
        piece = self._draw(lambda piece: piece.type is not None)
        return None if piece is None or piece.type is None else self.of_one(piece.type)

    # Calls that take functions

    def _for_form(self, name: str, element: Type, depth: int = 2) -> Piece | None:
        if name in ("sfilter", "extract", "mfilter"):
            return self.of_one(element, _is_condition, depth)
        if name in ("valmax", "valmin"):
            function = self.of_one(element, depth=depth)
            return function if function is not None and self._is_plain_at_zero(function, element) else None
        return self.of_one(element, _is_container, depth) if name == "mapply" else self.of_one(element, depth=depth)

    def _is_plain_at_zero(self, function: Piece, element: Type) -> bool:
        """Whether the function takes 0, which is used for empty containers, by type and by value."""
        given, usual = self.result(function, INT), self.result(function, element)
        if given is not None and usual is not None:
            return unify(given, usual) is not None
        return all(map(_refuses_zero, function.values))

    def _container(self) -> tuple[Piece | None, Type]:
        piece = self._draw(lambda piece: element_of(piece.type) is not None)
        return piece, (element_of(piece.type) if piece is not None else None) or NEVER

    def _mapped(self) -> Piece | None:
        container, element = self._container()
        name = self.chance.choice(("apply", "apply", "mapply", *_CHOOSING))
        function = self._for_form(name, element)
        args = (function, container) if name in ("apply", "mapply") else (container, function)
        return self.named(name, *args)

    def _side_by_side(self) -> Piece | None:
        (a, left), (b, right) = self._container(), self._container()
        return self.named(self.chance.choice(("papply", "mpapply", "prapply")), self.of_two(left, right), a, b)

    def _ranked(self) -> Piece | None:
        container, element = self._container()
        n = self._draw(lambda piece: piece.type is INT)
        return self.named(self.chance.choice(("get_arg_rank", "get_val_rank")), container, self.of_one(element), n)

    def _of_samples(self) -> Piece | None:
        samples = self._draw(lambda piece: piece.type is SAMPLES)
        function = self.of_one(STANDARD_INPUTS["I"], lambda given: as_tuple(given) is not None)
        made = self.named(self.chance.choice(("c_iz", "c_zo")), samples, function)
        if made is None or made.type is None or self.chance.random() < 0.5:
            return made
        return self.named(self.chance.choice(("c_iz_n", "c_zo_n")), samples, function, self.of_one(made.type))

    def _called(self) -> Piece | None:
        function = self._draw(lambda piece: callable(piece.abstract))
        if function is None:
            return None
        for _ in range(TRIES):
            piece = self._draw(lambda piece: piece.type is not None)
            if piece is not None and piece.type is not None and self.result(function, piece.type) is not None:
                return self.call(function, piece)
        return None

    def _branched(self) -> Piece | None:
        yes = self._draw(lambda piece: piece.type is not None)
        no = self._draw(lambda piece: piece.type is not None and yes is not None and piece.type is yes.type)
        return self.named("branch", self._draw(lambda piece: piece.type in (BOOL, INT)), yes, no)

    # Containers of functions

    def _alike(self) -> tuple[Piece | None, Piece | None, Piece | None]:
        """A value, and a tuple of two or four functions of it that return the same type."""
        value = self._draw(lambda piece: piece.type is not None)
        if value is None or value.type is None:
            return None, None, None
        type = value.type
        one = self.of_one(type)
        given = None if one is None else self.result(one, type)
        functions = self.named("astuple", one, self.of_one(type, lambda other: other is given))
        match self.chance.randrange(5):
            case 0:
                functions = self.named("combine", functions, functions)
            case 1 if one is not None and isinstance(one.term, Function):
                functions = self.named("insert", self._primitive("identity"), self.named("initset", one))
            case 2:
                times = self._constant(self.chance.choice(("ONE", "TWO", "THREE")))
                functions = self.named("repeat", one, times)
        return value, functions, one

    def _of_functions(self) -> Piece | None:
        value, functions, _ = self._alike()
        if self.chance.random() < 0.3:
            return self.named("papply", self._primitive("compose"), functions, functions)
        return self.named("rapply", functions, value)

    def _chosen_function(self) -> Piece | None:
        """One of several functions, chosen by their values."""
        value, functions, one = self._alike()
        if value is None or value.type is None or one is None:
            return None
        called = self.named(
            "chain",
            self._primitive("first"),
            self.named("rbind", self._primitive("rapply"), value),
            self._primitive("initset"),
        )
        given = self.result(one, value.type)
        name = self.chance.choice(("argmax", "argmin", "extract"))
        judge = None if given is None else self.of_one(given, _is_condition if name == "extract" else lambda _: True)
        chosen = self.named(name, functions, self.named("compose", judge, called))
        return chosen if chosen is None or self.chance.random() < 0.5 else self.call(chosen, value)

    def _family(self) -> Piece | None:
        """A function for each element of a container, and the values of these functions for one argument."""
        container, element = self._container()
        value = self._draw(lambda piece: piece.type is not None)
        if value is None or value.type is None:
            return None
        binder = self.named("lbind", self._primitive("lbind"), self.of_two(element, value.type))
        return self.named("rapply", self.named("apply", binder, container), value)


_CHOOSING = ("sfilter", "mfilter", "extract", "order", "argmax", "argmin", "valmax", "valmin")
"""Higher-order primitives whose first argument is the container."""


def _value(function: Any, *args: Any) -> Any:
    """The value on the reference, with a small budget."""
    if function is FAILED or any(arg is FAILED for arg in args):
        return FAILED
    try:
        with metered(Meter(2_000)):
            return function(*args)
    except Exception:  # unexpected errors are reported when the whole program runs
        return FAILED


def _refuses_zero(function: Any) -> bool:
    try:
        function(0)
    except (TypeError, AttributeError):
        return True
    except Failure:
        pass
    return False


def programs(seed: int, count: int, *, lines: int = 14, outputs: int = 4) -> list[Program]:
    """``count`` programs. Several programs are outputs of one pool, so that they have common parts."""
    chance = random.Random(seed)
    made: list[Program] = []
    while len(made) < count:
        growth = Growth(chance)
        growth.grow(chance.randint(2, lines))
        ends = [piece for piece in growth.grown[-8:] if piece.type is not None]
        for piece in chance.sample(ends, min(outputs, len(ends), count - len(made))):
            program = Program(f"generated_{len(made)}", INPUTS, piece.term)
            made.append(renumbered(program, nested=chance.random() < 0.3))
    return made


def renumbered(program: Program, *, nested: bool) -> Program:
    """The program after printing and parsing."""
    (again,) = parse(to_text(program, nested=nested))
    return again


# Shrinking


def smallest(program: Program, shows: Callable[[Program], bool], *, nested: bool = False) -> Program:
    """The smallest program found for which ``shows`` is still true."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _parts_of(program):
            if _is_typed(candidate) and shows(again := renumbered(candidate, nested=nested)):
                program, smaller = again, True
                break
    return program


def _is_typed(program: Program) -> bool:
    try:
        trace(program)
    except TraceError:
        return False
    return True


def _parts_of(program: Program) -> Iterator[Program]:
    """Smaller programs: a single call, or the program with a call replaced by one of its arguments."""
    for call in program.calls[:-1]:
        yield Program(program.name, program.inputs, call)
    for call in reversed(program.calls):
        identity = Function(PRIMITIVES["identity"], "identity")
        for other in (*call.args, Input("I"), Literal(0, "ZERO"), identity):
            yield Program(program.name, program.inputs, _with(program.output, call, other, {}))


def _with(term: Term, old: Call, new: Term, done: dict[int, Term]) -> Term:
    """The term with a call replaced by another term."""
    if term is old:
        return new
    if not isinstance(term, Call):
        return term
    if id(term) not in done:
        function, *args = (_with(part, old, new, done) for part in (term.function, *term.args))
        same = function is term.function and all(a is b for a, b in zip(args, term.args, strict=True))
        done[id(term)] = term if same else Call(function, tuple(args), term.line)
    return done[id(term)]


def smallest_grid(grid: Any, shows: Callable[[Any], bool]) -> Any:
    """The smallest grid found for which ``shows`` is still true."""
    for candidate in _parts_of_grid(grid):
        if shows(candidate):
            return smallest_grid(candidate, shows)
    return grid


def _parts_of_grid(grid: Any) -> Iterator[Any]:
    """The halves of a grid, and the grid without one of its rows or columns."""
    for rows, back in ((grid, tuple), (tuple(zip(*grid, strict=True)), lambda g: tuple(zip(*g, strict=True)))):
        if len(rows) > 1:
            half = len(rows) // 2
            yield from (back(rows[:half]), back(rows[half:]))
            yield from (back(rows[:k] + rows[k + 1 :]) for k in range(len(rows)))
