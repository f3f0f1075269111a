#!/usr/bin/env python3
"""Damages one layer in the middle of a model, to see that a verification notices.

Usage: damage_layer.py MODEL.onnx OUT.onnx

The middle one of the Conv, Gemm and MatMul nodes with constant weights loses the weights of its last
16 output channels (all of them where it has fewer): they become zero, as if a vectorised loop had
dropped its tail. Prints the layer's name. Everything else, names included, stays as it is.
"""

import sys

import numpy
import onnx
from onnx import numpy_helper

CHANNELS = 16  # one AVX-512 register of floats


def output_axis(node):
    """The axis of the weights that counts output channels."""
    if node.op_type == "Conv":
        return 0
    transposed = any(a.name == "transB" and a.i for a in node.attribute)
    return 0 if transposed else -1


def damage(model):
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    layers = [
        node
        for node in model.graph.node
        if node.op_type in ("Conv", "Gemm", "MatMul") and node.input[1] in weights
    ]
    if not layers:
        sys.exit("damage_layer: the model has no Conv, Gemm or MatMul with constant weights")
    node = layers[len(layers) // 2]
    tensor = weights[node.input[1]]
    values = numpy_helper.to_array(tensor).copy()
    channels = numpy.moveaxis(values, output_axis(node), 0)  # a view
    channels[-CHANNELS:] = 0
    tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    return node


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    model = onnx.load(sys.argv[1])
    node = damage(model)
    onnx.save(model, sys.argv[2])
    print(f"{node.name or node.output[0]} ({node.op_type})")


if __name__ == "__main__":
    main()
