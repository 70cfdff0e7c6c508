"""The command `handan`, also as `python -m handan`: Ctrl-C ends it with one line, while it still starts too."""

from __future__ import annotations

import gc
import os
import signal
import sys

from handan.interrupts import is_stop, stops_kept

STOPPED = 130
YOUNG = 20_000
"""Objects after which Python looks for those that hold each other and are of no use.
our choice: a command makes much that stays, and looking after every 700 takes a tenth of a short one."""


def main() -> int:
    """Run the command line and return its exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed before the start
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # while the process lasts
    gc.set_threshold(YOUNG)
    try:
        with stops_kept():
            from handan.cli import main as command_line
        status = command_line()
    except BaseException as error:
        if not is_stop(error):
            raise
        sys.stderr.write("handan: stopped\n")
        status = STOPPED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done; another Ctrl-C would only be shown as a fault
    return status


if __name__ == "__main__":
    sys.exit(main())
