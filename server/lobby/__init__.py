"""How tables come to be and are filled: the list, creation, seats for bots."""
