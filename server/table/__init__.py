"""The table machine: ``(state, input, time) -> (state, events, deadline)``, with no clock, randomness or socket of its own."""
