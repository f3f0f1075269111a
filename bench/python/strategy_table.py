#!/usr/bin/env python3
"""Prints what strategies have found in whole networks, as a table in Markdown.

Usage (by tools/strategy-figures): strategy_table.py REFERENCE STRATEGY RACE.json...

The files are of strategy_race.py, in which REFERENCE and STRATEGY are names, and all else that was tuned tells what can be
known. The gap is from the untuned network to the fastest of all; intervals of 95 % are of measurements, by resampling
sittings and their rounds, of these searches.
"""

import math
import random
import statistics
import sys
from pathlib import Path

import documents
import rounds

UNTUNED = "untuned"
SAMPLES = 2000


def medians(turns, drawn):
    """By name, over turns `drawn`: pairs of a sitting and a round, the same for all."""
    return {name: statistics.median(of[s][r] for s, r in drawn) for name, of in turns.items()}


def draws(turns, generator):
    """All turns, and then as many resamples of them."""
    sittings = [len(of) for of in next(iter(turns.values()))]
    yield [(s, r) for s, count in enumerate(sittings) for r in range(count)]
    for _ in range(SAMPLES):
        chosen = generator.choices(range(len(sittings)), k=len(sittings))
        yield [(s, generator.randrange(sittings[s])) for s in chosen for _ in range(sittings[s])]


def closed(all_ms, strategy):
    """The share of the gaps of networks, as logarithms of times, that the strategy closes."""
    gaps = sum(math.log(ms[UNTUNED] / min(ms.values())) for ms in all_ms)
    return sum(math.log(ms[UNTUNED] / ms[strategy]) for ms in all_ms) / gaps if gaps > 0 else 1.0


def interval(values, digits):
    ordered = sorted(values[1:])
    low, high = ordered[int(SAMPLES * 0.025)], ordered[int(SAMPLES * 0.975) - 1]
    return f"{values[0]:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def main():
    reference, strategy, *files = sys.argv[1:]
    generator = random.Random(1)
    races = [documents.read(name, "emulsion-strategy-race") for name in files]
    names = list(races[0]["turns"])
    print("| network |" + "".join(f" {name} ms |" for name in names) + f" gap | {strategy} closes | {reference} closes | {strategy}, times as fast as {reference} |")
    print("|---|" + "---:|" * (len(names) + 1) + "---|---|---|")
    resampled = []
    for race in races:
        turns = race["turns"]
        resampled.append([medians(turns, drawn) for drawn in draws(turns, generator)])
        print_row(Path(race["model"]).stem, resampled[-1:], names, strategy, reference)
    print_row("all", resampled, names, strategy, reference)


def print_row(title, resampled, names, strategy, reference):
    """Of networks: by network the times of all draws."""
    together = list(zip(*resampled))
    once = together[0]
    cells = "".join(f" {once[0][name]:.3f} |" if len(once) == 1 else " |" for name in names)
    gap = rounds.geometric_mean(ms[UNTUNED] / min(ms.values()) for ms in once)
    shares = [[100 * closed(all_ms, who) for all_ms in together] for who in (strategy, reference)]
    over = [rounds.geometric_mean(ms[reference] / ms[strategy] for ms in all_ms) for all_ms in together]
    print(f"| {title} |{cells} {gap:.3f} | {interval(shares[0], 0)} % | {interval(shares[1], 0)} % | {interval(over, 3)} |")


main()
