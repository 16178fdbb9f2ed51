"""The decisions of a recorded game, each with what its seat knew when it was made, and no more."""

import copy
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from durak.bots.knowing.memory import Memory
from durak.bots.knowing.public import Public
from durak.bots.players.habits import throws
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Keep, Leave, Pass, Redeal
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_move
from durak.protocol.rules.record import Record, carry_out
from durak.protocol.rules.view import GameView, seen, view_of


class Moment(NamedTuple):
    """A decision that is to be made.

    `number`: its place among those of the game; `input`: that of what was done, in the record. `view` and `memory`: what the seat
    knew; `game` and `memories` (one per seat): everything. These go on with the record when the next moment is asked for: copy
    what is to stay. `action`: what was done; `silent`: by letting the time for throwing in run out, which is like passing.
    """

    number: int
    input: int
    seat: int
    view: GameView
    memory: Memory
    game: Game
    memories: Sequence[Memory]
    action: AnyAction
    silent: bool


def moments_of(record: Record) -> Iterator[Moment]:
    """All decisions of a game that replays (record.py), in order.

    No decisions are: passing without a card to add, waiting while others act, the redeal, finishing after a defence (its other
    choice, forfeiting it, is one), and whatever a bot does for a seat that has left.
    """
    deal = record.deal
    rules = deal.ruleset
    game, events = Game.deal(
        rules,
        deal.deck.split(),
        deal.players,
        first_seat=deal.first_seat,
        previous_winner=deal.previous_winner,
        persons=deal.persons,
    )
    memories = [Memory(seat, rules) for seat in range(deal.players)]
    tell(game, memories, events)
    number = 0
    for index, entry in enumerate(record.inputs):
        move = read_move(entry.move)
        for seat, action in _decisions(game, move):
            view = view_of(game, seat)
            yield Moment(
                number, index, seat, view, memories[seat], game, memories, _legal_form(action, view), isinstance(move, Step)
            )
            number += 1
        carry_on(game, memories, move, None if entry.deck is None else entry.deck.split())


def carry_on(game: Game, memories: Sequence[Memory], move: AnyMove, deck: Sequence[str] | None = None) -> list[GameEvent]:
    """Carry a move or step out, and let every seat remember what it is told of it."""
    if move is Step.CLOSE and game.quiet():
        for memory in memories:
            memory.nobody_adds(view_of(game, memory.seat))
    events = carry_out(game, move, deck=deck)
    tell(game, memories, events)
    return events


def tell(game: Game, memories: Sequence[Memory], events: Sequence[GameEvent]) -> None:
    """Let every seat remember what it is told of these events, which have led to this game."""
    for memory in memories:
        own = [one for event in events if (one := seen(event, memory.seat)) is not None]
        memory.observe(own, view_of(game, memory.seat))


def copy_of(memory: Memory) -> Memory:
    """A memory of its own that begins with the same."""
    twin = copy.copy(memory)
    twin.public = Public()
    twin.public.assign(memory.public)
    twin.entries = list(memory.entries)
    return twin


def _decisions(game: Game, move: AnyMove) -> Iterator[tuple[int, AnyAction]]:
    """The seats that decide something by this input, and what they decide."""
    left = game.left
    if isinstance(move, Move):
        idle = isinstance(move.action, Pass) and not throws(view_of(game, move.seat))
        if move.seat not in left and not idle and not isinstance(move.action, Leave | Redeal | Keep | Finish):
            yield move.seat, move.action
    elif move is Step.CLOSE and not game.quiet():
        first = game.attacker
        for seat in [(first + step) % game.players for step in range(game.players)]:
            view = view_of(game, seat)
            if seat not in left and throws(view) and Pass() in view.legal:
                yield seat, Pass()


def _legal_form(action: AnyAction, view: GameView) -> AnyAction:
    """The action as it stands among the legal ones: a record may leave out the target of a card."""
    if isinstance(action, Beat) and action.target is None:
        return next(legal for legal in view.legal if isinstance(legal, Beat) and legal.card == action.card)
    return action
