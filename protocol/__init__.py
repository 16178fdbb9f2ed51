"""What every party at a table shares: the rules of the game and the messages on the wire."""
