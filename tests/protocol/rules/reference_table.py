"""The reference of the rules, first part: cards, options, the state of a game and what is allowed in it.

See `reference.py`. The numbers in the docstrings are the paragraphs of RULES.md: 1.13 is paragraph 13 of section 1.
"""

from typing import Any

RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["S", "H", "D", "C"]
PACK = [rank + suit for suit in SUITS for rank in RANKS]
ACTS = ["lead", "throw", "defend", "take", "pass", "finish", "forfeit", "redeal", "keep", "leave"]

CLASSIC: dict[str, Any] = {
    "max_players": 6,
    "throw_in": "all",
    "throw_timing": "any",
    "after_take": "window",
    "window_ms": 8000,
    "close_ms": 1000,
    "first_attacker": "lowest_trump",
    "redeal": False,
    "forfeit_defence": False,
    "epaulettes": False,
    "limit_first_bout": None,
    "discreet": False,
    "series": True,
    "offer_ms": 6000,
    "transfer": False,
    "jokers": False,
    "pack": 36,
    "turn_clock_s": 30,
}
GAMEWEAVE: dict[str, Any] = CLASSIC | {
    "throw_in": "attacker_only",
    "throw_timing": "all_beaten",
    "after_take": "immediate",
    "window_ms": None,
    "close_ms": 0,
}
CHALLENGE: dict[str, Any] = CLASSIC | {
    "max_players": 2,
    "throw_in": "attacker_only",
    "throw_timing": "all_beaten",
    "window_ms": None,
    "close_ms": 0,
    "first_attacker": "winner_leads",
    "redeal": True,
    "forfeit_defence": True,
    "epaulettes": True,
}
PRESETS: dict[str, dict[str, Any]] = {"classic": CLASSIC, "gameweave": GAMEWEAVE, "challenge": CHALLENGE}
DEFAULTS = PRESETS


class Refused(Exception):
    """An action that the rules do not allow; nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def rank_of(card: str) -> str:
    """The rank: "10" of "10H"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit: "H" of "10H"."""
    return card[-1]


def height(card: str) -> int:
    """How high a card is within its suit, six lowest (1.1)."""
    return RANKS.index(rank_of(card))


def beats(card: str, attack: str, trump: str) -> bool:
    """1.9: the same suit and higher, or any trump on any plain card."""
    if suit_of(card) == suit_of(attack):
        return height(card) > height(attack)
    return suit_of(card) == trump


class ReferenceTable:
    """The state of one game, and what is allowed in it; nothing in here changes it."""

    def __init__(self, options: dict[str, Any], players: int) -> None:
        self.options = CLASSIC | options
        self.players = players
        self.first_seat = 0
        self.previous_winner: int | None = None
        self.persons: set[int] | None = None
        self.phase = "redeal"
        self.trump = ""
        self.trump_card: str | None = None
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.stock: list[str] = []
        self.discard: list[str] = []
        self.attacker: int | None = None
        self.defender: int | None = None
        self.table: list[tuple[str, str | None]] = []
        self.attackers_cards: list[str] = []  # played by the main attacker in this bout, in order (3.7)
        self.limit = 0
        self.taking = False
        self.passed: list[int] = []
        self.bout = 0
        self.epoch = 0
        self.gone_out: list[list[int]] = []  # one group of seats for each bout in which somebody went out (1.21)
        self.left: list[int] = []  # leavers, all with a loss (1.22)
        self.left_free: list[int] = []  # left with an empty hand and an empty stock: they count as staying (1.22)
        self.shown_trump: tuple[int, str] | None = None
        self.opening_trump: tuple[int, str] | None = None
        self.answered: list[int] = []  # seats that have answered the offer of a redeal
        self.requested_deck: list[str] | None = None  # of the first request in an offer period
        self.bout_starts: list[tuple[list[list[str]], int, int]] = []  # for 1.24
        self.places: list[list[int]] = []
        self.durak: int | None = None
        self.draw = False
        self.giver: int | None = None

    # ---- who is who -------------------------------------------------------------------------------------------------

    def _out(self) -> list[int]:
        """The seats that are out (1.19), in the order of going out."""
        return [seat for group in self.gone_out for seat in group]

    def _active(self) -> list[int]:
        out = self._out()
        return [seat for seat in range(self.players) if seat not in out]

    def _next_active(self, seat: int) -> int:
        """The next active seat clockwise; seats that are out are skipped (1.20)."""
        following = (seat + 1) % self.players
        while following not in self._active():
            following = (following + 1) % self.players
        return following

    def _throwers(self) -> list[int]:
        """1.6: every active seat but the defender; 2.1 and 3.1: the attacker only."""
        if self.options["throw_in"] == "attacker_only":
            return [seat for seat in self._active() if seat == self.attacker]
        return [seat for seat in self._active() if seat != self.defender]

    def _open(self) -> list[str]:
        """The attack cards not beaten yet."""
        return [attack for attack, beaten in self.table if beaten is None]

    def _table_cards(self) -> list[str]:
        return [card for pair in self.table for card in pair if card is not None]

    def _table_ranks(self) -> list[str]:
        return [rank_of(card) for card in self._table_cards()]

    def _limit_reached(self) -> bool:
        """1.7: beaten cards count, taking does not raise it."""
        return len(self.table) >= self.limit

    def _nothing_may_be_added(self) -> bool:
        """`after_take: none`."""
        return self.taking and self.options["after_take"] == "none"

    def _may_ask(self, seat: int) -> bool:
        """3.4: a seat dealt five or more cards of one suit."""
        suits = [suit_of(card) for card in self.hands[seat]]
        return any(suits.count(suit) >= 5 for suit in SUITS)

    # ---- what is allowed --------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> set[str]:
        """All legal actions of a seat (without leaving), as in "throw 7C" or "defend 7H with 8H"."""
        if seat not in range(self.players):
            return set()
        wishes: list[tuple[str, str, str | None, str | None]] = []
        for card in self.hands[seat]:
            wishes.append((f"lead {card}", "lead", card, None))
            wishes.append((f"throw {card}", "throw", card, None))
            wishes += [(f"defend {pair[0]} with {card}", "defend", card, pair[0]) for pair in self.table]
        wishes += [(act, act, None, None) for act in ["take", "pass", "finish", "forfeit", "redeal", "keep"]]
        allowed = set()
        for text, act, wished_card, target in wishes:
            try:
                self._check(seat, act, wished_card, target)
            except Refused:
                continue
            allowed.add(text)
        return allowed

    def _check(self, seat: int, act: str, card: str | None, target: str | None) -> None:
        """Refuse what is not allowed, change nothing."""
        if seat not in range(self.players):
            raise Refused("no_such_seat")
        if act not in ACTS:
            raise Refused("unknown_act")
        if self.phase == "over":
            raise Refused("wrong_phase")
        if seat in self._out():
            raise Refused("seat_out")
        if act == "lead":
            self._check_lead(seat, card)
        if act in ["throw", "defend", "take", "pass"]:
            self._check_in_bout(seat, act, card, target)
        if act in ["finish", "forfeit"]:  # 3.3
            if self.phase != "decide":
                raise Refused("wrong_phase")
            if seat != self.defender:
                raise Refused("not_your_role")
        # 3.4: answers are final
        if act in ["redeal", "keep"] and (self.phase != "redeal" or not self._may_ask(seat) or seat in self.answered):
            raise Refused("not_offered")
        if act == "leave" and (seat in self.left or seat in self.left_free):
            raise Refused("already_left")

    def _check_lead(self, seat: int, card: str | None) -> None:
        """1.5"""
        if self.phase in ["redeal", "decide"]:
            raise Refused("wrong_phase")
        if seat != self.attacker:
            raise Refused("not_your_role")
        if self.phase == "bout":
            raise Refused("table_not_empty")
        if card not in self.hands[seat]:
            raise Refused("not_in_hand")

    def _check_in_bout(self, seat: int, act: str, card: str | None, target: str | None) -> None:
        if self.phase in ["redeal", "decide"]:
            raise Refused("wrong_phase")
        if self.phase == "lead":
            raise Refused("table_empty")
        if act == "throw":
            self._check_throw(seat, card)
        if act == "pass":
            self._check_pass(seat)
        if act in ["defend", "take"]:
            if seat != self.defender:
                raise Refused("not_your_role")
            if self.taking:  # 1.10: final
                raise Refused("already_taking")
        if act == "take" and not self._open():  # 1.10: never when all is beaten
            raise Refused("nothing_to_take")
        if act == "defend":
            self._target(seat, card, target)

    def _check_timing(self) -> None:
        """`throw_timing: all_beaten` (2.1, 3.1): throw-ins and passes only when no card is open, or after a take."""
        if self.options["throw_timing"] == "all_beaten" and self._open() and not self.taking:
            raise Refused("unanswered")

    def _check_throw(self, seat: int, card: str | None) -> None:
        """1.6 who and which cards, 1.7 the limit, 1.12 a pass binds."""
        if seat not in self._throwers():
            raise Refused("not_your_role")
        if self._nothing_may_be_added():
            raise Refused("already_taking")
        self._check_timing()
        if seat in self.passed:
            raise Refused("passed")
        if card is None or card not in self.hands[seat]:
            raise Refused("not_in_hand")
        if self._limit_reached():
            raise Refused("limit")
        if rank_of(card) not in self._table_ranks():
            raise Refused("rank")

    def _check_pass(self, seat: int) -> None:
        """1.12: an attacker with cards, once."""
        if seat not in self._throwers():
            raise Refused("not_your_role")
        if not self.hands[seat]:
            raise Refused("no_cards")
        self._check_timing()
        if seat in self.passed:
            raise Refused("already_passed")

    def _target(self, seat: int, card: str | None, target: str | None) -> str:
        """1.9: the open card to beat; it may be left out when only one is possible."""
        if card is None or card not in self.hands[seat]:
            raise Refused("not_in_hand")
        if target is not None and target not in self._open():
            raise Refused("bad_target")
        possible = [attack for attack in self._open() if beats(card, attack, self.trump)]
        if target is not None:
            possible = [attack for attack in possible if attack == target]
        if not possible:
            raise Refused("does_not_beat")
        if len(possible) > 1:
            raise Refused("target_needed")
        return possible[0]

    def _check_stale(self, act: str, bout: int | None, epoch: int | None) -> None:
        """1.16: only a pass and the answers to an offer carry the epoch; leaving is never stale."""
        if act == "leave":
            return
        if bout is not None and bout != self.bout:
            raise Refused("stale")
        if act in ["pass", "redeal", "keep"] and epoch is not None and epoch != self.epoch:
            raise Refused("stale")

    # ---- who is waited for ------------------------------------------------------------------------------------------

    def quiet(self) -> bool:
        """Nobody is waited for: the bout may close early (1.14, 1.15, 2.3, 3.2)."""
        if self.phase != "bout" or (self._open() and not self.taking):
            return False
        return all(not self._waited_for(seat) for seat in self._throwers())

    def _waited_for(self, seat: int) -> bool:
        """1.14: it has not passed and has something to add; 1.15: on a discreet table only what all can see counts."""
        if seat in self.passed or not self.hands[seat] or self._limit_reached() or self._nothing_may_be_added():
            return False
        matching = [card for card in self.hands[seat] if rank_of(card) in self._table_ranks()]
        return self.options["discreet"] or bool(matching)
