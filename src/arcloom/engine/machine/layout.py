"""Records of 64-bit words. The fields are declared once; all code that reads or writes them is generated from the
declaration.

Row functions call generated accessors, Python code uses NumPy views, and the source text of launchers contains offsets
from here. No other code computes the position of a field.
"""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from arcloom.engine.words import row_function

Words = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Record:
    """A record in an array of words. Its accessors take a tuple ``m``, whose attribute ``array`` is the array, and the
    number of a record. ``place`` is an expression for the position of the record with that number.
    """

    name: str
    fields: tuple[str, ...]
    array: str
    place: str
    access: Any = field(init=False, compare=False)
    """The accessors, for row functions: ``access.kind(m, number)`` reads the field ``kind`` of the record with this
    number, and ``access.set_kind(m, number, word)`` writes it. If the field is an array, an index follows the
    number."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "access", self._accessors())

    @property
    def size(self) -> int:
        """The number of words of a record."""
        return len(self.fields)

    def offset(self, name: str) -> int:
        """The position of a field in its record; of a field that is an array, the position of its first word."""
        return self.fields.index(name if name in self.fields else f"{name}0")

    def table(self, count: int) -> "Table":
        """A table of records, all words zero."""
        return Table(self, np.zeros((count, self.size), np.int64))

    def view(self, words: Words) -> "Table":
        """A table that reads and writes the records in an array of words."""
        return Table(self, words.reshape(-1, self.size))

    def _accessors(self) -> ModuleType:
        module = ModuleType(f"{__name__}.{self.name}")
        module.__dict__["row_function"] = row_function
        exec(compile(self.source, f"<accessors of {self.name}>", "exec"), module.__dict__)
        return module

    @property
    def source(self) -> str:
        """The text of the accessors."""
        arrays = {name[:-1] for name in self.fields if name.endswith("0")}
        scalars = (name for name in self.fields if name.rstrip("0123456789") not in arrays)
        return "".join([*(self._accessor(name) for name in scalars), *(self._accessor(name, "k") for name in arrays)])

    def _accessor(self, name: str, index: str = "") -> str:
        place = f"m.{self.array}[{self.place} + {self.offset(name)}{f' + {index}' if index else ''}]"
        params = f"m, number, {index}" if index else "m, number"
        return (
            f"@row_function\ndef {name}({params}):\n    return {place}\n\n\n"
            f"@row_function\ndef set_{name}({params}, word):\n    {place} = word\n\n\n"
        )


class Table:
    """Records in an array of words: ``table["kind"]`` is the column of a field."""

    def __init__(self, record: Record, rows: Words) -> None:
        self.record = record
        self.rows = rows

    @property
    def words(self) -> Words:
        """The words of all records, one record after the other."""
        return self.rows.reshape(-1)

    def __getitem__(self, name: str) -> Words:
        return self.rows[:, self.record.offset(name)]

    def __setitem__(self, name: str, words: Any) -> None:
        self.rows[:, self.record.offset(name)] = words

    def __len__(self) -> int:
        return len(self.rows)


def record(name: str, fields: str, *, array: str, base: str = "", by_position: bool = False) -> Record:
    """Declare a record. ``fields`` are names separated by spaces; ``inputs:3`` is an array of three words.

    Records are numbered from the position ``base`` of the array, an expression such as ``m.places``. With
    ``by_position``, the number of a record is its position.
    """
    names = tuple(word for name in fields.split() for word in _words_of(*name.split(":")))
    numbered = "number" if by_position else f"{len(names)} * number"
    return Record(name, names, array, f"{base} + {numbered}" if base else numbered)


def _words_of(name: str, count: str = "") -> list[str]:
    """The names of the words of a field."""
    return [f"{name}{k}" for k in range(int(count))] if count else [name]
