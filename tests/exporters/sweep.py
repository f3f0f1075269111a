#!/usr/bin/env python3
"""Runs the files that export.py wrote through the compiler, and prints what comes of each.

Usage: sweep.py FOLDER [--build DIR] [--match GLOB] [--verify] [--jobs N]

Results are compared with the framework's own, which lie beside the files: |error| <= 1e-4 + 1e-3
|expected|. By default units go through Halide's JIT (quick); with --verify, `emulsion verify` compiles the
model as a user does and compares with ONNX Runtime. Files with open sizes always go that way, with
--shape from their inputs.

Prints the cases that do not work, and a table: networks and exporters, + works, r refused, W wrong.
"""

import argparse
import fnmatch
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local

import numpy

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "node_suite"))
from engines import Crashed, Jit, Refused  # noqa: E402

TIMEOUT = 120
REFUSED = 2  # exit code
thread = local()


def numbered(model, kind):
    """The arrays CASE.KIND0.npy, CASE.KIND1.npy, ... of a model."""
    for i in range(100):
        file = model.with_suffix(f".{kind}{i}.npy")
        if not file.exists():
            return
        yield str(file)


def through_jit(model, build, names):
    if not hasattr(thread, "engine"):
        thread.engine = Jit(build, TIMEOUT)
    with tempfile.TemporaryDirectory() as folder:
        inputs = dict(zip(names, numbered(model, "input")))
        outputs = thread.engine.run(str(model), inputs, Path(folder))
        worst = 0.0
        for actual, expected in zip(map(numpy.load, outputs), map(numpy.load, numbered(model, "output")),
                                    strict=True):
            if actual.shape != expected.shape:
                return f"WRONG: shape {actual.shape} instead of {expected.shape}"
            bound = 1e-4 + 1e-3 * numpy.abs(expected)
            error = numpy.abs(actual.astype(float) - expected) / bound
            worst = max(worst, float(error.max(initial=0))) if not numpy.isnan(error).any() else numpy.inf
    return "works" if worst <= 1 else f"WRONG: error/bound {worst:.3g}"


def through_verify(model, build, names):
    shapes = [word for name, file in zip(names, numbered(model, "input"))
              for word in ("--shape", f"{name}={'x'.join(map(str, numpy.load(file).shape))}")]
    command = [str(Path(build) / "bin" / "emulsion"), "verify", str(model), "--runs", "3", "--jobs", "1"]
    run = subprocess.run([*command, *(shapes if "-dynamic-" in model.name else [])],
                         capture_output=True, text=True, timeout=TIMEOUT)
    if run.returncode == 0:
        return "works"
    said = " ".join((run.stderr or run.stdout).split())
    return f"{'refused' if run.returncode == REFUSED else 'WRONG'}: {said}"


def check(model, build, verify):
    import onnx
    graph = onnx.load(model).graph
    weights = {tensor.name for tensor in graph.initializer}
    names = [value.name for value in graph.input if value.name not in weights]
    try:
        if verify or "-dynamic-" in model.name:
            return through_verify(model, build, names)
        return through_jit(model, build, names)
    except Refused as error:
        return f"refused: {error}"
    except Crashed as error:
        return f"WRONG: {error}"


def table(verdicts):
    columns = {}
    for case, verdict in verdicts.items():
        exporter, network = re.fullmatch(r"(\w+-\d+(?:-kept|-dynamic|-raw)?)-(.*)", case).groups()
        columns.setdefault(exporter, {})[network] = {"works": "+", "refused": "r"}.get(
            verdict.split(":")[0], "W")
    networks = sorted({network for column in columns.values() for network in column})
    print(f"{'':30}" + " ".join(columns))
    for network in networks:
        print(f"{network:30}" + " ".join(
            column.get(network, "").center(len(name)) for name, column in columns.items()))
    print(f"{'works':30}" + " ".join(
        f"{sum(v == '+' for v in c.values())}/{len(c)}".center(len(name))
        for name, c in columns.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", default=ROOT / "build")
    parser.add_argument("--match", default="*")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    models = [model for model in sorted(arguments.folder.glob("*.onnx"))
              if fnmatch.fnmatchcase(model.stem, arguments.match)]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda m: check(m, arguments.build, arguments.verify), models)
        verdicts = {}
        for model, verdict in zip(models, results):
            verdicts[model.stem] = verdict
            if verdict != "works":
                print(f"{model.stem}: {verdict}", flush=True)
    table(verdicts)
    return 0 if all(verdict == "works" for verdict in verdicts.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
