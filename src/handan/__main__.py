"""`python -m handan` is the command line."""

import sys

from handan.cli import main

if __name__ == "__main__":
    sys.exit(main())
