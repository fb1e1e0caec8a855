"""Work that may run away, held to a bound of time and memory."""
