"""Computer players: `choose(view, memory, rng)` returns an action or waits; a host plays them over the protocol."""
