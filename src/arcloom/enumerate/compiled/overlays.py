"""Overlays: values of the bank that, drawn on a grid, set only correct cells. ``covers`` combines them to outputs.

An overlay draws one of these: the cells of a grid that are not black, the cells of a grid that differ from the input,
an object, or a set of positions in one colour. A bit mask over the cells of all demonstrations says where it draws.
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
"""The numbers of the value classes that overlays are made from."""

COLOURED, CHANGES, PAINTED, FILLED, EXCHANGED = range(5)
"""Kinds of overlays: the cells of a grid that are not black; the cells of a grid that differ from the input; an object;
positions filled with a colour; and the positions where a grid has one colour, filled with another."""

OVERLAY = record("overlay", "kind source ink plain price hashed", array="overlays")
"""An overlay: its kind, the entry that it draws, the entry of its colour (``ink``), the entry of the colour that it
replaces (``plain``), its price, and the hash of its mask."""

COLOURS = 10

MOST = 2048
"""Maximum number of overlays of a task."""

WIDEST = 64
"""Number of bits in a word of a mask."""


KNOWN = record("known", "made covers words bottoms", array="known")
"""Counts: overlays made, covers found, words per mask, and bottom grids for which covers were searched."""

COVER = record("cover", "bottom total used over:4", array="covers")
"""A cover: its bottom grid, its price, the number of its overlays, and the overlays."""


class Overlays(NamedTuple):
    """Working memory of the search for covers: pointers to arrays of words.

    ``masks`` has the mask of each overlay, and ``union`` their union. ``wrong`` is the mask of the wrong cells of a
    grid. ``firsts`` has the position of each demonstration's first cell in a mask, and ``inks`` the colour of an
    overlay in each demonstration, -1 if it draws nothing there.
    """

    overlays: WordPointer
    masks: WordPointer
    union: WordPointer
    wrong: WordPointer
    firsts: WordPointer
    inks: WordPointer
    covers: WordPointer
    bottoms: WordPointer
    known: WordPointer


overlay, known, cover = (each.access for each in (OVERLAY, KNOWN, COVER))


@row_function
def has_shapes(m: Machine, x: Bank, number: int) -> bool:
    """Whether a grid has the shape of the output in every demonstration."""
    place = entry.place(x, number)
    for r in range(limits.demonstrations(x, 0)):
        if (m.words[place + r] ^ x.expected[r]) & ((1 << (2 * SIDE_BITS)) - 1):
            return False
    return True


@row_function
def mark(a: Overlays, at: int, bit: int) -> None:
    """Set a bit in the mask that begins at ``at``."""
    a.masks[at + bit // WIDEST] |= 1 << (bit % WIDEST)


@row_function
def mark_grid(m: Machine, x: Bank, a: Overlays, number: int, kind: int, at: int) -> bool:
    """Mark the cells that an overlay of a grid draws. Returns whether all of them are correct."""
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
    """Mark the cells of an object or patch in a demonstration.

    Returns whether all are correct. The cells of a patch are correct if the output has a single colour there.
    """
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
    """Mark the cells of an object, a patch, or a set of these, in all demonstrations. See ``mark_part``."""
    place, source_class = entry.place(x, number), entry.kind(x, number)
    for r in range(limits.demonstrations(x, 0)):
        word = m.words[place + r]
        a.inks[r] = -1
        if source_class in (OBJECT, PATCH):
            if not mark_part(m, x, a, word, r, kind, at):
                return False
            continue
        for k in range(length(word)):
            if not mark_part(m, x, a, m.words[start(word) + k], r, kind, at):
                return False
    return True


@row_function
def ink_of(m: Machine, x: Bank, a: Overlays) -> int:
    """The cheapest colour entry of the bank whose values are ``inks`` in all demonstrations; -1 if there is none."""
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
    """The price of an entry; 0 for entry -1."""
    return entry.price(x, number) if number >= 0 else 0


@row_function
def keep_overlay(x: Bank, a: Overlays, kind: int, number: int, ink: int, plain: int) -> None:
    """Keep the overlay whose mask was just computed, unless it is empty or an overlay has the same mask."""
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
    """Make an overlay from an entry, and keep it if it draws no wrong cell."""
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
def mark_colour(m: Machine, x: Bank, a: Overlays, number: int, colour: int) -> bool:
    """Mark the cells where a grid has a colour. Returns whether each output has a single colour there."""
    place = entry.place(x, number)
    at = known.made(a, 0) * known.words(a, 0)
    for r in range(limits.demonstrations(x, 0)):
        shown, wanted, ink = corner_of(m.words[place + r]), corner_of(x.expected[r]), -1
        for k in range(area_of(x.expected[r])):
            if m.cells[shown + k] == colour:
                if ink < 0:
                    ink = m.cells[wanted + k]
                if ink != m.cells[wanted + k]:
                    return False
                mark(a, at, a.firsts[r] + k)
        a.inks[r] = ink
    return True


@row_function
def try_colours(m: Machine, x: Bank, a: Overlays, number: int) -> None:
    """Make an overlay from the positions of each colour of a grid."""
    for colour in range(COLOURS):
        if known.made(a, 0) >= MOST:
            return
        for k in range(known.words(a, 0)):
            a.masks[known.made(a, 0) * known.words(a, 0) + k] = 0
        if mark_colour(m, x, a, number, colour):
            ink = ink_of(m, x, a)
            for r in range(limits.demonstrations(x, 0)):
                a.inks[r] = colour
            plain = ink_of(m, x, a)
            if ink >= 0 and plain >= 0 and ink != plain:
                keep_overlay(x, a, EXCHANGED, number, ink, plain)


@row_function
def find_overlays(m: Machine, x: Bank, a: Overlays) -> None:
    """Find all overlays. Entries are in order of price, so cheap overlays come first."""
    with_changes = entry.kind(x, 0) == GRID and has_shapes(m, x, 0)
    for number in range(progress.count(x, 0)):
        source_class = entry.kind(x, number)
        if source_class in (OBJECT, OBJECTS):
            try_overlay(m, x, a, PAINTED, number)
        if OBJECT <= source_class <= PATCHES:
            try_overlay(m, x, a, FILLED, number)
        elif source_class == GRID and entry.score(x, number) > 0 and has_shapes(m, x, number):
            try_overlay(m, x, a, COLOURED, number)
            if with_changes and number:
                try_overlay(m, x, a, CHANGES, number)
            try_colours(m, x, a, number)
