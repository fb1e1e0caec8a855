"""Plugins: who offers what, whether it may be used, and how it is loaded."""
