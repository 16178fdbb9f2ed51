"""From what a seat has been told to a position, whose hidden hands and stock are still empty."""

from durak.bots.knowing.memory import Memory
from durak.bots.knowing.public import Public
from durak.bots.search.position import Position
from durak.protocol.rules.bits import SEAT_BIT, array, ranks_of
from durak.protocol.rules.cards import INDEX, SUITS, set_of
from durak.protocol.rules.game import kernel_for
from durak.protocol.rules.standing import PHASE_NUMBER
from durak.protocol.rules.view import GameView


def position_of(view: GameView, memory: Memory) -> Position:
    """The position as this seat sees it: its own hand, and what is public. Earlier bouts (RULES 1.24) play no part."""
    assert view.hand is not None and view.attacker is not None and view.defender is not None
    kernel = kernel_for(memory.rules, view.players)
    kernel.trump = SUITS.index(view.trump)
    kernel.hands[memory.seat] = set_of(view.hand)
    kernel.phase = PHASE_NUMBER[view.phase]
    kernel.bout = view.bout
    kernel.epoch = view.epoch
    kernel.attacker = view.attacker
    kernel.defender = view.defender
    for seat in view.throwers:
        kernel.throwers |= SEAT_BIT[seat]
    kernel.limit = view.limit
    kernel.taking = view.taking
    kernel.discard = memory.public.discarded
    kernel.attacks = len(view.table)
    lying = 0
    for slot, pair in enumerate(view.table):
        kernel.attack_cards[slot] = INDEX[pair.attack]
        kernel.attack_by[slot] = pair.by
        kernel.beat_cards[slot] = -1 if pair.beaten is None else INDEX[pair.beaten]
        kernel.open_cards += pair.beaten is None
        lying |= set_of([pair.attack, *([] if pair.beaten is None else [pair.beaten])])
    kernel.table_cards = lying
    kernel.ranks = ranks_of(lying)
    for seat in view.passed:
        kernel.passed |= SEAT_BIT[seat]
    for group, seats in enumerate(view.out):
        for seat in seats:
            kernel.out_rank[seat] = group
            kernel.active &= ~SEAT_BIT[seat]
    kernel.out_groups = len(view.out)
    for place, seat in enumerate(view.left):
        kernel.left |= SEAT_BIT[seat]
        kernel.left_order[seat] = place
    kernel.stock = array([0] * view.stock)
    public = Public()
    public.assign(memory.public)
    return Position(kernel, public)
