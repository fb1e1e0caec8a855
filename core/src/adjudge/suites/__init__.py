"""Suites: what a suite file says, and everything that can be wrong with one."""
