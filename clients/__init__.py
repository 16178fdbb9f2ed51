"""Everything that connects to a server: the link, the terminal and browser clients, the `durak` command."""
