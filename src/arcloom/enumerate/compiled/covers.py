"""Answers put together after an enumeration: a grid of the bank that is right but for some places, and overlays on it.

Overlays have no wrong cell in any demonstration, so their order does not matter: a grid with overlays that together
cover its wrong places is an answer.
"""

from arcloom.engine.machine.arrange import GroupTables, Plan, group
from arcloom.engine.machine.records import Machine, state
from arcloom.engine.machine.tiles import Slot, machine_for, reset
from arcloom.engine.words import area_of, corner_of, row_function
from arcloom.enumerate.compiled.attempts import arrange_operations, enumerate_all, give_constants, make_attempt
from arcloom.enumerate.compiled.bank import Bank, attempt, entry, limits, operation, progress, value_class
from arcloom.enumerate.compiled.hashing import mixed
from arcloom.enumerate.compiled.overlays import (
    CHANGES,
    COLOURED,
    EXCHANGED,
    FILLED,
    GRID,
    MOST,
    OBJECT,
    OBJECTS,
    OFFER,
    PATCH,
    PATCHES,
    WIDEST,
    Overlays,
    find_overlays,
    has_shapes,
    known,
    offered,
    overlay,
)

ONTO, PAINT, FILL, CHANGED, PLACES, FILL_OBJECT, MERGE, MERGE_PATCHES = range(8)
"""The operations that make answers of them, behind those that are enumerated."""

DEEPEST = 4
"""Maximum number of overlays on one grid: the length of the array ``over`` of an OFFER."""

OFFERS = 48
"""Maximum number of answers made of a task's overlays."""

OFFER_WORDS = OFFER.size

RESERVE = 1000
"""Number of entries of a class that have room beside those that enumeration may find."""


@row_function
def find_wrong(m: Machine, x: Bank, a: Overlays, number: int) -> int:
    """Mark where a grid is wrong, and give the mask's hash; zero if overlays do not cover all of that."""
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
    """Whether no cheaper grid is wrong at just the same places."""
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
    """How many bits of a word are set."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0x7F


@row_function
def covered(a: Overlays, which: int) -> int:
    """How many of the wrong places an overlay covers."""
    words, count = known.words(a, 0), 0
    for k in range(words):
        both = a.wrong[k] & a.masks[which * words + k]
        if both:
            count += bits_in(both)
    return count


@row_function
def covers(a: Overlays, which: int) -> bool:
    """Whether an overlay covers all wrong places."""
    words, left = known.words(a, 0), 0
    for k in range(words):
        left |= a.wrong[k] & ~a.masks[which * words + k]
        if left:
            return False
    return True


@row_function
def offer(a: Overlays, price: int) -> int:
    """Where an offer of this price is to be written, so that offers stay in order; less than zero if it is not
    wanted."""
    count = known.offered(a, 0)
    if count == OFFERS and offered.total(a, count - 1) <= price:
        return -1
    at = min(count, OFFERS - 1)
    while at > 0 and offered.total(a, at - 1) > price:
        for k in range(OFFER_WORDS):
            a.offers[OFFER_WORDS * at + k] = a.offers[OFFER_WORDS * (at - 1) + k]
        at -= 1
    known.set_offered(a, 0, min(count + 1, OFFERS))
    offered.set_total(a, at, price)
    return at


@row_function
def offer_single(x: Bank, a: Overlays, number: int) -> bool:
    """Offer a grid with each overlay that covers all that is wrong; whether there is one."""
    found = False
    for which in range(known.made(a, 0)):
        if overlay.source(a, which) != number and covers(a, which):
            found = True
            at = offer(a, entry.price(x, number) + overlay.price(a, which))
            if at < 0:
                return True
            offered.set_bottom(a, at, number)
            offered.set_used(a, at, 1)
            offered.set_over(a, at, 0, which)
    return found


@row_function
def best_overlay(a: Overlays) -> int:
    """The first of the overlays that cover most of what is wrong."""
    best, most = -1, 0
    for which in range(known.made(a, 0)):
        count = covered(a, which)
        if count > most:
            best, most = which, count
    return best


@row_function
def offer_several(x: Bank, a: Overlays, number: int) -> None:
    """Offer a grid with overlays of which each covers as much as it can of what is still wrong."""
    price, used = entry.price(x, number), 0
    words, scratch = known.words(a, 0), OFFERS  # the offer behind the last one
    while used < DEEPEST:
        which = best_overlay(a)
        offered.set_over(a, scratch, used, which)
        used += 1
        price += overlay.price(a, which)
        left = 0
        for k in range(words):
            a.wrong[k] &= ~a.masks[which * words + k]
            left |= a.wrong[k]
        if not left:
            at = offer(a, price + used)
            if at >= 0:
                offered.set_bottom(a, at, number)
                offered.set_used(a, at, used)
                for k in range(used):
                    offered.set_over(a, at, k, offered.over(a, scratch, k))
            return


@row_function
def find_offers(m: Machine, x: Bank, a: Overlays) -> None:
    """Look for overlays for each grid that has the right shape."""
    kind = GRID
    for n in range(value_class.members(x, kind)):
        number = x.members[value_class.first(x, kind) + n]
        if has_shapes(m, x, number):
            hash = find_wrong(m, x, a, number)
            if hash and is_new(a, hash) and not offer_single(x, a, number):
                offer_several(x, a, number)


@row_function
def applied(m: Machine, x: Bank, which: int, price: int, first: int, second: int, third: int) -> int:
    """The entry that has what one of the operations of overlays makes; less than zero if it makes nothing."""
    k = limits.operations(x, 0) + which
    attempt.set_operation(x, 0, k)
    attempt.set_args(x, 0, 0, first)
    attempt.set_args(x, 0, 1, second)
    attempt.set_args(x, 0, 2, third)
    make_attempt(m, x, 0, price + operation.cost(x, k))
    return progress.latest(x, 0)


@row_function
def shown_by(m: Machine, x: Bank, a: Overlays, which: int) -> int:
    """The entry of the one object, patch or grid that an overlay shows; less than zero if it cannot be made."""
    kind, source, price = overlay.kind(a, which), overlay.source(a, which), overlay.price(a, which)
    sort = entry.kind(x, source)
    if kind == EXCHANGED:
        return applied(m, x, PLACES, price, source, overlay.plain(a, which), 0)
    if kind == CHANGES:
        return applied(m, x, CHANGED, price, source, 0, 0)
    if sort == OBJECTS:
        return applied(m, x, MERGE, price, source, 0, 0)
    if sort == PATCHES:
        return applied(m, x, MERGE_PATCHES, price, source, 0, 0)
    return source


@row_function
def laid_over(m: Machine, x: Bank, a: Overlays, below: int, which: int) -> int:
    """The entry of a grid with an overlay over it."""
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
def take_offers(m: Machine, x: Bank, a: Overlays) -> None:
    """Make the answers that are offered."""
    for n in range(known.offered(a, 0)):
        below = offered.bottom(a, n)
        for k in range(offered.used(a, n)):
            if below >= 0 and not state.full(m, 0):
                below = laid_over(m, x, a, below, offered.over(a, n, k))


@row_function
def assemble(m: Machine, x: Bank, a: Overlays) -> None:
    """Put answers together of what an exploration has found."""
    bits = 0
    for r in range(limits.demonstrations(x, 0)):
        a.firsts[r] = bits
        bits += area_of(x.expected[r])
    known.set_words(a, 0, (bits + WIDEST - 1) // WIDEST)
    for sort in (GRID, OBJECT, PATCH):
        value_class.set_capacity(x, sort, value_class.capacity(x, sort) + RESERVE)
    find_overlays(m, x, a)
    find_offers(m, x, a)
    take_offers(m, x, a)


@row_function
def explore(g: GroupTables, p: Plan, s: Slot, x: Bank, a: Overlays, constants: int) -> int:
    """Enumerate expressions for a task, and put answers together if none is found; how many are right.

    A bank with entries was enumerated elsewhere. If the plan has no room, the group says so, and nothing is done.
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
