"""Judges one decision: what Hard would do, and what the move that was made is worth beside it.

Hard's own figures are not compared: it looks at bad moves only briefly, and the best of many estimates is too high. So its move and
the one that was made are played on from new deals of the hidden cards, the same for both. Where the difference looks like a mistake
but may still be chance, the effort is doubled, and doubled again.
"""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from durak.bots.analysis.decision import GRADES, SURE, WAIT, Decision, Line, grade_of, points
from durak.bots.analysis.lines import after, normal_line, solved_line
from durak.bots.analysis.moments import Moment
from durak.bots.bot import Budget
from durak.bots.players.hard import NODES_A_PLAYOUT, THINKING_MS, choices_of, consider, exact_chance, solver_nodes
from durak.bots.players.normal import sight_of
from durak.bots.players.thinking import HARD
from durak.bots.search.chance import Chance
from durak.bots.search.endgame import Endgame
from durak.bots.search.ending import endgame_for, is_ending, result_for
from durak.bots.search.flat import FlatSearch
from durak.bots.search.reading import position_of
from durak.bots.search.worlds import WHOLE
from durak.protocol.rules.actions import AnyAction, Pass
from durak.protocol.rules.game import Game
from durak.protocol.rules.legality import move_of
from durak.protocol.rules.notation import Move, write_move

EFFORTS: Final = (0.5, 1.0, 2.0, 4.0)
"""In budgets, what a comparison has cost when it is looked at."""
ALONE: Final = 0.25
"""In budgets, what the chance of one move alone costs."""
DRAWN: Final = replace(HARD, infers=False)
"""Deals drawn at random, each for itself, as an error needs them; and no bias in a judgement from how the others should play."""
SOLVER_BITS: Final = 16


class Comparison(NamedTuple):
    """Chances of one or two moves; the standard error is of the difference of two, or of the one."""

    chances: list[float]
    error: float


class Scores:
    """What one or two moves have come to, deal by deal; of two the first is Hard's."""

    def __init__(self, moves: int) -> None:
        self.deals = 0
        self._sums = [0.0] * moves
        self._sum = self._squares = 0.0  # of the differences, or of the one move's scores

    def add(self, scores: Sequence[float]) -> None:
        """The scores of one more deal."""
        self.deals += 1
        self._sums = [total + score for total, score in zip(self._sums, scores, strict=True)]
        difference = scores[0] - scores[1] if len(scores) == 2 else scores[0]
        self._sum += difference
        self._squares += difference**2

    def comparison(self) -> Comparison:
        """The means, and the error, which of a difference is so large that a few deals alike prove nothing."""
        deals = max(1, self.deals)
        spread = self._squares - self._sum**2 / deals + (SURE**2 if len(self._sums) == 2 else 1)
        return Comparison([total / deals for total in self._sums], math.sqrt(spread) / deals)

    @property
    def unclear(self) -> bool:
        """True if it looks like a mistake, but may be chance."""
        chances, error = self.comparison()
        loss = chances[0] - chances[-1]
        return points(loss) >= min(GRADES.values()) and grade_of(loss, error) is None


class Spending:
    """What has been used of a budget since this was made."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._began = time.perf_counter()
        self.nodes = 0

    @property
    def share(self) -> float:
        """1 when the budget is used up."""
        ms, nodes = self._budget.limits(THINKING_MS)
        return max(self.nodes / nodes, 1000 * (time.perf_counter() - self._began) / ms)


def judge(moment: Moment, budget: Budget, rng: random.Random) -> Decision:
    """What this decision was worth; with nodes only, the same `rng` gives the same."""
    options = choices_of(moment.view, moment.seat)  # after a defence first what Hard does (RULES 3.3)
    best = options[0][1]
    if moment.view.phase != "decide" and len(options) > 1:
        best = consider(moment.view, moment.memory, rng, budget)[0].action
    pair: list[AnyAction | None] = [best] if best == moment.action else [best, moment.action]
    chances = _exact_chances(moment, pair, budget) if is_ending(moment.game.kernel) else None
    if chances is not None:
        comparison, exact = Comparison(chances, 0.0), True
    else:
        comparison, exact = _compare(moment, [_code(moment, options, action) for action in pair], budget, rng), False
    after = comparison.chances[-1]
    before = max(comparison.chances)
    grade = grade_of(before - after, comparison.error)
    return Decision(
        number=moment.number,
        input=moment.input,
        bout=moment.view.bout,
        seat=moment.seat,
        played=write_move(Move(moment.seat, moment.action)),
        silent=moment.silent,
        best=WAIT if best is None else write_move(Move(moment.seat, best)),
        options=max(len(options), len(pair)),
        before=before,
        after=after,
        error=comparison.error,
        exact=exact,
        grade=grade,
        better_line=_line(moment, best, exact, budget) if grade else None,
        played_line=_line(moment, moment.action, exact, budget) if grade else None,
    )


def _code(moment: Moment, options: list[tuple[int, AnyAction | None]], action: AnyAction | None) -> int:
    """The kernel's move for an action. A pass while a card is open is no option of Hard's, which waits."""
    codes = [code for code, option in options if option == action]
    return codes[0] if codes else move_of(moment.seat, Pass())


def _exact_chances(moment: Moment, actions: list[AnyAction | None], budget: Budget) -> list[float] | None:
    """The exact chance after each action in an ending of two, where nothing is hidden; None if it is too hard."""
    solver = _solver_for(moment.game, solver_nodes(budget))
    chances = []
    for action in actions:
        result = result_for(after(moment.game, moment.seat, action).kernel, moment.seat, solver)
        if solver.stopped:
            return None
        chances.append(exact_chance(int(result), moment.game.players))
    return chances


def _line(moment: Moment, action: AnyAction | None, exact: bool, budget: Budget) -> Line:
    """How it goes on after this action."""
    if exact:
        moves = solved_line(moment, action, _solver_for(moment.game, solver_nodes(budget)))
        if moves is not None:
            return Line(moves, solved=True)
    return Line(normal_line(moment, action), solved=False)


def _compare(moment: Moment, moves: list[int], budget: Budget, rng: random.Random) -> Comparison:
    """One or two moves, each played on by Normal from the same deals of what the seat cannot see, then judged by the network."""
    view, memory = moment.view, moment.memory
    worlds = DRAWN.worlds(position_of(view, memory), sight_of(view, memory), memory, Chance(rng.getrandbits(60)))
    search = FlatSearch(worlds, moves)
    scores = Scores(len(moves))
    spending = Spending(budget)
    for effort in (ALONE,) if len(moves) == 1 else EFFORTS:
        while spending.share < effort:
            before = [int(total) for total in search.sums]
            playouts = int(search.try_all(1))
            spending.nodes += max(1, playouts) * NODES_A_PLAYOUT
            if playouts:
                scores.add([(now - then) / WHOLE for now, then in zip(map(int, search.sums), before, strict=True)])
        if not scores.unclear:
            break
    return scores.comparison()


def _solver_for(game: Game, nodes: int) -> Endgame:
    """A solver for the endings of this game, which gives up after so many nodes."""
    solver = endgame_for(game.kernel, SOLVER_BITS)
    solver.budget = nodes
    return solver
