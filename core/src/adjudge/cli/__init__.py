"""The command line: a parser in `main`, and a module for each command."""
