"""Overlays that answers are put together of (see ``covers``): parts that are right wherever they show anything.

An overlay is what a grid shows that is not black, what it changes in the input, an object, or places in one colour:
those of a patch or of objects, or those where a grid has some colour. Sets of cells of all demonstrations are bit
masks.
"""

from typing import NamedTuple

from arcloom.engine.machine.layout import record
from arcloom.engine.machine.records import Machine
from arcloom.engine.pointer import WordPointer
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
from arcloom.enumerate.compiled.bank import Bank, entry, limits, progress, value_class
from arcloom.enumerate.compiled.hashing import mixed

GRID, OBJECT, OBJECTS, PATCH, PATCHES, COLOUR = range(6)
"""The value classes of overlays."""

COLOURED, CHANGES, PAINTED, FILLED, EXCHANGED = range(5)
"""Kinds of overlays: what a grid shows that is not black, what it changes in the input, an object, places in a colour,
and where a grid has one colour in another."""

OVERLAY = record("overlay", "kind source ink plain price hashed", array="overlays")
"""An overlay: its kind, the entry that it shows, the entry of its colour, the entry of the colour that it replaces, its
price, and the hash of its mask."""

COLOURS = 10

MOST = 2048
"""Maximum number of overlays of a task."""

WIDEST = 64
"""The number of bits of a word of a mask."""


KNOWN = record("known", "made offered words bottoms", array="known")
"""The numbers of overlays, of offers, of words of a mask, and of grids that offers were looked for."""

OFFER = record("offer", "bottom total used over:4", array="offers")
"""An answer that can be put together: its lowest grid, its price, and the overlays over it."""


class Overlays(NamedTuple):
    """Working memory for putting answers together: pointers to arrays of words. ``firsts`` says where the cells of each
    demonstration begin in a mask, ``inks`` which colour an overlay has there.
    """

    overlays: WordPointer
    masks: WordPointer
    union: WordPointer
    wrong: WordPointer
    firsts: WordPointer
    inks: WordPointer
    offers: WordPointer
    bottoms: WordPointer
    known: WordPointer


overlay, known, offered = (each.access for each in (OVERLAY, KNOWN, OFFER))


@row_function
def has_shapes(m: Machine, x: Bank, number: int) -> bool:
    """Whether a grid has the shape of the answer in every demonstration."""
    place = entry.place(x, number)
    for r in range(limits.demonstrations(x, 0)):
        if (m.words[place + r] ^ x.expected[r]) & ((1 << (2 * SIDE_BITS)) - 1):
            return False
    return True


@row_function
def mark(a: Overlays, at: int, bit: int) -> None:
    """Put a bit into the mask that begins at ``at``."""
    a.masks[at + bit // WIDEST] |= 1 << (bit % WIDEST)


@row_function
def mark_grid(m: Machine, x: Bank, a: Overlays, number: int, kind: int, at: int) -> bool:
    """Mark where a grid shows something; whether all of it is right."""
    place, before = entry.place(x, number), entry.place(x, 0)
    for r in range(limits.demonstrations(x, 0)):
        shown, wanted = corner_of(m.words[place + r]), corner_of(x.expected[r])
        given = corner_of(m.words[before + r])
        for k in range(area_of(x.expected[r])):
            cell = m.cells[shown + k]
            hidden = 0 if kind == COLOURED else m.cells[given + k]
            if cell != hidden:
                if cell != m.cells[wanted + k]:
                    return False
                mark(a, at, a.firsts[r] + k)
    return True


@row_function
def mark_part(m: Machine, x: Bank, a: Overlays, word: int, r: int, kind: int, at: int) -> bool:
    """Mark where the cells of an object or patch are in a demonstration; whether they are right, or of its ink."""
    wanted = x.expected[r]
    width, height = width_of(wanted), height_of(wanted)
    for k in range(length(word)):
        cell = m.words[start(word) + k]
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
def mark_cells(m: Machine, x: Bank, a: Overlays, number: int, kind: int, at: int) -> bool:
    """Mark where an object's cells or a patch's places are, or those of several; whether they are right, or of one
    colour.
    """
    place, sort = entry.place(x, number), entry.kind(x, number)
    for r in range(limits.demonstrations(x, 0)):
        word = m.words[place + r]
        a.inks[r] = -1
        if sort in (OBJECT, PATCH):
            if not mark_part(m, x, a, word, r, kind, at):
                return False
            continue
        for k in range(length(word)):
            if not mark_part(m, x, a, m.words[start(word) + k], r, kind, at):
                return False
    return True


@row_function
def ink_of(m: Machine, x: Bank, a: Overlays) -> int:
    """The cheapest colour of the bank that is the one wanted in each demonstration; less than zero if there is none."""
    kind = COLOUR
    for n in range(value_class.members(x, kind)):
        number = x.members[value_class.first(x, kind) + n]
        place, agrees = entry.place(x, number), True
        for r in range(limits.demonstrations(x, 0)):
            agrees = agrees and (a.inks[r] < 0 or m.words[place + r] == a.inks[r])
        if agrees:
            return number
    return -1


@row_function
def price_of(x: Bank, number: int) -> int:
    """The cost of an entry; 0 if there is none."""
    return entry.price(x, number) if number >= 0 else 0


@row_function
def keep_overlay(x: Bank, a: Overlays, kind: int, number: int, ink: int, plain: int) -> None:
    """Keep the overlay whose mask was just made, unless there is one that shows the same places."""
    made, words = known.made(a, 0), known.words(a, 0)
    at, hash, some = made * words, 0, 0
    for k in range(words):
        hash = mixed(hash, a.masks[at + k])
        some |= a.masks[at + k]
    for n in range(made):
        if overlay.hashed(a, n) == hash:
            return
    if some:
        overlay.set_kind(a, made, kind)
        overlay.set_source(a, made, number)
        overlay.set_ink(a, made, ink)
        overlay.set_plain(a, made, plain)
        overlay.set_hashed(a, made, hash)
        overlay.set_price(a, made, price_of(x, number) + price_of(x, ink) + price_of(x, plain))
        for k in range(words):
            a.union[k] |= a.masks[at + k]
        known.set_made(a, 0, made + 1)


@row_function
def try_overlay(m: Machine, x: Bank, a: Overlays, kind: int, number: int) -> None:
    """Make an overlay of an entry, and keep it if it shows nothing wrong."""
    words, ink = known.words(a, 0), -1
    at = known.made(a, 0) * words
    if known.made(a, 0) >= MOST:
        return
    for k in range(words):
        a.masks[at + k] = 0
    of_grid = kind in (COLOURED, CHANGES)
    clean = mark_grid(m, x, a, number, kind, at) if of_grid else mark_cells(m, x, a, number, kind, at)
    if clean and kind == FILLED:
        ink = ink_of(m, x, a)
        clean = ink >= 0
    if clean:
        keep_overlay(x, a, kind, number, ink, -1)


@row_function
def mark_color(m: Machine, x: Bank, a: Overlays, number: int, color: int) -> bool:
    """Mark where a grid has a colour; whether answers have one colour there."""
    place = entry.place(x, number)
    at = known.made(a, 0) * known.words(a, 0)
    for r in range(limits.demonstrations(x, 0)):
        shown, wanted, ink = corner_of(m.words[place + r]), corner_of(x.expected[r]), -1
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
def try_colors(m: Machine, x: Bank, a: Overlays, number: int) -> None:
    """Make an overlay of each colour of a grid."""
    for color in range(COLOURS):
        if known.made(a, 0) >= MOST:
            return
        for k in range(known.words(a, 0)):
            a.masks[known.made(a, 0) * known.words(a, 0) + k] = 0
        if mark_color(m, x, a, number, color):
            ink = ink_of(m, x, a)
            for r in range(limits.demonstrations(x, 0)):
                a.inks[r] = color
            plain = ink_of(m, x, a)
            if ink >= 0 and plain >= 0 and ink != plain:
                keep_overlay(x, a, EXCHANGED, number, ink, plain)


@row_function
def find_overlays(m: Machine, x: Bank, a: Overlays) -> None:
    """Find all overlays, the cheapest first."""
    with_changes = entry.kind(x, 0) == GRID and has_shapes(m, x, 0)
    for number in range(progress.count(x, 0)):
        sort = entry.kind(x, number)
        if sort in (OBJECT, OBJECTS):
            try_overlay(m, x, a, PAINTED, number)
        if OBJECT <= sort <= PATCHES:
            try_overlay(m, x, a, FILLED, number)
        elif sort == GRID and entry.score(x, number) > 0 and has_shapes(m, x, number):
            try_overlay(m, x, a, COLOURED, number)
            if with_changes and number:
                try_overlay(m, x, a, CHANGES, number)
            try_colors(m, x, a, number)
