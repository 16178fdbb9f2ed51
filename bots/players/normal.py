"""Normal: a stable heuristic that weighs its cards against what it has seen of the others' (weighing.py)."""

import random

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.bots.knowing.sight import Sight, unlikely
from durak.bots.players.habits import add_nothing, leads, settle, throws
from durak.bots.players.weights import weights_for
from durak.bots.search.weighing import PASS, TAKE, beat, lead, throw
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Take, Throw
from durak.protocol.rules.bits import SEAT_BIT, ranks_of
from durak.protocol.rules.cards import INDEX, PACK, SUITS, set_of
from durak.protocol.rules.layout import ALL_CARDS, PACK_SIZE, RANK_IN_ALL_SUITS
from durak.protocol.rules.view import GameView


class Normal:
    """Always plays the same in the same position."""

    cheap = True

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        if not view.legal or view.phase not in ("lead", "bout"):
            return settle(view)
        sight = sight_of(view, memory)
        weights = weights_for(view.players, stock=view.stock > 0)
        if leads(view):
            return Lead(PACK[lead(sight, weights)])
        if Take() in view.legal:
            choice = beat(sight, weights)
            return Take() if choice == TAKE else Beat(PACK[choice % PACK_SIZE], PACK[sight.attack_cards[choice // PACK_SIZE]])
        card = throw(sight, weights) if throws(view) else PASS
        return add_nothing(view) if card == PASS else Throw(PACK[card])


def sight_of(view: GameView, memory: Memory) -> Sight:
    """What this seat sees of a bout."""
    assert view.hand is not None and view.attacker is not None and view.defender is not None
    me, public = memory.seat, memory.public
    sight = Sight()
    sight.me = me
    sight.trump = SUITS.index(view.trump)
    sight.hand = set_of(view.hand)
    sight.stock = view.stock
    sight.bottom = memory.trump_card
    sight.attacker = view.attacker
    sight.defender = view.defender
    sight.limit = view.limit
    sight.taking = view.taking
    sight.attacks = len(view.table)
    lying = 0
    for slot, pair in enumerate(view.table):
        sight.attack_cards[slot] = INDEX[pair.attack]
        lying |= set_of([pair.attack])
        if pair.beaten is None:
            sight.open_cards += 1
        else:
            sight.beat_cards[slot] = INDEX[pair.beaten]
            lying |= set_of([pair.beaten])
    sight.ranks = ranks_of(lying)
    others = [seat for seat in range(view.players) if seat != me]
    for seat in others:
        sight.known[seat] = public.known[seat]
        sight.barred[seat] = public.barred[seat] * RANK_IN_ALL_SUITS
        sight.doubted[seat] = unlikely(public.declined[seat] * RANK_IN_ALL_SUITS, public.unbeaten[seat], sight.trump)
        sight.counts[seat] = view.counts[seat]
        if seat in view.throwers and view.counts[seat]:
            sight.adders |= SEAT_BIT[seat]
    elsewhere = sum(public.known[seat] for seat in others)
    sight.pool = ALL_CARDS & ~(sight.hand | lying | public.discarded | memory.trump_card | elsewhere)
    return sight
