#!/usr/bin/env python3
"""Measures layers drawn at random with Emulsion, ONNX Runtime and OpenVINO, side by side on this machine.

A layer is a network of one operator (bench/python/random_layers.py states the distributions): of each
kind COUNT are drawn, and are the same for the same seed. All are compiled first; then one layer after
the other is measured as bench/compare does it: every engine a process, f32, the same threads and input,
in turns in an order that changes. Turns last some 30 ms and as much of warming up, as threads that slept
need milliseconds to get to a core each. In each further sitting the layers that have been below 0.8 so far are
measured again, after all others; a layer's figure is the median over its sittings.

Prints for each kind, and for all, the better peer's median over ours (above 1 Emulsion is faster):
geometric mean, 10th percentile, least; the median share of the machine's limit that our layers reach,
(the larger of operations over the arithmetic peak and of bytes over the read bandwidth of as many bytes,
both measured first, over the time); the median of predicted over measured time, and that of how far it is
from 1. Then every layer below 0.8, with what it was compiled to. First of each layer the outputs are compared, as in bench/compare.

The status is 1 where engines do not agree on a layer, or one of them failed on it.
"""

import argparse
import json
import os
import statistics
import sys
import types
from concurrent import futures
from pathlib import Path

import compare
import documents
import onnx
import random_layers
import rounds
import scratch

TURN_MS = 30.0  # without its warm-up, about
SLOW = 0.8  # of the better peer: a layer below is listed
PEERS = compare.PEERS


def text_of_nest(nest):
    parameters = ", ".join(f"{name} {value}" for name, value in nest["parameters"].items())
    return f"{nest['template']} ({parameters})"


def seconds_to_read(count, limits):
    """Of a plain loop, from a buffer of so many bytes."""
    reading = next((row for row in limits["reading"] if row["bytes"] >= count), limits["reading"][-1])
    return count / reading["bytes_per_second"]


class Measured:
    """A layer with all that was found of it."""

    def __init__(self, name, layer):
        self.name, self.layer = name, layer
        self.predicted_ms, self.nests = 0.0, []
        self.medians = []  # of a sitting: {engine: milliseconds}
        self.error = ""

    def ratios(self):
        """The better peer's median over ours, of every sitting."""
        return [min(ms for engine, ms in sitting.items() if engine != rounds.OURS)
                / sitting[rounds.OURS] for sitting in self.medians]

    def ratio(self):
        return statistics.median(self.ratios())

    def ms(self, engine=rounds.OURS):
        return statistics.median(sitting[engine] for sitting in self.medians)

    def limit_ms(self, limits):
        return max(2 * self.layer.multiply_adds / limits["operations_per_second"],
                   seconds_to_read(self.layer.bytes, limits)) * 1e3

    def is_slow(self):
        return not self.error and self.ratio() < SLOW


def settings(options, model):
    return types.SimpleNamespace(**vars(options) | {"model": str(model), "shape": []})


def compile_layer(measured, folder, options):
    model = folder / f"{measured.name}.onnx"
    onnx.save(measured.layer.model, model)
    try:
        compare.compile_model(settings(options, model), folder / measured.name, options.compile_flags)
        explain(measured, model, options)
    except compare.Failure as failure:
        measured.error = str(failure)


def explained(model, options, flags=()):
    """What `emulsion explain` says of the model."""
    file = model.with_suffix(".json")
    done = compare.run_program([options.emulsion, "explain", str(model), "--json", str(file), "--threads",
                                str(options.threads), *options.compile_flags, *flags])
    if done.returncode != 0:
        compare.fail(done.stderr.strip(), done.returncode)
    return documents.read(file, "emulsion-explain")


def explain(measured, model, options):
    """Reads the prediction and the loop nests."""
    found = explained(model, options)
    measured.predicted_ms = found["predicted_ms"]
    measured.nests = [text_of_nest(nest) for group in found["groups"] for nest in group.get("nests", [])]


def compile_all(layers, folder, options):
    with futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(compile_layer, layer, folder, options) for layer in layers]
        for number, done in enumerate(futures.as_completed(waiting)):
            done.result()
            progress(f"compiled {number + 1} of {len(layers)}")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def long_turns(contenders, options):
    """Turns of so many milliseconds: threads that slept before take milliseconds to be on a core each."""
    slowest = max(min(c.ask(warmup=3, iterations=5)["ms"]) for c in contenders)
    options.iterations = min(max(int(TURN_MS / slowest), 3), 1000)
    options.warmup = max(options.iterations // 2, 1)
    return options


def measure_layer(name, folder, options):
    """Every engine's median over one sitting, in milliseconds, of NAME.onnx in `folder` and of NAME, compiled from it."""
    model = folder / f"{name}.onnx"
    artifact = folder / name
    with scratch.temporary_folder("emulsion-layers-") as temporary:
        inputs = compare.write_inputs(compare.input_tensors(artifact), temporary, options.seed)
        contenders = [compare.Contender("emulsion", str(artifact), inputs, options.threads)]
        contenders += [compare.Contender(engine, str(model), inputs, options.threads) for engine in PEERS]
        try:
            outputs = {c.engine: compare.outputs_of(c, temporary) for c in contenders}
            for engine, values in outputs.items():
                if compare.worst_ratio(values, outputs["onnxruntime"]) > 1:
                    raise compare.Failure(f"the outputs of {compare.TITLES[engine]} do not agree with those of "
                                          "ONNX Runtime")
            compare.measure(contenders, settings(options, model) if options.iterations else
                            long_turns(contenders, settings(options, model)))
        finally:
            for contender in contenders:
                contender.close()
    return {c.engine: statistics.median(rounds.flat(c.rounds)) for c in contenders}


def measure_all(layers, folder, options):
    for sitting in range(options.sittings):
        remaining = [l for l in layers if not l.error and (sitting == 0 or l.is_slow())]
        for number, layer in enumerate(remaining):
            progress(f"sitting {sitting + 1} of {options.sittings}, layer {number + 1} of {len(remaining)}: "
                     f"{layer.name}")
            try:
                layer.medians.append(measure_layer(layer.name, folder, options))
            except compare.Failure as failure:
                layer.error = str(failure)
    progress("")


def tenth(values):
    """The largest value that 90 % reach."""
    return sorted(values)[len(values) // 10]


def figures(layers, limits):
    """Of layers that were measured."""
    ratios = [layer.ratio() for layer in layers]
    return {
        "layers": len(layers),
        "geometric_mean": rounds.geometric_mean(ratios),
        "tenth_percentile": tenth(ratios),
        "least": min(ratios),
        "slow": sum(ratio < SLOW for ratio in ratios),
        "share_of_limit": statistics.median(l.limit_ms(limits) / l.ms() for l in layers),
        "predicted_over_measured": statistics.median(l.predicted_ms / l.ms() for l in layers),
        "prediction_error": statistics.median(abs(l.predicted_ms / l.ms() - 1) for l in layers),
    }


def document(layers, kinds, options, limits):
    measured = [layer for layer in layers if not layer.error]
    return {
        "seed": options.seed,
        "threads": options.threads,
        "sittings": options.sittings,
        "limits": limits,
        "kinds": {kind: figures([l for l in measured if l.layer.kind == kind], limits) for kind in kinds
                  if any(l.layer.kind == kind for l in measured)},
        "all": figures(measured, limits) if measured else {},
        "layers": [
            {
                "name": l.name,
                "kind": l.layer.kind,
                "operator": l.layer.text,
                "multiply_adds": l.layer.multiply_adds,
                "bytes": l.layer.bytes,
                "nests": l.nests,
                "predicted_ms": l.predicted_ms,
                **({"error": l.error} if l.error else
                   {"median_ms": {engine: l.ms(engine) for engine in l.medians[0]},
                    "ratios": l.ratios(), "ratio": l.ratio()}),
            }
            for l in layers
        ],
    }


def print_kinds(result):
    print("| kind | layers | geometric mean | 10th percentile | least | below 0.8 | of the limit | "
          "predicted/measured | error |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for kind, row in [*result["kinds"].items(), ("all", result["all"])]:
        print(f"| {kind} | {row['layers']} | {row['geometric_mean']:.2f} | {row['tenth_percentile']:.2f} | "
              f"{row['least']:.2f} | {row['slow']} | {row['share_of_limit']:.2f} | {row['predicted_over_measured']:.2f} | "
              f"{100 * row['prediction_error']:.0f} % |")


def print_slow(result):
    slow = [l for l in result["layers"] if l.get("ratio", SLOW) < SLOW]
    if not slow:
        return
    print(f"\nBelow {SLOW} of the better peer's speed:\n")
    print("| layer | operator | ratio | ms | better peer | predicted ms | loop nests |")
    print("|---|---|---:|---:|---:|---:|---|")
    for layer in sorted(slow, key=lambda l: l["ratio"]):
        times = layer["median_ms"]
        peer = min(PEERS, key=times.get)
        print(f"| {layer['name']} | {layer['operator']} | {layer['ratio']:.2f} | {times[rounds.OURS]:.3f} | "
              f"{compare.TITLES[peer]} {times[peer]:.3f} | {layer['predicted_ms']:.3f} | "
              f"{'; '.join(layer['nests'])} |")


def add_layer_flags(parser, count):
    parser.add_argument("--count", type=compare.positive, default=count, metavar="N",
                        help="layers of each kind (default %(default)s)")
    parser.add_argument("--kinds", default=",".join(random_layers.KINDS), metavar="LIST",
                        help="of layers (default all: %(default)s)")


def add_compiler_flags(parser):
    parser.add_argument("--compile-flag", action="append", default=[], dest="compile_flags", metavar="FLAG",
                        help="for `emulsion compile`, as --compile-flag=--exact; may be repeated")
    parser.add_argument("--folder", metavar="DIR", help="keep models and what they were compiled to there")
    parser.add_argument("--emulsion", default=compare.find_program(), metavar="PROGRAM",
                        help="the program that compiles (default %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write all figures there as well")


def check_kinds(options):
    options.kinds = options.kinds.split(",")
    for kind in options.kinds:
        if kind not in random_layers.KINDS:
            compare.fail(f"unknown kind '{kind}'; known are {', '.join(random_layers.KINDS)}", 2)


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="layers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_layer_flags(parser, count=12)
    parser.add_argument("--sittings", type=compare.positive, default=3, metavar="N",
                        help=f"that confirm what is below {SLOW} (default 3)")
    parser.add_argument("--threads", type=compare.positive, default=len(os.sched_getaffinity(0)),
                        metavar="N", help="threads of every engine (default: the cores)")
    compare.add_turn_flags(parser, "engine")
    parser.set_defaults(rounds=9, gap=0.03, seed=1)
    parser.add_argument("--jobs", type=compare.positive, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="layers that are compiled at a time (default: the cores)")
    add_compiler_flags(parser)
    options = parser.parse_args()
    check_kinds(options)
    return options


def measured_limits(options):
    program = str(Path(options.emulsion).with_name("machine_limits"))
    done = compare.run_program([program, "--threads", str(options.threads)])
    if done.returncode != 0:
        compare.fail(done.stderr.strip())
    return json.loads(done.stdout)


def run(options, folder):
    layers = [
        Measured(f"{kind}_{number}", random_layers.drawn(options.seed, kind, number))
        for kind in options.kinds for number in range(options.count)
    ]
    compile_all(layers, folder, options)
    limits = measured_limits(options)
    measure_all(layers, folder, options)
    result = document(layers, options.kinds, options, limits)
    print_kinds(result)
    print_slow(result)
    if options.json:
        compare.write_json(options.json, "emulsion-layers", result)
    failed = [layer for layer in layers if layer.error]
    for layer in failed:
        print(f"layers: {layer.name} ({layer.layer.text}): {layer.error}", file=sys.stderr)
    if failed:
        compare.fail(f"{len(failed)} of {len(layers)} layers failed")


def main():
    options = parse_arguments()
    with scratch.kept_or_temporary(options.folder, "emulsion-layers-") as folder:
        run(options, folder)


if __name__ == "__main__":
    compare.run_main("layers", main)
