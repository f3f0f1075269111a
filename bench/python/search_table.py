#!/usr/bin/env python3
"""Prints how soon strategies have found what, as tables in Markdown.

Usage (by tools/search-figures): search_table.py TASK.STRATEGY.SEED.TRIALS.json...

The files are what `emulsion tune --json` has written of one search each. The planned nest, whose time is 1, counts as
nothing that was found. Intervals of 95 % are of means over tasks and seeds, by resampling tasks.
"""

import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

import rounds

REFERENCE = "random"
BUDGETS = (1, 8, 16, 32, 64, 96, 128, 256)
CLOSE = 1.05


def search_of(path):
    """Ratios of all trials in their order (None where they failed), and what became of them."""
    task = json.loads(path.read_text())["tasks"][0]
    outcomes = Counter(point["outcome"] for point in task["tried"])
    return [point.get("ratio") for point in task["tried"]], outcomes, task


def least(ratios):
    return min((ratio for ratio in ratios if ratio), default=100.0)


def trials_to(ratios, goal):
    """The first trial that comes so low; all of them where none does."""
    for trial, ratio in enumerate(ratios, 1):
        if ratio and ratio <= goal:
            return trial
    return len(ratios)


def interval(by_task, samples=2000):
    """Geometric mean and its interval; `by_task` has lists of ratios."""
    generator = random.Random(1)
    means = [rounds.geometric_mean(values) for values in by_task]
    drawn = sorted(
        rounds.geometric_mean(generator.choices(means, k=len(means))) for _ in range(samples)
    )
    return (
        f"{rounds.geometric_mean(means):.2f} ({drawn[int(samples * 0.025)]:.2f} to {drawn[int(samples * 0.975) - 1]:.2f})"
    )


def main():
    searches = defaultdict(lambda: defaultdict(dict))  # by task, strategy, seed
    outcomes = defaultdict(Counter)
    facts = {}
    for name in sys.argv[1:]:
        path = Path(name)
        task, strategy, seed, _ = path.name.removesuffix(".json").rsplit(".", 3)
        ratios, became, facts[task] = search_of(path)
        searches[task][strategy][int(seed)] = ratios
        outcomes[strategy] += became
    strategies = list(dict.fromkeys(s for task in searches.values() for s in task))
    best = {
        task: min(least(ratios) for seeds in of_task.values() for ratios in seeds.values())
        for task, of_task in searches.items()
    }
    budgets = [b for b in BUDGETS if b <= max(len(r) for t in searches.values() for s in t.values() for r in s.values())]

    print("| group | template | grid | best known | median of random |")
    print("|---|---|---:|---:|---:|")
    for task, of_task in searches.items():
        drawn = [r for ratios in of_task.get(REFERENCE, {}).values() for r in ratios if r]
        median = f"{statistics.median(drawn):.2f}" if drawn else "-"
        print(f"| {task} | {facts[task]['template']} | {facts[task]['grid']:.1e} | {best[task]:.3f} | {median} |")

    print("\n| strategy |" + "".join(f" {b} trials |" for b in budgets) + f" times as fast at {budgets[-2]} | trials to 5 % | times as soon | right |")
    print("|---|" + "---:|" * len(budgets) + "---|---:|---|---:|")
    for strategy in strategies:
        over_best = {
            b: rounds.geometric_mean(
                least(ratios[:b]) / best[task] for task, t in searches.items() for ratios in t[strategy].values()
            )
            for b in budgets
        }
        faster, sooner, trials = [], [], []
        for task, of_task in searches.items():
            goal = CLOSE * best[task]
            trials.append(rounds.geometric_mean(trials_to(r, goal) for r in of_task[strategy].values()))
            if REFERENCE in of_task:
                pairs = [(of_task[REFERENCE][seed], r) for seed, r in of_task[strategy].items() if seed in of_task[REFERENCE]]
                faster.append([least(a[: budgets[-2]]) / least(b[: budgets[-2]]) for a, b in pairs])
                sooner.append([trials_to(a, goal) / trials_to(b, goal) for a, b in pairs])
        all_tried = sum(outcomes[strategy].values())
        right = outcomes[strategy]["ok"] / all_tried if all_tried else 0.0
        cells = "".join(f" {over_best[b]:.3f} |" for b in budgets)
        print(
            f"| {strategy} |{cells} {interval(faster) if faster else '-'} | {rounds.geometric_mean(trials):.1f} "
            f"| {interval(sooner) if sooner else '-'} | {100 * right:.1f} % |"
        )
    print("| the planner's choice |" + f" {rounds.geometric_mean(1 / b for b in best.values()):.3f} |" * len(budgets) + " | 0 | | |")


if __name__ == "__main__":
    main()
