"""What a node is given from outside: time, randomness, somebody who measures."""
