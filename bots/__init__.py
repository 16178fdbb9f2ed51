"""Computer players: `choose(view, legal, rng, budget)` returns an action."""
