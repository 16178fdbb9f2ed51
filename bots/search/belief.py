"""Deals of the hidden cards that agree with what the others have done. Compiled where a compiler was there.

Every card that another seat has held without showing it came to it at some time: in the deal, or when it drew. A deal here says
which card came when. One is changed into the next by exchanging two cards, and a change that makes the others' decisions fit Normal
worse is mostly undone (Metropolis and others, 1953).
"""

import math
from typing import Final

from durak.bots.knowing.sight import Sight
from durak.bots.search.chance import Chance
from durak.bots.search.policy import Policy
from durak.bots.search.weighing import PASS, TAKE, beat, lead, throw
from durak.protocol.rules.bits import BIT, SEAT_BIT, count, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOST_PLAYERS, PACK_SIZE

LEADS: Final[i64] = 0
THROWS: Final[i64] = 1
BEATS: Final[i64] = 2
TAKES: Final[i64] = 3
PASSES: Final[i64] = 4
LACKS: Final[i64] = 5
"""Proved by an early close (RULES 1.14)."""

NOW: Final[i64] = 1_000_000
"""Later than everything."""
NOBODY: Final[i64] = -1
"""The seat of the stock, and of a card that may lie anywhere."""
UNFIT: Final[vec[i64]] = vec[i64]([1024, 102, 10, 1])
"""In 1024, how likely so many decisions are that Normal would have made otherwise: people do, and bots that are not Normal."""
OWN_WAY: Final = math.log(1 / 30)
UNLIKE: Final = math.log(0.4 / 0.033)
LIKE: Final = math.log(0.6 / 0.967)
"""How likely it is that a seat goes its own way rather than plays as Normal (logarithms of odds): at first, and what each decision
adds. In deals that fit it, Normal seems to decide otherwise one time in thirty; other good players do so four times in ten. More
doubt at first makes Hard stronger against these, and weaker against Normal (STRENGTH.md)."""
PROOF: Final[i64] = 3
"""What it counts if a hand has what it was proved to lack."""


class Decisions:
    """What other seats have done, an entry each: `seats`; `times`; `kinds`; `cards`, the card played or the set of cards lacked;
    `sights`, what the seat saw beside its hand; `others`, its hand and the cards that it did not see; `hands`, what all knew of it.
    """

    __slots__ = ("cards", "hands", "kinds", "others", "seats", "sights", "times")

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.times: list[int] = []
        self.kinds: list[int] = []
        self.cards: list[int] = []
        self.sights: list[Sight] = []
        self.others: list[int] = []
        self.hands: list[int] = []


class Belief:
    """One deal of the hidden cards, which `step` changes.

    One entry per place that a hidden card came to: `seats`, `since` when, and its `cards` now. One entry per card: `owner`, the
    seat that must have held it, `until` it was played. One entry per decision: as in Decisions, `hands` with what they are in this
    deal, and `unfit`, 0 if Normal would have decided the same.
    """

    __slots__ = (
        *("aside", "cards", "hands", "kinds", "new_hands", "new_unfit", "others", "owner", "played", "policy", "seats"),
        *("sights", "since", "times", "unfit", "until", "who"),
    )

    def __init__(
        self,
        policy: Policy,
        seats: list[int],
        since: list[int],
        cards: list[int],
        owner: list[int],
        until: list[int],
        decisions: Decisions,
    ) -> None:
        self.policy: Policy = policy
        self.seats: vec[i64] = vec[i64](seats)
        self.since: vec[i64] = vec[i64](since)
        self.cards: vec[i64] = vec[i64](cards)
        self.owner: vec[i64] = vec[i64](owner)
        self.until: vec[i64] = vec[i64](until)
        self.who: vec[i64] = vec[i64](decisions.seats)
        self.times: vec[i64] = vec[i64](decisions.times)
        self.kinds: vec[i64] = vec[i64](decisions.kinds)
        self.played: vec[i64] = vec[i64](decisions.cards)
        self.others: vec[i64] = vec[i64](decisions.others)
        self.hands: vec[i64] = vec[i64](decisions.hands)
        self.new_hands: vec[i64] = vec[i64](decisions.hands)
        self.unfit: vec[i64] = vec[i64]([0] * len(decisions.seats))
        self.new_unfit: vec[i64] = vec[i64]([0] * len(decisions.seats))
        self.sights: list[Sight] = decisions.sights
        self.aside: vec[i64] = vec[i64]([0] * len(seats))  # room to work in
        for which in range(i64(len(self.who))):
            hand = self.hands[which]
            for place in range(i64(len(self.seats))):
                card = self.cards[place]
                if self.seats[place] == self.who[which] and self.since[place] < self.times[which] <= self.until[card]:
                    hand |= BIT[card]
            self.hands[which] = hand
            self.unfit[which] = self.judged(which, hand)

    def judged(self, which: i64, hand: i64) -> i64:
        """What counts against this hand: 1 if Normal with it would have decided otherwise, PROOF if it cannot be."""
        kind = self.kinds[which]
        played = self.played[which]
        if kind == LACKS:
            return PROOF if hand & played else 0
        sight = self.sights[which]
        sight.hand = hand
        sight.pool = self.others[which] & ~hand
        weights = self.policy.some if sight.stock else self.policy.none
        if kind == LEADS:
            fits = lead(sight, weights) == played
        elif kind == THROWS:
            fits = throw(sight, weights) == played
        elif kind == PASSES:
            fits = throw(sight, weights) == PASS
        elif kind == TAKES:
            fits = beat(sight, weights) == TAKE
        else:
            choice = beat(sight, weights)
            fits = choice != TAKE and choice % PACK_SIZE == played
        return 0 if fits else 1

    def may_come(self, card: i64, place: i64) -> bool:
        """Whether a card may have come to a place."""
        owner = self.owner[card]
        return owner == NOBODY or (owner == self.seats[place] and self.since[place] < self.until[card])

    def step(self, chance: Chance) -> None:
        """Exchange two cards, if the decisions then fit well enough."""
        number: i64 = len(self.seats)
        if number < 2:
            return
        one = chance.below(number)
        two = chance.below(number)
        if self.seats[one] == self.seats[two] and self.since[one] == self.since[two]:
            return
        first = self.cards[one]
        second = self.cards[two]
        if not (self.may_come(first, two) and self.may_come(second, one)):
            return
        seat_one = self.seats[one]
        seat_two = self.seats[two]
        first_until = self.until[first]
        second_until = self.until[second]
        worse: i64 = 0
        decisions: i64 = len(self.who)
        for which in range(decisions):
            seat = self.who[which]
            time = self.times[which]
            gone: i64 = 0
            come: i64 = 0
            if seat == seat_one and self.since[one] < time:
                if time <= first_until:
                    gone |= BIT[first]
                if time <= second_until:
                    come |= BIT[second]
            if seat == seat_two and self.since[two] < time:
                if time <= second_until:
                    gone |= BIT[second]
                if time <= first_until:
                    come |= BIT[first]
            hand = self.hands[which]
            new = hand & ~gone | come
            self.new_hands[which] = new
            self.new_unfit[which] = self.unfit[which] if new == hand else self.judged(which, new)
            worse += self.new_unfit[which] - self.unfit[which]
        if worse > 0 and (worse > 3 or chance.below(1024) >= UNFIT[worse]):
            return
        self.cards[one] = second
        self.cards[two] = first
        for which in range(decisions):
            self.hands[which] = self.new_hands[which]
            self.unfit[which] = self.new_unfit[which]

    def choosers(self, chance: Chance) -> i64:
        """A set of seats that go their own way: each is drawn as likely as its decisions in this deal make that."""
        seats: i64 = 0
        for seat in range(MOST_PLAYERS):
            odds = OWN_WAY
            for which in range(i64(len(self.who))):
                if self.who[which] == seat and self.kinds[which] != LACKS:
                    odds += UNLIKE if self.unfit[which] else LIKE
            if float(int(chance.below(1024))) * (1.0 + math.exp(-odds)) < 1024.0:
                seats |= SEAT_BIT[seat]
        return seats

    def put(self, kernel: Kernel, sight: Sight, chance: Chance) -> None:
        """Put the cards of this deal into the hands and the stock of a game; those of the stock, but the bottom, in any order.

        `sight`: of the seat that believes this. What has left the game unseen lies among the cards of the stock.
        """
        for seat in range(kernel.players):
            if seat != sight.me:
                kernel.hands[seat] = sight.known[seat]
        top: i64 = 0
        for place in range(i64(len(self.seats))):
            card = self.cards[place]
            seat = self.seats[place]
            if seat == NOBODY:
                self.aside[top] = card
                top += 1
            elif self.until[card] == NOW:
                kernel.hands[seat] |= BIT[card]
        stock = vec[i64]([0] * int(sight.stock))
        hidden = sight.stock - count(sight.bottom)
        for place in range(hidden):
            other = place + chance.below(top - place)
            stock[place] = self.aside[other]
            self.aside[other] = self.aside[place]
        if sight.bottom:
            stock[hidden] = index(sight.bottom)
        kernel.stock = stock
        kernel.stock_top = 0
