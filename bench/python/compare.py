#!/usr/bin/env python3
"""Measures a model with Emulsion, ONNX Runtime and OpenVINO, side by side on this machine.

Every engine computes in f32 with the same number of threads on the same input, tuned for latency
(ONNX Runtime: all graph optimisations, sequential; OpenVINO: latency hint, one stream, f32). Each
lives in a process of its own. In a round each has one turn, in an order that changes: an idle gap, so
that the threads of the others have gone to sleep, some runs that do not count, then the timed ones.
Differences in the machine's speed over time thereby meet all engines alike.

Prints the median, p90 (9 of 10 runs were at most this slow) and the fastest run of each engine in
milliseconds, and the ratio of Emulsion's median to that of the better peer, with a 95 % confidence
interval (bootstrap over rounds): below 1 Emulsion is faster. First the outputs are compared: |error|
over 1e-4 + 1e-3 |value of ONNX Runtime|; above 1 the engines do not agree, and the status is 1.

Apache TVM is known as well, where the packages of tools/requirements-tvm.txt are installed: `tvm` with
its default schedules, and `tvm_tuned` with those that bench/python/tvm_tune.py found for MODEL. What
was not tuned runs with the default schedules there too.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import documents
import rounds
import scratch
import tvm_graph

HERE = Path(__file__).resolve().parent
PEERS = ("onnxruntime", "openvino")
# Known as well, where its package is installed (tools/requirements-tvm.txt).
MORE_PEERS = ("tvm", "tvm_tuned")
WEIGHTS_HEADER_BYTES = 64  # of a weights file, before the content
TURN_MS = 1500.0  # how long the timed runs of a turn take where --iterations does not say how many
TITLES = {"emulsion": "Emulsion", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO",
          "tvm": "Apache TVM", "tvm_tuned": "TVM, tuned"}


class Failure(Exception):
    """What users are told, and the exit status."""

    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


def fail(message, status=1):
    raise Failure(message, status)


def run_main(program, main):
    """Calls main(); a Failure ends the program `program`."""
    try:
        main()
    except Failure as failure:
        print(f"{program}: error: {failure}", file=sys.stderr)
        sys.exit(failure.status)


class Contender:
    """The other end of contenders.py."""

    def __init__(self, engine, model, inputs, threads, *more):
        command = [sys.executable, str(HERE / "contenders.py"), engine, model, inputs, str(threads)]
        command += more
        self.engine = engine
        # What engines say goes to a file: it matters only when one of them fails.
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            # Engines leave files among the temporary ones: let them be where all is removed.
            env=os.environ | {"TMPDIR": str(Path(inputs).parent)},
        )
        self.rounds = []

    def ask(self, **command):
        try:
            print(json.dumps(command), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.log.seek(0)
            lines = self.log.read().decode(errors="replace").strip().splitlines()
            fail(f"{TITLES[self.engine]} failed: {lines[-1] if lines else 'it said nothing'}")
        return json.loads(answer)

    def take_turn(self, options):
        time.sleep(options.gap)
        answer = self.ask(warmup=options.warmup, iterations=options.iterations)
        self.rounds.append(answer["ms"])
        self.peak_mb = answer["peak_mb"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def open_contenders(folders, inputs, threads):
    """Of artifacts, by the names that they have from then on in the place of an engine's."""
    contenders = []
    for name, folder in folders.items():
        contender = Contender("emulsion", str(folder), inputs, threads)
        contender.engine = name
        contenders.append(contender)
    return contenders


def find_program():
    """The `emulsion` program of the build that this script is in or beside."""
    for base in (HERE.parents[2], HERE.parents[1] / "build"):
        if (base / "bin" / "emulsion").is_file():
            return str(base / "bin" / "emulsion")
    return "emulsion"


def input_tensors(folder):
    try:
        from artifact import Library

        return Library(folder).inputs
    except ImportError as error:
        fail(f"the Python package '{error.name}' is not installed; run tools/setup")
    except OSError as error:
        fail(str(error), 2)


def run_program(command):
    try:
        return subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        fail(f"{command[0]} cannot be started: {error.strerror}")


@contextlib.contextmanager
def neighbours(count):
    """So many other processes that each keep a core busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def compile_model(options, folder, flags=()):
    command = [options.emulsion, "compile", options.model, "-o", str(folder)]
    command += ["--threads", str(options.threads), *flags]
    for sizes in options.shape:
        command += ["--shape", sizes]
    done = run_program(command)
    if done.returncode != 0:
        fail(done.stderr.strip().removeprefix("emulsion: error: "), done.returncode)
    return folder


def write_inputs(tensors, folder, seed):
    import numpy

    generator = numpy.random.default_rng(seed)
    paths = {}
    for index, tensor in enumerate(tensors):
        if tensor.dtype.kind == "f":
            value = generator.standard_normal(tensor.shape)
        else:
            value = generator.integers(0, 2 if tensor.dtype.kind == "b" else 10, tensor.shape)
        paths[tensor.name] = str(folder / f"input{index}.npy")
        numpy.save(paths[tensor.name], value.astype(tensor.dtype))
    listing = folder / "inputs.json"
    listing.write_text(documents.text("emulsion-compare-inputs", {"inputs": paths}))
    return str(listing)


def outputs_of(contender, folder):
    import numpy

    path = folder / f"{contender.engine}.npz"
    answer = contender.ask(outputs=str(path))
    contender.version, contender.notes = answer["version"], answer["notes"]
    with numpy.load(path) as arrays:
        return {name: arrays[f"arr_{i}"] for i, name in enumerate(answer["names"])}


def worst_ratio(values, reference):
    """Largest error over the bound; infinite where shapes differ or something is not a number."""
    import numpy

    worst = 0.0
    for name, wanted in reference.items():
        value = values.get(name)
        if value is None or value.shape != wanted.shape:
            return float("inf")
        bound = 1e-4 + 1e-3 * numpy.abs(wanted.astype(numpy.float64))
        ratio = numpy.abs(value.astype(numpy.float64) - wanted) / bound
        if numpy.isnan(ratio).any():
            return float("inf")
        worst = max(worst, float(numpy.max(ratio, initial=0.0)))
    return worst


def choose_iterations(contenders, options):
    """20 runs in a turn, fewer where these take long, but no fewer than 3."""
    if options.iterations is None:
        slowest = max(min(c.ask(warmup=1, iterations=2)["ms"]) for c in contenders)
        options.iterations = min(max(int(TURN_MS / slowest), 3), 20)
    if options.warmup is None:
        options.warmup = 3 if options.iterations >= 10 else 1


def measure(contenders, options):
    choose_iterations(contenders, options)
    order = list(contenders)
    generator = random.Random(options.seed)
    for number in range(options.rounds):
        if sys.stderr.isatty():
            print(f"\rround {number + 1} of {options.rounds}\x1b[K", end="", file=sys.stderr)
        generator.shuffle(order)
        for contender in order:
            contender.take_turn(options)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)


def report(contenders, errors, options):
    turns = {c.engine: c.rounds for c in contenders}
    result = {
        "model": options.model,
        "threads": options.threads,
        "rounds": options.rounds,
        "iterations": options.iterations,
        "busy": options.busy,
        "engines": {
            c.engine: {
                "version": c.version,
                "median_ms": statistics.median(rounds.flat(c.rounds)),
                "p90_ms": rounds.p90(rounds.flat(c.rounds)),
                "min_ms": min(rounds.flat(c.rounds)),
                "peak_mb": c.peak_mb,
                "worst_bound_ratio": errors[c.engine],
                **c.notes,
            }
            for c in contenders
        },
    }
    if len(contenders) > 1:
        result["better_peer"] = rounds.better_peer(turns)
        result["ratio"] = rounds.ratio(turns)
        result["ratio_interval"] = rounds.interval(turns)
    return result


def print_table(result):
    threads = result["threads"]
    beside = f", beside {result['busy']} busy processes" if result["busy"] else ""
    print(f"{result['model']}, {threads} thread{'s' if threads != 1 else ''}, f32{beside}")
    print(f"{'engine':<14}{'version':<12}{'median ms':>10}{'p90':>9}{'min':>9}{'error/bound':>13}{'peak MB':>9}")
    for engine, row in result["engines"].items():
        figures = f"{row['median_ms']:>10.3f}{row['p90_ms']:>9.3f}{row['min_ms']:>9.3f}"
        print(f"{TITLES[engine]:<14}{row['version']:<12}{figures}{row['worst_bound_ratio']:>13.3g}{row['peak_mb']:>9.0f}")
    for engine, row in result["engines"].items():
        if row.get("tuned_tasks", 0) < row.get("tasks", 0):
            print(f"{TITLES[engine]}: {row['tuned_tasks']} of {row['tasks']} tasks are tuned")
    if "ratio" in result:
        low, high = result["ratio_interval"]
        peer = TITLES[result["better_peer"]]
        print(f"Emulsion / {peer}: {result['ratio']:.3f} (95 % interval {low:.3f} to {high:.3f})")


def write_json(path, schema, result):
    text = documents.text(schema, result)
    temporary = Path(f"{path}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text)
        temporary.rename(path)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}")


def check_database(folder):
    if folder is None:
        fail("the engine tvm_tuned needs --tvm-database", 2)
    if not tvm_graph.is_database(Path(folder)):
        fail(f"{folder} has no schedules; run bench/python/tvm_tune.py", 2)


def peer_contender(engine, inputs, options):
    more = [options.tvm_database] if engine == "tvm_tuned" else []
    return Contender(engine, options.model, inputs, options.threads, *more)


def positive(text):
    return max(1, int(text))


def add_turn_flags(parser, contender):
    """How long is measured, and of what; `contender` is what takes turns."""
    parser.add_argument("--rounds", type=positive, default=15, metavar="N",
                        help=f"turns of each {contender} (default 15)")
    parser.add_argument("--iterations", type=positive, metavar="N",
                        help="timed runs in a turn (default 20, for slow networks as few as 3)")
    parser.add_argument("--warmup", type=positive, metavar="N",
                        help="runs before them that do not count (default 3, for slow networks 1)")
    parser.add_argument("--gap", type=float, default=0.2, metavar="SECONDS",
                        help="idle time before a turn (default 0.2)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random input")


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("--artifact", metavar="DIR", help="compiled from MODEL (default: compile it)")
    parser.add_argument("--shape", action="append", default=[], metavar="NAME=SIZES",
                        help="sizes that the model leaves open, as for `emulsion compile`")
    parser.add_argument("--threads", type=positive, default=len(os.sched_getaffinity(0)),
                        metavar="N", help="threads of every engine (default: the cores)")
    add_turn_flags(parser, "engine")
    parser.add_argument("--busy", type=int, default=0, metavar="N",
                        help="keep N cores busy with other processes meanwhile (default none)")
    parser.add_argument("--compile-flag", action="append", default=[], dest="compile_flags", metavar="FLAG",
                        help="for `emulsion compile`, as --compile-flag=--exact; may be repeated")
    parser.add_argument("--peers", default=",".join(PEERS), metavar="LIST",
                        help=f"engines to compare with (default {','.join(PEERS)})")
    parser.add_argument("--tvm-database", metavar="DIR",
                        help="schedules of the engine tvm_tuned, from bench/python/tvm_tune.py")
    parser.add_argument("--emulsion", default=find_program(), metavar="PROGRAM",
                        help="the program that compiles MODEL (default %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write all figures there as well")
    options = parser.parse_args()
    options.peers = [peer for peer in options.peers.split(",") if peer]
    for peer in options.peers:
        if peer not in PEERS + MORE_PEERS:
            fail(f"unknown engine '{peer}'; known are {', '.join(PEERS + MORE_PEERS)}", 2)
    if "tvm_tuned" in options.peers:
        check_database(options.tvm_database)
    if not Path(options.model).is_file():
        fail(f"{options.model}: no such file", 2)
    return options


def main():
    options = parse_arguments()
    with scratch.temporary_folder("emulsion-compare-") as folder:
        artifact = Path(options.artifact or compile_model(options, folder / "artifact", options.compile_flags))
        inputs = write_inputs(input_tensors(artifact), folder, options.seed)
        contenders = [Contender("emulsion", str(artifact), inputs, options.threads)]
        contenders += [peer_contender(engine, inputs, options) for engine in options.peers]
        outputs = {c.engine: outputs_of(c, folder) for c in contenders}
        reference = outputs.get("onnxruntime", outputs["emulsion"])
        errors = {engine: worst_ratio(values, reference) for engine, values in outputs.items()}
        with neighbours(options.busy):
            measure(contenders, options)
        result = report(contenders, errors, options)
        for contender in contenders:
            contender.close()
    print_table(result)
    if options.json:
        write_json(options.json, "emulsion-compare", result)
    for engine, error in errors.items():
        if error > 1:
            fail(f"the outputs of {TITLES[engine]} do not agree with those of ONNX Runtime")


if __name__ == "__main__":
    run_main("compare", main)
