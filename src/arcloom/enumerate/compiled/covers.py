"""Covers: outputs assembled after an enumeration from a grid of the bank and overlays that correct its wrong cells.

Overlays draw no wrong cell in any demonstration, so their order does not matter: a grid with overlays that together
cover all its wrong cells is a solution.
"""

from arcloom.engine.machine.arrange import GroupTables, Plan, group
from arcloom.engine.machine.records import Machine, state
from arcloom.engine.machine.tiles import Slot, machine_for, reset
from arcloom.engine.words import area_of, corner_of, row_function
from arcloom.enumerate.compiled.bank import Bank, entry, expression, limits, operation, progress, value_class
from arcloom.enumerate.compiled.expressions import arrange_operations, enumerate_all, give_constants, try_expression
from arcloom.enumerate.compiled.hashing import mixed
from arcloom.enumerate.compiled.overlays import (
    CHANGES,
    COLOURED,
    COVER,
    EXCHANGED,
    FILLED,
    GRID,
    MOST,
    OBJECT,
    OBJECTS,
    PATCH,
    PATCHES,
    WIDEST,
    Overlays,
    cover,
    find_overlays,
    has_shapes,
    known,
    overlay,
)

ONTO, PAINT, FILL, CHANGED, PLACES, FILL_OBJECT, MERGE, MERGE_PATCHES = range(8)
"""The operations that draw overlays. In the table they follow the enumerated operations."""

DEEPEST = 4
"""Maximum number of overlays in a cover: the length of the array ``over`` of a COVER."""

MOST_COVERS = 48
"""Maximum number of covers of a task."""

COVER_WORDS = COVER.size

RESERVE = 1000
"""Number of additional entries per class that are reserved for the parts of covers."""


@row_function
def find_wrong(m: Machine, x: Bank, a: Overlays, number: int) -> int:
    """Mark the wrong cells of a grid and return the hash of the mask; 0 if overlays cannot cover all of them."""
    place, words = entry.place(x, number), known.words(a, 0)
    for k in range(words):
        a.wrong[k] = 0
    for r in range(limits.demonstrations(x, 0)):
        shown, wanted = corner_of(m.words[place + r]), corner_of(x.expected[r])
        for k in range(area_of(x.expected[r])):
            if m.cells[shown + k] != m.cells[wanted + k]:
                bit = a.firsts[r] + k
                a.wrong[bit // WIDEST] |= 1 << (bit % WIDEST)
    hash = 1
    for k in range(words):
        hash = mixed(hash, a.wrong[k])
        if a.wrong[k] & ~a.union[k]:
            return 0
    return hash


@row_function
def is_new(a: Overlays, hash: int) -> bool:
    """Whether no cheaper grid has the same wrong cells."""
    count = known.bottoms(a, 0)
    if count >= MOST:
        return False
    for k in range(count):
        if a.bottoms[k] == hash:
            return False
    a.bottoms[count] = hash
    known.set_bottoms(a, 0, count + 1)
    return True


@row_function
def bits_in(word: int) -> int:
    """The number of set bits in a word."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0x7F


@row_function
def covered(a: Overlays, which: int) -> int:
    """The number of wrong cells that an overlay covers."""
    words, count = known.words(a, 0), 0
    for k in range(words):
        both = a.wrong[k] & a.masks[which * words + k]
        if both:
            count += bits_in(both)
    return count


@row_function
def covers_all(a: Overlays, which: int) -> bool:
    """Whether an overlay covers all wrong cells."""
    words, left = known.words(a, 0), 0
    for k in range(words):
        left |= a.wrong[k] & ~a.masks[which * words + k]
        if left:
            return False
    return True


@row_function
def insert_cover(a: Overlays, price: int) -> int:
    """Make room for a cover of this price in the sorted list. Returns its position; -1 if the list has cheaper ones."""
    count = known.covers(a, 0)
    if count == MOST_COVERS and cover.total(a, count - 1) <= price:
        return -1
    at = min(count, MOST_COVERS - 1)
    while at > 0 and cover.total(a, at - 1) > price:
        for k in range(COVER_WORDS):
            a.covers[COVER_WORDS * at + k] = a.covers[COVER_WORDS * (at - 1) + k]
        at -= 1
    known.set_covers(a, 0, min(count + 1, MOST_COVERS))
    cover.set_total(a, at, price)
    return at


@row_function
def cover_by_one(x: Bank, a: Overlays, number: int) -> bool:
    """Add a cover for each single overlay that covers all wrong cells. Returns whether there is one."""
    found = False
    for which in range(known.made(a, 0)):
        if overlay.source(a, which) != number and covers_all(a, which):
            found = True
            at = insert_cover(a, entry.price(x, number) + overlay.price(a, which))
            if at < 0:
                return True
            cover.set_bottom(a, at, number)
            cover.set_used(a, at, 1)
            cover.set_over(a, at, 0, which)
    return found


@row_function
def best_overlay(a: Overlays) -> int:
    """The first of the overlays that cover the most wrong cells."""
    best, most = -1, 0
    for which in range(known.made(a, 0)):
        count = covered(a, which)
        if count > most:
            best, most = which, count
    return best


@row_function
def cover_by_several(x: Bank, a: Overlays, number: int) -> None:
    """Add a cover by several overlays: greedily, each is the one that covers most of the remaining wrong cells."""
    price, used = entry.price(x, number), 0
    words, scratch = known.words(a, 0), MOST_COVERS  # the cover after the last one
    while used < DEEPEST:
        which = best_overlay(a)
        cover.set_over(a, scratch, used, which)
        used += 1
        price += overlay.price(a, which)
        left = 0
        for k in range(words):
            a.wrong[k] &= ~a.masks[which * words + k]
            left |= a.wrong[k]
        if not left:
            at = insert_cover(a, price + used)
            if at >= 0:
                cover.set_bottom(a, at, number)
                cover.set_used(a, at, used)
                for k in range(used):
                    cover.set_over(a, at, k, cover.over(a, scratch, k))
            return


@row_function
def find_covers(m: Machine, x: Bank, a: Overlays) -> None:
    """Find covers for each grid that has the right shape."""
    kind = GRID
    for n in range(value_class.members(x, kind)):
        number = x.members[value_class.first(x, kind) + n]
        if has_shapes(m, x, number):
            hash = find_wrong(m, x, a, number)
            if hash and is_new(a, hash) and not cover_by_one(x, a, number):
                cover_by_several(x, a, number)


@row_function
def applied(m: Machine, x: Bank, which: int, price: int, first: int, second: int, third: int) -> int:
    """Apply an operation that draws overlays. Returns the entry of its result; -1 if it has none."""
    k = limits.operations(x, 0) + which
    expression.set_operation(x, 0, k)
    expression.set_args(x, 0, 0, first)
    expression.set_args(x, 0, 1, second)
    expression.set_args(x, 0, 2, third)
    try_expression(m, x, 0, price + operation.cost(x, k))
    return progress.latest(x, 0)


@row_function
def shown_by(m: Machine, x: Bank, a: Overlays, which: int) -> int:
    """The entry of the object, patch or grid that an overlay draws; -1 if it cannot be computed."""
    kind, source, price = overlay.kind(a, which), overlay.source(a, which), overlay.price(a, which)
    source_class = entry.kind(x, source)
    if kind == EXCHANGED:
        return applied(m, x, PLACES, price, source, overlay.plain(a, which), 0)
    if kind == CHANGES:
        return applied(m, x, CHANGED, price, source, 0, 0)
    if source_class == OBJECTS:
        return applied(m, x, MERGE, price, source, 0, 0)
    if source_class == PATCHES:
        return applied(m, x, MERGE_PATCHES, price, source, 0, 0)
    return source


@row_function
def laid_over(m: Machine, x: Bank, a: Overlays, below: int, which: int) -> int:
    """The entry of a grid with an overlay drawn on it; -1 if it cannot be computed."""
    kind, ink = overlay.kind(a, which), overlay.ink(a, which)
    price = entry.price(x, below) + overlay.price(a, which)
    shown = shown_by(m, x, a, which)
    if shown < 0:
        return -1
    if kind == COLOURED:
        return applied(m, x, ONTO, price, below, shown, 0)
    if kind in (FILLED, EXCHANGED):
        how = FILL_OBJECT if entry.kind(x, shown) == OBJECT else FILL
        return applied(m, x, how, price, below, ink, shown)
    return applied(m, x, PAINT, price, below, shown, 0)


@row_function
def build_covers(m: Machine, x: Bank, a: Overlays) -> None:
    """Compute the grids of all covers as entries of the bank."""
    for n in range(known.covers(a, 0)):
        below = cover.bottom(a, n)
        for k in range(cover.used(a, n)):
            if below >= 0 and not state.full(m, 0):
                below = laid_over(m, x, a, below, cover.over(a, n, k))


@row_function
def assemble(m: Machine, x: Bank, a: Overlays) -> None:
    """Find covers among the values of the bank, and add their grids to it."""
    bits = 0
    for r in range(limits.demonstrations(x, 0)):
        a.firsts[r] = bits
        bits += area_of(x.expected[r])
    known.set_words(a, 0, (bits + WIDEST - 1) // WIDEST)
    for kind in (GRID, OBJECT, PATCH):
        value_class.set_capacity(x, kind, value_class.capacity(x, kind) + RESERVE)
    find_overlays(m, x, a)
    find_covers(m, x, a)
    build_covers(m, x, a)


@row_function
def enumerate_task(g: GroupTables, p: Plan, s: Slot, x: Bank, a: Overlays, constants: int) -> int:
    """Enumerate expressions for a task, and search for covers if there is no solution. Returns the number of solutions.

    A bank that already has entries was filled on another device. If the plan is too small, nothing is done, and
    ``group.full`` is set.
    """
    arrange_operations(g, p, x)
    if group.full(p, p.number):
        return 0
    m = machine_for(p, s, p.number)
    reset(m, group.counters(p, p.number), limits.rows(x, 0))
    give_constants(m, p, p.number, constants)
    if not progress.count(x, 0):
        enumerate_all(m, x)
    if not progress.found(x, 0) and not state.full(m, 0):
        assemble(m, x, a)
    return progress.found(x, 0)
