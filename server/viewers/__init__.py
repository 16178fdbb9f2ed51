"""What viewers are shown of the tables they look at."""
