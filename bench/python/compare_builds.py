#!/usr/bin/env python3
"""Measures what two builds of Emulsion make of the same models: whether anything got slower.

Every model is compiled by both programs, without a cache, for every number of threads. Where both make
the same code, launch by launch, nothing is measured and the ratio is 1. Else the two artifacts take
turns as the engines of bench/compare do: each in a process of its own, in an order that changes, after
an idle gap and some runs that do not count.

A line per model has the median and the fastest run of both in milliseconds, the ratio of the medians,
new over old, with a 95 % confidence interval (bootstrap over rounds), the ratio of the fastest runs, and
of the times that compiling took. The last line has the geometric mean of the ratios and its interval.
First the outputs are compared: |new - old| over 1e-4 + 1e-3 |old|. The status is 1 where that is above
1 or a model can't be compiled.
"""

import argparse
import json
import os
import random
import re
import shlex
import statistics
import sys
from pathlib import Path

import compare
import rounds
import scratch


def compile_model(program, model, threads, folder, options, flags=()):
    """Seconds that the compiler took."""
    figures = folder.parent / f"{folder.name}.json"
    command = [program, "compile", model, "-o", str(folder), "--threads", str(threads)]
    command += ["--no-cache", "--emit", "assembly", "--json", str(figures)]
    if options.target:
        command += ["--target", options.target]
    done = compare.run_program([*command, *flags])
    if done.returncode != 0:
        compare.fail(f"{program}: {done.stderr.strip().removeprefix('emulsion: error: ')}", done.returncode)
    return json.loads(figures.read_text())["seconds"]


def code_of(folder):
    """The machine code of every launch, without names, and what it reads as weights."""
    manifest = json.loads((folder / "manifest.json").read_text())
    code = []
    for launch in manifest["launches"]:
        text = (folder / "emit" / f"{launch['unit']}.s").read_text()
        code.append(re.sub(r"u[0-9a-f]{32}", "unit", text))
    weights = next(folder.glob("*.weights")).read_bytes()
    return code, weights[compare.WEIGHTS_HEADER_BYTES:]


def measure(folders, threads, folder, options):
    """Turns of both builds, and the largest difference of their outputs over its bound."""
    inputs = compare.write_inputs(compare.input_tensors(folders["new"]), folder, options.seed)
    contenders = compare.open_contenders(folders, inputs, threads)
    outputs = {c.engine: compare.outputs_of(c, folder) for c in contenders}
    settings = argparse.Namespace(**vars(options))
    compare.measure(contenders, settings)
    for contender in contenders:
        contender.close()
    return {c.engine: c.rounds for c in contenders}, compare.worst_ratio(outputs["new"], outputs["old"])


def ratios_of(turns, generator, samples):
    """The ratio of medians, and as many of rounds that were drawn at random."""
    def ratio(numbers):
        new, old = ([turns[name][i] for i in numbers] for name in ("new", "old"))
        return statistics.median(rounds.flat(new)) / statistics.median(rounds.flat(old))

    count = len(turns["new"])
    drawn = [ratio(generator.choices(range(count), k=count)) for _ in range(samples)]
    return ratio(range(count)), drawn


def interval(samples):
    ordered = sorted(samples)
    return [ordered[int(len(ordered) * 0.025)], ordered[int(len(ordered) * 0.975) - 1]]


def compare_model(model, threads, folder, options, generator):
    folders = {"old": folder / "old", "new": folder / "new"}
    flags = {"old": (), "new": shlex.split(options.new_flags)}
    seconds = {name: compile_model(getattr(options, name), model, threads, path, options, flags[name])
               for name, path in folders.items()}
    row = {"model": model, "threads": threads, "compile_ratio": seconds["new"] / seconds["old"],
           "same_code": code_of(folders["old"]) == code_of(folders["new"])}
    samples = [1.0] * options.samples
    if row["same_code"]:
        row |= {"ratio": 1.0, "ratio_interval": [1.0, 1.0]}
    else:
        turns, row["worst_bound_ratio"] = measure(folders, threads, folder, options)
        row["ratio"], samples = ratios_of(turns, generator, options.samples)
        row["ratio_interval"] = interval(samples)
        for name, times in turns.items():
            row[f"{name}_ms"] = statistics.median(rounds.flat(times))
            row[f"{name}_min_ms"] = min(rounds.flat(times))
        row["min_ratio"] = row["new_min_ms"] / row["old_min_ms"]
    return row, samples


def print_row(row):
    name = Path(row["model"]).stem
    start = f"{name:<24}{row['threads']:>8}"
    if row["same_code"]:
        print(f"{start}  {'the same code':<40}{1:>7.3f}{'':>25}{row['compile_ratio']:>9.2f}")
        return
    low, high = row["ratio_interval"]
    print(f"{start}{row['old_ms']:>11.3f}{row['old_min_ms']:>10.3f}{row['new_ms']:>11.3f}"
          f"{row['new_min_ms']:>10.3f}{row['ratio']:>7.3f}  ({low:.3f} to {high:.3f})"
          f"{row['min_ratio']:>7.3f}{row['compile_ratio']:>9.2f}{row['worst_bound_ratio']:>13.3g}",
          flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="compare-builds", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("models", metavar="MODEL.onnx", nargs="+")
    parser.add_argument("--old", required=True, metavar="PROGRAM", help="`emulsion` of the other build")
    parser.add_argument("--new", default=compare.find_program(), metavar="PROGRAM",
                        help="that of this one (default %(default)s)")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))), metavar="LIST",
                        help="numbers of threads, joined by commas (default: the cores)")
    parser.add_argument("--target", metavar="TARGET", help="as for `emulsion compile`; of this CPU")
    parser.add_argument("--new-flags", default="", metavar="FLAGS",
                        help="more flags of `emulsion compile` for this one, as a single argument: with the same program "
                             "twice, what they are worth (--new-flags=--predict)")
    compare.add_turn_flags(parser, "build")
    parser.add_argument("--json", metavar="FILE", help="write all figures there as well")
    options = parser.parse_args()
    options.samples = 1000
    try:
        options.threads = [compare.positive(number) for number in options.threads.split(",")]
    except ValueError:
        compare.fail(f"--threads: '{options.threads}' is no list of numbers", 2)
    for model in options.models:
        if not Path(model).is_file():
            compare.fail(f"{model}: no such file", 2)
    return options


def main():
    options = parse_arguments()
    print(f"{'model':<24}{'threads':>8}{'old ms':>11}{'min':>10}{'new ms':>11}{'min':>10}"
          f"{'ratio':>7}{'95 % interval':>18}{'min':>7}{'compile':>9}{'error/bound':>13}", flush=True)
    generator = random.Random(options.seed)
    rows, samples = [], []
    for model in options.models:
        for threads in options.threads:
            with scratch.temporary_folder("emulsion-compare-") as folder:
                row, drawn = compare_model(model, threads, folder, options, generator)
            rows.append(row)
            samples.append(drawn)
            print_row(row)
    means = [rounds.geometric_mean(drawn) for drawn in zip(*samples)]
    mean, (low, high) = rounds.geometric_mean(row["ratio"] for row in rows), interval(means)
    print(f"geometric mean of {len(rows)}: {mean:.3f} (95 % interval {low:.3f} to {high:.3f})")
    if options.json:
        compare.write_json(options.json, "emulsion-compare-builds",
                           {"rows": rows, "ratio": mean, "ratio_interval": [low, high]})
    wrong = [row["model"] for row in rows if row.get("worst_bound_ratio", 0.0) > 1]
    if wrong:
        compare.fail(f"the two builds do not compute the same of {', '.join(wrong)}")


if __name__ == "__main__":
    compare.run_main("compare-builds", main)
