"""The bots, and what they think with."""
