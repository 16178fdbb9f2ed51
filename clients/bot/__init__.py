"""For bots with an account of their own: subclass `BotAccount`, write `choose`, call `main`. docs/your-bot.md has an example."""

from durak.clients.bot.account import BotAccount
from durak.clients.bot.main import main

__all__ = ["BotAccount", "main"]
