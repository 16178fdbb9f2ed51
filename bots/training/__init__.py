"""Programs that learn the networks and weights."""
