"""The table server: a node of tables, what watches them, and the edge where people and bots come in."""
