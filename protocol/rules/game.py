"""One game of Durak without time: typed actions in, events out, on top of the kernel.

The driver supplies time: it calls `close` when the window or the early close has run out and `end_offer` when the redeal
period has. Everything else follows from actions.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, get_args

from durak.protocol.rules import bits, moves
from durak.protocol.rules import kernel as k
from durak.protocol.rules.actions import (
    BEATS,
    LEADS,
    THROWS,
    AnyAction,
    Beat,
    Finish,
    Forfeit,
    Keep,
    Lead,
    Leave,
    Pass,
    Redeal,
    Take,
    Throw,
)
from durak.protocol.rules.cards import INDEX, PACK, SUITS, cards_of, is_pack, set_of
from durak.protocol.rules.errors import IllegalAction, Reason
from durak.protocol.rules.events import (
    Answered,
    Beaten,
    BoutBegan,
    BoutEnded,
    Dealt,
    Deciding,
    Drew,
    GameEvent,
    GameOver,
    GameResult,
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.refusal import why_refused
from durak.protocol.rules.result import result_of
from durak.protocol.rules.ruleset import Ruleset

Phase = Literal["redeal", "lead", "bout", "decide", "over"]
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
SAME_SUIT_FOR_REDEAL: Final = 5


def kernel_for(ruleset: Ruleset, players: int) -> Kernel:
    """An empty kernel that plays by this ruleset."""
    kernel = Kernel(players)
    kernel.throw_all = ruleset.throw_in == "all"
    kernel.throw_any_time = ruleset.throw_timing == "any"
    kernel.after_take = ("window", "immediate", "none").index(ruleset.after_take)
    kernel.forfeit_defence = ruleset.forfeit_defence
    kernel.discreet = ruleset.discreet
    kernel.limit_first_bout = ruleset.limit_first_bout or k.HAND_SIZE
    return kernel


class Game:
    """A running game. `step` methods return the events in order; a refusal raises `IllegalAction` and changes nothing."""

    def __init__(self, ruleset: Ruleset, kernel: Kernel) -> None:
        self.ruleset = ruleset
        self.kernel = kernel
        self.first_seat = 0
        self.previous_winner: int | None = None
        self.persons: frozenset[int] = frozenset(range(kernel.players))
        self.trump_card: int | None = None
        self.dealt_trump: tuple[int, int] | None = None  # seat and card of RULES 1.3, until it is played
        self.opening_trump: tuple[int, int] | None = None  # seat and card of RULES 3.5, until the lead
        self.redeal_deck: list[str] | None = None  # of the first request in this offer period
        self.result: GameResult | None = None

    @classmethod
    def deal(
        cls,
        ruleset: Ruleset,
        deck: Sequence[str],
        players: int,
        *,
        first_seat: int = 0,
        previous_winner: int | None = None,
        persons: Iterable[int] | None = None,
    ) -> tuple["Game", list[GameEvent]]:
        """A new game from a shuffled pack of 36 (RULES 1.1-1.4): dealt from `first_seat`, the last card sets the trump.

        `persons` are the seats with a person (RULES 3.5), by default all; `previous_winner` is the seat of the last winner.
        """
        game = cls(ruleset, kernel_for(ruleset, players))
        game.first_seat = first_seat
        game.previous_winner = previous_winner
        if persons is not None:
            game.persons = frozenset(persons)
        return game, game._deal(deck, again=False)

    @classmethod
    def position(
        cls,
        ruleset: Ruleset,
        *,
        trump: str,
        hands: Sequence[Iterable[str]],
        stock: Sequence[str] = (),
        attacker: int = 0,
        bout: int = 2,
    ) -> "Game":
        """A game at the start of a bout.

        `stock` is top first; cards named nowhere are in the discard, and with an empty stock seats without cards are out.
        """
        kernel = kernel_for(ruleset, len(hands))
        kernel.trump = SUITS.index(trump)
        for seat, hand in enumerate(hands):
            kernel.hands[seat] = set_of(hand)
        kernel.stock = bits.array([INDEX[card] for card in stock])
        kernel.discard = bits.ALL_CARDS & ~(sum(kernel.hands) | set_of(stock))
        if not stock:
            for seat in range(len(hands)):
                if not kernel.hands[seat]:
                    kernel.active &= ~bits.SEAT_BIT[seat]
                    kernel.out_rank[seat] = 0
                    kernel.out_groups = 1
        kernel.attacker = attacker
        kernel.bout = bout - 1
        kernel.begin_bout()
        kernel.epoch = 1
        game = cls(ruleset, kernel)
        if stock:
            game.trump_card = INDEX[stock[-1]]
        return game

    def copy(self) -> "Game":
        """An independent game in the same position."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.kernel = self.kernel.copy()
        return twin

    # ---------------------------------------------------------------- questions

    @property
    def players(self) -> int:
        """Number of seats, 2-6."""
        return self.kernel.players

    @property
    def phase(self) -> Phase:
        """Which of its phases the game is in."""
        return PHASES[self.kernel.phase]

    @property
    def stock(self) -> list[str]:
        """The stock, top first; the last card is the trump card."""
        return [PACK[card] for card in self.kernel.stock[self.kernel.stock_top :]]

    @property
    def table(self) -> list[tuple[str, str | None]]:
        """Pairs of attack card and the card that beat it, in order of play."""
        kernel = self.kernel
        return [
            (PACK[kernel.attack_cards[slot]], PACK[kernel.beat_cards[slot]] if kernel.beat_cards[slot] >= 0 else None)
            for slot in range(kernel.attacks)
        ]

    def hand(self, seat: int) -> list[str]:
        """The cards of a hand, by suit, then by rank."""
        return cards_of(self.kernel.hands[seat])

    def seats_in(self, seats: int) -> list[int]:
        """The seats of a bit set, ascending."""
        return [seat for seat in range(self.players) if seats & bits.SEAT_BIT[seat]]

    def legal(self, seat: int) -> list[AnyAction]:
        """Every legal action of a seat, targets named; empty when it can only wait. Leaving is not listed."""
        kernel = self.kernel
        actions: list[AnyAction] = []
        if kernel.phase == k.BOUT:
            if seat == kernel.defender:
                for slot in range(kernel.attacks):
                    beats = BEATS[PACK[kernel.attack_cards[slot]]]
                    actions += [beats[card] for card in cards_of(kernel.beating(slot))]
                if kernel.may_take():
                    actions.append(Take())
            else:
                actions += [THROWS[card] for card in cards_of(kernel.throwable(seat))]
                if kernel.may_pass(seat):
                    actions.append(Pass())
        elif kernel.phase == k.LEAD:
            if seat == kernel.attacker:
                actions += [LEADS[card] for card in cards_of(kernel.hands[seat])]
        elif kernel.phase == k.DECIDE:
            if seat == kernel.defender:
                actions += [Finish(), Forfeit()]
        elif kernel.phase == k.REDEAL and kernel.offers & bits.SEAT_BIT[seat]:
            actions += [Redeal(), Keep()]
        return actions

    def quiet(self) -> bool:
        """True if the bout closes early: all is beaten or taken and nobody is waited for (RULES 1.14, 1.15)."""
        return self.kernel.quiet()

    # ---------------------------------------------------------------- actions

    def act(
        self,
        seat: int,
        action: AnyAction,
        *,
        bout: int | None = None,
        epoch: int | None = None,
        deck: Sequence[str] | None = None,
    ) -> list[GameEvent]:
        """Carry out an action of a seat.

        `bout` and `epoch` are those the action was meant for (RULES 1.16), `None` = now; a `Redeal` needs the `deck` to deal from.
        Raises `IllegalAction`, and then nothing has changed.
        """
        kernel = self.kernel
        if not 0 <= seat < kernel.players:
            raise IllegalAction(Reason.NO_SUCH_SEAT)
        if kernel.phase == k.OVER:
            raise IllegalAction(Reason.WRONG_PHASE)
        if not kernel.active & bits.SEAT_BIT[seat]:
            raise IllegalAction(Reason.SEAT_OUT)
        if isinstance(action, Leave):
            return self._leave(seat)
        if bout is not None and bout != kernel.bout:
            raise IllegalAction(Reason.STALE)
        if epoch is not None and epoch != kernel.epoch and isinstance(action, Pass | Redeal | Keep):
            raise IllegalAction(Reason.STALE)
        move = self._move_of(seat, action)
        if move is None:
            raise IllegalAction(why_refused(kernel, seat, action))
        return self._apply(seat, action, move, deck)

    def close(self) -> list[GameEvent]:
        """The attack has ended: its window or early close has run out. The defender decides, or the bout is over."""
        kernel = self.kernel
        assert kernel.phase == k.BOUT and (kernel.taking or not kernel.open_cards), "a bout closes only when all is beaten or taken"
        if self.ruleset.forfeit_defence and not kernel.taking:
            kernel.close()
            return [Deciding(kernel.defender)]
        return self._end_bout(kernel.close, taken=kernel.taking)

    def end_offer(self) -> list[GameEvent]:
        """The redeal period has run out: answers take effect (RULES 3.4)."""
        assert self.kernel.phase == k.REDEAL
        if self.redeal_deck is not None:
            return self._deal(self.redeal_deck, again=True)
        return self._begin_first_bout()

    def _move_of(self, seat: int, action: AnyAction) -> int | None:
        """The kernel's move for an action, or None if it is not legal. This and `legal` ask the same sets."""
        kernel = self.kernel
        code: int | None = None
        match action:
            case Lead(card=card):
                if kernel.phase == k.LEAD and seat == kernel.attacker and kernel.hands[seat] & bits.BIT[INDEX[card]]:
                    code = INDEX[card]
            case Throw(card=card):
                if kernel.throwable(seat) & bits.BIT[INDEX[card]]:
                    code = moves.THROW_CODE + INDEX[card]
            case Beat(card=card, target=target):
                if seat == kernel.defender:
                    slots = [slot for slot in range(kernel.attacks) if kernel.beating(slot) & bits.BIT[INDEX[card]]]
                    if target is not None:
                        slots = [slot for slot in slots if kernel.attack_cards[slot] == INDEX[target]]
                    if len(slots) == 1:
                        code = moves.BEAT_CODE + 36 * slots[0] + INDEX[card]
            case Take():
                if seat == kernel.defender and kernel.may_take():
                    code = moves.TAKE_CODE
            case Pass():
                if kernel.may_pass(seat):
                    code = moves.PASS_CODE
            case Finish() | Forfeit():
                if kernel.phase == k.DECIDE and seat == kernel.defender:
                    code = moves.FINISH_CODE if isinstance(action, Finish) else moves.FORFEIT_CODE
            case Redeal() | Keep():
                if kernel.phase == k.REDEAL and kernel.offers & bits.SEAT_BIT[seat]:
                    code = moves.REDEAL_CODE if isinstance(action, Redeal) else moves.KEEP_CODE
            case Leave():
                raise AssertionError("leaving is not a move of the kernel")
        return None if code is None else seat << 9 | code

    def _apply(self, seat: int, action: AnyAction, move: int, deck: Sequence[str] | None) -> list[GameEvent]:
        kernel = self.kernel
        event: GameEvent
        match action:
            case Lead(card=card):
                self._played(card)
                self.opening_trump = None
                event = Led(seat, card)
            case Throw(card=card):
                self._played(card)
                event = ThrewIn(seat, card)
            case Beat(card=card):
                self._played(card)
                event = Beaten(seat, PACK[kernel.attack_cards[((move & 511) - moves.BEAT_CODE) // 36]], card)
            case Pass():
                event = Passed(seat)
            case Take():
                event = Took(seat)
                if kernel.after_take == k.AFTER_TAKE_IMMEDIATE:
                    return [event, *self._end_bout(lambda: kernel.apply(move), taken=True)]
            case Finish() | Forfeit():
                return self._end_bout(lambda: kernel.apply(move), taken=isinstance(action, Forfeit))
            case Redeal() | Keep():
                return self._answer(seat, isinstance(action, Redeal), move, deck)
            case Leave():
                raise AssertionError("leaving is not a move of the kernel")
        kernel.apply(move)
        return [event]

    def _played(self, card: str) -> None:
        if self.dealt_trump is not None and self.dealt_trump[1] == INDEX[card]:
            self.dealt_trump = None

    def _answer(self, seat: int, redeal: bool, move: int, deck: Sequence[str] | None) -> list[GameEvent]:
        self.kernel.apply(move)
        events: list[GameEvent] = [Answered(seat, redeal)]
        if redeal and self.redeal_deck is None:
            assert deck is not None and is_pack(deck), "a request for a redeal brings the pack to deal from"
            self.redeal_deck = list(deck)
        if self.ruleset.offer_ms == 0:
            if redeal:
                events += self.end_offer()
            elif not self.kernel.offers:
                events += self._begin_first_bout()
        return events

    def _leave(self, seat: int) -> list[GameEvent]:
        kernel = self.kernel
        if (kernel.left | kernel.excused) & bits.SEAT_BIT[seat]:
            raise IllegalAction(Reason.ALREADY_LEFT)
        kernel.leave(seat)
        events: list[GameEvent] = [Left(seat, bool(kernel.left & bits.SEAT_BIT[seat]))]
        return events + self._over() if kernel.phase == k.OVER else events

    # ---------------------------------------------------------------- dealing, bouts, the end

    def _deal(self, deck: Sequence[str], *, again: bool) -> list[GameEvent]:
        assert is_pack(deck), "a deck is the 36 different cards"
        kernel = self.kernel
        players = kernel.players
        cards = [INDEX[card] for card in deck]
        hands: list[list[str]] = [[] for _ in range(players)]
        for place, card in enumerate(deck[: k.HAND_SIZE * players]):
            hands[(self.first_seat + place) % players].append(card)
        for seat, hand in enumerate(hands):
            kernel.hands[seat] = set_of(hand)
        kernel.stock = bits.array(cards[k.HAND_SIZE * players :])
        kernel.stock_top = 0
        kernel.trump = cards[-1] // 9
        kernel.wanted = 0
        self.trump_card = cards[-1]
        self.dealt_trump = None if kernel.stock else ((self.first_seat - 1) % players, cards[-1])
        self.redeal_deck = None
        if again:
            kernel.epoch += 1
        events: list[GameEvent] = [Dealt(hands, SUITS[kernel.trump], deck[-1], again)]
        if self.ruleset.redeal:
            kernel.offers = 0
            for seat in range(players):
                if any(bits.count(kernel.hands[seat] & suit) >= SAME_SUIT_FOR_REDEAL for suit in bits.TRUMPS):
                    kernel.offers |= bits.SEAT_BIT[seat]
            if self.ruleset.offer_ms or kernel.offers:
                kernel.phase = k.REDEAL
                return events
        return events + self._begin_first_bout()

    def _begin_first_bout(self) -> list[GameEvent]:
        """Choose the first attacker (RULES 1.4, 3.5) and begin bout 1."""
        kernel = self.kernel
        lowest = min(
            (
                (card, seat)
                for seat in range(kernel.players)
                for card in range(9 * kernel.trump, 9 * kernel.trump + 9)
                if kernel.hands[seat] & bits.BIT[card]
            ),
            default=None,
        )
        winner_leads = self.ruleset.first_attacker == "winner_leads"
        kernel.offers = 0
        if winner_leads and self.previous_winner is not None:
            kernel.attacker = self.previous_winner
        elif lowest is not None:
            kernel.attacker = lowest[1]
            if winner_leads:
                self.opening_trump = (lowest[1], lowest[0])
        elif winner_leads:
            kernel.attacker = min(self.persons, default=0)
        else:
            kernel.attacker = self.first_seat
        kernel.begin_bout()
        return [self._bout_began()]

    def _bout_began(self) -> BoutBegan:
        kernel = self.kernel
        return BoutBegan(kernel.bout, kernel.attacker, kernel.defender, kernel.limit)

    def _end_bout(self, end: Callable[[], None], *, taken: bool) -> list[GameEvent]:
        """Let the kernel end the bout, and tell what it did by comparing before and after."""
        kernel = self.kernel
        attacker, defender, active = kernel.attacker, kernel.defender, kernel.active
        cards = [card for pair in self.table for card in pair if card is not None]
        held = list(kernel.hands)
        if taken:
            held[defender] |= set_of(cards)
        end()
        events: list[GameEvent] = [BoutEnded("taken" if taken else "beaten", defender, cards)]
        clockwise = [(attacker + step) % kernel.players for step in range(kernel.players)]
        for seat in [seat for seat in clockwise if seat != defender] + [defender]:
            drawn = kernel.hands[seat] & ~held[seat]
            if drawn:
                events.append(Drew(seat, cards_of(drawn)))
        out = active & ~kernel.active
        if out:
            events.append(WentOut(self.seats_in(out)))
        return events + (self._over() if kernel.phase == k.OVER else [self._bout_began()])

    def _over(self) -> list[GameEvent]:
        self.result = result_of(self.kernel, epaulettes=self.ruleset.epaulettes)
        return [GameOver(self.result)]
