"""Runs: one execution of a suite, how it is carried out, counted and held against its gate."""
