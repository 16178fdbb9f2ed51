"""How a game stands: the questions that a table, a view or a bot asks of it, so that nobody reads the kernel's integers."""

from typing import Final, Literal, assert_never, get_args

from durak.protocol.rules import bits
from durak.protocol.rules import state as s
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import PACK, SUITS, cards_of
from durak.protocol.rules.errors import BadInput
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import ALL_CARDS, REDEAL_SUIT
from durak.protocol.rules.legality import legal_actions
from durak.protocol.rules.ruleset import Ruleset

Phase = Literal["redeal", "lead", "bout", "decide", "over"]
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
"""The phases, by the kernel's number."""
PHASE_NUMBER: Final[dict[str, int]] = {phase: number for number, phase in enumerate(PHASES)}


class Standing:
    """A game that is asked and not changed. Seats are 0 to `players` - 1; lists of seats ascend unless they say otherwise."""

    def __init__(self, ruleset: Ruleset, kernel: Kernel) -> None:
        self.ruleset = ruleset
        self.kernel = kernel
        self.result: GameResult | None = None
        self.first_seat = 0
        self.previous_winner: int | None = None
        self.persons: frozenset[int] = frozenset(range(kernel.players))
        self.trump_card: int | None = None
        self.dealt_trump: tuple[int, int] | None = None  # seat and card of RULES 1.3, until it is played
        self.opening_trump: tuple[int, int] | None = None  # seat and card of RULES 3.5, until the lead
        self.redeal_deck: list[str] | None = None  # of the first request in this offer period

    # ---------------------------------------------------------------- the bout

    @property
    def players(self) -> int:
        """Number of seats, 2-6."""
        return int(self.kernel.players)

    @property
    def phase(self) -> Phase:
        """redeal, lead, bout, decide or over."""
        return PHASES[self.kernel.phase]

    @property
    def bout(self) -> int:
        """The number of the bout, 0 before the first."""
        return int(self.kernel.bout)

    @property
    def epoch(self) -> int:
        """The epoch of RULES 1.16, which tells a late pass from one that is meant for now."""
        return int(self.kernel.epoch)

    @property
    def attacker(self) -> int:
        """The main attacker of the bout; before the first bout it means nothing."""
        return int(self.kernel.attacker)

    @property
    def defender(self) -> int:
        """The defender of the bout; before the first bout it means nothing."""
        return int(self.kernel.defender)

    @property
    def throwers(self) -> list[int]:
        """The seats that may throw in at all in this bout (RULES 1.6, option throw_in); empty before the first."""
        return self.seats_in(self.kernel.throwers)

    @property
    def limit(self) -> int:
        """How many attack cards the bout may have (RULES 1.7)."""
        return int(self.kernel.limit)

    @property
    def taking(self) -> bool:
        """True if the defender has taken (RULES 1.10)."""
        return bool(self.kernel.taking)

    def answering(self) -> bool:
        """True while a card is open that the defender has to beat or take."""
        return self.kernel.phase == s.BOUT and self.kernel.open_cards > 0 and not self.kernel.taking

    def closable(self) -> bool:
        """True if all is beaten or taken, so that the bout may be closed (RULES 1.11)."""
        return self.kernel.phase == s.BOUT and not self.answering()

    def quiet(self) -> bool:
        """True if the bout closes early: all is beaten or taken and nobody is waited for (RULES 1.14, 1.15)."""
        return self.kernel.quiet()

    # ---------------------------------------------------------------- the cards

    @property
    def trump(self) -> str:
        """The trump suit's letter."""
        return SUITS[self.kernel.trump]

    @property
    def stock(self) -> list[str]:
        """The stock, top first; the last card is the trump card."""
        return [PACK[card] for card in self.kernel.stock[self.kernel.stock_top :]]

    @property
    def stock_size(self) -> int:
        """Number of cards in the stock."""
        return len(self.kernel.stock) - int(self.kernel.stock_top)

    @property
    def discarded(self) -> int:
        """Number of cards out of play."""
        return int(bits.count(self.kernel.discard))

    @property
    def table(self) -> list[tuple[str, str | None]]:
        """Pairs of attack card and the card that beat it, in order of play."""
        kernel = self.kernel
        return [
            (PACK[kernel.attack_cards[slot]], PACK[kernel.beat_cards[slot]] if kernel.beat_cards[slot] >= 0 else None)
            for slot in range(kernel.attacks)
        ]

    @property
    def played_by(self) -> list[int]:
        """The seats that the attack cards of `table` came from."""
        return [int(seat) for seat in self.kernel.attack_by[: self.kernel.attacks]]

    def hand(self, seat: int) -> list[str]:
        """The cards of a hand, by suit, then by rank. Raises `BadInput` bad_seat."""
        return cards_of(self.kernel.hands[self._known(seat)])

    @property
    def counts(self) -> list[int]:
        """Cards in hand, one entry per seat."""
        return [int(bits.count(self.kernel.hands[seat])) for seat in range(self.players)]

    def whole(self) -> bool:
        """True if all cards of the pack are there, each once (RULES section 4): an error in the rules if not."""
        kernel = self.kernel
        piles = [*kernel.hands, kernel.discard, kernel.table_cards, *(bits.BIT[card] for card in kernel.stock[kernel.stock_top :])]
        return sum(piles) == ALL_CARDS and sum(map(bits.count, piles)) == len(PACK)

    # ---------------------------------------------------------------- the seats

    @property
    def active(self) -> list[int]:
        """The seats that are still in the game."""
        return self.seats_in(self.kernel.active)

    def is_active(self, seat: int) -> bool:
        """True if this seat is still in the game, also if it has left. Raises `BadInput` bad_seat."""
        return self.kernel.active & bits.SEAT_BIT[self._known(seat)] != 0

    @property
    def out(self) -> list[list[int]]:
        """Groups of seats in the order of going out."""
        rank = self.kernel.out_rank
        return [[seat for seat in range(self.players) if rank[seat] == group] for group in range(self.kernel.out_groups)]

    @property
    def left(self) -> list[int]:
        """The seats that left with a loss (RULES 1.22), in the order of leaving."""
        return sorted(self.seats_in(self.kernel.left), key=lambda seat: int(self.kernel.left_order[seat]))

    @property
    def excused(self) -> list[int]:
        """The seats that left without one."""
        return self.seats_in(self.kernel.excused)

    @property
    def passed(self) -> list[int]:
        """The seats whose pass binds (RULES 1.12)."""
        return self.seats_in(self.kernel.passed)

    # ---------------------------------------------------------------- who may do what

    def legal(self, seat: int) -> list[AnyAction]:
        """Every legal action of a seat, targets named; empty when it can only wait. Leaving is not listed.

        Raises `BadInput` bad_seat.
        """
        return legal_actions(self.kernel, self._known(seat))

    def may_move(self) -> list[int]:
        """The seats that have a legal action: several at once, since throw-ins have no order."""
        return [seat for seat in range(self.players) if legal_actions(self.kernel, seat)]

    def may_pass(self, seat: int) -> bool:
        """True if this seat may pass now (RULES 1.12). Raises `BadInput` bad_seat."""
        return self.kernel.may_pass(self._known(seat))

    def may_leave(self, seat: int) -> bool:
        """True if this seat is in the game and has not left it (RULES 1.22). Raises `BadInput` bad_seat."""
        kernel = self.kernel
        staying = kernel.active & ~(kernel.left | kernel.excused)
        return kernel.phase != s.OVER and staying & bits.SEAT_BIT[self._known(seat)] != 0

    def waited_for(self) -> list[int]:
        """The seats that the game waits for while no window runs (RULES 1.23).

        While an offer period runs it waits for nobody. A seat that may add a card is waited for until it passes; one that has none
        to add is only where nobody may know that (option discreet).
        """
        kernel = self.kernel
        match self.phase:
            case "redeal":
                return [] if self.ruleset.offer_ms else self.seats_in(kernel.offers)
            case "lead":
                return [self.attacker]
            case "bout":
                if self.answering():
                    return [self.defender]
                adders = [seat for seat in range(self.players) if kernel.may_pass(seat)]
                return adders if kernel.discreet else [seat for seat in adders if kernel.throwable(seat)]
            case "decide":
                return [self.defender]
            case "over":
                return []
            case phase:
                assert_never(phase)

    # ---------------------------------------------------------------- for the rules themselves

    def seats_in(self, seats: int) -> list[int]:
        """The seats of a set that is an integer (layout.py)."""
        return [seat for seat in range(self.players) if seats & bits.SEAT_BIT[seat]]

    def _known(self, seat: int) -> int:
        if not 0 <= seat < self.kernel.players:
            raise BadInput("bad_seat", f"{seat!r} is not a seat: they are 0 to {self.players - 1}")
        return seat


def offered(kernel: Kernel) -> int:
    """The set of the seats that were dealt so many cards of a suit that they may ask for a redeal (RULES 3.4)."""
    seats = 0
    for seat in range(kernel.players):
        if any(bits.count(kernel.hands[seat] & suit) >= REDEAL_SUIT for suit in bits.TRUMPS):
            seats |= bits.SEAT_BIT[seat]
    return seats
