"""What a game was like: each decision judged by what its seat could know then, with Hard's eyes."""
