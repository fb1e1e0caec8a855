"""Executors: how the tasks of a run are carried out."""
