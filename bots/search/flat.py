"""Flat search: deal the hidden cards many times, try each move, and let Normal play on. Compiled where a compiler was there."""

from durak.bots.search.worlds import WHOLE, Worlds
from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.flat import i64, vec


class FlatSearch:
    """Compares the moves of one seat in a position as this seat sees it; its own choice to wait is -1.

    One entry per move: `alive`, 0 if it was given up; `sums` and `times`, what its games counted together (of WHOLE each), and
    their number.
    """

    __slots__ = ("alive", "moves", "sums", "times", "worlds")

    def __init__(self, worlds: Worlds, moves: list[int]) -> None:
        self.worlds: Worlds = worlds
        self.moves: vec[i64] = vec[i64](moves)
        self.alive: vec[i64] = vec[i64]([1] * len(moves))
        self.sums: vec[i64] = vec[i64]([0] * len(moves))
        self.times: vec[i64] = vec[i64]([0] * len(moves))

    def try_all(self, deals: i64) -> i64:
        """Play every move that is alive on so many deals of the hidden cards; the number of playouts."""
        worlds = self.worlds
        number: i64 = len(self.moves)
        playouts: i64 = 0
        for _deal in range(deals):
            if not worlds.deal():
                return playouts
            luck = worlds.chance.state
            for place in range(number):
                if self.alive[place]:
                    worlds.chance.state = luck  # the same whims and orders for every move, so that they differ by the move alone
                    worlds.world.assign(worlds.dealt)
                    self.play(place)
                    self.sums[place] += worlds.values[worlds.seat]
                    self.times[place] += 1
                    playouts += 1
        return playouts

    def play(self, place: i64) -> None:
        """Play the world on after a move."""
        move = self.moves[place]
        waiting: i64 = 0
        if move < 0:
            waiting = SEAT_BIT[self.worlds.seat]
        else:
            self.worlds.world.apply(move)
        self.worlds.play_on(waiting)

    def halve(self) -> None:
        """Give up the worse half of the moves that are alive."""
        left: i64 = 0
        for place in range(i64(len(self.moves))):
            left += self.alive[place]
        for _turn in range(left // 2):
            worst: i64 = -1
            for place in range(i64(len(self.moves))):
                if self.alive[place] and (worst < 0 or self.mean(place) < self.mean(worst)):
                    worst = place
            self.alive[worst] = 0

    def mean(self, place: i64) -> float:
        """The mean score of a move, from 0 to 1."""
        return float(self.sums[place]) / float(WHOLE * self.times[place]) if self.times[place] else 0.0
