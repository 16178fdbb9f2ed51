"""Where the outside comes in: HTTP, WebSockets, limits, and what the messages of a connection do."""
