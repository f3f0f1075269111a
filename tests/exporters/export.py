#!/usr/bin/env python3
"""Exports small networks with random weights by PyTorch's exporters and tf2onnx.

Usage: export.py OUT [--match GLOB ...] [--list] [--records]

Writes OUT/CASE.onnx, the inputs OUT/CASE.input0.npy ..., and what the framework itself makes of them,
OUT/CASE.output0.npy .... A case is EXPORTER-OPSET[-VARIANT]-NETWORK, such as torchscript-13-kept-residual:

exporter     torchscript (torch.onnx.export, dynamo=False), dynamo (dynamo=True), tf2onnx
variant      kept: batch norms and dropout stay as nodes, constants are not folded, and weights are
             inputs as well; dynamic: the batch is a symbol; raw (dynamo): not optimized
network      of torch_layers.py and torch_blocks.py, or keras_models.py

Only what can be imported is exported: run it once in an environment of PyTorch's and once in one of
TensorFlow's (README.md). Without --match, the cases of selection.txt are written.

--match GLOB   cases to write instead; may be repeated
--list         print the cases that match, and write nothing
--records          leave in the file what says nothing about the network: doc strings and dynamo's records
               of source lines, which hold paths
"""

import argparse
import fnmatch
import io
import os
import sys
import traceback
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy
import onnx

FOLDER = Path(__file__).resolve().parent
TORCHSCRIPT_OPSETS = range(13, 21)
DYNAMO_OPSETS = range(18, 24)
TF_OPSETS = range(13, 19)


def cases():
    """Of every exporter: (case, exporter, opset, variant, network)."""
    for exporter, opsets, variants, networks in (
            ("torchscript", TORCHSCRIPT_OPSETS, ("", "kept", "dynamic"), torch_networks),
            ("dynamo", DYNAMO_OPSETS, ("", "raw", "dynamic"), torch_networks),
            ("tf2onnx", TF_OPSETS, ("",), keras_networks)):
        names = networks()
        for opset in opsets:
            for variant in variants:
                for network in names:
                    words = [exporter, str(opset), variant, network]
                    yield "-".join(filter(None, words)), exporter, opset, variant, network


def torch_networks():
    try:
        import torch_blocks
        import torch_layers
    except ImportError:
        return {}
    return (torch_layers.ACTIVATIONS | torch_layers.NORMS | torch_layers.RESAMPLING |
            torch_layers.POOLS | torch_layers.SHAPES | torch_layers.ARITHMETIC |
            torch_blocks.BLOCKS)


def keras_networks():
    try:
        import keras_models
    except ImportError:
        return {}
    return keras_models.MODELS


def export_torch(exporter, opset, variant, network):
    """(model, inputs, outputs) as (ModelProto, {name: array}, [array])."""
    import torch
    import torch_layers

    module, inputs = torch_layers.seeded(torch_networks()[network], zlib.crc32(network.encode()))
    with torch.no_grad():
        results = module(*inputs)
    results = results if isinstance(results, (tuple, list)) else [results]
    names = [f"x{i}" for i in range(len(inputs))]
    if variant == "dynamic" and any(x.shape[0] != inputs[0].shape[0] for x in inputs):
        raise ValueError("the inputs have no batch in common")
    options = {"opset_version": opset, "input_names": names,
               "output_names": [f"y{i}" for i in range(len(results))]}
    file = io.BytesIO()
    if exporter == "torchscript":
        if variant == "kept":
            options |= {"training": torch.onnx.TrainingMode.PRESERVE, "do_constant_folding": False,
                        "keep_initializers_as_inputs": True}
        if variant == "dynamic":
            options["dynamic_axes"] = {name: {0: "batch"} for name in names}
        torch.onnx.export(module, inputs, file, dynamo=False, **options)
        model = onnx.load_from_string(file.getvalue())
    else:
        options["optimize"] = variant != "raw"
        if variant == "dynamic":
            batch = torch.export.Dim("batch")
            # A batch of 1 would be taken for a constant.
            inputs = tuple(torch.cat([x, x]) if x.shape[0] == 1 else x for x in inputs)
            options["dynamic_shapes"] = tuple({0: batch} for _ in inputs)
            if len(inputs) == 1 and isinstance(module, torch_layers.Lambda):
                options["dynamic_shapes"] = (({0: batch},),)
            with torch.no_grad():
                results = module(*inputs)
            results = results if isinstance(results, (tuple, list)) else [results]
        program = torch.onnx.export(module, inputs, dynamo=True, verbose=False, **options)
        model = program.model_proto
    arrays = {name: x.numpy() for name, x in zip(names, inputs)}
    return model, arrays, [result.numpy() for result in results]


def export_keras(_exporter, opset, _variant, network):
    import keras
    import tensorflow as tf
    import tf2onnx

    seed = zlib.crc32(network.encode())
    keras.utils.set_random_seed(seed % 2**32)
    model = keras_networks()[network]()
    random = numpy.random.default_rng(seed)
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.set_weights([random.uniform(0.5, 1.5, w.shape) for w in layer.get_weights()])
    signature = [tf.TensorSpec(x.shape, x.dtype, name=f"x{i}")
                 for i, x in enumerate(model.inputs)]
    function = tf.function(lambda *x: model(list(x) if len(x) > 1 else x[0], training=False))
    exported, _ = tf2onnx.convert.from_function(function, signature, opset=opset)
    arrays = {spec.name: random.standard_normal(spec.shape).astype("float32") for spec in signature}
    results = function(*arrays.values())
    results = results if isinstance(results, (tuple, list)) else [results]
    return exported, arrays, [result.numpy() for result in results]


def without_records(model):
    """The model without doc strings and metadata."""
    def strip(message):
        for field in ("doc_string", "metadata_props"):
            if any(field == known.name for known in message.DESCRIPTOR.fields):
                message.ClearField(field)

    def strip_graph(graph):
        for part in (graph, *graph.node, *graph.input, *graph.output, *graph.value_info,
                     *graph.initializer):
            strip(part)
        for node in graph.node:
            for attribute in node.attribute:
                strip(attribute)
                if attribute.HasField("g"):
                    strip_graph(attribute.g)

    strip(model)
    strip_graph(model.graph)
    for function in model.functions:
        strip(function)
        for node in function.node:
            strip(node)
    return model


@contextmanager
def silence():
    """Exporters talk, some of them in C++: nothing of that goes to stdout and stderr."""
    sys.stdout.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        sys.stdout.flush()
        for descriptor, copy in enumerate(kept, start=1):
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(nowhere)


def write(out, case, records, *what):
    export = export_keras if what[0] == "tf2onnx" else export_torch
    try:
        with silence():
            model, inputs, outputs = export(*what)
    except Exception as error:  # whatever the exporter cannot do is no case
        lines = traceback.format_exception_only(error)[-1].strip().splitlines()
        return f"{case}: not exported: {lines[0][:200]}"
    if not records:
        without_records(model)
    (out / f"{case}.onnx").write_bytes(model.SerializeToString(deterministic=True))
    for i, array in enumerate(inputs.values()):
        numpy.save(out / f"{case}.input{i}.npy", numpy.ascontiguousarray(array))
    for i, array in enumerate(outputs):
        numpy.save(out / f"{case}.output{i}.npy", numpy.ascontiguousarray(array))
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--match", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--records", action="store_true")
    arguments = parser.parse_args()
    wanted = arguments.match or (FOLDER / "selection.txt").read_text().split()
    failed = False
    arguments.out.mkdir(parents=True, exist_ok=True)
    for case, *what in cases():
        if not any(fnmatch.fnmatchcase(case, glob) for glob in wanted):
            continue
        complaint = case if arguments.list else write(arguments.out, case, arguments.records, *what)
        if complaint:
            print(complaint, flush=True)
            failed = failed or not arguments.list
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER))
    sys.exit(main())
