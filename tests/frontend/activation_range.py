"""Runs networks in ONNX Runtime on random inputs and fails unless the standard deviation of every
activation and output is between 0.1 and 10, and the outputs for two inputs differ by at least 100
times the bound of a verification (docs: sensitivity)."""

import sys

import numpy as np
import onnx
import onnxruntime

INPUTS = 3


def run(path):
    model = onnx.load(path)
    values = [name for node in model.graph.node for name in node.output]
    finals = [output.name for output in model.graph.output]
    shape = [dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]
    del model.graph.output[:]
    for name in values:
        model.graph.output.add().name = name
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)

    good = True
    random = np.random.default_rng(1)
    outputs = []
    for _ in range(INPUTS):
        x = random.standard_normal(shape).astype(np.float32)
        results = dict(zip(values, session.run(values, {model.graph.input[0].name: x})))
        outputs.append([results[name] for name in finals])
        for name, value in results.items():
            if not 0.1 <= value.std() <= 10:
                print(f"{path}: the standard deviation of {name} is {value.std():.3g}")
                good = False
    for before, after in zip(outputs, outputs[1:]):
        for name, a, b in zip(finals, before, after):
            sensitivity = (np.abs(a - b) / (1e-4 + 1e-3 * np.abs(a))).max()
            if sensitivity < 100:
                print(f"{path}: the sensitivity of {name} is {sensitivity:.3g}")
                good = False
    return good


sys.exit(0 if all([run(path) for path in sys.argv[1:]]) else 1)
