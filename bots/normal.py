"""Normal: a stable heuristic that weighs its cards against what it has seen of the others' (weighing.py)."""

import random

from durak.bots.bot import Budget
from durak.bots.habits import add_nothing, leads, settle, throws
from durak.bots.memory import SEATS, Memory
from durak.bots.sight import Sight
from durak.bots.weighing import PASS, TAKE, beat, lead, throw
from durak.bots.weights import weights_for
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Take, Throw
from durak.protocol.rules.cards import INDEX, PACK, SUITS, set_of
from durak.protocol.rules.kernel import ALL_CARDS, BEATERS, RANK_IN_ALL_SUITS, TRUMPS
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
            return Take() if choice == TAKE else Beat(PACK[choice % 36], PACK[sight.attacks[choice // 36]])
        card = throw(sight, weights) if throws(view) else PASS
        return add_nothing(view) if card == PASS else Throw(PACK[card])


def sight_of(view: GameView, memory: Memory) -> Sight:
    """What this seat sees of a bout."""
    assert view.hand is not None and view.attacker is not None and view.defender is not None
    me = memory.seat
    gone = [seat for group in view.out for seat in group]
    active = [seat for seat in range(view.players) if seat not in gone]
    sight = Sight()
    sight.me = me
    sight.trump = SUITS.index(view.trump)
    sight.hand = set_of(view.hand)
    sight.stock = view.stock
    sight.attacker = view.attacker
    sight.defender = view.defender
    sight.limit = view.limit
    sight.taking = view.taking
    sight.attacks = [INDEX[pair.attack] for pair in view.table]
    sight.beats = [-1 if pair.beaten is None else INDEX[pair.beaten] for pair in view.table]
    lying = 0
    for card in sight.attacks + sight.beats:
        if card >= 0:
            sight.ranks |= 1 << card % 9
            lying |= 1 << card
    sight.counts = view.counts + [0] * (SEATS - view.players)
    sight.known = [0 if seat == me else known for seat, known in enumerate(memory.known)]
    sight.doubted = [_doubted(memory, seat, sight.trump) for seat in range(SEATS)]
    throwers = active if memory.rules.throw_in == "all" else [view.attacker]
    sight.adders = [seat for seat in throwers if seat not in (me, view.defender) and view.counts[seat]]
    sight.pool = ALL_CARDS & ~(sight.hand | lying | memory.discarded | memory.trump_card | sum(sight.known))
    return sight


def _doubted(memory: Memory, seat: int, trump: int) -> int:
    """Cards that the seat would probably have played: of ranks it passed on, or of the suit that beats what it took."""
    cards = memory.declined[seat] * RANK_IN_ALL_SUITS
    for card in range(36):
        if memory.unbeaten[seat] >> card & 1:
            cards |= BEATERS[trump * 36 + card] & TRUMPS[card // 9]
    return cards
