"""FOLDER BIAS: the networks of project/main.cpp."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def write(path, nodes, shape_in, shape_out, constants):
    graph = helper.make_graph(
        nodes, path.stem,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape_in)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape_out)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main():
    folder, bias = Path(sys.argv[1]), float(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    w = ((np.arange(48) * 37 % 19 - 9) / 8).astype(np.float32).reshape(8, 6)
    b = np.full(6, bias, np.float32)
    write(folder / "affine.onnx",
          [helper.make_node("Gemm", ["x", "w", "b"], ["s"]), helper.make_node("Relu", ["s"], ["y"])],
          [5, 8], [5, 6], {"w": w, "b": b})
    if not (folder / "square.onnx").exists():
        write(folder / "square.onnx",
              [helper.make_node("Mul", ["x", "x"], ["s"]), helper.make_node("Add", ["s", "one"], ["y"])],
              ["rows", 7], ["rows", 7], {"one": np.array(1, np.float32)})


main()
