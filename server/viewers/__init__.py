"""Who looks at which table, and what they are shown."""
