#!/usr/bin/env python3
"""Prints what tools/fusion-figures has measured in FOLDER as Markdown tables: a row for each network
of fusion.json and fusion_large.json. The last column, where there is any NETWORK_tvm.json, has Apache
TVM's time over ours; where that file has the engine tvm_tuned, that one's time over ours follows.

Usage: fusion_table.py FOLDER
"""

import sys
from pathlib import Path

import documents
from figures import table

POLICIES = ("none", "tvm", "gao2025")


def each(policies, text):
    return " / ".join(text(policies[name]) for name in POLICIES)


def interval(ratio):
    return f"{ratio['ratio']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"


def apache_tvm(path):
    """Its time over ours with default and, where measured, tuned schedules, and all times."""
    if not path.is_file():
        return ""
    engines = documents.read(path, "emulsion-compare")["engines"]
    median = lambda name: engines[name]["median_ms"]
    names, ours = ["tvm"], median("emulsion")
    tuned = "tvm_tuned" in engines
    if tuned:
        names.append("tvm_tuned")
    ratios = " / ".join(f"{median(name) / ours:.{0 if name == 'tvm' else 1}f}" for name in names)
    times = " / ".join(f"{median(name):.0f}" for name in names)
    return f"{ratios}{' tuned' if tuned else ''} ({times} / {ours:.1f} ms)"


def row(folder, model):
    policies = model["policies"]
    ours = policies["gao2025"]
    name = Path(model["model"]).stem
    return [name, str(model["operators"]), each(policies, lambda p: str(p["groups"])),
            f"{ours['ratio_over_tvm']:.2f}",
            each(policies, lambda p: f"{p['bytes_moved'] / 1e6:.0f}"),
            each(policies, lambda p: f"{p['median_ms']:.1f}"),
            interval(ours["over_tvm"]), interval(ours["over_none"]), f"{model['headroom']:.2f}",
            apache_tvm(folder / f"{name}_tvm.json")]


def averages(measured):
    ours = measured["averages"]["gao2025"]
    return (f"On average the ratio over tvm is {ours['ratio_over_tvm']:.2f}; in geometric mean the "
            f"speed-up is {ours['over_tvm']:.3f} over tvm and {ours['over_none']:.3f} over none.")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    names = ("fusion.json", "fusion_large.json")
    for measured in [documents.read(folder / name, "emulsion-fusion") for name in names]:
        columns = ["network", "operators", "groups " + " / ".join(POLICIES), "ratio over tvm",
                   "MB moved", "median ms " + " / ".join(POLICIES), "speed-up over tvm",
                   "over none", "headroom", "over Apache TVM"]
        rows = [row(folder, model) for model in measured["models"]]
        shown = len(columns) if any(cells[-1] for cells in rows) else -1
        table(columns[:shown], [cells[:shown] for cells in rows])
        print(averages(measured) + "\n")


if __name__ == "__main__":
    main()
