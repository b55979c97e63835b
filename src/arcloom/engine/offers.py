"""Answers put together after an exploration: a grid of the bank that is right but for some places, and layers over it.

Layers have no wrong cell in any demonstration, so their order does not matter: a grid with layers that together cover
its wrong places is an answer.
"""

from typing import Any

from arcloom.engine import pointer
from arcloom.engine.explore import (
    CAPACITY,
    COST,
    DEMONSTRATIONS,
    ENTRY,
    FIRST,
    FOUND,
    LATEST,
    MEMBERS,
    OPERATION,
    OPERATIONS,
    PLACE,
    PRICE,
    SORT,
    SORT_WORDS,
    Exploring,
    attempt,
    enumerate_all,
)
from arcloom.engine.hashing import mixed
from arcloom.engine.layers import (
    BOTTOMS,
    CHANGES,
    COLOURED,
    EXCHANGED,
    FILLED,
    GRID,
    INK,
    KIND,
    LAYER,
    LAYER_PRICE,
    LAYERS,
    MADE,
    OBJECT,
    OBJECTS,
    OFFERED,
    PATCH,
    PATCHES,
    PLAIN,
    SOURCE,
    WIDEST,
    WORDS,
    Assembling,
    find_layers,
    has_shapes,
)
from arcloom.engine.machine import FULL, Machine
from arcloom.engine.words import area_of, corner_of, row_function

base: Any = pointer.base

ONTO, PAINT, FILL, CHANGED, PLACES, FILL_OBJECT, MERGE, MERGE_PATCHES = range(8)
"""The operations that make answers of them, behind those that are explored."""

BOTTOM, TOTAL, USED, OVER, DEEPEST = 0, 1, 2, 3, 4
"""An offer: its lowest grid, its price, how many layers it has, and from OVER on, which."""

OFFER = OVER + DEEPEST
OFFERS = 48
"""So many answers are made of a task's layers."""

RESERVE = 1000
"""So many entries of a sort have room beside those that exploring may find."""


@row_function
def find_wrong(m: Machine, x: Exploring, a: Assembling, entry: int) -> int:
    """Mark where a grid is wrong, and give the mask's hash; zero if layers do not cover all of that."""
    place, words = x.bank[ENTRY * entry + PLACE], a.known[WORDS]
    for k in range(words):
        a.wrong[k] = 0
    for r in range(x.sizes[DEMONSTRATIONS]):
        shown, wanted = corner_of(m.columns[place + r]), corner_of(x.expected[r])
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
def is_new(a: Assembling, hash: int) -> bool:
    """Whether no cheaper grid is wrong at just the same places."""
    count = a.known[BOTTOMS]
    if count >= LAYERS:
        return False
    for k in range(count):
        if a.bottoms[k] == hash:
            return False
    a.bottoms[count] = hash
    a.known[BOTTOMS] = count + 1
    return True


@row_function
def bits_in(word: int) -> int:
    """How many bits of a word are set."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0x7F


@row_function
def covered(a: Assembling, layer: int) -> int:
    """How many of the wrong places a layer covers."""
    words, count = a.known[WORDS], 0
    for k in range(words):
        both = a.wrong[k] & a.masks[layer * words + k]
        if both:
            count += bits_in(both)
    return count


@row_function
def covers(a: Assembling, layer: int) -> bool:
    """Whether a layer covers all wrong places."""
    words, left = a.known[WORDS], 0
    for k in range(words):
        left |= a.wrong[k] & ~a.masks[layer * words + k]
        if left:
            return False
    return True


@row_function
def offer(a: Assembling, price: int) -> int:
    """Where an offer of this price is to be written, so that offers stay in order; less than zero if it is not
    wanted."""
    count = a.known[OFFERED]
    if count == OFFERS and a.offers[OFFER * (count - 1) + TOTAL] <= price:
        return -1
    at = min(count, OFFERS - 1)
    while at > 0 and a.offers[OFFER * (at - 1) + TOTAL] > price:
        for k in range(OFFER):
            a.offers[OFFER * at + k] = a.offers[OFFER * (at - 1) + k]
        at -= 1
    a.known[OFFERED] = min(count + 1, OFFERS)
    a.offers[OFFER * at + TOTAL] = price
    return OFFER * at


@row_function
def offer_single(x: Exploring, a: Assembling, entry: int) -> bool:
    """Offer a grid with each layer that covers all that is wrong; whether there is one."""
    found = False
    for layer in range(a.known[MADE]):
        if a.layers[LAYER * layer + SOURCE] != entry and covers(a, layer):
            found = True
            at = offer(a, x.bank[ENTRY * entry + PRICE] + a.layers[LAYER * layer + LAYER_PRICE])
            if at < 0:
                return True
            a.offers[at + BOTTOM], a.offers[at + USED], a.offers[at + OVER] = entry, 1, layer
    return found


@row_function
def best_layer(a: Assembling) -> int:
    """The first of the layers that cover most of what is wrong."""
    best, most = -1, 0
    for layer in range(a.known[MADE]):
        count = covered(a, layer)
        if count > most:
            best, most = layer, count
    return best


@row_function
def offer_several(x: Exploring, a: Assembling, entry: int) -> None:
    """Offer a grid with layers of which each covers as much as it can of what is still wrong."""
    price, used = x.bank[ENTRY * entry + PRICE], 0
    words, chosen = a.known[WORDS], a.offers
    scratch = OFFER * OFFERS
    while used < DEEPEST:
        layer = best_layer(a)
        chosen[scratch + used] = layer
        used += 1
        price += a.layers[LAYER * layer + LAYER_PRICE]
        left = 0
        for k in range(words):
            a.wrong[k] &= ~a.masks[layer * words + k]
            left |= a.wrong[k]
        if not left:
            at = offer(a, price + used)
            if at >= 0:
                a.offers[at + BOTTOM], a.offers[at + USED] = entry, used
                for k in range(used):
                    a.offers[at + OVER + k] = chosen[scratch + k]
            return


@row_function
def find_offers(m: Machine, x: Exploring, a: Assembling) -> None:
    """Look for layers for each grid that has the right shape."""
    here = SORT_WORDS * GRID
    for n in range(x.sorts[here + MEMBERS]):
        entry = x.members[x.sorts[here + FIRST] + n]
        if has_shapes(m, x, entry):
            hash = find_wrong(m, x, a, entry)
            if hash and is_new(a, hash) and not offer_single(x, a, entry):
                offer_several(x, a, entry)


@row_function
def applied(m: Machine, x: Exploring, which: int, price: int, first: int, second: int, third: int) -> int:
    """The entry that has what one of the operations of layers makes; less than zero if it makes nothing."""
    k = x.sizes[OPERATIONS] + which
    x.args[0], x.args[1], x.args[2] = first, second, third
    attempt(m, x, k, price + x.operations[OPERATION * k + COST])
    return x.progress[LATEST]


@row_function
def shown_by(m: Machine, x: Exploring, a: Assembling, layer: int) -> int:
    """The entry of the one object, patch or grid that a layer shows; less than zero if it cannot be made."""
    here = LAYER * layer
    kind, source, price = a.layers[here + KIND], a.layers[here + SOURCE], a.layers[here + LAYER_PRICE]
    sort = x.bank[ENTRY * source + SORT]
    if kind == EXCHANGED:
        return applied(m, x, PLACES, price, source, a.layers[here + PLAIN], 0)
    if kind == CHANGES:
        return applied(m, x, CHANGED, price, source, 0, 0)
    if sort == OBJECTS:
        return applied(m, x, MERGE, price, source, 0, 0)
    if sort == PATCHES:
        return applied(m, x, MERGE_PATCHES, price, source, 0, 0)
    return source


@row_function
def laid_over(m: Machine, x: Exploring, a: Assembling, below: int, layer: int) -> int:
    """The entry of a grid with a layer over it."""
    kind, ink = a.layers[LAYER * layer + KIND], a.layers[LAYER * layer + INK]
    price = x.bank[ENTRY * below + PRICE] + a.layers[LAYER * layer + LAYER_PRICE]
    shown = shown_by(m, x, a, layer)
    if shown < 0:
        return -1
    if kind == COLOURED:
        return applied(m, x, ONTO, price, below, shown, 0)
    if kind in (FILLED, EXCHANGED):
        how = FILL_OBJECT if x.bank[ENTRY * shown + SORT] == OBJECT else FILL
        return applied(m, x, how, price, below, ink, shown)
    return applied(m, x, PAINT, price, below, shown, 0)


@row_function
def take_offers(m: Machine, x: Exploring, a: Assembling) -> None:
    """Make the answers that are offered."""
    for n in range(a.known[OFFERED]):
        below = a.offers[OFFER * n + BOTTOM]
        for k in range(a.offers[OFFER * n + USED]):
            if below >= 0 and not m.state[FULL]:
                below = laid_over(m, x, a, below, a.offers[OFFER * n + OVER + k])


@row_function
def assemble(m: Machine, x: Exploring, a: Assembling) -> None:
    """Put answers together of what an exploration has found."""
    bits = 0
    for r in range(x.sizes[DEMONSTRATIONS]):
        a.firsts[r] = bits
        bits += area_of(x.expected[r])
    a.known[WORDS] = (bits + WIDEST - 1) // WIDEST
    for sort in (GRID, OBJECT, PATCH):
        x.sorts[SORT_WORDS * sort + CAPACITY] += RESERVE
    find_layers(m, x, a)
    find_offers(m, x, a)
    take_offers(m, x, a)


@row_function
def explore(
    nodes: Any, links: Any, frames: Any, addresses: Any, times: Any, opened: Any, places: Any, seen: Any, work: Any,
    columns: Any, heap: Any, cells: Any, state: Any, orders: Any, clock: Any,
    operations: Any, lists: Any, sorts: Any, bank: Any, members: Any, starts: Any, table: Any, expected: Any,
    progress: Any, sizes: Any, args: Any, layers: Any, masks: Any, union: Any, wrong: Any, firsts: Any, inks: Any,
    offers: Any, bottoms: Any, known: Any, givens: Any, given_words: Any,
) -> int:  # fmt: skip
    """Explore a task, and put answers together if there is none; how many are right."""
    m = Machine(
        base(nodes), base(links), base(frames), base(addresses), base(times), base(opened), base(places), base(seen),
        base(work), base(columns), base(heap), base(cells), base(state), base(orders), base(clock),
    )  # fmt: skip
    x = Exploring(
        base(operations), base(lists), base(sorts), base(bank), base(members), base(starts), base(table),
        base(expected), base(progress), base(sizes), base(args),
    )  # fmt: skip
    a = Assembling(
        base(layers), base(masks), base(union), base(wrong), base(firsts), base(inks), base(offers), base(bottoms),
        base(known),
    )  # fmt: skip
    enumerate_all(m, x, givens, given_words)
    if not progress[FOUND] and not state[FULL]:
        assemble(m, x, a)
    return progress[FOUND]
