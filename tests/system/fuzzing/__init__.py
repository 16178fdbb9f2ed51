"""A live server under frames that nobody should send; see run.py."""
