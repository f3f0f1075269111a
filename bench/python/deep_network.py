"""Writes an ONNX network of BLOCKS equal residual blocks, five operators each.

Usage: deep_network.py BLOCKS FILE.onnx
"""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS, SIZE = 16, 14


def main():
    blocks, path = int(sys.argv[1]), sys.argv[2]
    generator = numpy.random.default_rng(1)
    weights = generator.normal(0, 0.1, (CHANNELS, CHANNELS, 1, 1)).astype(numpy.float32)
    nodes, value = [], "input"
    for block in range(blocks):
        names = [f"block{block}.{part}" for part in ("conv1", "relu1", "conv2", "add", "relu2")]
        nodes += [
            helper.make_node("Conv", [value, "weights"], [names[0]], names[0]),
            helper.make_node("Relu", [names[0]], [names[1]], names[1]),
            helper.make_node("Conv", [names[1], "weights"], [names[2]], names[2]),
            helper.make_node("Add", [value, names[2]], [names[3]], names[3]),
            helper.make_node("Relu", [names[3]], [names[4]], names[4]),
        ]
        value = names[4]
    shape = [1, CHANNELS, SIZE, SIZE]
    graph = helper.make_graph(
        nodes,
        "deep",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(weights, "weights")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)]), path)


if __name__ == "__main__":
    main()
