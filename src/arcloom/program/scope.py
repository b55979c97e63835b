"""Scopes: the bindings of names during parsing, and the values that functions capture."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from arcloom.dsl.python import Builtin
from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term, walk


@dataclass(eq=False)
class Deferred:
    """A named function. It is lowered when it is used, because in Python the names in its body are looked up then."""

    name: str
    node: ast.FunctionDef | ast.Lambda
    origin: "Scope"
    before: int
    defaults: dict[str, Term]
    active: bool = False
    known: dict[bool, tuple["Scope", "Scope", Term]] = field(default_factory=dict)


@dataclass(frozen=True)
class Undefined:
    """The binding of a name that is assigned on some paths through the program only. ``line`` has the assignment."""

    line: int


Binding = Term | Deferred | Undefined


class Scope:
    """The bindings of a program, of a function, or of a part of a function that is lowered to a function.

    ``function`` is equal for all parts of one Python function. A value of the scope around it becomes an input;
    ``captured`` maps such values to their inputs.
    """

    def __init__(self, parent: "Scope | None", function: object = None, *, sibling: "Scope | None" = None) -> None:
        self.parent = parent
        self.function = function or object()
        self.names: dict[str, Binding] = {}
        self.captured: dict[Term, Input] = sibling.captured if sibling else {}
        self.taken: set[str] = sibling.taken if sibling else set()
        self.seen: dict[str, Binding | None] = {}

    def parameter(self, name: str) -> Input:
        """A new input of the function, which callers pass."""
        return Input(self._fresh(name))

    def _fresh(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def find(self, name: str) -> Binding | None:
        """The binding of a name in this scope or around it, or None."""
        found = self.names.get(name)
        if found is not None or self.parent is None:
            return found
        outer = self.seen[name] = self.parent.find(name)
        return outer if outer is None else self.admit(outer, name)

    def admit(self, outer: Binding, name: str = "v") -> Binding:
        """A value of the scope around this one, as a value in this scope."""
        return self.admit_term(outer, name) if isinstance(outer, Input | Call) else outer

    def admit_term(self, outer: Term, name: str = "v") -> Term:
        """As ``admit``, for a term."""
        if not isinstance(outer, Input | Call):
            return outer
        found = self.captured.get(outer)
        if found is None:
            found = self.captured[outer] = Input(self._fresh(name))
        return found

    def import_from(self, home: "Scope", term: Term) -> Term:
        """A value of any enclosing scope, as a value in this scope."""
        if self is home or self.parent is None:
            return term
        return self.admit_term(self.parent.import_from(home, term))

    def home_of(self, function: object) -> "Scope | None":
        """The innermost scope, this one or an enclosing one, that is part of this Python function."""
        scope: Scope | None = self
        while scope is not None and scope.function is not function:
            scope = scope.parent
        return scope

    def has_seen(self, names: dict[str, Binding | None], home: "Scope") -> None:
        """Record the bindings of names in an enclosing scope on which this scope depends."""
        scope: Scope | None = self
        while scope is not None and scope is not home:
            scope.seen.update(names)
            scope = scope.parent

    def unchanged(self, home: "Scope") -> bool:
        """Whether all recorded bindings of an enclosing scope are still the same."""
        return all(home.find(name) is outer for name, outer in self.seen.items())


class Root(Scope):
    """The scope of a program. Values of the module around it are used directly, not captured."""

    def __init__(self, parent: Scope | None, *, free: bool = False) -> None:
        super().__init__(parent)
        self.free = free
        self.inputs: list[str] = []

    def find(self, name: str) -> Binding | None:
        """The binding of a name in this scope or around it, or None."""
        found = self.names.get(name)
        return self.parent.names.get(name) if found is None and self.parent is not None else found

    def admit_term(self, outer: Term, name: str = "v") -> Term:
        """The value itself."""
        return outer

    def add_input(self, name: str) -> Input:
        """An input of the program."""
        self.inputs.append(name)
        self.names[name] = made = Input(name)
        return made


def inputs_of(*terms: Term) -> list[Input]:
    """The distinct inputs that terms depend on, in the order of first use."""
    found: dict[Input, None] = {}
    for term in terms:
        parts = [part for call in walk(term) for part in (call.function, *call.args)]
        found.update((part, None) for part in (*parts, term) if isinstance(part, Input))
    return list(found)


def _can_be_named(function: Term) -> bool:
    """Whether a function can be used as a value; operators cannot."""
    if isinstance(function, Function):
        return not (isinstance(function.primitive, Builtin) and function.primitive.text)
    return isinstance(function, Lambda)


def closed(name: str, params: Iterable[Input], output: Term, captured: int = 0) -> Term:
    """The function with these inputs, the first ``captured`` of which are captured. A function that only calls another
    one with its own inputs is replaced by that one."""
    inputs = tuple(params)
    if not captured and isinstance(output, Call) and output.args == inputs and _can_be_named(output.function):
        return output.function
    return Lambda(Program(name, tuple(param.name for param in inputs), output), captured)


def enclosed(name: str, scope: Scope, params: tuple[Input, ...], output: Term) -> tuple[Term, tuple[Term, ...]]:
    """The function whose body a scope belongs to, and the values that it captures."""
    outer = {inner: term for term, inner in scope.captured.items()}
    if isinstance(output, Call) and output.args == params and output.function in outer:
        return outer[output.function], ()
    used = [part for part in inputs_of(output) if part in outer]
    return closed(name, (*used, *params), output, len(used)), tuple(outer[part] for part in used)


def literal_of(parts: list[Term], longest: int) -> Literal | None:
    """A constant tuple of these parts, if all of them are constants and it is not too long."""
    literals = [part for part in parts if isinstance(part, Literal)]
    text = ", ".join(part.text for part in literals)
    if len(literals) < len(parts) or len(text) > longest:
        return None
    return Literal(tuple(part.value for part in literals), f"({text},)" if len(parts) == 1 else f"({text})")
