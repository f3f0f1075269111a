#!/usr/bin/env python3
"""Writes the operators that tools/generic-figures measures, one model each, into FOLDER, and prints their files.

Usage: generic_models.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, DOUBLE, INT64 = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64


def model(operator, inputs, shape, constants=None, **attributes):
    """One operator: inputs are (type, shape), constants follow them."""
    names = [f"x{i}" for i in range(len(inputs))]
    constants = constants or []
    initializers = [numpy_helper.from_array(value, f"c{i}") for i, value in enumerate(constants)]
    node = helper.make_node(operator, names + [i.name for i in initializers], ["y"], **attributes)
    values = [helper.make_tensor_value_info(n, *i) for n, i in zip(names, inputs)]
    result = helper.make_tensor_value_info("y", inputs[0][0], shape)
    graph = helper.make_graph([node], operator, values, [result], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def scan(kind, shape, axis, **attributes):
    return model("CumSum", [(kind, shape)], shape, [np.array(axis)], **attributes)


def total(operator, shape):
    return model(operator, [(FLOAT, shape)], [], keepdims=0)


def scatter(operator, shape, indices, updates, **attributes):
    places = np.random.default_rng(1).integers(0, shape[attributes.get("axis", 0)], indices)
    changes = np.random.default_rng(2).random(updates, np.float32)
    return model(operator, [(FLOAT, shape)], shape, [places, changes], **attributes)


# Named before the template multi_level_tile was written.
MODELS = {
    "scan_middle": scan(FLOAT, [16, 256, 256], 1),
    "scan_last": scan(FLOAT, [1024, 1024], 1),
    "scan_first_reversed": scan(DOUBLE, [512, 512], 0, exclusive=1, reverse=1),
    "norm_of_weights": total("ReduceL2", [512, 512, 3, 3]),
    "log_sum_exp_all": total("ReduceLogSumExp", [512, 512]),
    "dot": model("Einsum", [(FLOAT, [512, 512])] * 2, [], equation="ij,ij->"),
    "scatter_rows_add": scatter("ScatterND", [1024, 128], [4096, 1], [4096, 128],
                                reduction="add"),
    "scatter_elements_max": scatter("ScatterElements", [512, 512], [512, 512], [512, 512],
                                    reduction="max", axis=1),
}


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in MODELS.items():
        file = folder / f"{name}.onnx"
        onnx.save(content, file)
        print(file)


if __name__ == "__main__":
    main()
