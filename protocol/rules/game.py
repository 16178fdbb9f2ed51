"""One game of Durak without time: typed actions in, events out, on top of the kernel.

The driver supplies time: it calls `close` when the window or the early close has run out and `end_offer` when the redeal
period has. Everything else follows from actions.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Self, assert_never

from durak.protocol.rules import bits
from durak.protocol.rules import state as s
from durak.protocol.rules.actions import Action, AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK, SUITS, cards_of, index_of, is_pack, set_of
from durak.protocol.rules.errors import BadInput, IllegalAction, Reason
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
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import (
    ALL_CARDS,
    BEAT_CODE,
    CODE_MASK,
    FEWEST_PLAYERS,
    HAND_SIZE,
    MOST_PLAYERS,
    PACK_SIZE,
    SUIT_SIZE,
)
from durak.protocol.rules.legality import legal_move, why_refused
from durak.protocol.rules.position import write_position
from durak.protocol.rules.result import result_of
from durak.protocol.rules.ruleset import Ruleset, check_ruleset
from durak.protocol.rules.standing import Standing, offered


def kernel_for(ruleset: Ruleset, players: int) -> Kernel:
    """An empty kernel that plays by this ruleset."""
    kernel = Kernel(players)
    kernel.throw_in = throw_in_code(ruleset)
    kernel.throw_any_time = ruleset.throw_timing == "any"
    kernel.after_take = ("window", "immediate", "none").index(ruleset.after_take)
    kernel.forfeit_defence = ruleset.forfeit_defence
    kernel.discreet = ruleset.discreet
    kernel.limit_first_bout = ruleset.limit_first_bout or HAND_SIZE
    return kernel


def throw_in_code(ruleset: Ruleset) -> int:
    """The option throw_in as the kernel knows it."""
    match ruleset.throw_in:
        case "all":
            return s.THROW_IN_ALL
        case "attacker_only":
            return s.THROW_IN_ATTACKER
        case option:
            assert_never(option)


class Game(Standing):
    """A running game.

    `act`, `close` and `end_offer` return what happened, in order, or raise an error and have changed nothing.

    >>> Game.position(PRESETS["classic"], trump="S", hands=[["7H", "6S"], ["8S"]])
    <Game S | 6S 7H / 8S>
    """

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
    ) -> tuple[Self, list[GameEvent]]:
        """A new game from a shuffled pack (RULES 1.1-1.4): dealt from `first_seat`, the last card sets the trump.

        `persons` are the seats with a person (RULES 3.5), by default all; `previous_winner` is the seat of the last winner.
        Raises `BadInput` bad_players, bad_deck or bad_seat, `OptionRefused` bad_value.
        """
        game = cls._empty(ruleset, players)
        seats = frozenset(range(players) if persons is None else persons)
        for seat in (first_seat, *(() if previous_winner is None else (previous_winner,)), *seats):
            game._known(seat)
        game.first_seat = first_seat
        game.previous_winner = previous_winner
        game.persons = seats
        return game, game._deal(_checked_deck(deck), again=False)

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
    ) -> Self:
        """A game at the start of a bout.

        `stock` is top first; cards named nowhere are in the discard, and with an empty stock seats without cards are out.
        Raises `BadInput` bad_players, bad_suit, bad_card, bad_seat or bad_position, `OptionRefused` bad_value.
        """
        game = cls._empty(ruleset, len(hands))
        kernel = game.kernel
        if trump not in SUITS:
            raise BadInput("bad_suit", f"{trump!r} is not a suit: S, H, D or C")
        kernel.trump = SUITS.index(trump)
        held = [list(hand) for hand in hands]
        for seat, hand in enumerate(held):
            kernel.hands[seat] = set_of(hand)
        kernel.stock = bits.array([index_of(card) for card in stock])
        kernel.discard = ALL_CARDS & ~(set_of(stock) | set_of(card for hand in held for card in hand))
        if not game.whole() or len(stock) + sum(map(len, held)) + game.discarded != PACK_SIZE:
            raise BadInput("bad_position", "a card stands in two places")
        if not stock:
            for seat in range(len(hands)):
                if not kernel.hands[seat]:
                    kernel.active &= ~bits.SEAT_BIT[seat]
                    kernel.out_rank[seat] = 0
                    kernel.out_groups = 1
        if not game.is_active(attacker) or len(game.active) < FEWEST_PLAYERS:
            raise BadInput("bad_position", "the attacker and another seat are in the game")
        if not (kernel.hands[attacker] and kernel.hands[kernel.next_active(attacker)]):
            raise BadInput("bad_position", "before the lead attacker and defender hold cards")
        kernel.attacker = attacker
        kernel.bout = bout - 1
        kernel.begin_bout()
        kernel.epoch = 1
        if stock:
            game.trump_card = index_of(stock[-1])
        return game

    @classmethod
    def _empty(cls, ruleset: Ruleset, players: int) -> Self:
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise BadInput("bad_players", f"{FEWEST_PLAYERS} to {MOST_PLAYERS} seats play, not {players!r}")
        check_ruleset(ruleset)
        return cls(ruleset, kernel_for(ruleset, players))

    def copy(self) -> Self:
        """An independent game in the same position."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.kernel = self.kernel.copy()
        return twin

    def same_as(self, other: "Game") -> bool:
        """True if the other game stands the same, by everything that a position says; who keeps a record does not count."""
        return repr(self) == repr(other)

    def __repr__(self) -> str:
        return f"<Game {write_position(self)}>"

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
        Raises `IllegalAction`, or `BadInput` bad_action, bad_card or bad_deck, and then nothing has changed.

        >>> read_position("S | 6S 7H / 8S").act(1, Lead("8S"))
        Traceback (most recent call last):
        durak.protocol.rules.errors.IllegalAction: not_your_role
        """
        kernel = self.kernel
        if not 0 <= seat < kernel.players:
            raise IllegalAction(Reason.NO_SUCH_SEAT)
        if kernel.phase == s.OVER:
            raise IllegalAction(Reason.GAME_OVER)
        if not kernel.active & bits.SEAT_BIT[seat]:
            raise IllegalAction(Reason.SEAT_OUT)
        if isinstance(action, Leave):
            return self._leave(seat)
        if bout is not None and bout != kernel.bout:
            raise IllegalAction(Reason.STALE)
        if epoch is not None and epoch != kernel.epoch and isinstance(action, Pass | Redeal | Keep):
            raise IllegalAction(Reason.STALE)
        check_action(action)
        move = legal_move(kernel, seat, action)
        if move is None:
            raise IllegalAction(why_refused(kernel, seat, action))
        return self._apply(seat, action, move, deck)

    def close(self) -> list[GameEvent]:
        """The attack has ended: its window or early close has run out. The defender decides, or the bout is over.

        Raises `BadInput` not_due.
        """
        kernel = self.kernel
        if not self.closable():
            raise BadInput("not_due", "a bout closes only when all is beaten or taken")
        if self.ruleset.forfeit_defence and not kernel.taking:
            kernel.close()
            return [Deciding(kernel.defender)]
        return self._end_bout(kernel.close, taken=kernel.taking)

    def end_offer(self) -> list[GameEvent]:
        """The redeal period has run out: answers take effect (RULES 3.4). Raises `BadInput` not_due."""
        if self.kernel.phase != s.REDEAL:
            raise BadInput("not_due", "no redeal is offered")
        return self._end_offer()

    def _end_offer(self) -> list[GameEvent]:
        if self.redeal_deck is not None:
            return self._deal(self.redeal_deck, again=True)
        return self._begin_first_bout()

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
                event = Beaten(seat, PACK[kernel.attack_cards[((move & CODE_MASK) - BEAT_CODE) // PACK_SIZE]], card)
            case Pass():
                event = Passed(seat)
            case Take():
                event = Took(seat)
                if kernel.after_take == s.AFTER_TAKE_IMMEDIATE:
                    return [event, *self._end_bout(lambda: kernel.apply(move), taken=True)]
            case Finish() | Forfeit():
                return self._end_bout(lambda: kernel.apply(move), taken=isinstance(action, Forfeit))
            case Redeal() | Keep():
                return self._answer(seat, isinstance(action, Redeal), move, deck)
            case Leave():
                raise AssertionError("leaving is no move of the kernel")
            case _:
                assert_never(action)
        kernel.apply(move)
        return [event]

    def _played(self, card: str) -> None:
        if self.dealt_trump is not None and self.dealt_trump[1] == index_of(card):
            self.dealt_trump = None

    def _answer(self, seat: int, redeal: bool, move: int, deck: Sequence[str] | None) -> list[GameEvent]:
        if redeal and self.redeal_deck is None:
            self.redeal_deck = _checked_deck(deck)
        self.kernel.apply(move)
        events: list[GameEvent] = [Answered(seat, redeal)]
        if self.ruleset.offer_ms == 0:
            if redeal:
                events += self._end_offer()
            elif not self.kernel.offers:
                events += self._begin_first_bout()
        return events

    def _leave(self, seat: int) -> list[GameEvent]:
        kernel = self.kernel
        if not self.may_leave(seat):
            raise IllegalAction(Reason.ALREADY_LEFT)
        kernel.leave(seat)
        events: list[GameEvent] = [Left(seat, bool(kernel.left & bits.SEAT_BIT[seat]))]
        return events + self._over() if kernel.phase == s.OVER else events

    # ---------------------------------------------------------------- dealing, bouts, the end

    def _deal(self, deck: Sequence[str], *, again: bool) -> list[GameEvent]:
        kernel = self.kernel
        players = kernel.players
        cards = [index_of(card) for card in deck]
        hands: list[list[str]] = [[] for _ in range(players)]
        for place, card in enumerate(deck[: HAND_SIZE * players]):
            hands[(self.first_seat + place) % players].append(card)
        for seat, hand in enumerate(hands):
            kernel.hands[seat] = set_of(hand)
        kernel.stock = bits.array(cards[HAND_SIZE * players :])
        kernel.stock_top = 0
        kernel.trump = cards[-1] // SUIT_SIZE
        kernel.wanted = 0
        self.trump_card = cards[-1]
        self.dealt_trump = None if kernel.stock else ((self.first_seat - 1) % players, cards[-1])
        self.redeal_deck = None
        if again:
            kernel.epoch += 1
        events: list[GameEvent] = [Dealt(hands, SUITS[kernel.trump], deck[-1], again)]
        if self.ruleset.redeal:
            kernel.offers = offered(kernel)
            if self.ruleset.offer_ms or kernel.offers:
                kernel.phase = s.REDEAL
                return events
        return events + self._begin_first_bout()

    def _begin_first_bout(self) -> list[GameEvent]:
        """Choose the first attacker (RULES 1.4, 3.5) and begin bout 1."""
        kernel = self.kernel
        trumps = bits.TRUMPS[kernel.trump]
        lowest = min(
            ((index_of(cards_of(hand & trumps)[0]), seat) for seat, hand in enumerate(kernel.hands) if hand & trumps), default=None
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
        return [*events, *(self._over() if kernel.phase == s.OVER else [self._bout_began()])]

    def _over(self) -> list[GameEvent]:
        self.result = result_of(self.kernel, epaulettes=self.ruleset.epaulettes)
        return [GameOver(self.result)]


def check_action(action: AnyAction) -> None:
    """Raise `BadInput` bad_action for what is no action, bad_card for a card that does not exist."""
    match action:
        case Lead(card=card) | Throw(card=card):
            index_of(card)
        case Beat(card=card, target=target):
            index_of(card)
            if target is not None:
                index_of(target)
        case _ if not isinstance(action, Action):
            raise BadInput("bad_action", f"{action!r} is not an action")
        case _:
            pass


def _checked_deck(deck: Sequence[str] | None) -> list[str]:
    if deck is None or not is_pack(deck):
        raise BadInput("bad_deck", f"a deck to deal from is the {PACK_SIZE} different cards")
    return list(deck)
