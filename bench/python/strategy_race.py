#!/usr/bin/env python3
"""Measures a network untuned and with several files of loop nests, in turns.

Usage (by tools/strategy-figures): strategy_race.py --json FILE [OPTIONS] MODEL.onnx NAME=TUNED.json...

What each NAME stands for is compiled with 'emulsion compile --tuned'; 'untuned' is there as well. In a sitting each is a
process of its own, so that another sitting has other memory; in a round each has a turn, in an order that changes.
Outputs are compared first: the status is 1 where one is not that of the untuned network.
"""

import argparse
import os
import statistics

import compare
import scratch

UNTUNED = "untuned"


def expect_same_outputs(contenders, folder):
    outputs = {c.engine: compare.outputs_of(c, folder) for c in contenders}
    for name, values in outputs.items():
        worst = compare.worst_ratio(values, outputs[UNTUNED])
        if worst > 1:
            compare.fail(f"with the loop nests of '{name}' an output is off by {worst:.3g} times the bound")


def race(options, folder):
    """By name, the median of every turn in milliseconds, by sitting."""
    settings = argparse.Namespace(emulsion=options.emulsion, model=options.model, threads=options.threads, shape=[])
    folders = {UNTUNED: compare.compile_model(settings, folder / UNTUNED)}
    for name, tuned in options.tuned.items():
        folders[name] = compare.compile_model(settings, folder / name, ["--tuned", tuned])
    inputs = compare.write_inputs(compare.input_tensors(folders[UNTUNED]), folder, options.seed)
    turns = {name: [] for name in folders}
    for sitting in range(options.sittings):
        contenders = compare.open_contenders(folders, inputs, options.threads)
        expect_same_outputs(contenders, folder)
        compare.measure(contenders, argparse.Namespace(**vars(options) | {"seed": options.seed + sitting}))
        for contender in contenders:
            turns[contender.engine].append([statistics.median(ms) for ms in contender.rounds])
            contender.close()
    return turns


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("tuned", metavar="NAME=TUNED.json", nargs="+")
    parser.add_argument("--emulsion", default=compare.find_program(), metavar="PROGRAM")
    parser.add_argument("--threads", type=compare.positive, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--sittings", type=compare.positive, default=5, metavar="N", help="default 5")
    parser.add_argument("--json", required=True, metavar="FILE")
    compare.add_turn_flags(parser, "file of loop nests")
    options = parser.parse_args()
    options.tuned = dict(pair.split("=", 1) for pair in options.tuned)
    return options


def main():
    options = parse_arguments()
    with scratch.temporary_folder("emulsion-race-") as folder:
        turns = race(options, folder)
    compare.write_json(options.json, "emulsion-strategy-race",
                       {"model": options.model, "threads": options.threads, "turns": turns})


if __name__ == "__main__":
    compare.run_main("strategy-race", main)
