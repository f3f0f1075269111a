#!/usr/bin/env python3
"""Prints what tuning has won, as a table in Markdown.

Usage (by tools/tuning-figures): tuning_table.py FILE.json...

The files are what `emulsion tune --json` has written.
"""

import json
import sys
from pathlib import Path

import rounds


def gain(report):
    """How many times as fast the network has become; 1 where it stays as it was planned."""
    times = [report[key] for key in ("tuned_ms", "planned_again_ms") if report[key] > 0]
    return max([report["untuned_ms"] / ms for ms in times] + [1.0])


def uses_generic(report):
    return any("generic" in task["template"].split("+") for task in report["tasks"])


def cell(ms):
    return f"{ms:.3f}" if ms > 0 else "-"


def main():
    print("| network | minutes | trials | untuned ms | tuned | another plan, tuned | times as fast |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    gains, without_generic = [], []
    for name in sys.argv[1:]:
        report = json.loads(Path(name).read_text())
        gains.append(gain(report))
        if not uses_generic(report):
            without_generic.append(gains[-1])
        print(
            f"| {Path(report['model']).stem} | {report['seconds'] / 60:.0f} | {report['trials']} "
            f"| {cell(report['untuned_ms'])} | {cell(report['tuned_ms'])} "
            f"| {cell(report['planned_again_ms'])} | {gains[-1]:.3f} |"
        )
    print(f"\nGeometric mean of {len(gains)}: {rounds.geometric_mean(gains):.3f}, the least {min(gains):.3f}; ", end="")
    print(f"of the {len(without_generic)} without a generic loop nest {rounds.geometric_mean(without_generic or [1.0]):.3f}.")


main()
