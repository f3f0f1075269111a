#!/usr/bin/env python3
"""Prints how fast networks are beside the peers, as a table in Markdown.

Usage (by tools/network-figures): network_table.py FILE.json...

The files are what `bench/compare --json` has written.
"""

import sys
from pathlib import Path

import compare
import documents
import rounds

ENGINES = ("emulsion", *compare.PEERS)


def main():
    print(f"| network | {' | '.join(f'{compare.TITLES[engine]} ms' for engine in ENGINES)} | times as fast as the better peer (95 %) "
          "| error/bound |")
    print("|---|" + "---:|" * (len(ENGINES) + 2))
    gains = []
    for name in sys.argv[1:]:
        report = documents.read(name, "emulsion-compare")
        engines = report["engines"]
        times = " | ".join(f"{engines[engine]['median_ms']:.2f} ({engines[engine]['min_ms']:.2f})" for engine in ENGINES)
        # The ratios are of times.
        low, high = (1 / bound for bound in reversed(report["ratio_interval"]))
        gains.append(1 / report["ratio"])
        print(f"| {Path(report['model']).stem} | {times} | {gains[-1]:.2f} ({low:.2f} to {high:.2f}) "
              f"| {engines['emulsion']['worst_bound_ratio']:.2g} |")
    print(f"\nGeometric mean of {len(gains)}: {rounds.geometric_mean(gains):.2f}, the least {min(gains):.2f}.")


main()
