"""The game of Durak: pure, without clock, randomness or I/O."""
