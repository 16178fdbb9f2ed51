#!/usr/bin/env python3
"""The smallest bot in any language: `durak arena normal cmd:./lines.py` in this directory. It imports nothing of Durak."""

import json
import sys

RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]

for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["t"] == "choose":
        view = message["view"]
        cards = [action for action in view["legal"] if "card" in action]
        cards.sort(key=lambda action: (action["card"][-1] == view["trump"], RANKS.index(action["card"][:-1])))
        print(json.dumps((cards or view["legal"])[0]), flush=True)
