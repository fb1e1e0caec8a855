"""The language layer: which Python a program may use, and what it can reach from there."""
