"""What an operator may do to a running server, through a socket in its data directory that only its own user can open."""
