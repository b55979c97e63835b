"""Layers that answers are put together of (see ``offers``): parts that are right wherever they show anything.

A layer is what a grid shows that is not black, what it changes in the input, an object, or places in one colour: those
of a patch or of objects, or those where a grid has some colour. Sets of cells of all demonstrations are bit masks.
"""

from typing import Any, NamedTuple

from arcloom.engine.explore import (
    COUNT,
    DEMONSTRATIONS,
    ENTRY,
    FIRST,
    MEMBERS,
    PLACE,
    PRICE,
    SCORE,
    SORT,
    SORT_WORDS,
    Exploring,
)
from arcloom.engine.hashing import mixed
from arcloom.engine.machine import Machine
from arcloom.engine.words import (
    SIDE_BITS,
    area_of,
    colour_of,
    column_of,
    corner_of,
    height_of,
    length,
    row_function,
    row_of,
    start,
    width_of,
)

GRID, OBJECT, OBJECTS, PATCH, PATCHES, COLOUR = range(6)
"""The sorts of what is put together."""

COLOURED, CHANGES, PAINTED, FILLED, EXCHANGED = range(5)
"""Kinds of layers: what a grid shows that is not black, what it changes in the input, an object, places in a colour,
and where a grid has one colour in another."""

KIND, SOURCE, INK, PLAIN, LAYER_PRICE, HASHED, LAYER = range(7)
"""A layer: its kind, the entry that it shows, the entry of its colour, that of the colour it has instead of, its price,
and its mask's hash."""

COLOURS = 10

LAYERS = 2048
"""So many layers are kept of a task."""

WIDEST = 64
"""Bits of a word of a mask."""


class Assembling(NamedTuple):
    """What putting together works with, beside the exploration: pointers to arrays of words. ``known`` has the number
    of layers, of offers, and of words of a mask; ``firsts`` where each demonstration's cells begin in a mask.
    """

    layers: Any
    masks: Any
    union: Any
    wrong: Any
    firsts: Any
    inks: Any
    offers: Any
    bottoms: Any
    known: Any


MADE, OFFERED, WORDS, BOTTOMS = range(4)


@row_function
def has_shapes(m: Machine, x: Exploring, entry: int) -> bool:
    """Whether a grid has the shape of the answer in every demonstration."""
    place = x.bank[ENTRY * entry + PLACE]
    for r in range(x.sizes[DEMONSTRATIONS]):
        if (m.columns[place + r] ^ x.expected[r]) & ((1 << (2 * SIDE_BITS)) - 1):
            return False
    return True


@row_function
def mark(a: Assembling, at: int, bit: int) -> None:
    """Put a bit into the mask that begins at ``at``."""
    a.masks[at + bit // WIDEST] |= 1 << (bit % WIDEST)


@row_function
def mark_grid(m: Machine, x: Exploring, a: Assembling, entry: int, kind: int, at: int) -> bool:
    """Mark where a grid shows something; whether all of it is right."""
    place, before = x.bank[ENTRY * entry + PLACE], x.bank[PLACE]
    for r in range(x.sizes[DEMONSTRATIONS]):
        shown, wanted = corner_of(m.columns[place + r]), corner_of(x.expected[r])
        given = corner_of(m.columns[before + r])
        for k in range(area_of(x.expected[r])):
            cell = m.cells[shown + k]
            hidden = 0 if kind == COLOURED else m.cells[given + k]
            if cell != hidden:
                if cell != m.cells[wanted + k]:
                    return False
                mark(a, at, a.firsts[r] + k)
    return True


@row_function
def mark_part(m: Machine, x: Exploring, a: Assembling, word: int, r: int, kind: int, at: int) -> bool:
    """Mark where the cells of an object or patch are in a demonstration; whether they are right, or of its ink."""
    wanted = x.expected[r]
    width, height = width_of(wanted), height_of(wanted)
    for k in range(length(word)):
        cell = m.heap[start(word) + k]
        i, j = row_of(cell), column_of(cell)
        if 0 <= i < height and 0 <= j < width:
            right = m.cells[corner_of(wanted) + i * width + j]
            if kind == PAINTED or a.inks[r] < 0:
                a.inks[r] = colour_of(cell) if kind == PAINTED else right
            if a.inks[r] != right:
                return False
            mark(a, at, a.firsts[r] + i * width + j)
    return True


@row_function
def mark_cells(m: Machine, x: Exploring, a: Assembling, entry: int, kind: int, at: int) -> bool:
    """Mark where an object's cells or a patch's places are, or those of several; whether they are right, or of one
    colour.
    """
    place, sort = x.bank[ENTRY * entry + PLACE], x.bank[ENTRY * entry + SORT]
    for r in range(x.sizes[DEMONSTRATIONS]):
        word = m.columns[place + r]
        a.inks[r] = -1
        if sort in (OBJECT, PATCH):
            if not mark_part(m, x, a, word, r, kind, at):
                return False
            continue
        for k in range(length(word)):
            if not mark_part(m, x, a, m.heap[start(word) + k], r, kind, at):
                return False
    return True


@row_function
def ink_of(m: Machine, x: Exploring, a: Assembling) -> int:
    """The cheapest colour of the bank that is the one wanted in each demonstration; less than zero if there is none."""
    here = SORT_WORDS * COLOUR
    for n in range(x.sorts[here + MEMBERS]):
        entry = x.members[x.sorts[here + FIRST] + n]
        place, agrees = x.bank[ENTRY * entry + PLACE], True
        for r in range(x.sizes[DEMONSTRATIONS]):
            agrees = agrees and (a.inks[r] < 0 or m.columns[place + r] == a.inks[r])
        if agrees:
            return entry
    return -1


@row_function
def price_of(x: Exploring, entry: int) -> int:
    """What an entry costs; nothing if there is none."""
    return x.bank[ENTRY * entry + PRICE] if entry >= 0 else 0


@row_function
def keep_layer(x: Exploring, a: Assembling, kind: int, entry: int, ink: int, plain: int) -> None:
    """Keep the layer whose mask was just made, unless there is one that shows the same places."""
    made, words = a.known[MADE], a.known[WORDS]
    at, hash, some = made * words, 0, 0
    for k in range(words):
        hash = mixed(hash, a.masks[at + k])
        some |= a.masks[at + k]
    for n in range(made):
        if a.layers[LAYER * n + HASHED] == hash:
            return
    if some:
        here = LAYER * made
        a.layers[here + KIND], a.layers[here + SOURCE], a.layers[here + INK] = kind, entry, ink
        a.layers[here + PLAIN], a.layers[here + HASHED] = plain, hash
        a.layers[here + LAYER_PRICE] = price_of(x, entry) + price_of(x, ink) + price_of(x, plain)
        for k in range(words):
            a.union[k] |= a.masks[at + k]
        a.known[MADE] = made + 1


@row_function
def try_layer(m: Machine, x: Exploring, a: Assembling, kind: int, entry: int) -> None:
    """Make a layer of an entry, and keep it if it shows nothing wrong."""
    words, ink = a.known[WORDS], -1
    at = a.known[MADE] * words
    if a.known[MADE] >= LAYERS:
        return
    for k in range(words):
        a.masks[at + k] = 0
    of_grid = kind in (COLOURED, CHANGES)
    clean = mark_grid(m, x, a, entry, kind, at) if of_grid else mark_cells(m, x, a, entry, kind, at)
    if clean and kind == FILLED:
        ink = ink_of(m, x, a)
        clean = ink >= 0
    if clean:
        keep_layer(x, a, kind, entry, ink, -1)


@row_function
def mark_color(m: Machine, x: Exploring, a: Assembling, entry: int, color: int) -> bool:
    """Mark where a grid has a colour; whether answers have one colour there."""
    place = x.bank[ENTRY * entry + PLACE]
    at = a.known[MADE] * a.known[WORDS]
    for r in range(x.sizes[DEMONSTRATIONS]):
        shown, wanted, ink = corner_of(m.columns[place + r]), corner_of(x.expected[r]), -1
        for k in range(area_of(x.expected[r])):
            if m.cells[shown + k] == color:
                if ink < 0:
                    ink = m.cells[wanted + k]
                if ink != m.cells[wanted + k]:
                    return False
                mark(a, at, a.firsts[r] + k)
        a.inks[r] = ink
    return True


@row_function
def try_colors(m: Machine, x: Exploring, a: Assembling, entry: int) -> None:
    """Make a layer of each colour of a grid."""
    for color in range(COLOURS):
        if a.known[MADE] >= LAYERS:
            return
        for k in range(a.known[WORDS]):
            a.masks[a.known[MADE] * a.known[WORDS] + k] = 0
        if mark_color(m, x, a, entry, color):
            ink = ink_of(m, x, a)
            for r in range(x.sizes[DEMONSTRATIONS]):
                a.inks[r] = color
            plain = ink_of(m, x, a)
            if ink >= 0 and plain >= 0 and ink != plain:
                keep_layer(x, a, EXCHANGED, entry, ink, plain)


@row_function
def find_layers(m: Machine, x: Exploring, a: Assembling) -> None:
    """Find all layers, the cheapest first."""
    with_changes = x.bank[SORT] == GRID and has_shapes(m, x, 0)
    for entry in range(x.progress[COUNT]):
        sort = x.bank[ENTRY * entry + SORT]
        if sort in (OBJECT, OBJECTS):
            try_layer(m, x, a, PAINTED, entry)
        if OBJECT <= sort <= PATCHES:
            try_layer(m, x, a, FILLED, entry)
        elif sort == GRID and x.bank[ENTRY * entry + SCORE] > 0 and has_shapes(m, x, entry):
            try_layer(m, x, a, COLOURED, entry)
            if with_changes and entry:
                try_layer(m, x, a, CHANGES, entry)
            try_colors(m, x, a, entry)
