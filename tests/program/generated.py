"""Random programs with Python syntax, built by type so that most of them have values."""

import random
from collections.abc import Callable

INT, BOOL, ROW, GRID, PAIR, INTS, CELLS = "int", "bool", "row", "grid", "pair", "ints", "cells"
Names = dict[str, list[str]]


class Writer:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.count = 0
        self.rules: dict[str, list[Callable[[Names, int], str]]] = {
            INT: [self._arithmetic, self._index, self._reduced, self._conditional_int, self._property, self._extreme],
            BOOL: [self._compared, self._member, self._quantified, self._junction],
            ROW: [self._row_of_grid, self._row_comprehension, self._slice, self._joined],
            GRID: [self._turned, self._grid_comprehension, self._grid_slice, self._filled, self._conditional_grid],
            PAIR: [lambda n, d: f"({self.of(INT, n, d)}, {self.of(INT, n, d)})", self._shape],
            INTS: [self._palette, self._set_comprehension, self._set_operation],
            CELLS: [self._cells, self._of_color],
        }
        self.leaves = {
            INT: ["0", "1", "2", "3", "-1", "5"],
            BOOL: ["True", "False"],
            ROW: ["I[0]", "(1, 0, 2)", "I[-1]"],
            GRID: ["I"],
            PAIR: ["(0, 1)", "shape(I)"],
            INTS: ["palette(I)", "{0, 3}"],
            CELLS: ["ofcolor(I, 0)", "asindices(I)"],
        }

    def of(self, type: str, names: Names, depth: int) -> str:
        """An expression of a type."""
        known = [*names.get(type, ()), *self.leaves[type]]
        if depth <= 0 or self.rng.random() < 0.2:
            return str(self.rng.choice(known))
        return self.rng.choice(self.rules[type])(names, depth - 1)

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _with(self, names: Names, type: str, name: str) -> Names:
        return {**names, type: [*names.get(type, ()), name, name]}

    def _arithmetic(self, n: Names, d: int) -> str:
        operator = self.rng.choice(["+", "-", "*", "//", "%"])
        return f"({self.of(INT, n, d)} {operator} {self.of(INT, n, d)})"

    def _index(self, n: Names, d: int) -> str:
        return f"{self.of(ROW, n, d)}[{self.of(INT, n, d)}]"

    def _reduced(self, n: Names, d: int) -> str:
        function = self.rng.choice(["sum", "len", "max", "min", "abs"])
        return f"{function}({self.of(INT if function == 'abs' else self.rng.choice([ROW, INTS]), n, d)})"

    def _extreme(self, n: Names, d: int) -> str:
        name = self.fresh()
        key = self.of(INT, self._with(n, INT, name), d)
        default = f", default={self.of(INT, n, 0)}" if self.rng.random() < 0.5 else ""
        return f"{self.rng.choice(['max', 'min'])}({self.of(INTS, n, d)}, key=lambda {name}: {key}{default})"

    def _conditional_int(self, n: Names, d: int) -> str:
        return f"({self.of(INT, n, d)} if {self.of(BOOL, n, d)} else {self.of(INT, n, d)})"

    def _property(self, n: Names, d: int) -> str:
        return f"{self.rng.choice(['len', 'height', 'width', 'mostcolor', 'numcolors'])}({self.of(GRID, n, d)})"

    def _compared(self, n: Names, d: int) -> str:
        operator = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        type = self.rng.choice([INT, INT, ROW, INTS, PAIR])
        return f"({self.of(type, n, d)} {operator} {self.of(type, n, d)})"

    def _member(self, n: Names, d: int) -> str:
        return (
            f"({self.of(INT, n, d)} {self.rng.choice(['in', 'not in'])} {self.of(self.rng.choice([ROW, INTS]), n, d)})"
        )

    def _quantified(self, n: Names, d: int) -> str:
        name = self.fresh()
        inner = self._with(n, INT, name)
        test = f" if {self.of(BOOL, inner, d)}" if self.rng.random() < 0.4 else ""
        return f"{self.rng.choice(['any', 'all'])}({self.of(BOOL, inner, d)} for {name} in {self.of(ROW, n, d)}{test})"

    def _junction(self, n: Names, d: int) -> str:
        if self.rng.random() < 0.3:
            return f"(not {self.of(self.rng.choice([BOOL, INT, ROW, INTS]), n, d)})"
        return f"({self.of(BOOL, n, d)} {self.rng.choice(['and', 'or'])} {self.of(BOOL, n, d)})"

    def _row_of_grid(self, n: Names, d: int) -> str:
        return f"{self.of(GRID, n, d)}[{self.of(INT, n, d)}]"

    def _row_comprehension(self, n: Names, d: int) -> str:
        name = self.fresh()
        inner = self._with(n, INT, name)
        source = self.rng.choice([self.of(ROW, n, d), f"range({self.of(INT, n, d)} % 5)", self.of(INTS, n, d)])
        test = f" if {self.of(BOOL, inner, d)}" if self.rng.random() < 0.4 else ""
        return f"tuple({self.of(INT, inner, d)} for {name} in {source}{test})"

    def _slice(self, n: Names, d: int) -> str:
        limits = [self.of(INT, n, d) if self.rng.random() < 0.6 else "" for _ in range(2)]
        step = self.rng.choice(["", ":-1", ":2"])
        return f"{self.of(ROW, n, d)}[{limits[0]}:{limits[1]}{step}]"

    def _joined(self, n: Names, d: int) -> str:
        choice = self.rng.randrange(3)
        if choice == 0:
            return f"({self.of(ROW, n, d)} + {self.of(ROW, n, d)})"
        if choice == 1:
            return f"tuple(sorted({self.of(ROW, n, d)}, reverse={self.rng.choice(['True', 'False'])}))"
        return f"({self.of(ROW, n, d)} * {self.rng.randrange(3)})"

    def _turned(self, n: Names, d: int) -> str:
        return f"{self.rng.choice(['rot90', 'hmirror', 'dmirror'])}({self.of(GRID, n, d)})"

    def _grid_comprehension(self, n: Names, d: int) -> str:
        row, value = self.fresh(), self.fresh()
        inner = self._with(self._with(n, ROW, row), INT, value)
        cell = f"{self.of(INT, inner, d)} % 10"
        return f"tuple(tuple({cell} for {value} in {row}) for {row} in {self.of(GRID, n, d)})"

    def _grid_slice(self, n: Names, d: int) -> str:
        return f"{self.of(GRID, n, d)}[{self.rng.choice(['1:', ':2', '::-1', ':-1'])}]"

    def _filled(self, n: Names, d: int) -> str:
        return f"fill({self.of(GRID, n, d)}, {self.of(INT, n, d)} % 10, {self.of(CELLS, n, d)})"

    def _conditional_grid(self, n: Names, d: int) -> str:
        return f"({self.of(GRID, n, d)} if {self.of(BOOL, n, d)} else {self.of(GRID, n, d)})"

    def _shape(self, n: Names, d: int) -> str:
        return f"shape({self.of(GRID, n, d)})"

    def _palette(self, n: Names, d: int) -> str:
        return f"palette({self.of(GRID, n, d)})"

    def _set_comprehension(self, n: Names, d: int) -> str:
        name = self.fresh()
        inner = self._with(n, INT, name)
        return f"frozenset({self.of(INT, inner, d)} for {name} in {self.of(self.rng.choice([ROW, INTS]), n, d)})"

    def _set_operation(self, n: Names, d: int) -> str:
        return f"({self.of(INTS, n, d)} {self.rng.choice(['|', '&', '-', '^'])} {self.of(INTS, n, d)})"

    def _cells(self, n: Names, d: int) -> str:
        i, j = self.fresh(), self.fresh()
        inner = self._with(self._with(n, INT, i), INT, j)
        return f"frozenset(({i}, {j}) for {i}, {j} in {self.of(CELLS, n, d)} if {self.of(BOOL, inner, d)})"

    def _of_color(self, n: Names, d: int) -> str:
        return f"ofcolor({self.of(GRID, n, d)}, {self.of(INT, n, d)})"

    # Statements

    def program(self) -> str:
        """A whole program, some with a helper function."""
        lines: list[str] = []
        names: Names = {GRID: ["I"]}
        helper = self._helper() if self.rng.random() < 0.5 else []
        if helper:
            self.rules[INT].append(lambda n, d: f"helper({self.of(INT, n, d)}, {self.of(ROW, n, d)})")
        for _ in range(self.rng.randrange(1, 5)):
            block, names = self._statement(names)
            lines += block
        result = self.of(self.rng.choice([INT, BOOL, ROW, GRID, PAIR, INTS, CELLS]), names, 3)
        used = [name for known in names.values() for name in dict.fromkeys(known)]
        lines.append(f"return ({', '.join([result, *used])})")
        return "\n".join([*helper, "def solve(I):", *(f"    {line}" for line in lines)]) + "\n"

    def _helper(self) -> list[str]:
        names: Names = {INT: ["a", "a"], ROW: ["b", "b"]}
        leaves, self.leaves = (
            self.leaves,
            {
                **self.leaves,
                GRID: ["(b, b)"],
                ROW: ["b"],
                PAIR: ["(a, 2)"],
                INTS: ["frozenset(b)"],
                CELLS: ["frozenset({(a, a)})"],
            },
        )
        block, names = self._statement(names)
        used = ", ".join(name for known in names.values() for name in dict.fromkeys(known))
        returned = [f"if {self.of(BOOL, names, 2)}:", f"    return ({self.of(INT, names, 2)}, {used})[0]"]
        result = f"return ({self.of(INT, names, 2)}, {used})[0]"
        lines = [*block, *(returned if self.rng.random() < 0.5 else []), result]
        self.leaves = leaves
        return ["def helper(a, b):", *(f"    {line}" for line in lines)]

    def _statement(self, names: Names) -> tuple[list[str], Names]:
        type = self.rng.choice([INT, INT, ROW, GRID, INTS])
        name = self.fresh()
        kind = self.rng.randrange(4)
        first = f"{name} = {self.of(type, names, 2 if kind > 1 else 0)}"  # a value that may be replaced must not fail
        after = self._with(names, type, name)
        if kind == 0:
            value = self.fresh()
            inner = self._with(after, INT, value)
            loop = f"for {value} in {self.of(self.rng.choice([ROW, INTS]), names, 1)}:"
            body = self._change(name, type, inner)
            return [first, loop, *(f"    {line}" for line in body)], after
        if kind == 1:
            sides = [self._change(name, type, after) for _ in range(2)]
            return [
                first,
                f"if {self.of(BOOL, after, 2)}:",
                *(f"    {line}" for line in sides[0]),
                "else:",
                *(f"    {line}" for line in sides[1]),
            ], after
        return [first], after

    def _change(self, name: str, type: str, names: Names) -> list[str]:
        if type == INT and self.rng.random() < 0.5:
            return [f"{name} = ({name} + {self.of(INT, names, 1)}) % 1000"]
        if self.rng.random() < 0.3:
            return [f"if {self.of(BOOL, names, 1)}:", f"    {name} = {self.of(type, names, 1)}"]
        return [f"{name} = {self.of(type, names, 1)}"]


def program(seed: int) -> str:
    """The random program with this seed."""
    return Writer(seed).program()
