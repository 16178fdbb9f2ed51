"""What the others have done, told again from the beginning of the game: how they came to their cards, and what each of them saw."""

from typing import Final

from durak.bots.knowing.memory import Entry, Memory, Silence, of_the_table
from durak.bots.knowing.sight import Sight, unlikely
from durak.bots.players.weights import policy_for
from durak.bots.search.belief import BEATS, LACKS, LEADS, NOBODY, NOW, PASSES, TAKES, THROWS, Belief, Decisions
from durak.bots.search.chance import Chance
from durak.protocol.messages import ViewerEvent
from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.cards import INDEX, PACK, set_of
from durak.protocol.rules.events import (
    Answered,
    Attacked,
    Beaten,
    BoutBegan,
    BoutEnded,
    Deciding,
    GameEvent,
    GameOver,
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.game import throw_in_code
from durak.protocol.rules.layout import ALL_CARDS, RANK_IN_ALL_SUITS
from durak.protocol.rules.state import throwers_of
from durak.protocol.rules.view import DealtSeen, DrewSeen, GameView, ShownCard


def belief_of(memory: Memory, players: int, sight: Sight, chance: Chance) -> Belief | None:
    """A first deal of the hidden cards and all decisions that it has to fit; None where the history has a gap."""
    history = History(memory, players, sight.trump)
    seats, since = [seat for seat, _ in history.origins], [time for _, time in history.origins]
    owner, until = [int(NOBODY)] * len(PACK), [int(NOW)] * len(PACK)
    cards = [-1] * len(seats)
    free = list(range(len(seats)))

    def settle(card: int, seat: int, before: int) -> bool:
        fitting = [place for place in free if seats[place] == seat and since[place] < before]
        if fitting:
            place = fitting[chance.below(len(fitting))]
            free.remove(place)
            cards[place], owner[card], until[card] = card, seat, before
        return bool(fitting)

    for card, seat, time in history.plays:
        if not settle(card, seat, time):
            return None
    for seat in range(players):
        for card in _members(sight.known[seat] & ~history.held[seat]):
            if not settle(card, seat, int(NOW)):
                return None
    pool = _members(sight.pool)
    for seat in range(players):
        hidden = sum(seats[place] == seat for place in free)
        if seat != memory.seat and hidden != sight.counts[seat] - len(_members(sight.known[seat])):
            return None
    in_stock = len(pool) - len(free)
    if in_stock < sight.stock - len(_members(sight.bottom)):
        return None
    for number, place in enumerate([*free, *range(len(seats), len(seats) + in_stock)]):
        other = number + chance.below(len(pool) - number)
        pool[number], pool[other] = pool[other], pool[number]
        if place < len(seats):
            cards[place] = pool[number]
        else:
            cards.append(pool[number])
    seats += [int(NOBODY)] * in_stock
    since += [0] * in_stock
    return Belief(policy_for(players), seats, since, cards, owner, until, history.decisions)


def _members(cards: int) -> list[int]:
    return [card for card in range(len(PACK)) if cards >> card & 1]


DECISIONS: Final[dict[type[GameEvent], int]] = {Led: int(LEADS), ThrewIn: int(THROWS)}
"""Attacks that a player like Normal chooses."""


class History(Memory):
    """A memory that goes once more through all that another one has been told.

    `origins`: the seat and the time of each card that another seat was dealt or drew unseen; `plays`: each such card played, its
    seat and the time; `held`, by seat: cards in its hand that all have seen it take up. Times count what was told.
    """

    def __init__(self, memory: Memory, players: int, trump: int) -> None:
        super().__init__(memory.seat, memory.rules)
        self.players, self.trump, self.throw_in = players, trump, throw_in_code(memory.rules)
        self.begin([0] * players)
        for entry in memory.entries:
            self._follow(entry)

    def begin(self, counts: list[int]) -> None:
        """Hands of these sizes have been dealt."""
        self.time = 0
        self.decisions = Decisions()
        self.counts = list(counts)
        self.origins = [(seat, 0) for seat, number in enumerate(counts) if seat != self.seat for _ in range(number)]
        self.plays: list[tuple[int, int, int]] = []
        self.held = [0] * self.players
        self.gone = 0
        self.attacker = self.defender = self.limit = 0
        self.taking = False
        self.table: list[list[int]] = []

    def _follow(self, entry: Entry) -> None:
        self.time += 1
        match entry:
            case GameView():
                self.begin(entry.counts)
                self.time = 1
                self.restart(entry)
                for group in entry.out:
                    self.gone |= sum(SEAT_BIT[seat] for seat in group)
                self.attacker, self.defender = entry.attacker or 0, entry.defender or 0
                self.limit, self.taking = entry.limit, entry.taking
                self.table = [[INDEX[pair.attack], INDEX[pair.beaten] if pair.beaten else -1] for pair in entry.table]
            case Silence(seats=seats, ranks=ranks):
                self.public.nobody_adds(seats, ranks)
                for seat in range(self.players):
                    if seats & SEAT_BIT[seat] and seat != self.seat:
                        self._decided(seat, int(LACKS), ranks * RANK_IN_ALL_SUITS)
            case ShownCard(seat=seat, card=card):
                self.public.known[seat] |= set_of([card])
            case _:
                self._notice(entry)
                self._fold(entry)

    def _notice(self, event: ViewerEvent) -> None:
        match event:
            case DealtSeen(counts=counts):
                self.begin(counts)
                self.time = 1
            case BoutBegan(attacker=attacker, defender=defender, limit=limit):
                self.attacker, self.defender, self.limit = attacker, defender, limit
            case Attacked(seat=seat, card=card):
                if type(event) in DECISIONS:
                    self._decided(seat, DECISIONS[type(event)], INDEX[card])
                self._give(seat, INDEX[card])
                self.table.append([INDEX[card], -1])
            case Beaten(seat=seat, target=target, card=card):
                self._decided(seat, int(BEATS), INDEX[card])
                self._give(seat, INDEX[card])
                self.table = [[attack, INDEX[card] if attack == INDEX[target] else beaten] for attack, beaten in self.table]
            case Took(seat=seat):
                self._decided(seat, int(TAKES), 0)
                self.taking = True
            case Passed(seat=seat):
                if self.limit > len(self.table):
                    self._decided(seat, int(PASSES), 0)
            case BoutEnded(outcome=outcome, seat=seat, cards=cards):
                self.taking = False
                self.table = []
                if outcome == "taken":
                    self.held[seat] |= set_of(cards)
                    self.counts[seat] += len(cards)
            case DrewSeen(seat=seat, count=count):
                self.counts[seat] += count
                if seat != self.seat:
                    if count == self.stock:  # the last card is the trump card, which all know (RULES 1.18)
                        self.held[seat] |= self.trump_card
                        count -= 1
                    self.origins += [(seat, self.time)] * count
            case WentOut(seats=seats):
                self.gone |= sum(SEAT_BIT[seat] for seat in seats)
            case Left(seat=seat):
                self.gone |= SEAT_BIT[seat]
            case Answered() | Deciding() | GameOver():
                pass  # nobody's hand or choice is seen
            case _:
                of_the_table(event)

    def _give(self, seat: int, card: int) -> None:
        """A card leaves a hand."""
        self.counts[seat] -= 1
        if self.held[seat] >> card & 1:
            self.held[seat] &= ~(1 << card)
        elif seat != self.seat:
            self.plays.append((card, seat, self.time))

    def _decided(self, seat: int, kind: int, cards: int) -> None:
        """Another seat has decided."""
        if seat == self.seat:
            return
        sight = self._sight_of(seat)
        decisions = self.decisions
        decisions.seats.append(seat)
        decisions.times.append(self.time)
        decisions.kinds.append(kind)
        decisions.cards.append(cards)
        decisions.sights.append(sight)
        decisions.others.append(sight.pool)
        decisions.hands.append(self.held[seat])

    def _sight_of(self, me: int) -> Sight:
        """What this seat saw; its hand counts to the cards that may lie anywhere."""
        public = self.public
        sight = Sight()
        sight.me, sight.trump, sight.stock, sight.bottom = me, self.trump, self.stock, self.trump_card
        sight.attacker, sight.defender, sight.limit, sight.taking = self.attacker, self.defender, self.limit, self.taking
        sight.attacks, sight.ranks = len(self.table), self.ranks
        elsewhere = public.discarded | self.trump_card
        for slot, (attack, beaten) in enumerate(self.table):
            sight.attack_cards[slot], sight.beat_cards[slot] = attack, beaten
            sight.open_cards += beaten < 0
            elsewhere |= 1 << attack | (1 << beaten if beaten >= 0 else 0)
        active = sum(SEAT_BIT[: self.players]) & ~self.gone
        throwers = throwers_of(self.throw_in, active, self.attacker, self.defender) & active
        for seat in range(self.players):
            if seat != me:
                elsewhere |= public.known[seat]
                sight.known[seat], sight.counts[seat] = public.known[seat], self.counts[seat]
                sight.barred[seat] = public.barred[seat] * RANK_IN_ALL_SUITS
                sight.doubted[seat] = unlikely(public.declined[seat] * RANK_IN_ALL_SUITS, public.unbeaten[seat], self.trump)
                if throwers & SEAT_BIT[seat] and self.counts[seat]:
                    sight.adders |= SEAT_BIT[seat]
        sight.pool = ALL_CARDS & ~elsewhere
        return sight
