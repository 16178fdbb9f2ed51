"""Benchmarks that anyone can run: `durak bench ...`. Each compares side by side in one run, in CPU time."""
