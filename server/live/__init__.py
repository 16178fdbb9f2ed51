"""Running tables: each the one writer of its journal, stepped in rounds, found in a registry."""
