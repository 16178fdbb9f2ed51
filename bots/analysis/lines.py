"""How a game goes on after a move: as both sides play best, or as Normal plays it on with the cards as they really lay."""

import random
from typing import Final

from durak.bots.analysis.moments import Moment, carry_on, copy_of
from durak.bots.analysis.solve import best_line
from durak.bots.bot import Budget
from durak.bots.players.normal import Normal
from durak.bots.search.endgame import Endgame
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, write_move
from durak.protocol.rules.view import view_of

UNUSED: Final = random.Random(0)
"""Normal has no whims."""


def after(game: Game, seat: int, action: AnyAction | None) -> Game:
    """The game after this action; `None`: the seat waits."""
    child = game.copy()
    if action is not None:
        child.act(seat, action)
    return child


def solved_line(moment: Moment, action: AnyAction | None, solver: Endgame) -> list[str] | None:
    """The action and best play of both sides to the end, in an ending of two; None if it is too hard for the solver."""
    line = [] if action is None else [write_move(Move(moment.seat, action))]
    line += [write_move(move) for move in best_line(after(moment.game, moment.seat, action), solver)]
    return None if solver.stopped else line


def normal_line(moment: Moment, action: AnyAction | None) -> list[str]:
    """The action and what follows to the end of the bout, if all play as Normal does, the defender first, then clockwise."""
    game = moment.game.copy()
    memories = [copy_of(memory) for memory in moment.memories]
    line: list[str] = []
    move: AnyMove | None = None if action is None else Move(moment.seat, action)
    waiting = {moment.seat} if action is None else set()
    bout = game.bout
    while game.result is None and game.bout == bout:
        if move is not None:
            carry_on(game, memories, move)
            line.append(write_move(move))
            waiting = set()
            move = None
            continue
        if game.quiet():
            move = Step.CLOSE
            continue
        seat = next((seat for seat in _order(game) if seat not in waiting and game.legal(seat)), None)
        if seat is None:
            move = Step.CLOSE  # all wait, and the time for throwing in runs out
            continue
        chosen = Normal().choose(view_of(game, seat), memories[seat], UNUSED, Budget())
        if chosen is None:
            waiting.add(seat)
        else:
            move = Move(seat, chosen)
    return line


def _order(game: Game) -> list[int]:
    """The defender, if it has to answer or to decide, and the others clockwise from the attacker."""
    return [game.defender, *[(game.attacker + step) % game.players for step in range(game.players)]]
