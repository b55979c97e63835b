"""Answers put together after an exploration: a grid of the bank that is right but for some places, and over it layers
that are right wherever they show anything.

A layer is what a grid shows that is not black, what it changes in the input, an object, or places in one colour: those
of a patch or of objects, or those where a grid has some colour. Only layers without a wrong cell in any demonstration
are looked at, so their order does not matter: a grid with layers that together cover its wrong places is an answer.
Sets of cells of all demonstrations are bit masks.
"""

from typing import Any, NamedTuple

from arcloom.engine import pointer
from arcloom.engine.explore import (
    CAPACITY,
    COST,
    COUNT,
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
    SCORE,
    SORT,
    SORT_WORDS,
    Exploring,
    attempt,
    enumerate_all,
)
from arcloom.engine.hashing import mixed
from arcloom.engine.machine import FULL, Machine
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

base: Any = pointer.base

GRID, OBJECT, OBJECTS, PATCH, PATCHES, COLOUR = range(6)
"""The sorts of what is put together."""

COLOURED, CHANGES, PAINTED, FILLED, EXCHANGED = range(5)
"""Kinds of layers: what a grid shows that is not black, what it changes in the input, an object, places in a colour,
and where a grid has one colour in another."""

ONTO, PAINT, FILL, CHANGED, PLACES, FILL_OBJECT, MERGE, MERGE_PATCHES = range(8)
"""The operations that make answers of them, behind those that are explored."""

KIND, SOURCE, INK, PLAIN, LAYER_PRICE, HASHED, LAYER = range(7)
"""A layer: its kind, the entry that it shows, the entry of its colour, that of the colour it has instead of, its price,
and its mask's hash."""

COLOURS = 10

BOTTOM, TOTAL, USED, OVER, DEEPEST = 0, 1, 2, 3, 4
"""An offer: its lowest grid, its price, how many layers it has, and from OVER on, which."""

OFFER = OVER + DEEPEST
LAYERS, OFFERS = 2048, 48
"""So many layers are kept of a task, and so many answers made of them."""

RESERVE = 1000
"""So many entries of a sort have room beside those that exploring may find."""

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
) -> None:  # fmt: skip
    """Explore a task, and put answers together if there is none."""
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
