"""The journal: every accepted input of every table, on disk before anyone is told about it."""
