"""Bots from outside: programs that speak the line protocol of docs/your-bot.md."""
