"""Plays seats over the network, and thinks in processes that can be killed."""
