"""What a seat knows: what it was told, what all were told, what it sees."""
