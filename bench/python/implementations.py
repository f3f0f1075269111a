#!/usr/bin/env python3
"""Measures every implementation of layers drawn at random, and says how often the cost model names the faster of two.

Layers are those of bench/layers (bench/python/random_layers.py states the distributions), of kinds whose operator has
several implementations. Each is compiled once for every implementation (`--implementation`), and these run side by side
on this machine, every one a process, in turns in an order that changes.

Prints for each kind, and for all: pairs of implementations of a layer whose medians differ by more than 5 %, in how many
of them the one that is predicted to take less time does, the median of how far predictions are from what is measured, and
by how much the implementations that an ordinary compile chooses are slower than the best ones, in geometric mean. Then
every pair that is named wrongly.

The status is 1 where one of them failed.
"""

import argparse
import itertools
import os
import statistics

import compare
import layers as random_layer_runs
import onnx
import random_layers
import rounds
import scratch

DIFFERENCE = 1.05  # of two medians: closer ones are no pair


class Variant:
    """An implementation of a layer."""

    def __init__(self, name, predicted_ms):
        self.name, self.predicted_ms, self.ms = name, predicted_ms, 0.0


class Measured:
    """A layer, with its implementations and the one that is chosen."""

    def __init__(self, name, layer, chosen, variants):
        self.name, self.layer, self.chosen, self.variants = name, layer, chosen, variants

    def pairs(self):
        """(faster, slower) as measured, of those that differ."""
        for a, b in itertools.combinations(sorted(self.variants, key=lambda v: v.ms), 2):
            if b.ms > a.ms * DIFFERENCE:
                yield a, b

    def loss(self):
        """Time of the chosen one over the least."""
        chosen = next(v for v in self.variants if v.name == self.chosen)
        return chosen.ms / min(v.ms for v in self.variants)


def is_named_right(pair):
    faster, slower = pair
    return faster.predicted_ms < slower.predicted_ms


def forced(operator, name):
    return ["--implementation", f"{operator}={name}"]


def measure_layer(name, layer, folder, options):
    """None where there is one implementation alone."""
    model = folder / f"{name}.onnx"
    onnx.save(layer.model, model)
    choices = random_layer_runs.explained(model, options)["choices"]
    if len(choices) != 1 or len(choices[0]["alone_ms"]) < 2:
        return None
    choice = choices[0]
    settings = random_layer_runs.settings(options, model)
    variants, artifacts = [], []
    for variant in choice["alone_ms"]:
        flags = forced(choice["operator"], variant)
        variants.append(Variant(variant, random_layer_runs.explained(model, options, flags)["predicted_ms"]))
        artifacts.append(compare.compile_model(settings, folder / f"{name}-{variant}",
                                               [*options.compile_flags, *flags]))
    with scratch.temporary_folder("emulsion-implementations-") as temporary:
        inputs = compare.write_inputs(compare.input_tensors(artifacts[0]), temporary, options.seed)
        contenders = [compare.Contender("emulsion", str(artifact), inputs, options.threads)
                      for artifact in artifacts]
        try:
            compare.measure(contenders, settings if options.iterations else
                            random_layer_runs.long_turns(contenders, settings))
        finally:
            for contender in contenders:
                contender.close()
    for variant, contender in zip(variants, contenders):
        variant.ms = statistics.median(rounds.flat(contender.rounds))
    return Measured(name, layer, choice["implementation"], variants)


def figures(measured):
    pairs = [pair for layer in measured for pair in layer.pairs()]
    right = sum(is_named_right(pair) for pair in pairs)
    return {
        "layers": len(measured),
        "pairs": len(pairs),
        "named_right": right,
        "prediction_error": statistics.median(abs(v.predicted_ms / v.ms - 1) for l in measured for v in l.variants),
        "loss": rounds.geometric_mean([layer.loss() for layer in measured]),
    }


def document(measured, kinds, options):
    return {
        "seed": options.seed,
        "threads": options.threads,
        "kinds": {kind: figures([l for l in measured if l.layer.kind == kind]) for kind in kinds
                  if any(l.layer.kind == kind for l in measured)},
        "all": figures(measured) if measured else {},
        "layers": [
            {
                "name": l.name,
                "kind": l.layer.kind,
                "operator": l.layer.text,
                "chosen": l.chosen,
                "implementations": {v.name: {"predicted_ms": v.predicted_ms, "median_ms": v.ms} for v in l.variants},
            }
            for l in measured
        ],
    }


def print_kinds(result):
    print("| kind | layers | pairs | named right | | error | chosen over the best |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind, row in [*result["kinds"].items(), ("all", result["all"])]:
        share = f"{100 * row['named_right'] / row['pairs']:.0f} %" if row["pairs"] else ""
        print(f"| {kind} | {row['layers']} | {row['pairs']} | {row['named_right']} | {share} | "
              f"{100 * row['prediction_error']:.0f} % | {row['loss']:.2f} |")


def print_wrong(measured):
    wrong = [(layer, *pair) for layer in measured for pair in layer.pairs() if not is_named_right(pair)]
    if not wrong:
        return
    print("\nNamed wrongly:\n")
    print("| layer | operator | faster | ms | predicted | slower | ms | predicted |")
    print("|---|---|---|---:|---:|---|---:|---:|")
    for layer, faster, slower in sorted(wrong, key=lambda w: w[1].ms / w[2].ms):
        print(f"| {layer.name} | {layer.layer.text} | {faster.name} | {faster.ms:.3f} | {faster.predicted_ms:.3f} | "
              f"{slower.name} | {slower.ms:.3f} | {slower.predicted_ms:.3f} |")


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="implementations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    random_layer_runs.add_layer_flags(parser, count=4)
    parser.add_argument("--threads", type=compare.positive, default=len(os.sched_getaffinity(0)),
                        metavar="N", help="threads of every implementation (default: the cores)")
    compare.add_turn_flags(parser, "implementation")
    parser.set_defaults(rounds=6, gap=0.03, seed=1)
    random_layer_runs.add_compiler_flags(parser)
    options = parser.parse_args()
    random_layer_runs.check_kinds(options)
    return options


def run(options, folder):
    names = [(kind, number) for kind in options.kinds for number in range(options.count)]
    measured = []
    for done, (kind, number) in enumerate(names):
        name = f"{kind}_{number}"
        random_layer_runs.progress(f"layer {done + 1} of {len(names)}: {name}")
        layer = measure_layer(name, random_layers.drawn(options.seed, kind, number), folder, options)
        if layer is not None:
            measured.append(layer)
    random_layer_runs.progress("")
    result = document(measured, options.kinds, options)
    if measured:
        print_kinds(result)
        print_wrong(measured)
    if options.json:
        compare.write_json(options.json, "emulsion-implementations", result)
    if not measured:
        compare.fail("none of these layers has several implementations")


def main():
    options = parse_arguments()
    with scratch.kept_or_temporary(options.folder, "emulsion-implementations-") as folder:
        run(options, folder)


if __name__ == "__main__":
    compare.run_main("implementations", main)
