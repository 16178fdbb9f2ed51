"""A slow, plain reference of the rules, for differential tests of the real engine.

Written from RULES.md alone; the numbers in the docstrings are its paragraphs (1.13 is paragraph 13 of section 1). Cards
are strings ("10H"), everything else is a list. There is no time in here: whoever drives a game decides when a window,
the second of the early close or the offer period is over, and calls `close()` or `end_offer()`.
"""

from typing import Any

from tests.protocol.rules.reference_result import score
from tests.protocol.rules.reference_table import (
    DEFAULTS,
    PACK,
    PRESETS,
    ReferenceTable,
    Refused,
    height,
    rank_of,
    suit_of,
)

__all__ = ["DEFAULTS", "PACK", "PRESETS", "Reference", "Refused", "score"]


class Reference(ReferenceTable):
    """One game; make it with `deal` or `position`. Missing options are those of `classic`."""

    # ---- beginning --------------------------------------------------------------------------------------------------

    @classmethod
    def deal(
        cls,
        options: dict[str, Any],
        deck: list[str],
        players: int,
        first_seat: int = 0,
        previous_winner: int | None = None,
        persons: set[int] | None = None,
    ) -> "Reference":
        """A new game. `persons`: the seats with a person, None for all (3.5)."""
        game = cls(options, players)
        game.first_seat = first_seat
        game.previous_winner = previous_winner
        game.persons = persons
        game._deal(deck)
        return game

    @classmethod
    def position(
        cls,
        options: dict[str, Any],
        *,
        trump: str,
        hands: list[list[str]],
        stock: list[str],
        attacker: int,
        bout: int = 2,
    ) -> "Reference":
        """A game at the start of a bout, epoch 1. With an empty stock, seats without cards are out, as one group."""
        game = cls(options, len(hands))
        game.trump = trump
        game.trump_card = stock[-1] if stock else None
        game.hands = [list(hand) for hand in hands]
        game.stock = list(stock)
        in_play = stock + [card for hand in hands for card in hand]
        game.discard = [card for card in PACK if card not in in_play]
        game._go_out()
        game.bout = bout - 1
        game._start_bout(attacker)
        return game

    def _deal(self, deck: list[str]) -> None:
        """1.1 dealing, 1.2 the trump, 1.3 the shown card of six players, 3.4 the offer."""
        assert sorted(deck) == sorted(PACK)
        self.hands = [[] for _ in range(self.players)]
        for number in range(6 * self.players):
            self.hands[(self.first_seat + number) % self.players].append(deck[number])
        self.stock = deck[6 * self.players :]
        self.trump_card = deck[-1]
        self.trump = suit_of(deck[-1])
        self.shown_trump = None
        if not self.stock:
            self.shown_trump = ((self.first_seat - 1) % self.players, deck[-1])
        self.answered = []
        self.requested_deck = None
        self.phase = "redeal"
        offered = [seat for seat in range(self.players) if self._may_ask(seat)]
        if not self.options["redeal"] or (self.options["offer_ms"] == 0 and not offered):
            self._start_bout(self._who_begins())

    def _who_begins(self) -> int:
        """1.4 lowest trump, else the first seat; with `winner_leads` 3.5."""
        winner_leads = self.options["first_attacker"] == "winner_leads"
        if winner_leads and self.previous_winner is not None:
            return self.previous_winner
        trumps = [card for hand in self.hands for card in hand if suit_of(card) == self.trump]
        if trumps:
            lowest = min(trumps, key=height)
            seat = [lowest in hand for hand in self.hands].index(True)
            if winner_leads:
                self.opening_trump = (seat, lowest)
            return seat
        if winner_leads:
            return min(self.persons) if self.persons else 0
        return self.first_seat

    def _start_bout(self, attacker: int) -> None:
        """1.7 the limit, 1.16 a new bout raises the epoch, 1.24 a third time is a draw."""
        self.bout += 1
        self.epoch += 1
        self.phase = "lead"
        self.attacker = attacker
        self.defender = self._next_active(attacker)
        self.attackers_cards = []
        self.limit = min(6, len(self.hands[self.defender]))
        if self.bout == 1 and self.options["limit_first_bout"] is not None:
            self.limit = min(self.limit, self.options["limit_first_bout"])
        start = ([sorted(hand) for hand in self.hands], attacker, len(self.stock))
        self.bout_starts.append(start)
        if self.bout_starts.count(start) == 3:
            self.phase = "over"
            self.draw = True
            self.places = self._places([sorted(set(self._active() + self.left))])

    # ---- what happens -----------------------------------------------------------------------------------------------

    def act(
        self,
        seat: int,
        act: str,
        card: str | None = None,
        target: str | None = None,
        bout: int | None = None,
        epoch: int | None = None,
        deck: list[str] | None = None,
    ) -> None:
        """Do it, or raise `Refused` and change nothing. A redeal brings the `deck` to deal from (3.4)."""
        if self.phase != "over" and seat in range(self.players):
            self._check_stale(act, bout, epoch)
        self._check(seat, act, card, target)
        if act in ["lead", "throw"]:
            assert card is not None
            self._attack(seat, card)
        if act == "defend":
            assert card is not None
            self._defend(seat, card, self._target(seat, card, target))
        if act == "take":
            self._take()
        if act == "pass":
            self.passed.append(seat)
        if act in ["finish", "forfeit"]:  # 3.3
            self._end_bout(taken=act == "forfeit")
        if act == "keep":
            self._answer(seat, None)
        if act == "redeal":
            assert deck is not None
            assert sorted(deck) == sorted(PACK)
            self._answer(seat, deck)
        if act == "leave":
            self._leave(seat)

    def _play(self, seat: int, card: str) -> None:
        """A card leaves its hand; the shown trump of six players is then a card like any other (1.3)."""
        self.hands[seat].remove(card)
        if self.shown_trump is not None and self.shown_trump[1] == card:
            self.shown_trump = None

    def _attack(self, seat: int, card: str) -> None:
        """1.5 and 1.6; the opening trump is shown until the lead (3.5)."""
        self._play(seat, card)
        self.table.append((card, None))
        if seat == self.attacker:
            self.attackers_cards.append(card)
        self.phase = "bout"
        self.opening_trump = None

    def _defend(self, seat: int, card: str, target: str) -> None:
        """1.9; 1.13: a new rank cancels all passes."""
        new_rank = rank_of(card) not in self._table_ranks()
        self._play(seat, card)
        self.table[self.table.index((target, None))] = (target, card)
        if new_rank:
            self.passed = []
            self.epoch += 1

    def _take(self) -> None:
        """1.10; 1.13: it cancels all passes; 2.2: `after_take: immediate` ends the bout."""
        self.taking = True
        self.passed = []
        self.epoch += 1
        if self.options["after_take"] == "immediate":
            self._end_bout(taken=True)

    def _answer(self, seat: int, deck: list[str] | None) -> None:
        """3.4: the first request counts. Without an offer period answers act at once, else `end_offer` does."""
        self.answered.append(seat)
        if deck is not None and self.requested_deck is None:
            self.requested_deck = list(deck)
        if self.options["offer_ms"] == 0:
            offered = [other for other in range(self.players) if self._may_ask(other)]
            if self.requested_deck is not None or all(other in self.answered for other in offered):
                self.end_offer()

    def end_offer(self) -> None:
        """3.4: the offer is over: everything is dealt anew, or the first bout begins."""
        assert self.phase == "redeal"
        if self.requested_deck is not None:
            self.epoch += 1
            self._deal(self.requested_deck)
        else:
            self._start_bout(self._who_begins())

    def close(self) -> None:
        """The attack has ended: the defender chooses (3.3), or the bout ends (1.17)."""
        assert self.phase == "bout"
        assert self.taking or not self._open()
        if self.options["forfeit_defence"] and not self.taking:
            self.phase = "decide"
        else:
            self._end_bout(taken=self.taking)

    def _end_bout(self, taken: bool) -> None:
        """1.17, 1.18, 1.19, 1.20, then 1.21 or the next bout."""
        assert self.attacker is not None
        assert self.defender is not None
        if taken:
            self.hands[self.defender] += self._table_cards()
        else:
            self.discard += self._table_cards()
        self.table = []
        self.taking = False
        self.passed = []
        self._draw_cards(self.attacker, self.defender)
        gone_now = self._go_out()
        if self._is_decided():
            self._end_game()
            if self._gives_epaulettes(self.attacker, gone_now):
                self.giver = self.attacker
            return
        if taken or self.defender not in self._active():
            self._start_bout(self._next_active(self.defender))
        else:
            self._start_bout(self.defender)

    def _draw_cards(self, attacker: int, defender: int) -> None:
        """1.18: the attacker first, the others clockwise, the defender last; the trump card is the last card."""
        clockwise = [(attacker + step) % self.players for step in range(self.players)]
        for seat in [seat for seat in clockwise if seat != defender] + [defender]:
            while seat in self._active() and len(self.hands[seat]) < 6 and self.stock:
                self.hands[seat].append(self.stock.pop(0))

    def _go_out(self) -> list[int]:
        """1.19: an empty hand and an empty stock. Returns the seats that go out now; they share a place (1.21)."""
        gone_now = [seat for seat in self._active() if not self.hands[seat] and not self.stock]
        if gone_now:
            self.gone_out.append(gone_now)
        return gone_now

    def _leave(self, seat: int) -> None:
        """1.22: a loss, unless hand and stock are empty; the game goes on while two that have not left are active."""
        if not self.hands[seat] and not self.stock:
            self.left_free.append(seat)
            return
        self.left.append(seat)
        if self._is_decided():
            self._end_game()

    # ---- the end ----------------------------------------------------------------------------------------------------

    def _staying(self) -> list[int]:
        """The active seats that have not left."""
        return [seat for seat in self._active() if seat not in self.left]

    def _is_decided(self) -> bool:
        """1.21, and 1.22: when one seat that has not left remains active, the game ends at once."""
        return len(self._staying()) <= 1

    def _end_game(self) -> None:
        """1.21 the durak or a draw; 1.22 leavers: together at the end, the durak if there is only one of them."""
        self.phase = "over"
        self.places = self._places([self._staying(), sorted(self.left)])
        leavers_with_cards = [seat for seat in self._active() if seat in self.left]
        if not self._active():
            self.draw = True
        elif not leavers_with_cards:
            self.durak = self._staying()[0]
        elif len(self.left) == 1:
            self.durak = self.left[0]

    def _places(self, last: list[list[int]]) -> list[list[int]]:
        """1.21: in the order of going out, without leavers (1.22), then the `last` groups."""
        groups = [[seat for seat in group if seat not in self.left] for group in self.gone_out] + last
        return [group for group in groups if group]

    def _gives_epaulettes(self, attacker: int, gone_now: list[int]) -> bool:
        """3.7 and section 4: the attacker alone goes out, its last two cards of the bout are sixes, nobody left."""
        if not self.options["epaulettes"] or self.durak is None or gone_now != [attacker]:
            return False
        if self.durak in self.left or attacker in self.left:
            return False
        return [rank_of(card) for card in self.attackers_cards[-2:]] == ["6", "6"]

    def state(self) -> dict[str, Any]:
        """Everything there is to compare, as fresh lists."""
        return {
            "phase": self.phase,
            "attacker": self.attacker,
            "defender": self.defender,
            "trump": self.trump,
            "trump_card": self.trump_card,
            "hands": [sorted(hand) for hand in self.hands],
            "table": [list(pair) for pair in self.table],
            "stock": list(self.stock),
            "discarded": len(self.discard),
            "limit": self.limit,
            "taking": self.taking,
            "passed": sorted(self.passed),
            "out": self._out(),
            "left": list(self.left),
            "bout": self.bout,
            "epoch": self.epoch,
            "shown_trump": None if self.shown_trump is None else list(self.shown_trump),
            "opening_trump": None if self.opening_trump is None else list(self.opening_trump),
            "places": [list(group) for group in self.places],
            "durak": self.durak,
            "draw": self.draw,
            "forfeits": list(self.left),
            "epaulettes": self.giver is not None,
            "giver": self.giver,
        }
