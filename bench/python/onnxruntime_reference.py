#!/usr/bin/env python3
"""Runs a model with ONNX Runtime on inputs given as .npy files; `emulsion verify` starts it.

Usage: onnxruntime_reference.py REQUEST.json

The request: {"model": PATH,
              "runs": [{"inputs": {NAME: PATH.npy}, "outputs": {NAME: PATH.npy}}, ...],
              "values": {NAME: PATH.npy}, "reply": PATH.json}

Outputs are written for every run; the inner values named in "values" for the first run only. Names
that the model does not have (values that a compiler folded away or made) are listed as "skipped" in
the reply. Ends with one sentence on stderr when something is wrong: status 3 for a missing Python
package, 1 for everything else.
"""

import json
import os
import sys
from pathlib import Path

# Protobuf refuses messages of 2 GiB and more: such models go through external data.
LARGEST_MESSAGE = 1_900_000_000
# Exit status.
PACKAGE_MISSING = 3


def fail(message, status=1):
    print(f"onnxruntime_reference: {message}", file=sys.stderr)
    sys.exit(status)


if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    print(__doc__)
    sys.exit(0 if len(sys.argv) == 2 else 2)

# ONNX Runtime leaves a file of its own among the temporary ones: let it be where all is removed.
os.environ["TMPDIR"] = str(Path(sys.argv[1]).resolve().parent)

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as error:
    fail(f"the Python package '{error.name}' is not installed for {sys.executable}", PACKAGE_MISSING)


def open_session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def with_extra_outputs(path, names, folder):
    """The model with inner values as outputs, as bytes or a path, and the names it does not have."""
    model = onnx.load(path)
    made = {name for node in model.graph.node for name in node.output if name}
    outputs = {output.name for output in model.graph.output}
    for name in names:
        if name in made and name not in outputs:
            # ONNX Runtime infers the type; shape inference might not know it.
            model.graph.output.append(onnx.ValueInfoProto(name=name))
    skipped = sorted(set(names) - made)
    if model.ByteSize() < LARGEST_MESSAGE:
        return model.SerializeToString(), skipped
    large = folder / "with_extra_outputs.onnx"
    onnx.save_model(model, large, save_as_external_data=True, location="with_extra_outputs.bin")
    return str(large), skipped


def write(path, value):
    numpy.save(path, numpy.array(value, order="C"))


def run_all(request):
    session = open_session(request["model"])
    feeds = []
    for run in request["runs"]:
        feed = {name: numpy.load(path) for name, path in run["inputs"].items()}
        feeds.append(feed)
        names = list(run["outputs"])
        for name, value in zip(names, session.run(names, feed)):
            write(run["outputs"][name], value)
    return feeds


def run_values(request, feed):
    values = request["values"]
    folder = Path(request["reply"]).parent
    model, skipped = with_extra_outputs(request["model"], list(values), folder)
    session = open_session(model)
    names = [name for name in values if name not in skipped]
    for name, value in zip(names, session.run(names, feed)):
        write(values[name], value)
    return skipped


def main():
    request = json.loads(Path(sys.argv[1]).read_text())
    try:
        feeds = run_all(request)
        skipped = run_values(request, feeds[0]) if request.get("values") else []
    except Exception as error:  # whatever the model makes ONNX Runtime throw
        fail(" ".join(str(error).split()))
    reply = {"onnxruntime": onnxruntime.__version__, "skipped": skipped}
    Path(request["reply"]).write_text(json.dumps(reply))


if __name__ == "__main__":
    main()
