"""Texts: comparing them, quoting them, and showing them safely."""
