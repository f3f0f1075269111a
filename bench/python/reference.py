#!/usr/bin/env python3
"""Computes what a model computes, on inputs given as .npy files; `emulsion verify` starts it.

Usage: reference.py REQUEST.json

The request: {"model": PATH, "engine": "onnxruntime" or "f64", "values": [NAME, ...]}. "values" are inner
values that are wanted beside the outputs. Engine f64 is the evaluator of the onnx package on the model in
double precision; its results are given in the types that the model has. The first line on stdout is
{"version": VERSION, "values": [NAME, ...]}: of the engine, and the values that the model has. Then each line on stdin asks for a run,

    {"inputs": {NAME: PATH.npy}, "outputs": {NAME: PATH.npy}}

and is answered by {"done": true} when the files are written. The end of stdin ends the process. When
something is wrong, the answer is {"error": SENTENCE}, with "missing": true for a Python package.
"""

import json
import os
import sys
from pathlib import Path

import documents

# Protobuf refuses messages of 2 GiB and more: such models go through external data.
LARGEST_MESSAGE = 1_900_000_000


def answer(message):
    print(json.dumps(message), file=answers, flush=True)


def with_extra_outputs(model, names, folder):
    """The model with inner values as outputs, as bytes or a path."""
    outputs = {output.name for output in model.graph.output}
    for name in names:
        if name not in outputs:
            # ONNX Runtime infers the type; shape inference might not know it.
            model.graph.output.append(onnx.ValueInfoProto(name=name))
    if model.ByteSize() < LARGEST_MESSAGE:
        return model.SerializeToString()
    large = folder / "with_extra_outputs.onnx"
    onnx.save_model(model, large, save_as_external_data=True, location="with_extra_outputs.bin")
    return str(large)


class OnnxRuntime:
    """With ONNX Runtime, in the model's own precision."""

    def __init__(self, path, values, folder):
        model = path
        if values:
            model = with_extra_outputs(onnx.load(path), values, folder)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self.version = onnxruntime.__version__
        self.session = onnxruntime.InferenceSession(model, options,
                                                    providers=["CPUExecutionProvider"])

    def run(self, names, feed):
        return self.session.run(names, feed)


class DoublePrecision:
    """With the evaluator of the onnx package, every f32 as f64."""

    def __init__(self, path, values, folder):
        from double_precision import to_double
        from onnx.reference import ReferenceEvaluator

        model = onnx.load(path)
        f64 = onnx.TensorProto.DOUBLE
        self.own = {output.name for output in model.graph.output
                    if output.type.tensor_type.elem_type == f64}
        outputs = {output.name for output in model.graph.output}
        model = to_double(model)
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in values
                                  if name not in outputs)
        self.version = onnx.__version__
        self.evaluator = ReferenceEvaluator(model)
        # Of what is not asked for, nothing has to be known.
        self.names = self.evaluator.output_names

    def run(self, names, feed):
        feed = {name: value.astype("float64") if value.dtype == "float32" else value
                for name, value in feed.items()}
        results = dict(zip(self.names, self.evaluator.run(None, feed)))
        return [self.result(name, numpy.asarray(results[name])) for name in names]

    def result(self, name, value):
        single = value.dtype == "float64" and name not in self.own
        return value.astype("float32") if single else value


ENGINES = {"onnxruntime": OnnxRuntime, "f64": DoublePrecision}


def serve(request, folder):
    values = []
    if request["values"]:
        nodes = onnx.load(request["model"], load_external_data=False).graph.node
        made = {name for node in nodes for name in node.output if name}
        values = [name for name in request["values"] if name in made]
    engine = ENGINES[request["engine"]](request["model"], values, folder)
    answer({"version": engine.version, "values": values})
    for line in sys.stdin:
        run = json.loads(line)
        feed = {name: numpy.load(path) for name, path in run["inputs"].items()}
        names = list(run["outputs"])
        for name, value in zip(names, engine.run(names, feed)):
            numpy.save(run["outputs"][name], numpy.array(value, order="C"))
        answer({"done": True})


if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    print(__doc__)
    sys.exit(0 if len(sys.argv) == 2 else 2)

folder = Path(sys.argv[1]).resolve().parent
# ONNX Runtime leaves a file of its own among the temporary ones: let it be where all is removed.
os.environ["TMPDIR"] = str(folder)
# What libraries print goes into a file there; the answers go where stdout was.
answers = os.fdopen(os.dup(1), "w")
log = os.open(folder / "log.txt", os.O_WRONLY | os.O_CREAT)
os.dup2(log, 1)
os.dup2(log, 2)
try:
    import numpy
    import onnx

    request = documents.read(sys.argv[1], "emulsion-reference-request")
    if request["engine"] == "onnxruntime":
        import onnxruntime
    serve(request, folder)
except ImportError as error:
    answer({"error": f"the Python package '{error.name}' is not installed for {sys.executable}",
            "missing": True})
except Exception as error:  # whatever the model makes an engine throw
    answer({"error": " ".join(str(error).split())})
