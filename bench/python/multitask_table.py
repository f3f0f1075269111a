#!/usr/bin/env python3
"""Prints what searches of several tasks at once have found, as a table in Markdown.

Usage (by tools/multitask-figures): multitask_table.py REFERENCE STRATEGY:MODEL.SEED.TRIALS.json...

The files are what `emulsion tune --json` has written of a session each. The planned nest, whose time is 1, counts as
nothing that was found. Tasks of templates that have one task only are left out. Intervals of 95 % are of means over tasks
and seeds, by resampling tasks.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

import documents
import rounds
from search_table import interval, least

TIE = 1.02


def main():
    reference, *files = sys.argv[1:]
    found = defaultdict(lambda: defaultdict(dict))  # by search, task, seed
    template = {}
    for name in files:
        search, seed, _ = Path(name).name.removesuffix(".json").rsplit(".", 2)
        for task in documents.read(name, "emulsion-tune")["tasks"]:
            found[search][task["label"]][int(seed)] = least(point.get("ratio") for point in task["tried"])
            template[task["label"]] = task["template"]
    kinds = Counter(template.values())
    tasks = [task for task in template if kinds[template[task]] > 1]
    best = {task: min(ratio for search in found.values() for ratio in search[task].values()) for task in tasks}

    print("| group | template | best known |" + "".join(f" {search} |" for search in found))
    print("|---|---|---:|" + "---:|" * len(found))
    for task in sorted(tasks, key=lambda task: template[task]):
        cells = "".join(f" {rounds.geometric_mean(by_seed[task].values()) / best[task]:.3f} |" for by_seed in found.values())
        print(f"| {task} | {template[task]} | {best[task]:.3f} |{cells}")

    print(f"\n| search | over best known | times as fast as {reference} | wins or ties of groups |")
    print("|---|---:|---|---:|")
    for search, of_search in found.items():
        over = [[found[reference][task][seed] / ratio for seed, ratio in of_search[task].items() if seed in found[reference][task]] for task in tasks]
        good = sum(rounds.geometric_mean(ratios) * TIE >= 1 for ratios in over)
        mean = rounds.geometric_mean(ratio / best[task] for task in tasks for ratio in of_search[task].values())
        print(f"| {search} | {mean:.3f} | {interval(over)} | {good} of {len(tasks)} |")


if __name__ == "__main__":
    main()
