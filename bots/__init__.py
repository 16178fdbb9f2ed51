"""Computer players: `choose(view, memory, rng, budget)` returns an action or waits; a host plays them over the protocol."""
