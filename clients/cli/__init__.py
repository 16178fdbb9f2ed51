"""The terminal client: `durak play` and `durak tables`, lines in and lines out."""
