"""`durak arena`: bots against each other on duplicate deals, and what follows from it, with intervals."""
