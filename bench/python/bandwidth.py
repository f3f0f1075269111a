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

import compare
import layers as random_layer_runs
import numpy
import onnx
import rounds
import scratch
from onnx import TensorProto, helper, numpy_helper

OPSET = 18


class Operator:
    """A network of one node of that type, whose inputs are `inputs` (shapes), then `gaps` that are left out, and then
    `constants` (arrays); all f32 but constants of other types."""

    def __init__(self, name, node_type, inputs, output, constants=(), gaps=0, **attributes):
        self.name, self.file = name, name.replace(" ", "_")
        self.reads = 4 * (sum(int(numpy.prod(shape)) for shape in inputs)
                          + sum(c.size for c in constants if c.dtype == numpy.float32))
        self.writes = 4 * int(numpy.prod(output))
        names = [f"x{i}" for i in range(len(inputs))]
        initializers = [numpy_helper.from_array(c, f"c{i}") for i, c in enumerate(constants)]
        node = helper.make_node(node_type, names + [""] * gaps + [t.name for t in initializers], ["y"],
                                name=node_type, **attributes)
        graph = helper.make_graph(
            [node], name,
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(names, inputs)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)], initializers)
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


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
        Operator("fully connected", "MatMul", [[1, 4096]], [1, elements // 4096], [weights(4096, elements // 4096)]),
        Operator("batched vectors", "MatMul", [[batch, 1, 64], [batch, 64, 256]], [batch, 1, 256]),
        Operator("means over images", "GlobalAveragePool", [image], [1, planes, 1, 1]),
        Operator("sums of rows", "ReduceSum", [[rows, 1000]], [rows, 1], [numpy.array([1], numpy.int64)], keepdims=1),
        Operator("sums of columns", "ReduceSum", [[rows, 1000]], [1, 1000], [numpy.array([0], numpy.int64)],
                 keepdims=1),
        Operator("max pool 2x2", "MaxPool", [image], half, kernel_shape=[2, 2], strides=[2, 2]),
        Operator("max pool 3x3", "MaxPool", [image], half, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
        Operator("average pool 3x3", "AveragePool", [image], half, kernel_shape=[3, 3], strides=[2, 2],
                 pads=[1] * 4),
        Operator("relu", "Relu", [image], image),
        Operator("sum of two", "Add", [half, half], half),
        Operator("softmax", "Softmax", [[rows, 1000]], [rows, 1000], axis=-1),
        Operator("layer norm", "LayerNormalization", [[long, 768]], [long, 768], [weights(768), weights(768)],
                 axis=-1),
        Operator("transpose", "Transpose", [[wide, wide]], [wide, wide], perm=[1, 0]),
        Operator("channels last", "Transpose", [image], [1, side, side, planes], perm=[0, 2, 3, 1]),
        Operator("nearest neighbours", "Resize", [quarter], [1, planes // 4, 2 * side, 2 * side],
                 [numpy.array([1, 1, 2, 2], numpy.float32)], gaps=1, mode="nearest", nearest_mode="floor",
                 coordinate_transformation_mode="asymmetric"),
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
    with scratch.kept_or_temporary(options.folder, "emulsion-bandwidth-") as folder:
        run(options, folder)


if __name__ == "__main__":
    compare.run_main("bandwidth", main)
