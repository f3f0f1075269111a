"""One contender of compare.py: a process that runs one network with one engine, on command.

Usage (by compare.py): contenders.py ENGINE MODEL INPUTS.json THREADS [DATABASE]

INPUTS.json: {"inputs": {NAME: PATH.npy}}. DATABASE: the schedules of `tvm_tuned`, from tvm_tune.py. Commands
come as lines of JSON on stdin, each is answered by a line of JSON on stdout:
    {"outputs": PATH.npz}             -> {"version": TEXT, "notes": {...}}
                                                             runs once and saves every output
    {"warmup": W, "iterations": K}    -> {"ms": [...], "peak_mb": MB}
                                                             K timed runs after W that don't count; of the process
The end of stdin ends the process.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import documents


class OnnxRuntime:
    def __init__(self, model, inputs, threads):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self.version = onnxruntime.__version__
        self.session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )
        # Bound once, so that no run pays for copies and look-ups on the way through Python.
        self.binding = self.session.io_binding()
        for name, value in inputs.items():
            self.binding.bind_cpu_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        values = self.binding.copy_outputs_to_cpu()
        return {o.name: v for o, v in zip(self.session.get_outputs(), values)}


class OpenVino:
    def __init__(self, model, inputs, threads):
        import openvino

        self.version = openvino.__version__.split("-")[0]
        compiled = openvino.Core().compile_model(
            model,
            "CPU",
            {
                "INFERENCE_NUM_THREADS": threads,
                "PERFORMANCE_HINT": "LATENCY",
                "INFERENCE_PRECISION_HINT": "f32",
                "NUM_STREAMS": 1,
            },
        )
        self.request = compiled.create_infer_request()
        for name, value in inputs.items():
            self.request.set_tensor(name, openvino.Tensor(value))
        self.ports = compiled.outputs

    def run(self):
        self.request.infer()

    def outputs(self):
        return {p.get_any_name(): self.request.get_tensor(p).data.copy() for p in self.ports}


class ApacheTvm:
    """Relax's ONNX importer and its default pipeline: operators fused by TVM, schedules not tuned."""

    def __init__(self, model, inputs, threads):
        os.environ["TVM_NUM_THREADS"] = str(threads)
        import numpy
        import onnx
        import tvm
        from tvm import relax

        self.version = tvm.__version__
        loaded = onnx.load(model)
        self.names = [output.name for output in loaded.graph.output]
        module, target = self.module(loaded, threads)
        with target:
            self.machine = relax.VirtualMachine(tvm.compile(module, target), tvm.cpu())
        constants = {tensor.name for tensor in loaded.graph.initializer}
        self.arguments = [
            tvm.runtime.tensor(numpy.ascontiguousarray(inputs[value.name]))
            for value in loaded.graph.input
            if value.name not in constants
        ]
        self.result = None

    def module(self, loaded, threads):
        """The model as imported: tvm.compile has the default pipeline, which fuses operators.

        The target is `llvm` as it is, without a CPU's name ("native" is unknown to TVM and means the
        same): with this machine's, loops without a schedule were measured to be twice as slow.
        """
        import tvm
        from tvm.relax.frontend.onnx import from_onnx

        return from_onnx(loaded), tvm.target.Target({"kind": "llvm", "num-cores": threads})

    def run(self):
        self.result = self.machine["main"](*self.arguments)

    def outputs(self):
        values = self.result if hasattr(self.result, "__len__") else [self.result]
        return {name: value.numpy() for name, value in zip(self.names, values)}


class TunedTvm(ApacheTvm):
    """The same for this machine's CPU with the schedules of a database, the default for the rest."""

    def __init__(self, model, inputs, threads, database):
        self.database = Path(database)
        super().__init__(model, inputs, threads)

    def module(self, loaded, threads):
        import tvm_graph

        target = tvm_graph.target(threads)
        module = tvm_graph.tunable_module(loaded, target)
        database = tvm_graph.open_database(self.database)
        tasks = tvm_graph.tasks(module, target)
        tuned = tvm_graph.count_tuned(tasks, target, database)
        if tuned == 0:
            raise LookupError(f"{self.database} has no schedule for this model; run tvm_tune.py")
        self.notes = {"tasks": len(tasks), "tuned_tasks": tuned}
        return tvm_graph.scheduled_module(module, target, database), target


def emulsion(model, inputs, threads):
    from artifact import Artifact

    return Artifact(model, inputs, threads)


ENGINES = {
    "emulsion": emulsion,
    "onnxruntime": OnnxRuntime,
    "openvino": OpenVino,
    "tvm": ApacheTvm,
    "tvm_tuned": TunedTvm,
}


def timed(engine, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        engine.run()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def main():
    import numpy

    # Engines may print to stdout; the answers go where stdout was.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, model, inputs, threads, *more = sys.argv[1:]
    paths = documents.read(inputs, "emulsion-compare-inputs")["inputs"]
    values = {n: numpy.load(p) for n, p in paths.items()}
    engine = ENGINES[name](model, values, int(threads), *more)
    for line in sys.stdin:
        command = json.loads(line)
        if "outputs" in command:
            engine.run()
            # Names of arrays in the file are numbers: names of outputs may hold anything.
            outputs = engine.outputs()
            numpy.savez(command["outputs"], *outputs.values())
            answer = {"version": engine.version, "names": list(outputs)}
            answer["notes"] = getattr(engine, "notes", {})
        else:
            timed(engine, command["warmup"])
            answer = {"ms": timed(engine, command["iterations"])}
            answer["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
