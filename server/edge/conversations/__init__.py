"""What the messages of a client do, a file for each conversation."""
