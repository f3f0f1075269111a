#!/usr/bin/env python3
"""Measures operators that move more than they compute beside ONNX Runtime and OpenVINO, on tensors that no cache holds.

Each is a network of one operator, f32, with inputs and weights of some MEGABYTES together. Prints of each: milliseconds;
bytes of inputs, weights and outputs, each once, over the time; that as a share of what a plain loop reads from a buffer
of as many bytes (machine_limits), and the better peer's median over ours. An output counts as read once more: a core
reads a cache line before it writes a part of it.

The status is 1 where engines do not agree, or one of them failed.
"""

import argparse
import os
from pathlib import Path

import compare
import layers as random_layer_runs
import numpy
import onnx
import rounds
import scratch
from onnx import TensorProto, helper, numpy_helper

OPSET = 18


class Operator:
    def __init__(self, name, nodes, inputs, output, constants=()):
        self.name, self.file = name, name.replace(" ", "_")
        self.reads = 4 * (sum(int(numpy.prod(shape)) for shape in inputs)
                          + sum(c.size for c in constants if c.dtype == numpy.float32))
        self.writes = 4 * int(numpy.prod(output))
        names = [f"x{i}" for i in range(len(inputs))]
        initializers = [numpy_helper.from_array(c, f"c{i}") for i, c in enumerate(constants)]
        node = helper.make_node(nodes[0], nodes[1](names, [t.name for t in initializers]), ["y"], name=nodes[0],
                                **nodes[2])
        graph = helper.make_graph(
            [node], name,
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(names, inputs)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)], initializers)
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def both(inputs, constants):
    return inputs + constants


def resized(inputs, constants):
    return [inputs[0], "", *constants]


def operators(megabytes):
    elements = megabytes * 2**20 // 4
    generator = numpy.random.default_rng(1)

    def weights(*shape):
        return generator.standard_normal(shape, dtype=numpy.float32) * numpy.float32(0.02)

    side = 112
    planes = elements // side**2
    image = [1, planes, side, side]
    half = [1, planes, side // 2, side // 2]
    quarter = [1, planes // 4, side, side]
    rows = elements // 1000
    long = elements // 768
    wide = int(elements**0.5)
    batch = elements // (64 * 256)
    return [
        Operator("fully connected", ("MatMul", both, {}), [[1, 4096]], [1, elements // 4096],
                 [weights(4096, elements // 4096)]),
        Operator("batched vectors", ("MatMul", both, {}), [[batch, 1, 64], [batch, 64, 256]], [batch, 1, 256]),
        Operator("means over images", ("GlobalAveragePool", both, {}), [image], [1, planes, 1, 1]),
        Operator("sums of rows", ("ReduceSum", both, {"keepdims": 1}), [[rows, 1000]], [rows, 1],
                 [numpy.array([1], numpy.int64)]),
        Operator("sums of columns", ("ReduceSum", both, {"keepdims": 1}), [[rows, 1000]], [1, 1000],
                 [numpy.array([0], numpy.int64)]),
        Operator("max pool 2x2", ("MaxPool", both, {"kernel_shape": [2, 2], "strides": [2, 2]}), [image], half),
        Operator("max pool 3x3", ("MaxPool", both, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}),
                 [image], half),
        Operator("average pool 3x3",
                 ("AveragePool", both, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}), [image], half),
        Operator("relu", ("Relu", both, {}), [image], image),
        Operator("sum of two", ("Add", both, {}), [half, half], half),
        Operator("softmax", ("Softmax", both, {"axis": -1}), [[rows, 1000]], [rows, 1000]),
        Operator("layer norm", ("LayerNormalization", both, {"axis": -1}), [[long, 768]], [long, 768],
                 [weights(768), weights(768)]),
        Operator("transpose", ("Transpose", both, {"perm": [1, 0]}), [[wide, wide]], [wide, wide]),
        Operator("channels last", ("Transpose", both, {"perm": [0, 2, 3, 1]}), [image], [1, side, side, planes]),
        Operator("nearest neighbours", ("Resize", resized, {"mode": "nearest", "nearest_mode": "floor",
                                                            "coordinate_transformation_mode": "asymmetric"}),
                 [quarter], [1, planes // 4, 2 * side, 2 * side], [numpy.array([1, 1, 2, 2], numpy.float32)]),
    ]


def measure(operator, folder, options):
    model = folder / f"{operator.file}.onnx"
    onnx.save(operator.model, model)
    compare.compile_model(random_layer_runs.settings(options, model), folder / operator.file, options.compile_flags)
    return random_layer_runs.measure_layer(operator.file, folder, options)


def row_of(operator, medians, limits):
    ours = medians[rounds.OURS]
    return {
        "operator": operator.name,
        "bytes": operator.reads + operator.writes,
        "median_ms": medians,
        "bytes_per_second": (operator.reads + operator.writes) / ours * 1e3,
        "share_of_limit": random_layer_runs.seconds_to_read(operator.reads + 2 * operator.writes, limits) * 1e3 / ours,
        "ratio": min(ms for engine, ms in medians.items() if engine != rounds.OURS) / ours,
    }


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="bandwidth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=compare.positive, default=64, metavar="N",
                        help="of inputs and weights (default 64)")
    parser.add_argument("--threads", type=compare.positive, default=len(os.sched_getaffinity(0)),
                        metavar="N", help="threads of every engine (default: the cores)")
    compare.add_turn_flags(parser, "engine")
    parser.set_defaults(rounds=6, gap=0.03, seed=1)
    random_layer_runs.add_compiler_flags(parser)
    return parser.parse_args()


def run(options, folder):
    folder.mkdir(parents=True, exist_ok=True)
    limits = random_layer_runs.measured_limits(options)
    print("| operator | MB | ms | GB/s | of the limit | over the better peer |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    result = []
    for operator in operators(options.megabytes):
        random_layer_runs.progress(operator.name)
        row = row_of(operator, measure(operator, folder, options), limits)
        random_layer_runs.progress("")
        print(f"| {row['operator']} | {row['bytes'] / 1e6:.0f} | {row['median_ms'][rounds.OURS]:.2f} | "
              f"{row['bytes_per_second'] / 1e9:.1f} | {row['share_of_limit']:.2f} | {row['ratio']:.2f} |", flush=True)
        result.append(row)
    if options.json:
        compare.write_json(options.json, "emulsion-bandwidth",
                           {"threads": options.threads, "limits": limits, "operators": result})


def main():
    options = parse_arguments()
    if options.folder:
        run(options, Path(options.folder))
    else:
        with scratch.temporary_folder("emulsion-bandwidth-") as folder:
            run(options, folder)


if __name__ == "__main__":
    compare.run_main("bandwidth", main)
