#!/usr/bin/env python3
"""Has Halide's generators in Python keep what their command line says to autoschedulers.

Usage: keep_parameters.py ENVIRONMENT

In Halide's package for Python, `autoscheduler.parallelism=2` on the command line of a generator changes a copy of
the parameters, and no autoscheduler ever sees it: all of them plan for as many threads as they take by default, 16
with Gao2025. This mends that one statement in the environment's package. It can be run again; a package that has
another statement there is refused.
"""

import sys
from pathlib import Path

LOSES = "self.autoscheduler().extra[sub_key] = value\n"
KEEPS = "self.autoscheduler().extra = {**self.autoscheduler().extra, sub_key: value}\n"


def main():
    (helpers,) = Path(sys.argv[1]).glob("lib/python*/site-packages/halide/_generator_helpers.py")
    text = helpers.read_text()
    if KEEPS in text:
        return
    if text.count(LOSES) != 1:
        sys.exit(f"{helpers} does not set parameters of autoschedulers as Halide 19 to 21 do")
    helpers.write_text(text.replace(LOSES, KEEPS))


if __name__ == "__main__":
    main()
