"""Who people are: names and tokens."""
