"""`python -m adjudge`: the command line without its script."""

import sys

if __name__ == "__main__":
    # The working directory must not shadow a library; `-p MODULE` alone looks there.
    if not sys.flags.safe_path:
        del sys.path[0]

    from adjudge.cli.main import main

    main()
