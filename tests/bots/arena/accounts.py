"""Bots with accounts that do what their last argument says, from the tenth decision on."""

from __future__ import annotations

import os
import sys
import time

from durak.clients.bot import BotAccount, main
from durak.protocol.rules.actions import AnyAction, Lead, Pass, Throw
from durak.protocol.rules.view import GameView


class Account(BotAccount):
    def __init__(self, misdeed: str) -> None:
        self.decisions = 0
        self.misdeed = misdeed

    def choose(self, view: GameView) -> AnyAction | None:
        self.decisions += 1
        if self.misdeed == "waits where it may":
            return None if all(isinstance(action, Throw | Pass) for action in view.legal) else view.legal[0]
        if self.decisions > 9:
            match self.misdeed:
                case "raises":
                    raise ZeroDivisionError("oh no")
                case "ends":
                    os._exit(3)
                case "hangs":
                    time.sleep(1000)
                case "cheats":
                    return Lead("6S")
        return view.legal[0]


if __name__ == "__main__":
    *words, misdeed = sys.argv[1:]
    raise SystemExit(main(Account(misdeed), words))
