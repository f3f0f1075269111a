#!/usr/bin/env python3
"""Runs a model with ONNX Runtime on inputs given as .npy files; `emulsion verify` starts it.

Usage: onnxruntime_reference.py REQUEST.json

The request: {"model": PATH, "values": [NAME, ...]}. "values" are inner values that are wanted beside
the outputs. The first line on stdout is {"onnxruntime": VERSION, "values": [NAME, ...]}: the values
that the model has. Then each line on stdin asks for a run,

    {"inputs": {NAME: PATH.npy}, "outputs": {NAME: PATH.npy}}

and is answered by {"done": true} when the files are written. The end of stdin ends the process. When
something is wrong, the answer is {"error": SENTENCE}, with "missing": true for a Python package.
"""

import json
import os
import sys
from pathlib import Path

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


def open_session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def open_with_values(path, wanted, folder):
    """A session whose outputs include those of the wanted values that the model has, and these."""
    if not wanted:
        return open_session(path), []
    model = onnx.load(path)
    made = {name for node in model.graph.node for name in node.output if name}
    values = [name for name in wanted if name in made]
    return open_session(with_extra_outputs(model, values, folder)), values


def serve(request, folder):
    session, values = open_with_values(request["model"], request["values"], folder)
    answer({"onnxruntime": onnxruntime.__version__, "values": values})
    for line in sys.stdin:
        run = json.loads(line)
        feed = {name: numpy.load(path) for name, path in run["inputs"].items()}
        names = list(run["outputs"])
        for name, value in zip(names, session.run(names, feed)):
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
    import onnxruntime

    serve(json.loads(Path(sys.argv[1]).read_text()), folder)
except ImportError as error:
    answer({"error": f"the Python package '{error.name}' is not installed for {sys.executable}",
            "missing": True})
except Exception as error:  # whatever the model makes ONNX Runtime throw
    answer({"error": " ".join(str(error).split())})
