"""The server in one thread with virtual time, a simulated network and store, and simulated people: everything from one seed."""
