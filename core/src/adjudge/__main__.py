"""`python -m adjudge`: the command line without its script."""

from adjudge.cli.main import main

if __name__ == "__main__":
    main()
