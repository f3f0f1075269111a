#!/usr/bin/env python3
"""Layers drawn at random (random_layers.py) beside each other in one model, none of which is fed by another.

Usage: layers_network.py SEED COUNT FILE.onnx [KIND...]

COUNT convolutions and matrix products of these kinds, or of all below, in turns: tasks as no network has them, to train
predictors on beside those of networks.
"""

import sys

import onnx
from onnx import compose, helper

import random_layers

KINDS = (
    "conv_1x1", "conv_3x3", "depthwise_3x3", "conv_1x1_strided", "conv_3x3_strided",
    "depthwise_5x5", "conv_5x5", "conv_7x7", "fully_connected", "matmul",
)  # fmt: skip


def network(seed, count, kinds=KINDS):
    graphs = []
    for number in range(count):
        layer = random_layers.drawn(seed, kinds[number % len(kinds)], number // len(kinds))
        graphs.append(compose.add_prefix(layer.model, f"layer{number}.").graph)
    parts = {
        part: [each for graph in graphs for each in getattr(graph, part)]
        for part in ("node", "input", "output", "initializer")
    }
    graph = helper.make_graph(
        parts["node"], "layers", parts["input"], parts["output"], parts["initializer"]
    )
    opset = helper.make_opsetid("", random_layers.OPSET)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8)


def main():
    if len(sys.argv) < 4 or not set(sys.argv[4:]) <= set(KINDS):
        print(__doc__)
        sys.exit(2)
    model = network(int(sys.argv[1]), int(sys.argv[2]), sys.argv[4:] or KINDS)
    onnx.checker.check_model(model)
    onnx.save(model, sys.argv[3])


if __name__ == "__main__":
    main()
